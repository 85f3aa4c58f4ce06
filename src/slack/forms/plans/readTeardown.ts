import type { Identifier } from '../../../api/identifiers.ts';
import type { RecordView } from '../../../api/reading/recordView.ts';
import { ownersOfClones } from '../../../jobs/approval/people/cloneOwner.ts';
import { teardownNow } from '../../../jobs/plans/teardownNow.ts';
import type { Teardown } from '../../../operations/plans/teardown.ts';
import type { Owner } from '../../../store/vault.ts';
import { plain } from '../../blocks/limits.ts';
import type { Desk } from '../../desk/desk.ts';
import type { Notes } from './treeLines.ts';

/** A teardown as the records show it to one person now. */
export type SeenTeardown = Readonly<{
  teardown: Teardown;
  /** The places and owners of the records of the tree. */
  notes: Notes;
  /** Whether the list of databases was cut short. */
  isCut: boolean;
  nameOf(id: string): string | undefined;
}>;

/**
 * Reads the records around a target, and plans its teardown without the branches that are left out.
 * @param notBefore the age that the records may have, as a time in milliseconds since the epoch
 * @throws {Failure} where the databases or the target cannot be read
 */
export async function readTeardown(
  desk: Desk<'jobs' | 'keepersOf' | 'records'>,
  owner: Owner,
  target: Identifier,
  { leftOut, notBefore }: Readonly<{ leftOut: readonly string[]; notBefore: number }>,
): Promise<SeenTeardown> {
  const { list, alone } = desk.records.of(owner, notBefore);
  const source = {
    alone: (id: Identifier) => alone(id),
    list: (noun: 'live' | 'environment') => list(noun === 'live' ? ['live', 'clone'] : [noun]),
  };
  const { teardown, known, isCut } = await teardownNow(source, target, leftOut);
  return {
    teardown,
    notes: await notesOn(desk, owner, teardown, known),
    isCut,
    nameOf: id => known.get(id)?.name,
  };
}

/** The places of the records of a tree, and whose they are. */
async function notesOn(
  desk: Desk<'jobs' | 'keepersOf'>,
  { team }: Owner,
  { tree }: Teardown,
  known: ReadonlyMap<string, RecordView>,
): Promise<Notes> {
  const ids = [...tree.nodes.keys()];
  const ownerOf = await ownersOfClones(
    desk,
    team,
    ids.flatMap(id => known.get(id) ?? []),
  );
  return new Map(
    ids.map(id => {
      const record = known.get(id);
      const environment = record?.environment;
      const { person, named = undefined } = record ? ownerOf(record) : {};
      const owner = person === undefined ? named && plain(named, 60) : `<@${person}>`;
      return [
        id,
        {
          place: id === tree.root || !environment ? undefined : plain(environment.label ?? environment.id.text, 60),
          owner: owner && `owned by ${owner}`,
        },
      ] as const;
    }),
  );
}
