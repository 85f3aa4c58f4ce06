import { identifiersAmong, nounNames, parseIdentifier } from '../../api/identifiers.ts';
import type { RecordView } from '../../api/reading/recordView.ts';
import { obstaclesTo } from '../../operations/availability.ts';
import { writeOperation } from '../../operations/catalogue.ts';
import { makesClone, type WriteOperation } from '../../operations/operation.ts';
import type { PlanStep } from '../../operations/plans/plan.ts';
import { isDeleted, type RecordReader } from '../../records/recordReader.ts';
import { isHidden, listIfShown, readWhole, unlessHidden } from '../../records/shown.ts';
import { ownSnapshots, snapshotsOf } from '../../records/snapshots.ts';
import { numberedStep, targetOfStep } from './stepWords.ts';

/*
 * What keeps a step of a plan from being done, as the records are before its first step. Nobody is asked for a plan that
 * would stop halfway, with what its first steps deleted gone.
 */

/** The records around a plan, by identifier; those of a list that was cut or is not shown are not among them. */
type RecordsAround = ReadonlyMap<string, RecordView>;

/** A step, those before it, and what the records show around the plan. */
type StepTurn = Readonly<{
  step: PlanStep;
  operation: WriteOperation;
  earlier: readonly PlanStep[];
  around: RecordsAround;
  records: Pick<RecordReader, 'list' | 'one' | 'alone'>;
}>;

/**
 * Says in a sentence which step could not be done now, and why; `undefined` where the records show nothing of it. Of
 * an approved plan, the steps from `approvedFrom` on are left; work that is under way on a record passes, and takes no
 * approval back.
 */
export async function obstacleToSteps(
  steps: readonly PlanStep[],
  records: StepTurn['records'],
  approvedFrom?: number,
): Promise<string | undefined> {
  if (steps.length === 0) return undefined;
  const lists = await Promise.all((['live', 'clone', 'environment'] as const).map(noun => listIfShown(records, noun)));
  const around: RecordsAround = new Map(
    lists.flatMap(list => list?.records ?? []).map(record => [record.id.text, record]),
  );
  for (const [at, step] of steps.entries()) {
    const operation = at < (approvedFrom ?? 0) ? undefined : writeOperation(step.operation);
    if (!operation) continue;
    const turn = { step, operation, earlier: steps.slice(0, at), around, records };
    const fault = faultOfStep(turn, approvedFrom !== undefined) ?? (at === 0 ? undefined : await faultOfLater(turn));
    if (fault !== undefined) return `${numberedStep(steps, at)}: ${fault}`;
  }
  return undefined;
}

/** What a step needs for which others did something before. */
async function faultOfLater(turn: StepTurn): Promise<string | undefined> {
  const fault = faultOfPort(turn);
  if (fault !== undefined || !makesClone(turn.operation)) return fault;
  return (await faultOfSource(turn)) ?? (await faultOfPlace(turn)) ?? (await faultOfProject(turn));
}

/** The service's rule 1 (spec §3), and its work that is under way on what a step is about. */
function faultOfStep({ step, operation, earlier, around }: StepTurn, isApproved: boolean): string | undefined {
  const id = targetOfStep(step);
  if (!id) return undefined;
  const record = around.get(id.text);
  const field = placeOf(operation);
  const place = around.get(String(field ? step.values[field] : (record?.environment?.id.text ?? id.text)));
  const blocked =
    place?.id.noun === 'environment' && !isEnabledBefore(earlier, place.id.text)
      ? obstaclesTo(operation, { id, place }).find(({ about }) => about === 'environment')
      : undefined;
  if (place && blocked && 'word' in blocked)
    return `${place.name ?? place.id.text} is ${blocked.word}, so nothing runs on it.`;
  const { state } = record ?? {};
  const needsRest = !isApproved && (operation.deletes || makesClone(operation));
  return needsRest && state?.class === 'busy'
    ? `${record?.name ?? id.text} is ${state.word} at the moment. Ask again once that is over.`
    : undefined;
}

/** The field of an operation that chooses an environment. */
function placeOf({ fields }: WriteOperation): string | undefined {
  return fields.find(({ role }) => role === 'environment')?.name;
}

/** The port of a clone that is made after a deletion must be free, or become so, on its environment. */
function faultOfPort({ step: { values }, operation, earlier, around }: StepTurn): string | undefined {
  const place = placeOf(operation);
  const port = Number(values[operation.fields.find(({ fill }) => fill === 'port')?.name ?? '']);
  if (place === undefined || !port) return undefined;
  const goes = new Set(earlier.map(({ target }) => target));
  const holder = [...around.values()].find(
    one => one.port === port && one.environment?.id.text === values[place] && !goes.has(one.id.text) && !isDeleted(one),
  );
  const where = around.get(String(values[place]))?.name ?? values[place];
  return holder && `Port ${port} on ${where} belongs to ${holder.name ?? holder.id.text}. Choose another one.`;
}

/** What a clone is made of must be there before anything is deleted for it. */
async function faultOfSource({ step, operation, records }: StepTurn): Promise<string | undefined> {
  const id = targetOfStep(step);
  if (!id || id.noun === 'snapshot') return undefined;
  try {
    const source = await readWhole(records, id);
    if (!source) return `No record shows ${id.text}, which this needs.`;
    const chosen = step.values[operation.fields.find(({ role }) => role === 'snapshot')?.name ?? ''];
    const snapshot = typeof chosen === 'string' ? parseIdentifier(chosen) : undefined;
    const gone = ownSnapshots(source).flatMap(one => (one.condition?.unfit === 'deleted' ? one.id.text : []));
    const shown = snapshotsOf(source).filter(one => !gone.includes(one));
    // A source that shows no snapshot at all does not tell which ones there are.
    if (!snapshot || shown.length === 0 || shown.includes(snapshot.text) || (await records.one(snapshot)))
      return undefined;
    return `${source.name ?? id.text} no longer shows the snapshot ${snapshot.text}, which this needs.`;
  } catch (error) {
    if (!isHidden(error)) throw error;
    return `I cannot read ${id.text}, which this needs. ${error.message}`;
  }
}

/** The installation and the user of a clone must be on its environment, which shows some, or be used there. */
async function faultOfPlace({ step: { values }, operation, around, records }: StepTurn): Promise<string | undefined> {
  const id = parseIdentifier(String(values[placeOf(operation) ?? ''] ?? ''));
  if (!id) return undefined;
  const place = await readWhole(records, id).catch(unlessHidden);
  const there = [...around.values()].filter(({ environment }) => environment?.id.text === id.text);
  for (const { noun, text } of identifiersAmong(Object.values(values))) {
    if (noun !== 'install' && noun !== 'environmentUser') continue;
    const shown = (place?.mentions ?? []).filter(mention => mention.id.noun === noun);
    const known = [...shown, ...there.flatMap(({ mentions }) => mentions)];
    if (shown.length > 0 && !known.some(mention => mention.id.text === text))
      return `${text} is not among the ${nounNames[noun].many} of ${place?.name ?? id.text}.`;
  }
  return undefined;
}

/** The project of a clone must be there. Where no project is listed, or this one is hidden, nothing is known of it. */
async function faultOfProject({ step: { values }, records }: StepTurn): Promise<string | undefined> {
  const id = identifiersAmong(Object.values(values)).find(({ noun }) => noun === 'project');
  if (!id) return undefined;
  if (!(await listIfShown(records, 'project'))?.records.length) return undefined;
  const isGone = await readWhole(records, id).then(record => !record, unlessHidden);
  return isGone ? `${id.text} is no longer among the service’s projects.` : undefined;
}

function isEnabledBefore(earlier: readonly PlanStep[], environment: string): boolean {
  return earlier.some(({ operation, target }) => operation === 'environment.enable' && target === environment);
}
