import type { Identifier } from '../../api/identifiers.ts';
import type { RecordList } from '../../api/reading/recordList.ts';
import type { RecordView } from '../../api/reading/recordView.ts';
import { mapInSlices } from '../../ground/slices.ts';
import { planTeardown, type TeardownTarget } from '../../operations/plans/teardown.ts';
import type { Lineage } from '../../operations/plans/tree.ts';
import { lineageOf } from '../../records/lineage.ts';
import { isDeleted } from '../../records/recordReader.ts';
import { unlessHidden } from '../../records/shown.ts';

/** Max records that are read one by one: a list may show less than the single records. */
const maxAlone = 40;

/** The records that a teardown is planned from: those of remembered answers for a page, those of now for an act. */
type TreeSource = Readonly<{
  /** The list of all databases and clones, or that of the environments. */
  list(noun: 'live' | 'environment'): Promise<RecordList>;
  alone(id: Identifier): Promise<RecordView | undefined>;
}>;

/**
 * Reads the records around a target, and plans its teardown without the branches that are left out: with the databases that
 * it was planned from, by identifier; `isCut` where the list shows only some.
 * @throws {Failure} where the records cannot be read
 */
export async function teardownNow(source: TreeSource, target: Identifier, leftOut: readonly string[]) {
  const { records: all, cut } = await source.list('live');
  const known = new Map(all.map(record => [record.id.text, record]));
  const listed = await mapInSlices(all, record => (isDeleted(record) ? [] : [lineageOf(record)]));
  const lineages = await withSingleRecords(source, listed.flat(), { known, target });
  const root = await targetOf(source, target, { known, lineages });
  return { teardown: planTeardown(root, lineages, leftOut), known, isCut: cut };
}

/** The identifiers that are left out, from the text of the field. */
export function leftOutIn(text: unknown): readonly string[] {
  return typeof text === 'string' ? text.split(/\s+/).filter(Boolean) : [];
}

/**
 * The lineages. What the list does not show of a record, which is its source or the environment that is torn down, is
 * taken from its own record.
 */
async function withSingleRecords(
  source: TreeSource,
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
      const whole = view && (await source.alone(view.id).catch(unlessHidden));
      return whole && { ...lineageOf(whole), name: whole.name ?? view.name };
    }),
  );
  const whole = new Map(read.flatMap(lineage => (lineage ? [[lineage.id, lineage] as const] : [])));
  return lineages.map(lineage => whole.get(lineage.id) ?? lineage);
}

type KnownLineages = Readonly<{ known: ReadonlyMap<string, RecordView>; lineages: readonly Lineage[] }>;

async function targetOf(
  source: TreeSource,
  { text: id, noun }: Identifier,
  around: KnownLineages,
): Promise<TeardownTarget> {
  const name = around.known.get(id)?.name;
  switch (noun) {
    case 'environment': {
      const { records: environments } = await source.list('environment');
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
