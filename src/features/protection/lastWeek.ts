import { z } from 'zod';
import { day } from '../../ground/durations.ts';
import type { Parts } from '../../jobs/parts.ts';
import type { Kind } from '../../store/things/kind.ts';
import type { Owner } from '../../store/vault.ts';
import { ProtectedThen } from './summary.ts';

/** How many databases were protected on the last days, by date, as one sign-in saw all of them: a row a sign-in. */
const HistoryBody = z.object({ days: z.record(z.string(), ProtectedThen).readonly() });

export const histories: Kind<'kept', z.infer<typeof HistoryBody>> = {
  name: 'history',
  body: HistoryBody,
  states: { kept: [] },
  // Once nobody reads with that sign-in any more, it goes with the rest of the history.
  over: ['kept'],
  found: () => ({}),
  about: () => ({}),
};

/** Keeps how many are protected on the day of a reading, and gives how many were a week before; absent: nobody looked. */
export async function compareWithLastWeek(
  { things }: Parts<'things'>,
  { team, person }: Owner,
  { at, ...now }: ProtectedThen & Readonly<{ at: number }>,
): Promise<ProtectedThen | undefined> {
  const id = `history ${team} ${person}`;
  const [today, then] = [dateOf(at), dateOf(at - 7 * day)];
  const before = await things.find(histories, id);
  if (before?.days[today] === undefined)
    await things.act(
      histories,
      id,
      history => {
        const kept = Object.entries(history?.days ?? {}).filter(([date]) => date > then && date < today);
        const changes = { days: { ...Object.fromEntries(kept), [today]: now }, endedAt: at };
        const own = { id, team, person, state: 'kept', createdAt: at, plannedAt: null, waitsFor: null } as const;
        return history ? { changes } : { as: { ...own, ...changes } };
      },
      at,
    );
  return before?.days[then];
}

function dateOf(time: number): string {
  return new Date(time).toISOString().slice(0, 10);
}
