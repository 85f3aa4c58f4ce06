import { z } from 'zod';
import { minute } from '../../ground/durations.ts';
import type { Parts } from '../../jobs/parts.ts';
import { defineKind, type ThingOf } from '../../store/things/kind.ts';
import type { NewOf, StepOf } from '../../store/things/things.ts';

/*
 * Dolly's contact with a team in Slack, watched while something was promised there: whoever was told of an end can answer
 * only as long as Slack and Dolly reach one another.
 */

const ContactBody = z.object({
  /** The time since which it was not lost for longer than {@link shortLoss}, as far as it was watched. */
  since: z.number(),
  /** The time of the look that first found it lost; `null` while it is there. */
  lostAt: z.number().nullable(),
  /** The time until which something is promised: nobody watches beyond it. */
  until: z.number(),
});
export type Contact = ThingOf<typeof contacts>;

export const contacts = defineKind({
  name: 'contact',
  body: ContactBody,
  states: { there: ['lost', 'over'], lost: ['there', 'over'], over: ['there'] },
  over: ['over'],
  found: () => ({}),
  about: () => ({}),
});

/** A loss up to this time takes nothing from what was promised, in milliseconds. */
const shortLoss = 10 * minute;
/** The pause between two looks, in milliseconds. */
export const lookEvery = 2 * minute;

/** A team has one contact. */
function contactId(team: string): string {
  return `contact ${team}`;
}

/** Reads how the contact with a team stands; `undefined` where nobody has watched it. */
export function contactWith({ things }: Parts<'things'>, team: string): Promise<Contact | undefined> {
  return things.find(contacts, contactId(team));
}

/** `from` is the time of the promise, where that was before `now`. */
type Watch = Readonly<{ team: string; until: number; now: number; from?: number | undefined }>;

/** Lets the contact with a team be watched until a time at least. */
export async function watchContact({ things }: Parts<'things'>, watch: Watch) {
  await things.act(contacts, contactId(watch.team), known => begun(known, watch), watch.now);
}

function begun(known: Contact | undefined, { team, until, now, from = now }: Watch) {
  if (known && known.state !== 'over') return known.until >= until ? undefined : { changes: { until } };
  const row = { person: '', plannedAt: null, waitsFor: null, createdAt: now, endedAt: null };
  const as: NewOf<typeof contacts> = {
    ...{ id: contactId(team), team, ...row },
    // A message may have arrived before the watch began. What was lost in between was lost for a short time at most.
    ...{ state: 'there', since: now - from > shortLoss ? now : from, lostAt: null, until },
  };
  return { as, dueAt: now + lookEvery };
}

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
