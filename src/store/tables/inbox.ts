import { inTransaction } from '../agenda.ts';
import type { Store } from '../database.ts';
import { addDue, type Due, type DueQueue, mustHaveDue, queueOf, removeDue, removeFree } from '../dueQueue.ts';
import { isAnyOf } from '../lists.ts';
import { Overtaken, unlessOvertaken, wholly } from '../overtaken.ts';
import { equals, unlessThere, wrote } from '../statementParts.ts';
import type { InteractionRow } from '../things/rows.ts';
import type { Vault } from '../vault.ts';
import { type HeardKind, noteHeard } from './heard.ts';

/** An interaction before it is stored. */
export type NewInteraction = InteractionRow;

/**
 * The inbox of interactions: requests by a command or a button that acts without the form of a job. An interaction is kept
 * until it is answered, so that it is taken up again if its process was killed in the middle of it. Its text is sealed like a
 * token.
 */
export type Inbox = Readonly<{
  /**
   * Keeps an interaction that the caller works on now, and gives its place in the queue; `undefined` where it is kept already,
   * since Slack delivered it again. An interaction that was a message of the kind `heard` is noted in the same transaction: it is
   * not kept again after it was done.
   */
  keep(interaction: NewInteraction, lockTime: number, heard?: HeardKind): Promise<Due | undefined>;
  /** Forgets an interaction that was answered; `false` where another process has it by now. */
  done(due: Due): Promise<boolean>;
  /** The interactions that are to be done. One whose key is gone stays, and is told by the vault. */
  queue(): DueQueue<InteractionRow>;
  /** Forgets an interaction of a person before it is done; `false` where somebody works on it, or it is none of theirs. */
  forget(interaction: Pick<NewInteraction, 'id' | 'team' | 'person'>, now: number): Promise<boolean>;
  /** Deletes some of those from before `time`, which nobody can read any more. Gives their number. */
  sweep(time: number): Promise<number>;
}>;

/** The kind of interactions in the queue. */
const kind = 'use';
const sweptAtOnce = 200;

export function inboxIn(store: Store, vault: Vault): Inbox {
  return {
    async keep(interaction, lockTime, heard) {
      const { id, team, person, createdAt: now } = interaction;
      const value = await vault.seal({ team, person }, interaction.value);
      return unlessOvertaken(() =>
        inTransaction(store, async changes => {
          if (heard !== undefined && !(await noteHeard(changes, { id, team, kind: heard, at: now })))
            throw new Overtaken();
          const kept = changes.insertInto('inbox').values({ ...interaction, value });
          if (!(await wrote(kept.onConflict(unlessThere)))) throw new Overtaken();
          await addDue(changes, [{ kind, id, team, dueAt: now, now, lockedUntil: now + lockTime }]);
          return { kind, id, team, dueAt: now, setAt: now, fence: 0, tries: 0 };
        }),
      );
    },
    queue() {
      // A key that this process lacks does not come back to it.
      const sealed = new Set<string>();
      return queueOf(store, kind, async ids => {
        const rows = await store.selectFrom('inbox').selectAll().where(isAnyOf('id', ids)).execute();
        const opened = await Promise.all(
          rows.map(async row => {
            if (sealed.has(row.id)) return [];
            const value = await vault.open({ team: row.team, person: row.person }, row.value);
            if (value === undefined) sealed.add(row.id);
            return value === undefined ? [] : [[row.id, { ...row, value }] as const];
          }),
        );
        return new Map(opened.flat());
      });
    },
    done: due =>
      wholly(store, async changes => {
        await mustHaveDue(changes, due);
        await changes.deleteFrom('inbox').where('id', '=', due.id).execute();
        await removeDue(changes, kind, [due]);
      }),
    forget: ({ id, team, person }, now) =>
      wholly(store, async changes => {
        const own = changes.deleteFrom('inbox').where(equals({ id, team, person }));
        if (!(await removeFree(changes, { kind, id }, now)) || !(await wrote(own))) throw new Overtaken();
      }),
    async sweep(time) {
      const old = store.selectFrom('inbox').select('id').where('createdAt', '<', time).limit(sweptAtOnce);
      return inTransaction(store, async changes => {
        const swept = await changes.deleteFrom('inbox').where('id', 'in', old).returning('id').execute();
        await removeDue(changes, kind, swept);
        return swept.length;
      });
    },
  };
}
