import { actorOf } from '../../../jobs/actor.ts';
import { withdrawRequest } from '../../../jobs/approval/standingApproval.ts';
import type { Mover, Parts } from '../../../jobs/parts.ts';
import { mentionOf } from '../../../slack/blocks/mentionPeople.ts';
import type { Owner } from '../../../store/vault.ts';
import { type Consent, type ConsentStep, consents, decided, noAccount } from './consent.ts';
import { requestOfConsent } from './consentApproval.ts';

/* The acts of a person on the consent that a workflow’s step has in their name. */

/** A person who acts on a consent in a channel, and the revision of it that they saw. */
export type ConsentAct = Owner & Readonly<{ channel: string; id: string; revision: number }>;

/** What came of an act, or the sentence that says why nothing did. */
export type ConsentOutcome =
  | Readonly<{ type: 'set'; consent: Consent }>
  | Readonly<{ type: 'refused'; sentence: string }>;

const refusal = (sentence: string): ConsentOutcome => ({ type: 'refused', sentence });

const signInFirst = 'You are not signed in to the service, and it would run as you. Sign in first, then allow it.';

/** Gives people’s consent, or refuses it. */
type Consenter = Parts<'credentials' | 'account' | 'things' | 'clock'>;

/** Gives the consent; where it is for the service account, those who approve are asked. */
export async function allowConsent(parts: Consenter, act: ConsentAct): Promise<ConsentOutcome> {
  // It holds for one user of the service.
  if (!(await parts.credentials.has(act))) return refusal(signInFirst);
  return actOn(parts, act, ['asked', 'refused', 'revoked', 'given'], (consent, now) => {
    if (consent.runsAs === null) return decide(consent, now, 'given', 'You allowed it.');
    if (!parts.account) return noAccount;
    const job = requestOfConsent(consent, now);
    if ('fault' in job) return job.fault;
    const asks = decide(consent, now, 'waiting', 'You allowed it, and I ask the approvers.');
    // What is to be given anew holds until its end, whatever they decide in time.
    if (consent.state === 'given') return { ...asks, changes: { request: job.id }, wakesWaiting: [], job: { job } };
    return { ...asks, changes: { ...asks.changes, request: job.id }, job: { job } };
  });
}

/** Refuses the consent: what waits for it fails, and so does every later run. */
export async function refuseConsent(parts: Consenter, act: ConsentAct): Promise<ConsentOutcome> {
  return actOn(parts, act, ['asked'], (consent, now) => decide(consent, now, 'refused', 'You did not allow it.'));
}

/** Takes the consent back. What waits is withdrawn; what was sent goes on. */
export async function revokeConsent(parts: Mover & Parts<'things'>, act: ConsentAct): Promise<ConsentOutcome> {
  const done = await actOn(parts, act, ['given', 'waiting'], (consent, now) =>
    decide(consent, now, 'revoked', 'You took it back.'),
  );
  if (done.type === 'set') {
    const by = await actorOf(parts, act, act.channel);
    await withdrawRequest(parts, done.consent, by, 'The consent was taken back.');
  }
  return done;
}

/** The decision of its person. Where those who approve are asked, too, that person has given the consent. */
function decide(consent: Consent, now: number, state: 'waiting' | 'given' | 'refused' | 'revoked', outcome: string) {
  const event = `consent ${state === 'waiting' ? 'given' : state}`;
  return { ...decided(consent, state, now), trail: { event }, closed: [{ outcome }] };
}

async function actOn(
  parts: Parts<'credentials' | 'things' | 'clock'>,
  act: ConsentAct,
  from: readonly Consent['state'][],
  stepOf: (consent: Consent, now: number) => ConsentStep | string,
): Promise<ConsentOutcome> {
  const now = parts.clock.now();
  const by = await actorOf(parts, act, act.channel);
  let why = 'I can’t find this workflow step.';
  const written = await parts.things.act(
    consents,
    act.id,
    consent => {
      const step = consent?.team === act.team ? (faultOf(consent, act, from) ?? stepOf(consent, now)) : why;
      if (typeof step !== 'string')
        return {
          ...step,
          changes: { ...step.changes, login: by.login },
          ...(step.trail ? { trail: { ...by, ...step.trail } } : {}),
          ...(step.job ? { job: { ...step.job, by } } : {}),
        };
      why = step;
      return undefined;
    },
    now,
  );
  if (!written) return refusal(why);
  return { type: 'set', consent: written };
}

/** Says why a person cannot decide on a consent as it is; `undefined` where they can. */
function faultOf(consent: Consent, act: ConsentAct, from: readonly Consent['state'][]): string | undefined {
  if (consent.person !== act.person)
    return `Only ${mentionOf(consent.person)}, in whose name it runs, can decide on this.`;
  return consent.revision !== act.revision || !from.includes(consent.state) ? said[consent.state] : undefined;
}

/** What is already so, where a click comes late. */
const said: Readonly<Record<Consent['state'], string>> = {
  asked: 'This has changed since you saw it. Look at it again in Home.',
  waiting: 'You already allowed this; it waits for the approvers.',
  given: 'You already allowed this. Home has the button that takes it back.',
  refused: 'This was already refused. Home has the button that allows it.',
  revoked: 'You already took this back. Home has the button that allows it.',
};
