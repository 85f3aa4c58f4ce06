import { minute, second } from '../../ground/durations.ts';
import { lockTime } from '../../ground/loop.ts';
import type { Transition } from '../../store/jobs/changing.ts';
import type { Baseline, ShownMarks } from '../../store/jobs/rows/data.ts';
import { baselineAsShown, longestSilence } from '../../store/jobs/rows/encode.ts';
import type { Job, JobChange, JobIn, JobState, RunningJob } from '../../store/jobs/rows/job.ts';
import type { EventType, JobEvent, JobFor, Sight } from './transitions.ts';

/** The effect of an event, beside the state that the table (transitions.ts) says. */
type Effect = Readonly<{
  changes: JobChange;
  /** The state that follows, where the table lists two. */
  state?: JobState;
  /** Whether readers are told, where the state stays as it is: they are told of every other state. */
  isNews?: boolean;
  /** The entry in the trail. Without one, a change of state is an entry by the name of the state. */
  trail?: Transition['trail'];
  /** What the event rests on, and shows no other job's work. */
  claims?: Transition['claims'];
  /** Whether the event rests on all decisions, or on all steps, until now: then no other may come in between. */
  restsOnRevision?: true;
  /** The time of the sign-in that the event rests on: nothing runs with one that its person has ended. */
  restsOnSignIn?: number;
}>;

export type EffectOf<Type extends EventType> = (
  job: JobFor<Type>,
  event: JobEvent<Type>,
  now: number,
) => Effect | undefined;

/** Time after a job’s deadline for which a last look that fails is tried again, and that an outage leaves it, in milliseconds. */
export const lastTries = 10 * minute;

/**
 * The first look comes a second after the answer, or after its time. Who sent it may be gone for long by then, or the clock set
 * forward: what the records show must stand for a while to count.
 */
const firstLook = ({ deadlineAt }: JobFor<'accepted'>, now: number) => ({
  ...{ looks: 0, dueAt: now + second, deadlineAt: Math.max(deadlineAt, now + lastTries) },
});

/**
 * The longest time between two turns of a plan that is under way, in milliseconds. The end of a step makes it due at once;
 * this rhythm finds an end that did not.
 */
export const stepRhythm = 30 * minute;

/**
 * Time for which Dolly looks again at a job that it had given up, when a person asks for that, or whose end is taken back: that
 * one gets as much time as it took before, where this was longer. Milliseconds.
 */
const secondLook = 5 * minute;

const beforeSending = {
  forbidden: (_, { reason, login }, now) => ({
    changes: { ...endUnsent(reason, now), login },
    trail: { event: 'forbidden' },
  }),
  refused: (_, { reason, login }, now) => ({
    changes: { ...endUnsent(reason, now), ...(login === undefined ? {} : { login }) },
    trail: { event: 'refused' },
  }),
  approvalNeeded: ({ purpose }, { approval, login, targetName, labels, remindAt, impact }) => ({
    changes: {
      ...{ ...approval, login, targetName, labels, dueAt: remindAt, hold: null, reason: null, tries: 0 },
      ...(impact === undefined ? {} : { impact }),
    },
    trail: {
      event: 'awaiting',
      detail: `${approval.terms.approvals} needed (${approval.terms.rule}); ${purpose}`,
    },
  }),
  approved({ approval }, { decisions, by }, now) {
    const given = decisions.filter(({ type }) => type === 'approved').length;
    const needed = approval.terms.approvals;
    const isEnough = given >= needed;
    return {
      state: isEnough ? 'approved' : 'awaiting',
      changes: { decisions, ...(isEnough ? { dueAt: now } : {}) },
      isNews: true,
      trail: { ...by, event: isEnough ? 'approved' : 'approved in part', detail: `${given} of ${needed} approvals` },
      restsOnRevision: true,
    };
  },
  glassBroken: (_, { reason, by }, now) => ({
    changes: { emergency: reason, dueAt: now },
    trail: { ...by, event: 'glass broken', detail: reason },
    restsOnRevision: true,
  }),
  denied: (_, { decisions, reason, by }, now) => ({
    changes: { ...end(`It was denied: ${reason}`, now), decisions },
    trail: { ...by, event: 'denied', detail: reason },
    restsOnRevision: true,
  }),
  reminded: ({ approval }, { nextAt }) => ({
    changes: { reminders: approval.reminders + 1, dueAt: nextAt },
    isNews: true,
  }),
  holderObjected: ({ approval: { terms } }, { by }, now) => ({
    changes: { terms: { ...terms, objections: [...(terms.objections ?? []), { person: by.actor, at: now }] } },
    isNews: true,
    trail: { ...by, event: 'holder objected' },
    restsOnRevision: true,
  }),
  changedSince: (_, { reason }, now) => ({ changes: endUnsent(reason, now) }),
  withdrawn(job, { by, reason = 'It was withdrawn before anything was sent.' }, now) {
    if (job.state === 'running' && !job.steps) return undefined;
    return { changes: end(reason, now), trail: { ...by, event: 'withdrawn' } };
  },
  expired: (_, { reason }, now) => ({ changes: endUnsent(reason, now) }),
} satisfies { [T in EventType]?: EffectOf<T> };

const whileSending = {
  // The process that sends goes on to call the service, so it keeps its lock. The lock that the job was read with may have
  // been renewed since, and be over.
  sent: ({ messageTs, createdAt, asShown }, { login, signedInAt, baseline, targetName, within, impact }, now) => ({
    restsOnSignIn: signedInAt,
    changes: {
      ...{ login, targetName, baseline: withAsShown(baseline, asShown), sentAt: now, deadlineAt: now + within },
      ...{ hold: null, reason: null, lockedUntil: now + lockTime },
      ...(impact === undefined ? {} : { impact }),
      // Where no message shows the state, nobody is told before the service has answered, or keeps silent for long.
      ...(messageTs === null ? { tellAt: Math.max(now, createdAt + longestSilence) } : {}),
    },
  }),
  accepted: (job, _event, now) => ({
    changes: { noAnswer: null, ...firstLook(job, now) },
    trail: { event: 'accepted' },
  }),
  inDoubt: (job, { reason }, now) => ({
    changes: { noAnswer: reason, reason, ...firstLook(job, now) },
    trail: { event: 'in doubt' },
  }),
  putOff(job, { reason, until, isOurs }) {
    const waits = { hold: 'busy', reason, dueAt: until, tries: job.tries + (isOurs ? 0 : 1) } as const;
    if (job.state === 'sending') return backToBefore(job, waits);
    return { changes: waits, isNews: job.hold !== 'busy' || job.reason !== reason };
  },
  signedOut(job, { until }) {
    const waits = { hold: 'sign-in', dueAt: until } as const;
    return job.state === 'sending' ? backToBefore(job, waits) : { changes: waits, isNews: job.hold !== 'sign-in' };
  },
  signedIn: ({ hold }, _event, now) =>
    hold === 'sign-in' ? { changes: { hold: null, reason: null, dueAt: now }, isNews: true } : undefined,
  failed(job, { reason, ...sight }, now) {
    if (job.state === 'new' || job.state === 'approved') return { changes: endUnsent(reason, now) };
    // The service refused the call, so it counts as not sent: only a request that it accepted is news for others.
    const unsent = job.state === 'sending' ? { sentAt: null } : {};
    return { changes: { ...sightOf(sight), ...end(reason, now), noAnswer: null, ...unsent }, claims: sight.claims };
  },
} satisfies { [T in EventType]?: EffectOf<T> };

const whileProving = {
  // The process that extends the time goes on to look, so it keeps its lock.
  deadlineExtended: ({ lockedUntil }, { deadlineAt }) => ({ changes: { deadlineAt, lockedUntil } }),
  noChange: ({ looks }, { nextAt }) => ({ changes: { looks: looks + 1, dueAt: nextAt, hold: null } }),
  seen: (job, { reason, nextAt, ...sight }) => ({
    changes: { ...sightOf(sight), looks: job.looks + 1, dueAt: nextAt, hold: null, reason },
    claims: sight.claims,
    isNews:
      reason !== job.reason ||
      (sight.evidence !== undefined &&
        (sight.evidence.state !== job.evidence?.state ||
          sight.evidence.doubt?.askedIn !== job.evidence?.doubt?.askedIn)),
  }),
  proved: shownDone,
  finished: shownDone,
  unconfirmed: (_, { reason, ...sight }, now) => ({
    changes: { ...sightOf(sight), ...end(reason, now) },
    claims: sight.claims,
  }),
  stoppedLooking: (_, { by }, now) => ({
    changes: end('You asked me to stop looking.', now),
    trail: { ...by, event: 'unconfirmed' },
  }),
  objected({ evidence }, { by, says }, now) {
    const objection = { by: by.actor, says, at: now };
    return {
      changes: evidence ? { evidence: { ...evidence, objection } } : {},
      isNews: true,
      trail: { ...by, event: 'objected', detail: says },
    };
  },
  answered: ({ hold }, { by, word, says }, now) => ({
    changes: hold === 'sign-in' ? {} : { looks: 0, dueAt: now },
    trail: { ...by, event: 'state explained', detail: `${word}: ${says}` },
  }),
  lookedAgain(job, { by }, now) {
    const trail = { ...by, event: 'looking again' };
    const atOnce = { looks: 0, dueAt: now };
    // Without a sign-in the records cannot be read. Signing in makes Dolly look again by itself.
    if (job.state === 'running') return job.hold === 'sign-in' ? undefined : { changes: atOnce, trail };
    return {
      changes: { ...atOnce, ...untoldAgain(job), deadlineAt: now + secondLook, endedAt: null, reason: null },
      trail,
    };
  },
  takenBack(job, { reason }, now) {
    if (job.sentAt === null) return undefined;
    // The turns of a plan hang on its step, its looks on its jobs.
    const goesOn = job.steps ? {} : { looks: 0, deadlineAt: now + Math.max(secondLook, job.endedAt - job.sentAt) };
    return {
      changes: { ...goesOn, ...untoldAgain(job), dueAt: now, endedAt: null, reason },
      trail: { event: 'taken back' },
      restsOnRevision: true,
    };
  },
} satisfies { [T in EventType]?: EffectOf<T> };

/** The events of plans. To any other job they do not happen. */
const ofPlans = {
  begun: ({ steps }, { login }, now) =>
    steps && {
      changes: { login, sentAt: now, deadlineAt: now, hold: null, reason: null, tries: 0, dueAt: now },
      trail: { event: 'begun', detail: `${steps.length} steps` },
      restsOnRevision: true,
    },
  stepBegun: (job, { step }, now) =>
    job.steps && {
      changes: { step, dueAt: now + stepRhythm, reason: null, ...(step === job.step ? {} : { tries: 0 }) },
      isNews: true,
      restsOnRevision: true,
    },
  stepAwaited: ({ steps }, { nextAt }) => steps && { changes: { dueAt: nextAt }, restsOnRevision: true },
  planEnded: ({ steps }, { state, reason, step }, now) =>
    steps && { state, changes: { ...end(reason, now), step }, restsOnRevision: true },
  wentOn: ({ steps, sentAt, posting }, { by, seenTo, step }, now) =>
    steps && sentAt !== null
      ? {
          changes: { endedAt: null, reason: null, ...untoldAgain({ posting }), dueAt: now, tries: seenTo, step },
          trail: { ...by, event: 'went on' },
          restsOnRevision: true,
        }
      : undefined,
} satisfies { [T in EventType]?: EffectOf<T> };

/** The effect of each event. */
export const effects: { [T in EventType]: EffectOf<T> } = {
  ...beforeSending,
  ...whileSending,
  ...whileProving,
  ...ofPlans,
};

/** The changes that all ends of a job have in common: it is due no more, and waits for nothing. */
function end(reason: string | null, now: number) {
  return { reason, endedAt: now, dueAt: null, hold: null };
}

/** Ends a job that was not sent, and says that it was not. */
function endUnsent(reason: string, now: number) {
  return end(reason.includes('Nothing was sent') ? reason : `${reason} Nothing was sent.`, now);
}

/** Takes a job back to the state before its sending. The service certainly did not accept the call. */
function backToBefore({ approval, asShown, baseline }: JobIn<'sending'>, waits: JobChange): Effect {
  return {
    state: approval ? 'approved' : 'new',
    // What nobody was shown before counts as it was read for this try.
    changes: { ...waits, sentAt: null, deadlineAt: null, baseline: baselineAsShown(asShown ?? marksIn(baseline)) },
    trail: { event: 'put off' },
  };
}

/** A baseline with what was shown to whoever asked: a job whose call was not accepted waits, and is compared again. */
function withAsShown(baseline: Baseline | undefined, asShown: ShownMarks | undefined): Baseline | null {
  return baseline ? { ...baseline, ...(asShown === undefined ? {} : { asShown }) } : null;
}

/** The marks of the record that a job was about to be sent for; of a snapshot, those of its database. */
function marksIn({ holder, target }: Partial<Baseline> = {}): ShownMarks | undefined {
  const { name, madeAt } = target ?? {};
  if (holder === undefined || (name === undefined && madeAt === undefined)) return undefined;
  return { [holder]: { name, madeAt } };
}

/**
 * A job that goes on after its end. Its reply belongs to that end, and so does what that rested on, and a post of one that may
 * be lost; one of its card is looked for still, or the card would stand twice.
 */
function untoldAgain({ posting, evidence }: Pick<Job, 'posting'> & Partial<Pick<Job, 'evidence'>>): JobChange {
  const isOfCard = posting?.part === 'card' || posting?.part === 'approval';
  const unended = evidence && { evidence: { ...evidence, basis: undefined } };
  return { replyTs: null, ...unended, ...(isOfCard ? {} : { posting: null }) };
}

/** Ends a job of which the records show that it is done. */
function shownDone(_: RunningJob, { reason, ...sight }: JobEvent<'proved' | 'finished'>, now: number): Effect {
  return { changes: { ...sightOf(sight), ...end(reason, now), noAnswer: null }, claims: sight.claims };
}

function sightOf({ evidence, claimed, arrived }: Sight): JobChange {
  return {
    ...(evidence === undefined ? {} : { evidence }),
    ...(claimed === undefined ? {} : { claimed }),
    ...(arrived ? { noAnswer: null } : {}),
  };
}
