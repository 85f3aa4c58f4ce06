import type { Identifier } from '../api/identifiers.ts';
import { targetNouns, type WriteOperation } from './operation.ts';

type State = Readonly<{ class: NonNullable<WriteOperation['pointlessIn']>[number]; word: string }>;

/**
 * The facts that are known of a record to which an operation may be done. A fact that is left out is not known, and is no
 * obstacle.
 */
export type KnownTarget = Readonly<{
  id: Identifier;
  isPhysical?: boolean | undefined;
  state?: State | undefined;
  /** The records of the list in which it stands: their state words tell what its own one means. */
  others?: readonly Readonly<{ id: Identifier; state?: State | undefined }>[];
  /** The environment on which the work would be done, which may be the record itself. */
  place?: Readonly<{ id: Identifier; state?: State | undefined }> | undefined;
  /** How many clones depend on it. */
  dependents?: number;
  /** Of a snapshot: how many its database has. */
  snapshots?: number;
}>;

/**
 * The reason why an operation is not available:
 * - `noun`: it is not for such records at all.
 * - `kind`: it is for virtual clones, and the record is a physical one.
 * - `state`: the record is in this state already, so that nothing would change.
 * - `environment`: its environment is disabled (spec §3, rule 1).
 * - `dependents`: clones depend on what would be deleted (rules 2 and 3).
 * - `snapshot`: it is the last one of its database (rule 3).
 */
export type Obstacle =
  | Readonly<{ about: 'noun' | 'kind' | 'dependents' | 'snapshot' }>
  | Readonly<{ about: 'state' | 'environment'; word: string }>;

/**
 * Decides whether an operation is available for a record: lists every obstacle as far as one is known. Menus, pickers,
 * typed commands, `why` and the checks before a job is sent all ask this function.
 */
export function obstaclesTo(operation: WriteOperation, target: KnownTarget): readonly Obstacle[] {
  const { id, isPhysical, state, place, dependents = 0, snapshots } = target;
  const isDatabase = id.noun === 'live' || id.noun === 'clone';
  const obstacles: Obstacle[] = [];
  if (!id.noun || !targetNouns(operation).includes(id.noun)) obstacles.push({ about: 'noun' });
  if (operation.onlyVirtual && isPhysical) obstacles.push({ about: 'kind' });
  if (state && operation.pointlessIn?.includes(state.class) && !isDoubtful(target))
    obstacles.push({ about: 'state', word: state.word });
  if (place?.state?.class === 'disabled' && !(place.id.text === id.text && isEnabling(operation)))
    obstacles.push({ about: 'environment', word: place.state.word });
  if (operation.deletes && (isDatabase || id.noun === 'snapshot') && dependents > 0)
    obstacles.push({ about: 'dependents' });
  if (operation.deletes && id.noun === 'snapshot' && snapshots === 1) obstacles.push({ about: 'snapshot' });
  return obstacles;
}

/**
 * Whether the state's word may mean something else here: other records stand in another word of the same meaning, so that
 * this one may say that a job runs, rather than a database.
 */
function isDoubtful({ id, state, others = [] }: KnownTarget): boolean {
  return others.some(
    other => other.id.text !== id.text && other.state?.class === state?.class && other.state?.word !== state?.word,
  );
}

function isEnabling({ proof }: WriteOperation): boolean {
  return proof.type === 'reaches' && proof.classes.includes('ok');
}
