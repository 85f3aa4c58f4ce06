import { z } from 'zod';
import { day, minute } from '../../ground/durations.ts';
import type { Store } from '../database.ts';
import { insertOrSet } from '../statementParts.ts';

/** The kinds of Slack's newer blocks that workspaces refused lately. Workspaces get each kind at its own time. */
export type OlderWorkspaces = Readonly<{
  /** Whether the workspace refused one of these kinds within the last day; after that they are tried again. */
  refuses(team: string, kinds: readonly string[], now: number): Promise<boolean>;
  /** Notes that it refused these kinds just now. */
  note(team: string, kinds: readonly string[], now: number): Promise<void>;
}>;

/** The time for which a refusal counts, in milliseconds: Slack brings the newer blocks to its workspaces by and by. */
const countsFor = day;

/** The time for which a process does not ask the store again, in milliseconds: nearly every message has such a block. */
const knownFor = minute;

const Times = z.record(z.string(), z.number());
/** Each kind with the time of its refusal. */
type Refusals = Readonly<Record<string, number>>;

export function olderWorkspacesIn(store: Store): OlderWorkspaces {
  const known = new Map<string, Readonly<{ at: number; times: Promise<Refusals> }>>();
  const read = async (team: string): Promise<Refusals> => {
    const row = await store.selectFrom('olderWorkspaces').select('kinds').where('team', '=', team).executeTakeFirst();
    return row ? Times.parse(JSON.parse(row.kinds)) : {};
  };
  /** The refusals that count now. A later time was noted before the clock was set back. */
  const refusals = async (team: string, now: number): Promise<Refusals> => {
    const before = known.get(team);
    const isKnown = before !== undefined && Math.abs(now - before.at) < knownFor;
    const times = isKnown ? before.times : read(team);
    if (!isKnown) known.set(team, { at: now, times });
    // Messages that are sent at the same time share one reading, but nobody shares a failure later.
    times.catch(() => known.delete(team));
    return Object.fromEntries(Object.entries(await times).filter(([, at]) => at > now - countsFor && at <= now));
  };
  return {
    async refuses(team, kinds, now) {
      if (kinds.length === 0) return false;
      const refused = await refusals(team, now);
      return kinds.some(kind => refused[kind] !== undefined);
    },
    async note(team, kinds, now) {
      known.delete(team);
      const noted = { ...(await refusals(team, now)), ...Object.fromEntries(kinds.map(kind => [kind, now])) };
      const row = { kinds: JSON.stringify(noted) };
      await insertOrSet(store, 'olderWorkspaces', ['team'], { team, ...row }, row).execute();
      known.set(team, { at: now, times: Promise.resolve(noted) });
    },
  };
}
