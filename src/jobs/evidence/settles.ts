import { minute, second } from '../../ground/durations.ts';

/** Times for which a record must show the same before that counts, in milliseconds. */
export const settles = {
  /** A known word: services write their facts one after the other. */
  soon: 10 * second,
  /** A word that no other record shows, a sign that contradicts the job, or one that tells little. */
  long: 20 * second,
  /** What was sent and may wait for its turn. */
  turn: minute,
  /** A word that nobody knows, and that nobody explained when Dolly asked. */
  unknown: 5 * minute,
} as const;
