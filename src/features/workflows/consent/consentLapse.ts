import { hour } from '../../../ground/durations.ts';
import { Failure } from '../../../ground/failure.ts';
import type { Policy } from '../../../jobs/approval/policy/rules.ts';
import { isOfOtherUser, timeOfPermission } from '../../../jobs/approval/standingApproval.ts';
import type { Parts } from '../../../jobs/parts.ts';
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

/** The times of the runs that count for the pace of a consent: those of the last hour. */
export function recentRuns({ begunAt }: Pick<Consent, 'begunAt'>, now: number): readonly number[] {
  return (begunAt ?? []).filter(at => at > now - hour);
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
    ? `This very step has run ${mostRuns} times within an hour.`
    : undefined;
}

/** Ends a consent that is given, or waits for those who approve. */
export async function endConsent(
  { things, clock }: Parts<'things' | 'clock'>,
  { id }: Consent,
  detail: string,
): Promise<void> {
  const now = clock.now();
  const trail = { event: 'consent ended', detail };
  await things.act(
    consents,
    id,
    one => (one && isHeldConsent(one) ? { ...decided(one, 'revoked', now), trail } : undefined),
    now,
  );
}

/** Ends the consents of a person who signs in as another user: they were given for what the first one may do. */
export async function endThoseOfOthers(parts: Parts<'things' | 'clock'>, owner: Owner, login: string): Promise<void> {
  const { team, person } = owner;
  const own = await parts.things.list(consents, { team, person });
  for (const consent of own)
    if (isOfOtherUser(consent, login))
      await endConsent(parts, consent, `its person signed in as ${login}, and gave it as ${consent.login}`);
}
