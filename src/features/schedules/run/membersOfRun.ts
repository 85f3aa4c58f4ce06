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
import type { NewNotice } from '../../../store/tables/outbox.ts';
import type { Schedule } from '../schedule.ts';
import { noticesOf, toChannel } from '../scheduleNotice.ts';
import { operationOfSchedule } from '../scheduleRules.ts';

/** How many databases may join a schedule for an environment before it has to be asked for anew. */
export const roomToGrow = 5;
/** Max names in a sentence. */
const mostNamed = 12;

/** The members of a run: its steps, those that are known from now on, and what there is to say about them. */
export type MembersOfRun = Readonly<{
  steps: readonly PlanStep[];
  known: Readonly<Record<string, string>>;
  joined: Readonly<Record<string, string>>;
  above: Readonly<Record<string, string>>;
  news: string | undefined;
}>;

type Named = Readonly<Record<string, string>>;

/** The live databases on an environment, as records show them: names by identifier. */
export function membersIn(records: readonly RecordView[], environment: string): Named {
  const on = records.filter(
    one => one.id.noun === 'live' && one.environment?.id.text === environment && !isDeleted(one),
  );
  return Object.fromEntries(on.map(({ id, name }) => [id.text, name ?? id.text]));
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
  if (!session) throw new Failure('busy', 'The sign-in with which it runs has just ended.');
  const { records, cut } = await session.records.list('live');
  const there = membersIn(records, schedule.target);
  const open = await Promise.all(Object.keys(there).map(id => jobs.openOn(schedule.team, id)));
  const hanging = new Set(Object.keys(there).filter((_, at) => (open[at] ?? []).length > 0));
  return membersOfRun(schedule, { there, hanging, isPart: cut });
}

/** Says who takes part in a run. Nothing is called gone where the service shows only a part of its records. */
export function membersOfRun(
  schedule: Schedule,
  { there, hanging, isPart }: Readonly<{ there: Named; hanging: ReadonlySet<string>; isPart: boolean }>,
): MembersOfRun {
  const known = schedule.members ?? membersAsAsked(schedule);
  const left = new Set(schedule.leftOut ?? []);
  const some = (fits: (id: string) => boolean, of: Named = there) =>
    Object.fromEntries(Object.entries(of).filter(([id]) => !left.has(id) && fits(id)));
  const stay = some(id => id in known);
  const fresh = some(id => !(id in known));
  const gone = isPart ? {} : some(id => !(id in there), known);
  const ceiling = Math.min(mostSteps, Number(schedule.values.ceiling ?? mostSteps));
  const fits = Object.keys(stay).length + Object.keys(fresh).length <= ceiling;
  const joined = fits ? fresh : {};
  const above = fits ? {} : fresh;
  const untold = some(id => !(id in (schedule.above ?? {})), above);
  const operation = operationOfSchedule(schedule);
  const single = operation && writeOperation(formOperation(operation).name);
  const now = { ...stay, ...joined };
  const ids = Object.keys(now).filter(id => !hanging.has(id));
  return {
    steps: single ? batchSteps(single, ids, now) : [],
    known: isPart ? { ...known, ...now } : now,
    ...{ joined, above },
    news: newsOf({ joined, gone, above: untold, hanging: some(id => hanging.has(id)), ceiling }),
  };
}

/** What stood on the environment when somebody asked for the schedule. */
function membersAsAsked({ labels }: Schedule): Named {
  return Object.fromEntries(Object.entries(labels).filter(([id]) => parseIdentifier(id)?.noun === 'live'));
}

function newsOf({
  ceiling,
  ...of
}: Readonly<Record<'joined' | 'gone' | 'above' | 'hanging', Named>> & Readonly<{ ceiling: number }>):
  | string
  | undefined {
  const said = [
    sentence('New here, and included', of.joined),
    sentence('Not there any more', of.gone),
    sentence('Still under way from the run before, so not begun again', of.hanging),
    sentence(`New here, and not included, since that would be more than the ${ceiling} that were asked for`, of.above),
    Object.keys(of.above).length > 0 ? 'Ask for the schedule anew to include them.' : '',
  ];
  const text = said.filter(Boolean).join(' ');
  return text === '' ? undefined : text;
}

function sentence(lead: string, some: Named): string {
  const names = Object.values(some);
  return names.length === 0 ? '' : `${lead}: ${inRow(names, mostNamed)}.`;
}
