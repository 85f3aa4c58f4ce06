import { hour, minute, second } from '../../ground/durations.ts';
import { isSignedOut, sentence } from '../../ground/failure.ts';
import { advance } from '../../jobs/advance.ts';
import { pauseBefore } from '../../jobs/backOff.ts';
import { type GrantNotice, grantNoticeKind } from '../../jobs/workflows/grantAbout.ts';
import { hasEnded, type Job, unsent } from '../../store/jobs/job.ts';
import { accountOwner } from '../../store/serviceOwner.ts';
import type { Execution, StepResult } from '../../store/tables/executionRows.ts';
import type { ExecutionStep } from '../../store/tables/executions.ts';
import type { NewNotice } from '../../store/tables/notices.ts';
import { plain } from '../blocks/limits.ts';
import { linkToJob } from '../connection/permalinks.ts';
import type { Desk } from '../desk/desk.ts';
import { type JobStep, jobOfStep } from './beginStep.ts';
import { lookUntil, overdue } from './lookUntil.ts';
import { type PreparedStep, prepareStep, strangerFault } from './prepareStep.ts';
import { readStepInputs } from './stepInputs.ts';
import { resultOfJob } from './stepResult.ts';
import { tellSlack } from './tellSlack.ts';
import { readWaitState } from './waitStates.ts';

/** What follows for an execution: a step that is written, or a pause; `undefined` where it was written already. */
type Next = ExecutionStep | Readonly<{ pause: number; failed?: boolean }> | undefined;

/** Max questions that one person is asked at a time: whoever builds workflows could ask them for ever. */
const mostOpen = 5;
/**
 * Pause between two looks at a job that has not ended, or for a sign-in, in milliseconds: either makes the execution due
 * at once.
 */
const jobRhythm = 10 * minute;
/** Pause and max tries of the message of a job that has ended, in milliseconds: its address is an output. */
const [messagePause, mostMessageTries] = [second, 20];
/** The pauses between two looks for which a step waits, by the time for which it has waited, in milliseconds. */
const lookPauses = [
  { upTo: 10 * minute, pause: 15 * second },
  { upTo: hour, pause: minute },
  { upTo: Number.POSITIVE_INFINITY, pause: 3 * minute },
] as const;

/** Takes one step on the way of an execution: asks for a leave, begins the work, looks at it, or tells Slack its end. */
export async function takeExecutionOn(desk: Desk, execution: Execution): Promise<void> {
  const { executions, clock, log } = desk;
  const next = await nextOf(desk, execution).catch((error: unknown) => nextAfterFailure(desk, execution, error));
  if (next === undefined) return;
  if ('pause' in next) return executions.putOff(execution, clock.now() + next.pause, next.failed === true);
  const written = await executions.apply(execution, next, clock.now());
  if (!written) return log.info({ execution: execution.id }, 'an execution has changed meanwhile');
  if (next.job) desk.wake();
  if (next.notices || next.outcome !== undefined || next.job) desk.tell();
}

function nextOf(desk: Desk, execution: Execution): Promise<Next> {
  switch (execution.state) {
    case 'asked':
      return nextOfAsked(desk, execution);
    case 'running':
      return execution.job === null ? nextLook(desk, execution) : nextOfJob(desk, execution, execution.job);
    case 'telling':
      return nextTelling(desk, execution);
    case 'ended':
      return Promise.resolve({ changes: { dueAt: null } });
  }
}

/** A failure that passes is waited for; any other one ends the step with its sentence. */
async function nextAfterFailure(desk: Desk, execution: Execution, error: unknown): Promise<Next> {
  const { id, tries, state, deadlineAt } = execution;
  const isOver = desk.clock.now() >= deadlineAt;
  if (isSignedOut(error) && state !== 'telling' && !isOver) return waitForSignIn(desk, execution);
  // What passes is waited for until the deadline, however often it was tried.
  const pause = pauseBefore(error, Math.min(tries, 10));
  desk.log.warn({ error, execution: id, pause }, 'a step of a workflow could not be taken on');
  // What is under way is looked at again, whatever happened: its end is not known.
  if (state === 'telling' || (execution.job !== null && state === 'running'))
    return { pause: pause ?? minute, failed: true };
  if (pause !== undefined && !isOver) return { pause, failed: true };
  const why = isSignedOut(error)
    ? 'The person in whose name it runs was not signed in to the service in time.'
    : sentence(error);
  return endWith(desk, { error: plain(why, 1_000) });
}

/** The step that stores an outcome, to be told to Slack. */
function endWith(desk: Desk, result: StepResult): ExecutionStep {
  const now = desk.clock.now();
  const error = 'error' in result ? { detail: result.error } : {};
  return {
    changes: { state: 'telling', hold: null, result, endedAt: now, dueAt: now, tries: 0 },
    trail: { event: 'error' in result ? 'step failed' : 'step completed', ...error },
    outcome: 'error' in result ? 'It is over.' : 'It is done.',
  };
}

async function waitForSignIn(desk: Desk, execution: Execution): Promise<Next> {
  const { id, team, person, step, deadlineAt, hold } = execution;
  const asked = readStepInputs(execution);
  const now = desk.clock.now();
  // A process that was killed may have kept a sign-in and woken nothing.
  const dueAt = Math.min(now + jobRhythm, deadlineAt);
  if (hold === 'sign-in' || person === null || typeof asked === 'string') return { pause: dueAt - now };
  const data: GrantNotice = { what: 'signed out', workflow: asked.workflow, title: asked.title };
  const notice = { id: `${id} sign-in ${execution.revision}`, subject: id, team, kind: grantNoticeKind };
  return {
    changes: { hold: 'sign-in', dueAt },
    trail: { event: 'step waits', detail: `${step}: for the sign-in of its person` },
    notices: [{ ...notice, createdAt: now, data, to: { person } }],
  };
}

/** Prepares an execution, asks for the leave that it needs, or begins its work. */
async function nextOfAsked(desk: Desk, execution: Execution): Promise<Next> {
  const { clock, grants } = desk;
  const prepared = await prepareStep(desk, execution);
  if (typeof prepared === 'string') return endWith(desk, { error: prepared });
  const grant = await grants.find(prepared.grant.id);
  switch (grant?.state) {
    case 'given': {
      const { work } = prepared;
      const begun = { ...prepared, work };
      if (!isJobStep(begun)) return beginWaiting(desk, begun);
      const job = await jobOfStep(desk, execution, begun, grant);
      if (typeof job === 'string') return endWith(desk, { error: job });
      return {
        changes: {
          state: 'running',
          hold: null,
          grantId: grant.id,
          job: job.id,
          dueAt: clock.now() + jobRhythm,
          tries: 0,
        },
        ...{ job, grant: grant.id, outcome: 'It goes on.' },
      };
    }
    case 'refused':
    case 'revoked':
      return endWith(desk, { error: await notAllowed(desk, prepared) });
    default:
      return askLeave(desk, execution, prepared, grant === undefined);
  }
}

function isJobStep(prepared: PreparedStep): prepared is JobStep {
  return prepared.work.type === 'job';
}

async function notAllowed(desk: Desk, { owner }: PreparedStep): Promise<string> {
  const name = (await desk.people.nameOf(owner)) ?? 'The person in whose name it is to run';
  return `${plain(name, 100)} has not allowed this step of this workflow. They can allow it in Dolly’s Home.`;
}

async function askLeave(desk: Desk, execution: Execution, prepared: PreparedStep, isNew: boolean): Promise<Next> {
  const { clock, grants, executions } = desk;
  const { owner, grant: asked } = prepared;
  const now = clock.now();
  if (now >= execution.deadlineAt)
    return endWith(desk, {
      error: 'Nobody allowed this step of the workflow in time. Run the workflow again once it is allowed.',
    });
  if (isNew && (await grants.openOf(owner)) >= mostOpen)
    return endWith(desk, { error: 'The person in whose name it is to run has too many questions of workflows open.' });
  const { id, team, person, workflow, channel, runsAs, about } = asked;
  const data = { what: 'asks', grant: id, revision: 1, workflow, channel, runsAs, about };
  const notice: NewNotice = {
    id: `grant ${id}`,
    subject: id,
    team,
    kind: grantNoticeKind,
    createdAt: now,
    data,
    to: { person },
  };
  const meanwhile = { dueAt: execution.deadlineAt };
  const grant = await executions.askLeave(execution, { grant: asked, notice, meanwhile }, now);
  if (isNew) desk.tell();
  // Another release knows what it says.
  if (!grant) return { pause: minute };
  // Where it was decided at this moment, what follows is seen at the next turn.
  return grant.state === 'asked' || grant.state === 'waiting' ? undefined : { pause: 0 };
}

function beginWaiting(desk: Desk, { asked, grant, work }: PreparedStep): Next {
  const now = desk.clock.now();
  const hours = work.type === 'wait' ? work.hours : 0;
  const waits = { state: 'running', hold: null, grantId: grant.id, deadlineAt: now + hours * hour } as const;
  return {
    changes: { ...waits, dueAt: now, tries: 0 },
    ...{ grant: grant.id, outcome: 'It goes on.' },
    trail: { event: 'step begun', detail: `in the workflow ${asked.workflow}` },
  };
}

/** Looks once at the record for which a step waits. Its leave and its person are looked at, too, each time. */
async function nextLook(desk: Desk, execution: Execution): Promise<Next> {
  const { clock, grants } = desk;
  const { team, grantId, record: seen, deadlineAt, createdAt } = execution;
  const grant = grantId === null ? undefined : await grants.find(grantId);
  if (grant?.state !== 'given') return endWith(desk, { error: 'The leave for this step was taken back.' });
  const asked = readStepInputs(execution);
  const until = typeof asked === 'string' ? undefined : readWaitState(asked.typed.until ?? '');
  if (typeof asked === 'string' || !until)
    return endWith(desk, { error: 'This release of Dolly does not know this step.' });
  const owner = { team, person: asked.person };
  const stranger = await strangerFault(desk, owner);
  if (stranger !== undefined) return endWith(desk, { error: stranger });
  const runner = asked.runsAs === 'service' ? accountOwner(team) : owner;
  const awaited = { record: asked.typed.record ?? '', until, seen };
  const look = await lookUntil(desk, runner, awaited);
  if ('result' in look) return endWith(desk, look.result);
  const now = clock.now();
  if (now >= deadlineAt) return endWith(desk, overdue(awaited, look.state));
  const pause = lookPauses.find(({ upTo }) => now - createdAt < upTo)?.pause ?? minute;
  const dueAt = Math.min(now + pause, deadlineAt);
  if (look.seen === seen && execution.hold === null) return { pause: dueAt - now };
  return { changes: { record: look.seen, hold: null, dueAt, tries: 0 } };
}

/** Follows the job of a step to its end. Where the leave was taken back before it was sent, it is withdrawn. */
async function nextOfJob(desk: Desk, execution: Execution, id: string): Promise<Next> {
  const job = await desk.jobs.find(id);
  if (!job) return endWith(desk, { error: 'Nobody knows any more how it ended: its job was cleared away.' });
  // A replica of another release works on it.
  if (job.state === 'unreadable') return { pause: jobRhythm };
  if (!hasEnded(job)) {
    await withdrawUnallowed(desk, execution, job);
    return { pause: jobRhythm };
  }
  const isUntold = job.messageTs === null && job.tellAt !== null;
  if (isUntold && execution.tries < mostMessageTries) return { pause: messagePause, failed: true };
  return endWith(desk, resultOfJob(job, linkToJob(await desk.workspace(execution.team), job)));
}

async function withdrawUnallowed(desk: Desk, { grantId, person }: Execution, job: Job): Promise<void> {
  if (!unsent.some(state => state === job.state)) return;
  const grant = grantId === null ? undefined : await desk.grants.find(grantId);
  if (grant?.state === 'given') return;
  const by = { actor: person ?? 'dolly', login: null, channel: null };
  const reason = 'The leave for this workflow was taken back before anything was sent.';
  await advance(desk, job, { type: 'withdrawn', by, reason });
}

async function nextTelling(desk: Desk, execution: Execution): Promise<Next> {
  const telling = await tellSlack(desk, execution);
  if ('pause' in telling) return { pause: telling.pause, failed: true };
  const { told } = telling;
  return {
    changes: { state: 'ended', dueAt: null, tries: 0 },
    trail: told === 'step told' ? undefined : { event: told },
  };
}
