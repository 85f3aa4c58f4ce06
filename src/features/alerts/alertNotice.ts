import { z } from 'zod';
import { AlertCounts, AlertItem, AlertKinds } from '../../store/tables/alerts/alertRows.ts';

/** The numbers that a message does not name one by one. */
const more = z.number().default(0);

/** Why nobody can look for a channel. */
export const blindReasons = ['left', 'no approver', 'signed out', 'account refused', 'unreadable'] as const;
export type BlindReason = (typeof blindReasons)[number];

/** What a message about alerts is made from. */
export const AlertNotice = z.discriminatedUnion('what', [
  z.object({
    what: z.literal('alert'),
    alert: z.string(),
    items: z.array(AlertItem),
    counts: AlertCounts,
    snoozedUntil: z.number().nullable().default(null),
    snoozedBy: z.string().nullable().default(null),
    takenBy: z.string().nullable().default(null),
  }),
  /** The reply in its thread. `left` of those that were told still stand. */
  z.object({
    what: z.literal('mended'),
    items: z.array(AlertItem),
    more,
    left: z.number(),
    takenBy: z.string().nullable().default(null),
  }),
  /** The reply at the end of a snooze. */
  z.object({ what: z.literal('still'), items: z.array(AlertItem), more, by: z.string().nullable() }),
  /** The morning’s message. */
  z.object({
    what: z.literal('reminder'),
    items: z.array(AlertItem.extend({ takenBy: z.string().nullable() })),
    more,
  }),
  /** Nobody can look for the channel. */
  z.object({
    what: z.literal('blind'),
    person: z.string(),
    why: z.enum(blindReasons),
    /** The sentence of the service’s failure. */
    detail: z.string().nullable().default(null),
    revision: z.number(),
  }),
  z.object({ what: z.literal('on'), by: z.string(), kinds: AlertKinds, isAccount: z.boolean() }),
  /** A sample at the place of the alerts, which somebody asked for. */
  z.object({ what: z.literal('test'), by: z.string(), kinds: AlertKinds }),
  z.object({ what: z.literal('off'), by: z.string() }),
]);
export type AlertNotice = z.infer<typeof AlertNotice>;
