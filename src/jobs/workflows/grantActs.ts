import type { Grant, GrantState, GrantStep } from '../../store/tables/grantRows.ts';
import type { Owner } from '../../store/vault.ts';
import { actorOf } from '../actor.ts';
import { advance } from '../advance.ts';
import type { Parts } from '../parts.ts';
import { requestOfGrant } from './grantApproval.ts';

/* The acts of a person on the leave that a workflow’s step has in their name. */

/** A person who acts on a grant in a channel, and the revision of it that they saw. */
export type GrantAct = Owner & Readonly<{ channel: string; id: string; revision: number }>;

/** What came of an act, or the sentence that says why nothing did. */
export type GrantOutcome = Readonly<{ type: 'set'; grant: Grant }> | Readonly<{ type: 'refused'; sentence: string }>;

const refusal = (sentence: string): GrantOutcome => ({ type: 'refused', sentence });

/** Gives the leave; where it is for the service account, those who approve are asked. */
export async function allowGrant(parts: Parts, act: GrantAct): Promise<GrantOutcome> {
  return actOn(parts, act, ['asked', 'refused', 'revoked'], (grant, now) => {
    if (grant.runsAs === null) return decided('given', now, 'leave given', 'You allowed it.');
    if (!parts.account) return 'No service account is set here, so it cannot run with one.';
    const job = requestOfGrant(grant, now);
    if ('fault' in job) return job.fault;
    const asks = decided('waiting', now, 'leave given', 'You allowed it, and those who approve are asked.');
    return { ...asks, changes: { ...asks.changes, request: job.id }, job };
  });
}

/** Refuses the leave: what waits for it fails, and so does every later run. */
export async function refuseGrant(parts: Parts, act: GrantAct): Promise<GrantOutcome> {
  return actOn(parts, act, ['asked'], (_, now) => decided('refused', now, 'leave refused', 'You did not allow it.'));
}

/** Takes the leave back. What waits is withdrawn; what was sent goes on. */
export async function revokeGrant(parts: Parts, act: GrantAct): Promise<GrantOutcome> {
  const done = await actOn(parts, act, ['given', 'waiting'], (_, now) =>
    decided('revoked', now, 'leave revoked', 'You took it back.'),
  );
  if (done.type === 'set') await withdrawRequest(parts, done.grant, act);
  return done;
}

/** The request for approval of what was taken back is withdrawn. Where it was decided already, nothing follows. */
async function withdrawRequest(parts: Parts, { request }: Grant, act: GrantAct): Promise<void> {
  const job = request === null ? undefined : await parts.jobs.find(request);
  if (!job || job.state === 'unreadable') return;
  const by = await actorOf(parts, act, act.channel);
  await advance(parts, job, { type: 'withdrawn', by, reason: 'The leave was taken back. Nothing was sent.' });
}

function decided(state: GrantState, now: number, event: string, outcome: string): GrantStep {
  return { changes: { state, decidedAt: now }, trail: { event }, outcome };
}

async function actOn(
  parts: Parts,
  act: GrantAct,
  from: readonly GrantState[],
  stepOf: (grant: Grant, now: number) => GrantStep | string,
): Promise<GrantOutcome> {
  const { grants, clock } = parts;
  const grant = await grants.find(act.id);
  if (grant?.team !== act.team) return refusal('I do not know this workflow’s step any more.');
  if (grant.person !== act.person)
    return refusal(`Only <@${grant.person}>, in whose name it runs, can decide on this.`);
  if (grant.revision !== act.revision || !from.includes(grant.state)) return refusal(said[grant.state]);
  const now = clock.now();
  const step = stepOf(grant, now);
  if (typeof step === 'string') return refusal(step);
  const by = await actorOf(parts, act, act.channel);
  const written = await grants.decide(grant, { ...step, by, trail: { ...by, ...step.trail } }, now);
  if (!written) return refusal('This has changed since you saw it. Nothing more was changed.');
  parts.tell();
  return { type: 'set', grant: written };
}

/** What is already so, where a click comes late. */
const said: Readonly<Record<GrantState, string>> = {
  asked: 'This has changed since you saw it. Look at it again in Home.',
  waiting: 'You allowed this already; it waits for those who approve.',
  given: 'You allowed this already. Home has the button that takes it back.',
  refused: 'This was refused already. Home has the button that allows it.',
  revoked: 'You took this back already. Home has the button that allows it.',
};
