import type { Identifier } from '../../../api/identifiers.ts';
import type { RecordView } from '../../../api/reading/recordView.ts';
import { mapInSlices } from '../../../ground/slices.ts';
import { planTeardown, type Teardown, type TeardownTarget } from '../../../operations/plans/teardown.ts';
import type { Lineage } from '../../../operations/plans/tree.ts';
import { lineageOf } from '../../../records/lineage.ts';
import type { PersonalRecords } from '../../../records/personalRecords.ts';
import { isDeleted } from '../../../records/recordReader.ts';
import type { Owner } from '../../../store/vault.ts';
import { plain } from '../../blocks/limits.ts';
import type { Desk } from '../../desk/desk.ts';
import type { Notes } from './treeLines.ts';

/** Max records that are read one by one: a list may show less than the single records. */
const maxAlone = 40;

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
  desk: Desk,
  owner: Owner,
  target: Identifier,
  { leftOut, notBefore }: Readonly<{ leftOut: readonly string[]; notBefore: number }>,
): Promise<SeenTeardown> {
  const records = desk.records.of(owner, notBefore);
  const { records: all, cut } = await records.list(['live', 'clone']);
  const known = new Map(all.map(record => [record.id.text, record]));
  const listed = await mapInSlices(all, record => (isDeleted(record) ? [] : [lineageOf(record)]));
  const lineages = await withSingleRecords(records, listed.flat(), { known, target });
  const root = await targetOf(records, target, { known, lineages });
  const teardown = planTeardown(root, lineages, leftOut);
  return {
    teardown,
    notes: await notesOn(desk, owner, teardown, known),
    isCut: cut,
    nameOf: id => known.get(id)?.name,
  };
}

/**
 * The lineages. What the list does not show of a record, which is its source or the environment that is torn down, is
 * taken from its own record.
 */
async function withSingleRecords(
  records: PersonalRecords,
  lineages: readonly Lineage[],
  { known, target }: Readonly<{ known: ReadonlyMap<string, RecordView>; target: Identifier }>,
): Promise<readonly Lineage[]> {
  const unsure = lineages.filter(
    ({ noun, isPhysical, sources, environment }) =>
      (noun === 'clone' && isPhysical !== true && sources.length === 0) ||
      (target.noun === 'environment' && environment === undefined),
  );
  const read = await Promise.all(
    unsure.slice(0, maxAlone).map(async ({ id }) => {
      const view = known.get(id);
      const whole = view && (await records.alone(view.id).catch(() => undefined));
      return whole && { ...lineageOf(whole), name: whole.name ?? view.name };
    }),
  );
  const whole = new Map(read.flatMap(lineage => (lineage ? [[lineage.id, lineage] as const] : [])));
  return lineages.map(lineage => whole.get(lineage.id) ?? lineage);
}

type Around = Readonly<{ known: ReadonlyMap<string, RecordView>; lineages: readonly Lineage[] }>;

async function targetOf(
  records: PersonalRecords,
  { text: id, noun }: Identifier,
  around: Around,
): Promise<TeardownTarget> {
  const name = around.known.get(id)?.name;
  switch (noun) {
    case 'environment': {
      const { records: environments } = await records.list(['environment']);
      const environment = environments.find(record => record.id.text === id);
      return { id, noun, name: environment?.name, isDisabled: environment?.state?.class === 'disabled' };
    }
    case 'snapshot':
      return { id, noun, holder: around.lineages.find(({ snapshots }) => snapshots.includes(id))?.id };
    case 'clone':
      return { id, noun, name };
    default:
      return { id, noun: 'live', name };
  }
}

/** The places of the records of a tree, and the people who made them through Dolly, else those whom records name. */
async function notesOn(
  desk: Desk,
  { team }: Owner,
  { tree }: Teardown,
  known: ReadonlyMap<string, RecordView>,
): Promise<Notes> {
  const ids = [...tree.nodes.keys()];
  const makers = await desk.jobs.makersOf(team, ids);
  return new Map(
    ids.map(id => {
      const record = known.get(id);
      const environment = record?.environment;
      const maker = makers.get(id)?.person;
      const [asked] = record?.askedBy ?? [];
      const owner = maker === undefined ? asked && plain(asked, 60) : `<@${maker}>`;
      return [
        id,
        {
          place: id === tree.root || !environment ? undefined : plain(environment.label ?? environment.id.text, 60),
          owner: owner && `of ${owner}`,
        },
      ] as const;
    }),
  );
}
