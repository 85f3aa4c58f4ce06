import { type Contact, type contacts, lookEvery, shortLoss } from '../../jobs/slackContact.ts';
import type { StepOf } from '../../store/things/things.ts';

/** Says what a look at the contact means. A pure function; it rests where nothing has changed. */
export function nextOfContact(
  { state, since, lostAt, until }: Contact,
  { now, isThere }: Readonly<{ now: number; isThere: boolean }>,
): StepOf<typeof contacts> | Readonly<{ rest: number }> {
  // A promise that was put off is watched on.
  if (now > until + shortLoss && isThere) return { changes: { state: 'over', endedAt: now }, dueAt: null };
  const dueAt = now + lookEvery;
  // The clock was set back. Every end would be put off until it has caught up.
  if (since > now) return { changes: { since: now }, dueAt: now };
  if (isThere === (state === 'there')) return { rest: dueAt };
  if (!isThere) return { changes: { state: 'lost', lostAt: now }, dueAt };
  const wasLong = Math.abs(now - (lostAt ?? now)) > shortLoss;
  return { changes: { state: 'there', lostAt: null, ...(wasLong ? { since: now } : {}) }, dueAt };
}
