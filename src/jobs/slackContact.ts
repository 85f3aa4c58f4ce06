import { z } from 'zod';
import { minute } from '../ground/durations.ts';
import { defineKind, type ThingOf } from '../store/things/kind.ts';
import type { NewOf } from '../store/things/things.ts';
import type { Parts } from './parts.ts';

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
export const shortLoss = 10 * minute;
/** The pause between two looks at a contact, in milliseconds. */
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
