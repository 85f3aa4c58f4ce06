import { parseIdentifier } from '../../../api/identifiers.ts';
import type { RecordView } from '../../../api/reading/recordView.ts';
import { Failure } from '../../../ground/failure.ts';
import { inRow } from '../../../ground/wording.ts';
import type { Parts } from '../../../jobs/parts.ts';
import { formOperation, writeOperation } from '../../../operations/catalogue.ts';
import { batchSteps, isOfEnvironment } from '../../../operations/plans/batch.ts';
import { mostSteps, type PlanStep } from '../../../operations/plans/plan.ts';
import { isDeleted } from '../../../records/recordReader.ts';
import type { Session } from '../../../records/records.ts';
import type { Listed } from '../../../store/jobs/reading.ts';
import type { NewNotice } from '../../../store/tables/outboxRows.ts';
import type { Schedule } from '../schedule.ts';
import { noticesOf, toChannel } from '../scheduleNotice.ts';
import { operationOfSchedule } from '../scheduleRules.ts';

/** How many databases may join a schedule for an environment before somebody is asked. */
const roomToGrow = 5;
/** Max names in a sentence. */
const mostNamed = 12;

/** Names by identifier. */
type NamesById = Readonly<Record<string, string>>;

/**
 * The members of a run: its steps, those that are known from now on, and what there is to say about them. Those `above`
 * the ceiling were told; the `untold` are, too, and were not. What the run before still has under way is `hanging`.
 */
export type MembersOfRun = Readonly<{ steps: readonly PlanStep[]; news: string | undefined }> &
  Readonly<Record<'known' | 'joined' | 'above' | 'untold' | 'hanging', NamesById>>;

/** The live databases on an environment, as records show them: names by identifier. */
export function membersIn(records: readonly RecordView[], environment: string): NamesById {
  const on = records.filter(
    one => one.id.noun === 'live' && one.environment?.id.text === environment && !isDeleted(one),
  );
  return Object.fromEntries(on.map(({ id, name }) => [id.text, name ?? id.text]));
}

/** The values of a schedule for an environment which those who approve it read, and bind: its rule, and its ceiling. */
export function boundValues(members: NamesById): Readonly<Record<'rule' | 'members' | 'ceiling', string>> {
  return {
    rule: 'All live databases on it at the time of each run, including new ones',
    members: Object.values(members).join(', '),
    ceiling: String(Math.min(mostSteps, Object.keys(members).length + roomToGrow)),
  };
}

/** How many databases a schedule may have at most. */
export function ceilingOf({ values }: Pick<Schedule, 'values'>): number {
  return Math.min(mostSteps, Number(values.ceiling ?? mostSteps));
}

/** Whether a schedule is for all that stands on an environment. */
export function isForEnvironment(schedule: Pick<Schedule, 'kind' | 'operation'>): boolean {
  const operation = operationOfSchedule(schedule);
  return operation !== undefined && isOfEnvironment(operation);
}

/** The messages about who joined a run, or is gone. */
export function noticesOfMembers(
  schedule: Schedule,
  { news: why, joined }: MembersOfRun,
  now: number,
): readonly NewNotice[] {
  return why === undefined ? [] : noticesOf(schedule, 'members', toChannel(schedule), { now, why, joined });
}

/**
 * Reads what stands on the environment of a schedule now. What the run before still has under way is left out of this
 * one, so that nothing that hangs holds up the others.
 * @throws {Failure} where the databases cannot be read now
 */
export async function membersOf(
  { jobs }: Parts<'jobs'>,
  schedule: Schedule,
  session: Session | undefined,
): Promise<MembersOfRun> {
  if (!session) throw new Failure('busy', 'The sign-in that it runs with has just ended.');
  const { records, cut } = await session.records.list('live');
  const there = membersIn(records, schedule.target);
  const open = await Promise.all(Object.keys(there).map(id => jobs.openOn(schedule.team, id)));
  // What somebody else asked for, and what waits for approval, holds up no backup.
  const isOwn = (job: Listed) => job.state === 'unreadable' || job.schedule === schedule.id;
  const hanging = new Set(Object.keys(there).filter((_, at) => open[at]?.some(isOwn)));
  return membersOfRun(schedule, { there, hanging, isPart: cut });
}

/** Says who takes part in a run. Nothing is called gone where the service shows only a part of its records. */
export function membersOfRun(
  schedule: Schedule,
  { there, hanging, isPart }: Readonly<{ there: NamesById; hanging: ReadonlySet<string>; isPart: boolean }>,
): MembersOfRun {
  const known = schedule.members ?? membersAsAsked(schedule);
  const left = new Set(schedule.leftOut ?? []);
  const some = (fits: (id: string) => boolean, of: NamesById = there) =>
    Object.fromEntries(Object.entries(of).filter(([id]) => !left.has(id) && fits(id)));
  const stay = some(id => id in known);
  const fresh = some(id => !(id in known));
  const gone = isPart ? {} : some(id => !(id in there), known);
  const fits = Object.keys(stay).length + Object.keys(fresh).length <= ceilingOf(schedule);
  const joined = fits ? fresh : {};
  const isTold = (id: string) => id in (schedule.above ?? {});
  const [above, untold] = fits ? [{}, {}] : [some(isTold, fresh), some(id => !isTold(id), fresh)];
  const operation = operationOfSchedule(schedule);
  const single = operation && writeOperation(formOperation(operation).name);
  const now = { ...stay, ...joined };
  const ids = Object.keys(now).filter(id => !hanging.has(id));
  const hangs = some(id => hanging.has(id));
  const news = newsOf({ joined, gone, hanging: hangs });
  const steps = single ? batchSteps(single, ids, now) : [];
  return { steps, known: isPart ? { ...known, ...now } : now, joined, above, untold, hanging: hangs, news };
}

/** What stood on the environment when somebody asked for the schedule. */
function membersAsAsked({ labels }: Schedule): NamesById {
  return Object.fromEntries(Object.entries(labels).filter(([id]) => parseIdentifier(id)?.noun === 'live'));
}

function newsOf({
  joined,
  gone,
  hanging,
}: Readonly<Record<'joined' | 'gone' | 'hanging', NamesById>>): string | undefined {
  const all = [
    nameSome('New here, and included', joined),
    nameSome('No longer there', gone),
    nameSome('Still under way from the run before, so not started again', hanging),
  ];
  const text = all.filter(Boolean).join(' ');
  return text === '' ? undefined : text;
}

/** Names some databases after a lead, up to a number; empty where there are none. */
export function nameSome(lead: string, some: NamesById): string {
  const names = Object.values(some);
  return names.length === 0 ? '' : `${lead}: ${inRow(names, mostNamed)}.`;
}
