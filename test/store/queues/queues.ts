import { due, looks, tell } from './jobQueues.ts';
import type { QueueCase } from './queue.ts';
import { executions, homes, inbox, leases, outbox, schedules, sights } from './tableQueues.ts';

/** Every queue there is. A new one is one entry here; a structure test fails without it. */
export const queues = {
  due,
  tell,
  looks,
  inbox,
  outbox,
  leases,
  schedules,
  executions,
  sights,
  homes,
} as const satisfies Record<string, QueueCase>;
export type QueueName = keyof typeof queues;

/** Locks that are no queue’s, each with the reason. */
export const otherLocks: Readonly<Record<string, string>> = {
  'installations.locked_until': 'One process renews a token when a call needs it; nothing is due there.',
};

/** Columns whose names end like a lock’s, and which lock nothing. */
export const noLocks: readonly string[] = [];
