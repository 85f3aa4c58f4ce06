import { day } from '../../ground/durations.ts';
import type { Store } from '../database.ts';

/** Workspaces that refused Slack's newer blocks lately. */
export type OlderWorkspaces = {
  /** Whether the workspace refused them within the last day; after that they are tried again. */
  has(team: string, now: number): Promise<boolean>;
  /** Notes that it refused them just now. */
  note(team: string, now: number): Promise<void>;
};

/** The time for which a refusal counts, in milliseconds: Slack brings the newer blocks to its workspaces by and by. */
const countsFor = day;

/** Keeps {@link OlderWorkspaces} in the store. */
export function olderWorkspacesIn(store: Store): OlderWorkspaces {
  return {
    async has(team, now) {
      const found = await store
        .selectFrom('olderWorkspaces')
        .select('team')
        .where('team', '=', team)
        .where('refusedAt', '>', now - countsFor)
        // A later time was noted before the clock was set back.
        .where('refusedAt', '<=', now)
        .executeTakeFirst();
      return found !== undefined;
    },
    async note(team, now) {
      await store
        .insertInto('olderWorkspaces')
        .values({ team, refusedAt: now })
        .onConflict(conflict => conflict.column('team').doUpdateSet({ refusedAt: now }))
        .execute();
    },
  };
}
