import { isToCome } from '../../ground/clock.ts';
import { hour, minute, second } from '../../ground/durations.ts';
import { givenAsOf } from '../../jobs/approval/standingApproval.ts';
import type { NewJob } from '../../store/jobs/rows/job.ts';
import type { NewNotice } from '../../store/tables/outboxRows.ts';
import { signInOf } from '../../store/things/kind.ts';
import { needOf } from '../../store/things/need.ts';
import type { Need } from '../../store/things/things.ts';
import {
  type Consent,
  ConsentAbout,
  type ConsentNotice,
  consentNoticeKind,
  consentOf,
  consents,
  type NewConsent,
  newConsent,
} from './consent/consent.ts';
import { recentRuns } from './consent/consentLapse.ts';
import { type Execution, type ExecutionStep, longestWait, type StepResult } from './execution.ts';

/*
 * The way of an execution: what follows on what a look at it showed. All of this is pure.
 */

/** What a look at an execution showed. */
export type ExecutionSight =
  /** Its end. */
  | Readonly<{ saw: 'end'; result: StepResult }>
  /** Its person is not signed in; `step` says what waits for them, where that can be read. They were, and are again. */
  | Readonly<{ saw: 'signed out'; step: Readonly<{ workflow: string; title: string }> | undefined }>
  | Readonly<{ saw: 'signed in' }>
  /** Its consent is not decided on. `before` is what was asked for before. `open` counts the questions to its person. */
  | Readonly<{ saw: 'no consent'; needed: NewConsent; before: Consent | undefined; open: number }>
  /**
   * Its consent is given, and its work can begin: a job, or to wait for a record. `renewal` is the end of the consent
   * where it is to be given anew.
   */
  | Readonly<{ saw: 'job'; consent: Consent; renewal: number | undefined; job: NewJob }>
  | Readonly<{ saw: 'wait'; consent: Consent; renewal: number | undefined; workflow: string; hours: number }>
  /** The record for which it waits is not as wanted yet; `overdue` is the end where its time is over. */
  | Readonly<{ saw: 'record'; record: string | null; overdue: StepResult }>
  /** Its job goes on, or has ended without a message in Slack yet, whose address is an output: `result` has none. */
  | Readonly<{ saw: 'work' }>
  | Readonly<{ saw: 'no message'; result: StepResult }>
  /** Slack was told, or it wants to hear of it no more. */
  | Readonly<{ saw: 'told'; event: 'step told' | 'step over' | 'step untold' }>;

/** Max questions that one person is asked at a time: whoever builds workflows could ask them for ever. */
const mostOpen = 5;
/** Pause between two looks where something is to make it due, in milliseconds: a process may be killed before it does. */
const longPause = 10 * minute;
/** Pause and max time in which the message of a job that has ended is waited for, in milliseconds. */
const [messagePause, messageTime] = [second, 20 * second];
/** The pauses between two looks for which a step waits, by the time for which it has waited, in milliseconds. */
const lookPauses = [
  { upTo: 10 * minute, pause: 15 * second },
  { upTo: hour, pause: minute },
  { upTo: Number.POSITIVE_INFINITY, pause: 3 * minute },
] as const;

/** A step, or a rest: everything was looked at. */
type NextStep = ExecutionStep | Readonly<{ rest: number | null }>;

/** Says what follows for an execution on what was seen. */
export function nextOfExecution(execution: Execution, sight: ExecutionSight, now: number): NextStep {
  const { consent, deadlineAt } = execution;
  switch (sight.saw) {
    case 'end':
      return endOf(sight.result, now);
    case 'signed out':
      return waitForSignIn(execution, sight, now);
    case 'signed in':
      return {
        changes: { waitsFor: consent && consentOf(consent) },
        ...{ dueAt: now, closed: [{ outcome: 'You are signed in again.' }] },
      };
    case 'no consent':
      return waitForConsent(execution, sight, now);
    case 'job':
      return {
        changes: { ...withConsent(sight.consent.id), job: sight.job.id, plannedAt: null },
        ...{ dueAt: now + longPause, needs: givenAlone(sight, now), job: { job: sight.job } },
        notices: renewalOf(sight, now),
      };
    case 'wait': {
      const until = now + sight.hours * hour;
      return {
        changes: { ...withConsent(sight.consent.id), deadlineAt: until, plannedAt: until },
        ...{ dueAt: now, needs: given(sight, now), notices: renewalOf(sight, now) },
        trail: { event: 'step begun', detail: `in the workflow ${sight.workflow}` },
      };
    }
    case 'record': {
      if (now >= deadlineAt) return endOf(sight.overdue, now);
      const pause = lookPauses.find(({ upTo }) => now - execution.createdAt < upTo)?.pause ?? minute;
      const dueAt = Math.min(now + pause, deadlineAt);
      return sight.record === execution.record ? { rest: dueAt } : { changes: { record: sight.record }, dueAt };
    }
    case 'work':
      return { rest: now + longPause };
    case 'no message':
      return waitForMessage(execution, sight.result, now);
    case 'told':
      return {
        changes: { state: 'ended', plannedAt: null },
        ...{ dueAt: null, trail: sight.event === 'step told' ? undefined : { event: sight.event } },
      };
  }
}

/** The step that stores an outcome, to be told to Slack. */
export function endOf(result: StepResult, now: number): ExecutionStep {
  const isFailed = 'error' in result;
  return {
    changes: { state: 'telling', waitsFor: null, result, endedAt: now, plannedAt: now },
    dueAt: now,
    trail: isFailed ? { event: 'step failed', detail: result.error } : { event: 'step completed' },
    closed: [{ outcome: isFailed ? 'It is over.' : 'It is done.' }],
  };
}

/** It works with its consent, and is looked at once that is taken back. */
function withConsent(consent: string) {
  return { state: 'running', consent, waitsFor: consentOf(consent) } as const;
}

/** It begins only with a consent that is given at that moment. */
function given(sight: Begun, now: number): Need {
  return needOf(consents, sight.consent.id, held => (held.state === 'given' ? used(held, sight, now) : undefined));
}

/** The sight of an execution that begins. */
type Begun = Pick<Extract<ExecutionSight, { saw: 'job' }>, 'consent' | 'renewal'>;

/** What a use notes on its consent. */
function used({ decidedAt }: Consent, { renewal }: Begun, now: number) {
  const asked = renewal === undefined ? {} : { askedAt: now };
  return { usedAt: now, decidedAt: givenAsOf(decidedAt, now), ...asked };
}

/** Asks its person to give a consent anew whose end is near: a run is the proof that it is still wanted. */
function renewalOf({ consent, renewal }: Begun, now: number): readonly NewNotice[] {
  const about = ConsentAbout.safeParse(consent.about).data;
  if (renewal === undefined || !about) return [];
  const { id, workflow, channel, runsAs, revision, decidedAt } = consent;
  const data: ConsentNotice = { what: 'asks', consent: id, revision, workflow, channel, runsAs, about, until: renewal };
  return [noticeTo(consent, `${consentOf(id)} ${decidedAt}`, data, now)];
}

/** A message about a consent or an execution to its person. */
function noticeTo(
  { id: subject, team, person }: Pick<Execution, 'id' | 'team' | 'person'>,
  id: string,
  data: unknown,
  now: number,
): NewNotice {
  return { id, subject, team, kind: consentNoticeKind, createdAt: now, data, to: { person } };
}

/**
 * So does a job, and with a consent with which no other began since it was looked at: of many at once, one begins, and the
 * others see it under way. A use from far ahead is of a clock that was set.
 */
function givenAlone(sight: Begun, now: number): Need {
  const isTaken = (usedAt: number | null) => usedAt !== null && usedAt >= now && usedAt < now + hour;
  return needOf(consents, sight.consent.id, held =>
    held.state === 'given' && !isTaken(held.usedAt)
      ? { ...used(held, sight, now), begunAt: [...recentRuns(held, now), now] }
      : undefined,
  );
}

/** Its person is told once. */
function waitForSignIn(execution: Execution, { step }: Extract<ExecutionSight, { saw: 'signed out' }>, now: number) {
  const { id, deadlineAt, revision, waitsFor } = execution;
  const dueAt = Math.min(now + longPause, deadlineAt);
  if (waitsFor === signInOf(execution) || !step) return { rest: dueAt };
  const data: ConsentNotice = { what: 'signed out', workflow: step.workflow, title: step.title };
  const told = noticeTo(execution, `${id} sign-in ${revision}`, data, now);
  const trail = { event: 'step waits', detail: `${execution.step}: for the sign-in of its person` };
  return { changes: { waitsFor: signInOf(execution) }, dueAt, trail, notices: [told] };
}

const unanswered = 'Nobody allowed this step of the workflow in time. Run the workflow again once it is allowed.';

/**
 * A consent is asked for once for all executions that need it, and once more by a run that comes after the time for which
 * an answer was waited for. One that is decided at this moment is not waited for.
 */
function waitForConsent(
  { deadlineAt }: Execution,
  { needed, before, open }: Extract<ExecutionSight, { saw: 'no consent' }>,
  now: number,
): ExecutionStep {
  if (now >= deadlineAt) return endOf({ error: unanswered }, now);
  if (!before && open >= mostOpen)
    return endOf({ error: 'The person in whose name it should run has too many open questions from workflows.' }, now);
  const { id, workflow, channel, runsAs, about } = needed;
  const data = { what: 'asks', consent: id, revision: 1, workflow, channel, runsAs, about };
  const notice = noticeTo(needed, consentOf(id), data, now);
  const isLate = (asked: Consent) => asked.state === 'asked' && now - (asked.askedAt ?? asked.createdAt) >= longestWait;
  const again = before !== undefined && isLate(before);
  return {
    changes: { consent: id, waitsFor: consentOf(id), plannedAt: deadlineAt },
    dueAt: deadlineAt,
    needs: needOf(
      consents,
      id,
      asked => {
        if (isLate(asked) !== again) return undefined;
        // A question that somebody waits for is not over: the time until it is forgotten begins anew.
        if (asked.state === 'asked') return { endedAt: now, ...(again ? { askedAt: now } : {}) };
        return asked.state === 'waiting' ? {} : undefined;
      },
      { as: newConsent(needed), trail: { event: 'consent asked' }, notices: [notice] },
    ),
    notices: again ? [{ ...notice, id: `${notice.id} ${now}` }] : [],
  };
}

/** The end waits for the message of its job, for a while: its plan is to end without it. */
function waitForMessage({ plannedAt }: Execution, result: StepResult, now: number) {
  const dueAt = now + messagePause;
  if (plannedAt === null) return { changes: { plannedAt: now + messageTime }, dueAt };
  return isToCome(plannedAt, now, messageTime) ? { rest: dueAt } : endOf(result, now);
}
