import { z } from 'zod';
import { ShownValue } from '../../../jobs/approval/facts/items.ts';
import { defineKind, signInOf, type ThingOf } from '../../../store/things/kind.ts';
import type { NewOf, StepOf } from '../../../store/things/things.ts';

/*
 * A consent is a person’s standing permission that exactly this step of a workflow runs in their name. Its person is
 * `asked`; those who approve are (`waiting`); it is `given`; it was `refused`, or `revoked` after it was given.
 */

/** Says that the service account cannot run it. */
export const noAccount = 'No service account is set up here, so it cannot run with one.';

const ConsentBody = z.object({
  step: z.string(),
  /** The workflow, by the name that its step gives. */
  workflow: z.string(),
  channel: z.string(),
  /** What it covers, as people are asked about it, in the shape of its readers. */
  about: z.unknown(),
  /** `service` where it runs with the service account; `null` with the person’s own sign-in. */
  runsAs: z.enum(['service']).nullable(),
  /** The job by which those who approve are asked. */
  request: z.string().nullable(),
  /** The Slack users who approved it. */
  approvedBy: z.array(z.string()).readonly(),
  decidedAt: z.number().nullable(),
  /** The user of the service as whom its person gave it; not known of older ones. */
  login: z.string().nullish(),
  usedAt: z.number().nullable(),
  /** The time at which its person was asked to give it anew, before its end, or once more without an answer. */
  askedAt: z.number().nullish(),
  /** The times of the last runs that it began, as many as count for its pace. */
  begunAt: z.array(z.number()).readonly().nullish(),
});

/** `id` is the digest of all that it covers. `endedAt` is the time since which it permits nothing, and nobody asks. */
export type Consent = ThingOf<typeof consents>;
export type ConsentStep = StepOf<typeof consents>;

/** A consent permits something, or is about to, or it is over: then it is forgotten in the end, and asked for anew. */
export const consents = defineKind({
  name: 'consent',
  body: ConsentBody,
  states: {
    asked: ['waiting', 'given', 'refused'],
    waiting: ['given', 'refused', 'revoked'],
    given: ['revoked'],
    refused: ['waiting', 'given'],
    revoked: ['waiting', 'given'],
  },
  over: ['asked', 'refused', 'revoked'],
  found: () => ({}),
  about: ({ channel, workflow, step }) => ({ channel, detail: `${step} in the workflow ${workflow}` }),
});

/** The name of a consent, for what waits for it or works with it. */
export function consentOf(id: string): string {
  return `${consents.name} ${id}`;
}

/** A consent of which nobody has decided. */
export type NewConsent = Pick<
  Consent,
  'id' | 'team' | 'person' | 'step' | 'workflow' | 'channel' | 'about' | 'runsAs' | 'createdAt'
>;

/** Makes a consent that its person is asked for. */
export function newConsent(asked: NewConsent): NewOf<typeof consents> {
  const open = { request: null, approvedBy: [], decidedAt: null, usedAt: null, plannedAt: null, waitsFor: null };
  return { ...asked, state: 'asked', ...open, endedAt: asked.createdAt };
}

/** Whether a consent permits something, or is about to. */
export function isHeldConsent({ state }: Pick<Consent, 'state'>): boolean {
  return !consents.over.includes(state);
}

/** The parts of a step by which a consent is decided. All that waits for it, or works with it, is looked at then. */
export function decided(consent: Consent, state: Consent['state'], now: number) {
  return {
    changes: { state, decidedAt: now, endedAt: isHeldConsent({ state }) ? null : now },
    // What works with it may wait for a sign-in at the moment.
    wakesWaiting: [consentOf(consent.id), signInOf(consent)],
  } satisfies ConsentStep;
}

/** The consents that a person may decide on: those that are held, then the latest first. Who is asked has a message. */
export function decidable(all: readonly Consent[], max: number): readonly Consent[] {
  const rank = (consent: Consent) => Number(!isHeldConsent(consent));
  return all
    .filter(({ state }) => state !== 'asked')
    .toSorted((a, b) => rank(a) - rank(b) || b.createdAt - a.createdAt || (a.id < b.id ? -1 : 1))
    .slice(0, max);
}

/** What a consent covers, as people are asked about it. The words are stored. */
export const ConsentAbout = z.object({
  /** The title of the step: “Clone a database”. */
  title: z.string(),
  /** What it does: “clone shop to dev”. */
  asks: z.string(),
  /** The identifier of its target, as far as it was found, and its name. */
  target: z.string().nullable(),
  targetName: z.string().nullable(),
  /** The names that its records were shown by, by identifier; not known of older ones. */
  names: z.record(z.string(), z.string()).optional(),
  lines: z.array(ShownValue),
  /** The harm that it does, in a sentence. */
  warning: z.string().optional(),
});
export type ConsentAbout = z.infer<typeof ConsentAbout>;

/**
 * The records that are called otherwise now than a consent showed them, by identifier: another record may have the
 * identifier, and whoever consented to the one that they read has not consented to that.
 */
export function calledOtherwise(shown: unknown, now: unknown): readonly (readonly [string, string])[] {
  const [before, after] = [namesIn(shown), namesIn(now)];
  return Object.entries(after).filter(([id, name]) => before[id] !== undefined && before[id] !== name);
}

function namesIn(about: unknown): Readonly<Record<string, string>> {
  const { target = null, targetName = null, names } = ConsentAbout.safeParse(about).data ?? {};
  return names ?? (target === null || targetName === null ? {} : { [target]: targetName });
}

/** What a message about a workflow's step is made from. */
export const ConsentNotice = z.discriminatedUnion('what', [
  /** Its person is asked for their consent. */
  z.object({
    what: z.literal('asks'),
    /** The end of the consent that is to be given anew; absent where it was never given. */
    until: z.number().optional(),
    consent: z.string(),
    revision: z.number(),
    workflow: z.string(),
    channel: z.string(),
    runsAs: z.enum(['service']).nullable(),
    about: ConsentAbout,
  }),
  /** It waits for the sign-in of its person. */
  z.object({ what: z.literal('signed out'), workflow: z.string(), title: z.string() }),
]);
export type ConsentNotice = z.infer<typeof ConsentNotice>;

/** The kind of such messages in the outbox. */
export const consentNoticeKind = 'consent';
