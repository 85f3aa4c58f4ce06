import { day, minute, second } from '../../src/ground/durations.ts';
import type { Facts, Found } from './oracles.ts';

/*
 * What must hold of times (23): each has a latest one. What is due in the store is taken up soon where nothing breaks, and
 * what waits for a decision ends after its day.
 */

/** The time between two looks of this oracle. */
const every = 10 * second;
/** So long after the last trouble, whatever it put off goes on. */
const settles = 2 * minute;
/** What is due is taken up within this time. */
const promptly = 90 * second;
/** A request waits for a decision for so long, and a while for the look that ends it. */
const longestWait = day + 5 * minute;

/** All that may be due, by the statement that looks for what has been due for too long, and what it is called. */
const queues = [
  [
    "select id, operation as what, due_at from jobs where due_at < ? and locked_until < ? and state not in ('denied', 'expired', 'void', 'withdrawn')",
    'the next step of',
  ],
  [
    'select id, operation as what, tell_at as due_at from jobs where tell_at < ? and tell_locked_until < ?',
    'the news of',
  ],
  ['select job as id, job as what, due_at from looks where due_at < ? and free_at < ?', 'the next look at'],
  ['select id, kind as what, due_at from due where max(due_at, set_at) < ? and locked_until < ?', 'the turn of'],
] as const;

/** Watches the times of a world. @returns what is to be called as time goes on */
export function watchDue(
  { plan, kernel, disk, calm }: Pick<Facts, 'plan' | 'kernel' | 'disk' | 'calm'>,
  found: Found,
): Readonly<{ happened(): void }> {
  let lookedAt = 0;
  /** A clock that is set forward makes what waits so much older. */
  const ahead = Math.max(0, ...plan.faults.map(fault => (fault.fault === 'clock' ? fault.by : 0)));
  /** The end of each maintenance as it was declared. */
  const declared = new Map<string, number>();
  return {
    happened() {
      const now = kernel.now();
      if (now < lookedAt + every) return;
      lookedAt = now;
      if (!calm(now - settles - promptly)) return;
      for (const [statement, what] of queues)
        for (const { id, what: name, due_at } of disk.rows(statement, now - promptly, now))
          found('23 in time', `${what} ${name} ${id} is due since ${new Date(Number(due_at)).toISOString()}`);
      checkReminders(now);
      checkOver(now);
      const waiting = "select operation, target from jobs where state = 'awaiting' and created_at < ?";
      for (const { operation, target } of disk.rows(waiting, now - longestWait))
        found('23 in time', `${operation} of ${target} waits for a decision for more than a day`);
    },
  };

  /** Whether those who approve were reminded as often as docs/policy.md says for a request of that age. */
  function checkReminders(now: number): void {
    const waiting =
      "select operation, target, created_at, reminders from jobs where state = 'awaiting' and plan is null";
    for (const { operation, target, created_at, reminders } of disk.rows(waiting)) {
      const age = now - Number(created_at);
      const due = (by: number) => remindedAt.filter(one => one < by).length;
      if (Number(reminders) > due(age + minute + ahead))
        found(
          '23 in time',
          `${operation} of ${target} is ${Math.round(age / minute)} minutes old and was reminded of ${reminders} times`,
        );
      // Each comes so long after the one before, so that one that came late moves the others.
      if (calm(Number(created_at)) && Number(reminders) < due(age - settles - promptly))
        found(
          '23 in time',
          `nobody was reminded of ${operation} of ${target}, which is ${Math.round(age / minute)} minutes old`,
        );
    }
  }

  /** Whether an incident still waits for the declared end of maintenance that was ended before. */
  function checkOver(now: number): void {
    const all =
      "select id, state, ended_at, json_extract(body, '$.until') as until from things where kind = 'maintenance'";
    for (const { id, state, ended_at, until } of disk.rows(all)) {
      if (state === 'on') declared.set(String(id), Number(until));
      const end = declared.get(String(id));
      if (state === 'on' || end === undefined || Number(ended_at) > now - promptly) continue;
      const waiting = "select id from due where kind = 'incident' and due_at between ? and ?";
      for (const incident of disk.rows(waiting, Math.max(now, end - second), end + second))
        found('23 in time', `incident ${incident.id} waits for the end of maintenance that is over`);
    }
  }
}

/** The ages of a request at which those who approve are reminded of it (docs/policy.md). */
const remindedAt = [30 * minute, 150 * minute, 630 * minute];
