import type { Identifier } from '../api/identifiers.ts';
import { type JobOperation, targetNouns } from './operation.ts';

/** A state: its word, and whether that says only that all is well. */
type State = Readonly<{ class: NonNullable<JobOperation['pointlessIn']>[number]; word: string; isVague?: true }>;

/** A clone that depends on a record. */
type Dependent = Readonly<{ state?: State | undefined }>;

/**
 * The known facts of a record to which an operation may be done. A fact that is left out is unknown, and no obstacle.
 */
export type KnownTarget = Readonly<{
  id: Identifier;
  isPhysical?: boolean | undefined;
  state?: State | undefined;
  /** The records of the list in which it stands. Their state words show the meaning of its own one. */
  others?: readonly Readonly<{ id: Identifier; state?: State | undefined }>[];
  /** The environment on which the work would be done, which may be the record itself. */
  place?: Readonly<{ id: Identifier; state?: State | undefined }> | undefined;
  /** The clones that depend on it. */
  dependents?: readonly Dependent[];
  /** For a snapshot: the number of snapshots of its database. */
  snapshots?: number;
}>;

/**
 * The reason why an operation is not available:
 * - `noun`: the operation is not for such records.
 * - `kind`: the operation is only for virtual clones, and the record is a physical one.
 * - `state`: the record is in this state already, so that nothing would change.
 * - `environment`: the environment of the work is disabled (spec §3, rule 1). The rule is about work on it: whether the
 *   environment itself can be deleted then is not stated.
 * - `dependents`: clones surely depend on the record that would be deleted (rules 2 and 3).
 * - `snapshot`: the record is the last snapshot of its database (rule 3).
 */
type Obstacle =
  | Readonly<{ about: 'noun' | 'kind' | 'dependents' | 'snapshot' }>
  | Readonly<{ about: 'state' | 'environment'; word: string }>;

/**
 * Decides whether an operation is available for a record: lists every known obstacle. Menus, pickers, typed commands,
 * `why` and the checks before a job is sent all ask this function.
 */
export function obstaclesTo(operation: JobOperation, target: KnownTarget): readonly Obstacle[] {
  const { id, isPhysical, state, place, dependents = [], snapshots } = target;
  const isDatabase = id.noun === 'live' || id.noun === 'clone';
  const obstacles: Obstacle[] = [];
  if (!id.noun || !targetNouns(operation).includes(id.noun)) obstacles.push({ about: 'noun' });
  if (operation.onlyVirtual && isPhysical) obstacles.push({ about: 'kind' });
  if (state && operation.pointlessIn?.includes(state.class) && !isDoubtful(target))
    obstacles.push({ about: 'state', word: state.word });
  const isPlaceItself = place?.id.text === id.text;
  if (place?.state?.class === 'disabled' && !(isPlaceItself && (operation.deletes || isEnabling(operation))))
    obstacles.push({ about: 'environment', word: place.state.word });
  if (operation.deletes && (isDatabase || id.noun === 'snapshot') && dependents.some(isSurelyDependent))
    obstacles.push({ about: 'dependents' });
  if (operation.deletes && id.noun === 'snapshot' && snapshots === 1) obstacles.push({ about: 'snapshot' });
  return obstacles;
}

/** Whether the rules surely count a clone: of one that failed, which may never have come to be, they do not say so. */
export function isSurelyDependent({ state }: Dependent): boolean {
  return state?.class !== 'failed';
}

/**
 * Whether the state's word may have another meaning here: it says little, other records have another word of the same
 * class, or none of them shows a word to compare with. Then this one may say that a job runs, rather than a database.
 */
function isDoubtful({ id, state, others: all = [] }: KnownTarget): boolean {
  if (state?.isVague) return true;
  const others = all.filter(other => other.id.text !== id.text);
  const differs = ({ state: word }: (typeof others)[number]) =>
    word?.class === state?.class && word?.word !== state?.word;
  return others.some(differs) || (others.length > 0 && others.every(other => !other.state));
}

function isEnabling(operation: JobOperation): boolean {
  return operation.type === 'write' && operation.proof.type === 'reaches' && operation.proof.classes.includes('ok');
}
