import { hour } from '../../../ground/durations.ts';
import { Failure } from '../../../ground/failure.ts';
import { dolly } from '../../../jobs/actor.ts';
import type { Policy } from '../../../jobs/approval/policy/rules.ts';
import { isOfOtherUser, timeOfPermission, withdrawRequest } from '../../../jobs/approval/standingApproval.ts';
import type { Mover, Parts } from '../../../jobs/parts.ts';
import type { Owner } from '../../../store/vault.ts';
import type { Execution } from '../execution.ts';
import { type Consent, consents, decided, isHeldConsent } from './consent.ts';

/* When a consent permits nothing any more, or nothing for a while. */

/** Max runs with one consent within an hour. */
const mostRuns = 6;

/** How the time of a consent stands; its person is asked anew, once, at a run shortly before its end. */
export function timeOfConsent(policy: Policy, { decidedAt, askedAt }: Consent, now: number) {
  const { stands, end } = timeOfPermission(policy, decidedAt, now);
  const wasAsked = askedAt != null && decidedAt !== null && askedAt >= decidedAt;
  return { isOver: stands === 'over', renewal: stands === 'ends' && !wasAsked ? end : undefined };
}

/** The times of the runs that count for the pace of a consent: those of the last hour. Those far ahead are of a clock set back. */
export function recentRuns({ begunAt }: Pick<Consent, 'begunAt'>, now: number): readonly number[] {
  return (begunAt ?? []).filter(at => Math.abs(now - at) < hour);
}

/**
 * Says why no other run begins with a consent. `working` are those that it works with or that wait for it; `undefined`
 * where one may.
 * @throws {Failure} `busy` while one is under way: it is waited for
 */
export function faultOfPace(consent: Consent, working: readonly Execution[], now: number): string | undefined {
  if (working.some(({ state, job }) => state === 'running' && job !== null))
    throw new Failure('busy', 'Another run of this step is under way.');
  return recentRuns(consent, now).length >= mostRuns
    ? `This step has run ${mostRuns} times within an hour.`
    : undefined;
}

/** Ends a consent that is given, or waits for those who approve: what asks them is withdrawn. */
export async function endConsent(parts: Mover & Parts<'things'>, { id }: Consent, detail: string): Promise<void> {
  const now = parts.clock.now();
  const trail = { event: 'consent ended', detail };
  const end = (one?: Consent) => (one && isHeldConsent(one) ? { ...decided(one, 'revoked', now), trail } : undefined);
  const ended = await parts.things.act(consents, id, end, now);
  if (ended) await withdrawRequest(parts, ended, dolly, 'The consent has ended.');
}

/** Ends the consents of a person who signs in as another user: they were given for what the first one may do. */
export async function endThoseOfOthers(parts: Mover & Parts<'things'>, owner: Owner, login: string): Promise<void> {
  const { team, person } = owner;
  const own = await parts.things.list(consents, { team, person });
  for (const consent of own)
    if (isOfOtherUser(consent, login))
      await endConsent(parts, consent, `its person signed in as ${login}, and gave it as ${consent.login}`);
}
