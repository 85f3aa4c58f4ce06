import type { Button, KnownBlock } from '@slack/types';
import { z } from 'zod';
import { nextRuns, Rhythm } from '../../../ground/calendar.ts';
import { writeRhythm } from '../../../ground/rhythmWords.ts';
import { surelyApproves } from '../../../jobs/approval/people/hasSay.ts';
import type { Parts } from '../../../jobs/parts.ts';
import { operationOf } from '../../../jobs/request.ts';
import { jobOperation } from '../../../operations/catalogue.ts';
import type { JobOperation } from '../../../operations/operation.ts';
import { isOfEnvironment } from '../../../operations/plans/batch.ts';
import { mostSteps } from '../../../operations/plans/plan.ts';
import { type Named, noneAmong } from '../../../records/find.ts';
import { asJson, defineAction } from '../../../slack/blocks/action.ts';
import { context, section } from '../../../slack/blocks/blocks.ts';
import { limits } from '../../../slack/blocks/limits.ts';
import { mentionOf } from '../../../slack/blocks/mentionPeople.ts';
import { type Content, message, said } from '../../../slack/blocks/message.ts';
import { moment } from '../../../slack/blocks/moments.ts';
import { bold, plain } from '../../../slack/blocks/mrkdwn.ts';
import { linkToJob } from '../../../slack/connection/permalinks.ts';
import { mustBeAllowed, mustBeSignedIn } from '../../../slack/desk/admission.ts';
import { channelFault } from '../../../slack/desk/channelFault.ts';
import type { Desk } from '../../../slack/desk/desk.ts';
import type { Interaction } from '../../../slack/desk/interaction.ts';
import { timesToType } from '../../../slack/messages/scheduleTimes.ts';
import { runCommand } from '../../../slack/words/commandActions.ts';
import type { Owner } from '../../../store/vault.ts';
import type { ScheduleKeeper, ScheduleOutcome } from '../mayAct.ts';
import { boundValues, membersIn } from '../run/membersOfRun.ts';
import { type Schedule, schedules } from '../schedule.ts';
import { askSchedule, changeSchedule, type FoundWork } from '../scheduleActs.ts';
import { type ScheduleReader, scheduleTitle } from '../scheduleLines.ts';
import { calendarOf, scheduleFault } from '../scheduleRules.ts';
import { scheduleBlocks } from '../schedulesList.ts';
import { writeScheduleWords } from '../scheduleWords.ts';
import { ScheduledWork } from './scheduleDraft.ts';
import { readWork, type WorkReader } from './scheduledWork.ts';

/** A schedule as a form or a command asks for it. */
const AskedSchedule = z.object({
  work: ScheduledWork,
  rhythm: Rhythm,
  zone: z.string(),
  /** The channel of its messages. */
  channel: z.string(),
  tells: z.enum(['all', 'failures']),
  runsAs: z.enum(['owner', 'service']),
});
type AskedSchedule = z.infer<typeof AskedSchedule>;

/** Under this name the content of the form is kept until it is answered. */
export const scheduleByForm = defineAction('schedule.set', asJson(AskedSchedule));

/** Sets schedules, and says what came of it. */
export type ScheduleActor = Desk<'workspace' | 'homes'> &
  Readonly<{ sets: ScheduleKeeper & Parts<'audit' | 'log' | 'reportOn'> }>;

/** Makes schedules of what people chose or typed. */
export type ScheduleSetter = ScheduleActor & Desk<'slack' | 'clock' | 'log'> & Readonly<{ work: WorkReader }>;

/**
 * Makes or changes a schedule, and says what came of it.
 * @throws {Failure} `signed-out`, `forbidden`, or where the records cannot be read now
 */
export async function setSchedule(desk: ScheduleSetter, interaction: Interaction, asked: AskedSchedule) {
  const { sets } = desk;
  const { work, rhythm, zone, channel, tells, runsAs } = asked;
  if (runsAs === 'service' && sets.account === undefined)
    return said(
      'There is no service account here. Choose your own sign-in, or ask my operator to set up a service account.',
    );
  const closed = await channelFault(desk, interaction.team, channel);
  if (closed !== undefined) return said(`${closed} Nothing was scheduled.`);
  const times = { rhythm, zone, channel, tells, runsAs };
  const { team, person } = interaction;
  const act = { team, person, channel: interaction.channel };
  if (work !== null && 's' in work) {
    const outcome = await changeSchedule(sets, { ...act, id: work.s, revision: work.n }, times);
    return tellOutcome(desk, interaction, work.s, outcome);
  }
  await mustBeSignedIn(sets, interaction);
  const found = await workOf(desk, interaction, asked);
  if ('text' in found) return found;
  const { operation, values, labels, purpose } = found;
  const unfit = scheduleFault(sets.policy, operation);
  if (unfit !== undefined) return said(plain(unfit, 500));
  await mustBeAllowed(sets, interaction, operation);
  const wish = { ...times, request: interaction.id, operation, values, labels, purpose };
  return tellOutcome(desk, interaction, undefined, await askSchedule(sets, act, wish));
}

/** The work that is scheduled, or the answer that says what is wrong. */
async function workOf(desk: ScheduleSetter, interaction: Interaction, asked: AskedSchedule) {
  const { work } = asked;
  if (work === null || 's' in work) return said('Choose what to do.');
  if ('j' in work) {
    const job = await desk.work.jobs.find(work.j);
    if (job?.team !== interaction.team || job.state === 'unreadable')
      return said('I can’t find this job; it may have been deleted.');
    const { values, labels, target, targetName } = job;
    const named = targetName === null ? labels : { [target]: targetName, ...labels };
    // The reason of somebody else is none of this person's, and that of a run names the times of its schedule.
    const before = job.schedule === null ? job : await desk.sets.things.find(schedules, job.schedule);
    const own = job.person === interaction.person ? (before?.purpose ?? null) : null;
    return { operation: operationOf(job), values, labels: named, purpose: own };
  }
  const operation = jobOperation(work.o);
  if (!operation) return said('I can’t find this operation.');
  const read = await readWork(desk.work, interaction, { operation, inputs: work.i, labels: work.l });
  if (read.type !== 'found') return said(read.sentence, meantButtons(operation, asked, read.near));
  return isOfEnvironment(operation) ? withMembers(desk, interaction, read) : read;
}

/** The work with the rule, the members as this person sees them now, and the ceiling, which an approval shows and binds. */
async function withMembers(desk: ScheduleSetter, { team, person }: Owner, work: FoundWork) {
  const environment = String(work.values[work.operation.target]);
  const list = await desk.work.records.of({ team, person }, desk.clock.now()).list(['live']);
  const members = membersIn(list.records, environment);
  const many = Object.keys(members).length;
  if (many === 0) return said(`${noneAmong('No live database is on it', list)} Nothing was scheduled.`);
  if (many > mostSteps) return said(`It has ${many} databases, which is too many, so I scheduled nothing.`);
  return { ...work, values: { ...work.values, ...boundValues(members) }, labels: { ...members, ...work.labels } };
}

/** A button for each record that may have been meant: it asks for the same schedule on that one. */
function meantButtons({ words }: JobOperation, asked: AskedSchedule, near: readonly Named[]): Button[] {
  const { rhythm, zone, tells, runsAs } = asked;
  return near.slice(0, limits.choices).flatMap(({ id, name }) => {
    const command = { words: [...words, id.text], inputs: {} };
    const text = writeScheduleWords({ command, rhythm: writeRhythm(rhythm), zone, tells, runsAs });
    return runCommand.fits(text) ? [runCommand.button(name ?? id.text, text, { suffix: id.text })] : [];
  });
}

/** Tells what came of an act on a schedule, with the schedule as it is now and its buttons. */
export async function tellOutcome(
  desk: ScheduleActor,
  { team, person }: Owner,
  id: string | undefined,
  outcome: ScheduleOutcome,
): Promise<Content> {
  const isSet = outcome.type === 'set';
  const schedule = isSet ? outcome.schedule : id && (await desk.sets.things.find(schedules, id));
  const sentence = isSet ? saidOf(outcome.schedule, desk.sets.clock.now()) : plain(outcome.sentence, 500);
  if (isSet) await desk.homes.ask({ team, person });
  if (!schedule || schedule.team !== team || schedule.state === 'deleted') return said(sentence);
  const reader = { person, isApprover: await surelyApproves(desk.sets, { team, person }) };
  const links = await linksToRuns({ workspace: desk.workspace, jobs: desk.sets.jobs }, [schedule]);
  const doubles = await doublesOf(desk.sets, schedule, reader);
  return message([section(sentence), ...doubles, ...scheduleBlocks(schedule, { ...reader, links })]);
}

/** Names the other schedules of the same work that this person sees: one of them may be one too many. */
async function doublesOf(
  { things }: Parts<'things'>,
  { id, team, channel, operation, target }: Schedule,
  reader: ScheduleReader,
): Promise<readonly KnownBlock[]> {
  const all = target === '' ? [] : await things.list(schedules, { team, subject: target });
  const isRunning = ({ state }: Schedule) => state === 'on' || state === 'waiting';
  const isSeen = (one: Schedule) => reader.isApprover || one.person === reader.person || one.channel === channel;
  const others = all.filter(one => one.id !== id && one.operation === operation && isRunning(one) && isSeen(one));
  const lines = others.slice(0, 3).map(one => `${timesToType(one)} (${mentionOf(one.person)}’s)`);
  return lines.length === 0 ? [] : [context(`:warning: This is already scheduled: ${lines.join('; ')}.`)];
}

function saidOf(schedule: Schedule, now: number): string {
  const title = bold(scheduleTitle(schedule), 150);
  const times = timesToType(schedule);
  const next = nextRuns(calendarOf(schedule), now)
    .map(at => moment(at))
    .join(', ');
  const sentences: Readonly<Record<Schedule['state'], string>> = {
    on: `:white_check_mark: ${title} runs ${times}. Next: ${next}.`,
    waiting: `:lock: I ask the approvers whether ${title} may run ${times} with the service account. Until they decide, it does not run.`,
    paused: `:double_vertical_bar: ${title} is paused.`,
    deleted: `:white_check_mark: ${title} is no longer scheduled.`,
  };
  return sentences[schedule.state];
}

/** The addresses of the messages of the last runs, by job. */
export async function linksToRuns(
  desk: Desk<'jobs' | 'workspace'>,
  schedules: readonly Schedule[],
): Promise<ReadonlyMap<string, string>> {
  // They are of one team: nobody sees the schedules of another one.
  const [first] = schedules;
  const workspace = first && (await desk.workspace(first.team));
  const ids = schedules.flatMap(({ lastJob }) => lastJob ?? []);
  const jobs = await Promise.all(ids.map(id => desk.jobs.find(id)));
  return new Map(
    jobs.flatMap(job => {
      const link = job && job.state !== 'unreadable' ? linkToJob(workspace, job) : undefined;
      return job && link !== undefined ? [[job.id, link] as const] : [];
    }),
  );
}
