import { z } from 'zod';
import { asJson, asText, defineAction } from '../../slack/blocks/action.ts';
import { snoozes } from './alertActs.ts';

/** The buttons of alerts. */
export const alertActions = {
  /** It carries the alert’s id. */
  take: defineAction('alert.take', asText),
  /** It carries the alert’s id, and the time. */
  snooze: defineAction('alert.snooze', asJson(z.object({ a: z.string(), s: z.enum(snoozes) }))),
  /** It carries the revision of the subscription that nobody can look for. */
  takeOver: defineAction('alert.over', asJson(z.number())),
} as const;
