import type { Owner } from '../../store/vault.ts';
import { actorOf } from '../actor.ts';
import { advance } from '../advance.ts';
import type { Parts } from '../parts.ts';
import { type Consent, type ConsentState, type ConsentStep, consents, decided } from './consent.ts';
import { requestOfGrant } from './grantApproval.ts';

/* The acts of a person on the leave that a workflow’s step has in their name. */

/** A person who acts on a grant in a channel, and the revision of it that they saw. */
export type GrantAct = Owner & Readonly<{ channel: string; id: string; revision: number }>;

/** What came of an act, or the sentence that says why nothing did. */
export type GrantOutcome = Readonly<{ type: 'set'; grant: Consent }> | Readonly<{ type: 'refused'; sentence: string }>;

const refusal = (sentence: string): GrantOutcome => ({ type: 'refused', sentence });

/** Gives the leave; where it is for the service account, those who approve are asked. */
export async function allowGrant(parts: Parts, act: GrantAct): Promise<GrantOutcome> {
  return actOn(parts, act, ['asked', 'refused', 'revoked'], (grant, now) => {
    if (grant.runsAs === null) return decide(grant, now, 'given', 'You allowed it.');
    if (!parts.account) return 'No service account is set here, so it cannot run with one.';
    const job = requestOfGrant(grant, now);
    if ('fault' in job) return job.fault;
    const asks = decide(grant, now, 'waiting', 'You allowed it, and those who approve are asked.');
    return { ...asks, changes: { ...asks.changes, request: job.id }, job: { job } };
  });
}

/** Refuses the leave: what waits for it fails, and so does every later run. */
export async function refuseGrant(parts: Parts, act: GrantAct): Promise<GrantOutcome> {
  return actOn(parts, act, ['asked'], (grant, now) => decide(grant, now, 'refused', 'You did not allow it.'));
}

/** Takes the leave back. What waits is withdrawn; what was sent goes on. */
export async function revokeGrant(parts: Parts, act: GrantAct): Promise<GrantOutcome> {
  const done = await actOn(parts, act, ['given', 'waiting'], (grant, now) =>
    decide(grant, now, 'revoked', 'You took it back.'),
  );
  if (done.type === 'set') await withdrawRequest(parts, done.grant, act);
  return done;
}

/** The request for approval of what was taken back is withdrawn. Where it was decided already, nothing follows. */
async function withdrawRequest(parts: Parts, { request }: Consent, act: GrantAct): Promise<void> {
  const job = request === null ? undefined : await parts.jobs.find(request);
  if (!job || job.state === 'unreadable') return;
  const by = await actorOf(parts, act, act.channel);
  await advance(parts, job, { type: 'withdrawn', by, reason: 'The leave was taken back. Nothing was sent.' });
}

/** The decision of its person. Where those who approve are asked, too, that person has given the leave. */
function decide(grant: Consent, now: number, state: 'waiting' | 'given' | 'refused' | 'revoked', outcome: string) {
  const event = `leave ${state === 'waiting' ? 'given' : state}`;
  return { ...decided(grant, state, now), trail: { event }, closed: [{ outcome }] };
}

async function actOn(
  parts: Parts,
  act: GrantAct,
  from: readonly ConsentState[],
  stepOf: (grant: Consent, now: number) => (ReturnType<typeof decide> & Pick<ConsentStep, 'job'>) | string,
): Promise<GrantOutcome> {
  const now = parts.clock.now();
  const by = await actorOf(parts, act, act.channel);
  let why = 'I do not know this workflow’s step any more.';
  const written = await parts.things.act(
    consents,
    act.id,
    grant => {
      const step = grant?.team === act.team ? (faultOf(grant, act, from) ?? stepOf(grant, now)) : why;
      if (typeof step !== 'string')
        return { ...step, trail: { ...by, ...step.trail }, ...(step.job ? { job: { ...step.job, by } } : {}) };
      why = step;
      return undefined;
    },
    now,
  );
  if (!written) return refusal(why);
  parts.tell();
  return { type: 'set', grant: written };
}

/** Says why a person cannot decide on a grant as it is; `undefined` where they can. */
function faultOf(grant: Consent, act: GrantAct, from: readonly ConsentState[]): string | undefined {
  if (grant.person !== act.person) return `Only <@${grant.person}>, in whose name it runs, can decide on this.`;
  return grant.revision !== act.revision || !from.includes(grant.state) ? said[grant.state] : undefined;
}

/** What is already so, where a click comes late. */
const said: Readonly<Record<ConsentState, string>> = {
  asked: 'This has changed since you saw it. Look at it again in Home.',
  waiting: 'You allowed this already; it waits for those who approve.',
  given: 'You allowed this already. Home has the button that takes it back.',
  refused: 'This was refused already. Home has the button that allows it.',
  revoked: 'You took this back already. Home has the button that allows it.',
};
