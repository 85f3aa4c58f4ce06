import { z } from 'zod';
import { whomItRings } from '../../slack/messages/ringing.ts';
import {
  AlertCounts,
  AlertItem,
  AlertKinds,
  type Incident,
  type NewIncident,
} from '../../store/tables/alerts/alertRows.ts';
import type { NewNotice } from '../../store/tables/outboxRows.ts';

/** Max records that the text of a reply or of the morning’s message names. */
export const maxNamed = 20;
/** The numbers that a message does not name one by one. */
const more = z.number().default(0);
const person = z.string().nullable().default(null);
const time = z.number().nullable().default(null);
/** The people and user groups whom a message calls. */
const calledIds = z.array(z.string()).default([]);
const Named = z.object({ items: z.array(AlertItem), more });

/** What a message about alerts is made from. */
export const AlertNotice = z.discriminatedUnion('what', [
  /** The message of an incident: `called` are those whom its post called. */
  z.object({
    what: z.literal('incident'),
    incident: z.string(),
    place: z.string().nullable(),
    placeName: z.string().nullable(),
    items: z.array(AlertItem),
    counts: AlertCounts,
    ...{
      called: calledIds,
      snoozedUntil: time,
      snoozedBy: person,
      takenBy: person,
      takenUntil: time,
      closedBy: person,
    },
  }),
  /** The reply that more has joined it, or that some of it is over. `left` of all still stand. */
  z.object({
    what: z.literal('news'),
    ...{ begun: Named, ended: Named, left: z.number(), called: calledIds },
  }),
  /** Nobody is on it: people are called again, also where `after` did not answer. */
  Named.extend({ what: z.literal('call'), incident: z.string(), after: person, called: calledIds }),
  /** The question to whoever took it. */
  z.object({ what: z.literal('taker'), incident: z.string(), person: z.string() }),
  z.object({ what: z.literal('handed'), by: z.string(), to: z.string() }),
  /** The reply at the end of a snooze. */
  Named.extend({ what: z.literal('still'), by: person }),
  /** The morning’s message of a channel. */
  Named.extend({ what: z.literal('morning'), called: calledIds }),
  /** Alerts are on; `existing` is what stood at the first look, which is told by no other message. */
  z.object({
    ...{ what: z.literal('on'), by: z.string(), kinds: AlertKinds, isAccount: z.boolean(), called: calledIds },
    existing: Named.optional(),
  }),
  /** A sample to those who are called, which somebody asked for. */
  z.object({ what: z.literal('test'), by: z.string(), kinds: AlertKinds, called: calledIds }),
  z.object({ what: z.literal('off'), by: z.string() }),
]);
export type AlertNotice = z.infer<typeof AlertNotice>;

/** As many items as a text names, and the number of the others. */
export function named(items: readonly AlertItem[], others = 0): z.infer<typeof Named> {
  return { items: items.slice(0, maxNamed), more: Math.max(0, items.length - maxNamed) + others };
}

/** The data of the message of an incident. */
export function noticeOfIncident(incident: NewIncident): AlertNotice {
  const { id, place, placeName, items, counts, called, snoozedUntil, snoozedBy, ...rest } = incident;
  const { takenBy, takenUntil, closedBy } = rest;
  const about = { incident: id, place, placeName, items: [...items], counts, called: [...called] };
  return { what: 'incident', ...about, snoozedUntil, snoozedBy, takenBy, takenUntil, closedBy };
}

/** The id of the message that alerts were turned on, or off, in a channel at a time. */
export function turningId({ team, channel }: Readonly<{ team: string; channel: string }>, what: string, at: number) {
  return `alerts ${team} ${channel} ${what} ${at}`;
}

/** A reply in the thread of an incident: a post, since a change in place rings nobody. */
export function replyTo({ id, team, revision }: Incident, at: number, data: AlertNotice): NewNotice {
  return {
    ...{ id: `${id} ${data.what} ${revision}`, subject: id, team, kind: 'alert', createdAt: at },
    ...{ data, isNews: true, to: { thread: id } },
  };
}

/** Whom a message of alerts rings. Whether what began is news there is known as it begins (incidents). */
export function rungByAlert(told: AlertNotice): readonly string[] {
  switch (told.what) {
    case 'incident':
    case 'news':
      return whomItRings('trouble', told.called);
    case 'call':
    case 'morning':
      return whomItRings('untaken', told.called);
    case 'taker':
      return whomItRings('question', [told.person]);
    case 'handed':
      return whomItRings('question', [told.to]);
    case 'still':
      return whomItRings('question', told.by === null ? [] : [told.by]);
    case 'test':
      return whomItRings('asked', told.called);
    case 'on':
    case 'off':
      return [];
  }
}
