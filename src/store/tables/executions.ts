import { lockTime } from '../../ground/loop.ts';
import type { Store } from '../database.ts';
import { addJob } from '../jobs/adding.ts';
import type { NewJob } from '../jobs/job.ts';
import { light } from '../light.ts';
import { isAmong, isFree } from '../lock.ts';
import type { Owner } from '../vault.ts';
import { inTrail, type NewEntry, type Told } from './audit.ts';
import {
  columnsOfExecution,
  type Execution,
  type ExecutionChange,
  executionRow,
  type NewExecution,
  openExecutionStates,
  readExecution,
} from './executionRows.ts';
import { aboutGrant, type Grant, grantRow, lockGrant, type NewGrant } from './grantRows.ts';
import { addNotices, closeNotices, type NewNotice } from './notices.ts';

/** A step on the way of an execution. All of it is written in one transaction, or nothing. */
export type ExecutionStep = Readonly<{
  changes: ExecutionChange;
  /** The entry in the trail; its actor is the bot itself. */
  trail?: (Pick<NewEntry, 'event'> & Partial<NewEntry>) | undefined;
  /** The job of the step. */
  job?: NewJob | undefined;
  /** The grant with which the work begins: where it is not given at this moment, nothing is written. */
  grant?: string | undefined;
  notices?: readonly NewNotice[] | undefined;
  /** How the messages about this execution ended. */
  outcome?: string | undefined;
}>;

/** The question for a leave: the grant as it is asked for, the message that asks, and what the execution does meanwhile. */
export type LeaveQuestion = Readonly<{ grant: NewGrant; notice: NewNotice; meanwhile: ExecutionChange }>;

/** The runs of workflows’ steps. Each is due for the next step of its way, and one process takes it then. */
export type Executions = {
  /** Adds an execution; `false`, and nothing is written, where Slack delivered it before. */
  add(execution: NewExecution): Promise<boolean>;
  find(id: string): Promise<Execution | undefined>;
  /** Takes up to `max` due executions and locks them for `lockTime` milliseconds. */
  take(now: number, lockTime: number, max: number): Promise<Execution[]>;
  renew(ids: readonly string[], until: number): Promise<void>;
  /** The time of the next execution that nobody has taken; `undefined` where there is none. */
  nextTime(now: number): Promise<number | undefined>;
  /** Puts off an execution about which nothing is to be written until `dueAt`; `failed` counts a failed try. */
  putOff(execution: Execution, dueAt: number, failed: boolean): Promise<void>;
  /** Takes an execution one step on; `undefined` where somebody else changed it first. */
  apply(execution: Execution, step: ExecutionStep, now: number): Promise<Execution | undefined>;
  /**
   * Asks for a leave, once for all executions that need it, and lets this one wait. Gives the grant as it is; where it
   * is decided, nothing is written.
   */
  askLeave(execution: Execution, question: LeaveQuestion, now: number): Promise<Grant | undefined>;
  /** Makes the executions of a person due at once that wait for their sign-in. */
  signedIn(owner: Owner, now: number): Promise<void>;
  /** Makes all executions due at once that are not over: the clock was set. */
  recall(now: number): Promise<void>;
  /** Deletes some of those that ended before `time`, and their messages. Gives their number. */
  sweep(time: number): Promise<number>;
};

const sweptAtOnce = 200;

/** Keeps executions in the store. `told` is called with their entries in the trail. */
export function executionsIn(store: Store, told?: Told): Executions {
  return {
    add: asked =>
      inTrail(store, told, async (changes, note) => {
        const { numInsertedOrUpdatedRows: many } = await changes
          .insertInto('executions')
          .values(executionRow(asked))
          .onConflict(conflict => conflict.column('id').doNothing())
          .executeTakeFirst();
        if (!many) return false;
        await note({ ...aboutExecution(asked), at: asked.createdAt, event: 'step asked' });
        return true;
      }),
    async find(id) {
      const row = await store.selectFrom('executions').selectAll().where('id', '=', id).executeTakeFirst();
      return row && readExecution(row)[0];
    },
    ...queueOfExecutions(store),
    apply: (execution, { changes: changed, trail, job, grant, notices = [], outcome }, now) =>
      inTrail(store, told, async (changes, note) => {
        if (grant !== undefined) {
          if ((await lockGrant(changes, grant))?.state !== 'given') return undefined;
          await changes.updateTable('grants').set({ usedAt: now }).where('id', '=', grant).execute();
        }
        const written = await writeExecution(changes, execution, changed);
        if (!written) return undefined;
        if (outcome !== undefined) await closeNotices(changes, execution.id, { outcome, now });
        await addNotices(changes, notices);
        if (job) await addJob(changes, note, job, {});
        if (trail) await note({ ...aboutExecution(execution), at: now, ...trail });
        return written;
      }),
    askLeave: (execution, { grant: asked, notice, meanwhile }, now) =>
      inTrail(store, told, async (changes, note) => {
        const { numInsertedOrUpdatedRows: many } = await changes
          .insertInto('grants')
          .values(grantRow(asked))
          .onConflict(conflict => conflict.column('id').doNothing())
          .executeTakeFirst();
        // Whoever decides locks the grant first, too: either they find this execution, or it finds their decision.
        const grant = await lockGrant(changes, asked.id);
        if (!grant || (grant.state !== 'asked' && grant.state !== 'waiting')) return grant;
        if (many) {
          await addNotices(changes, [notice]);
          await note({ ...aboutGrant(asked), at: now, event: 'leave asked' });
        }
        await writeExecution(changes, execution, { ...meanwhile, hold: 'leave', grantId: grant.id });
        return grant;
      }),
    async signedIn({ team, person }, now) {
      await store.transaction().execute(async changes => {
        const waiting = await changes
          .updateTable('executions')
          .set(eb => ({ hold: null, dueAt: now, lockedUntil: 0, revision: eb('revision', '+', 1) }))
          .where('team', '=', team)
          .where('person', '=', person)
          .where('hold', '=', 'sign-in')
          .where('state', 'in', openExecutionStates)
          .returning('id')
          .execute();
        for (const { id } of waiting) await closeNotices(changes, id, { outcome: 'You are signed in again.', now });
      });
    },
    async recall(now) {
      await store.updateTable('executions').set({ dueAt: now }).where('dueAt', '>', now).execute();
    },
    async sweep(time) {
      const some = store
        .selectFrom('executions')
        .select('id')
        .where('endedAt', '<', time)
        .where('state', '=', 'ended')
        .limit(sweptAtOnce);
      return store.transaction().execute(async changes => {
        const swept = await changes.deleteFrom('executions').where('id', 'in', some).returning('id').execute();
        const ids = swept.map(({ id }) => id);
        if (ids.length > 0) await changes.deleteFrom('notices').where('subject', 'in', ids).execute();
        return ids.length;
      });
    },
  };
}

/** Writes a change of an execution, in the revision in which it was read. */
async function writeExecution(
  changes: Store,
  { id, revision }: Execution,
  changed: ExecutionChange,
): Promise<Execution | undefined> {
  const row = await changes
    .updateTable('executions')
    .set({ ...columnsOfExecution(changed), revision: revision + 1, lockedUntil: 0 })
    .where('id', '=', id)
    .where('revision', '=', revision)
    .returningAll()
    .executeTakeFirst();
  return row && readExecution(row)[0];
}

/** Makes the part of an entry of the trail that is about an execution. */
function aboutExecution({ team, person, step, run }: NewExecution) {
  return { actor: 'dolly', team, person, detail: `${step} (${run})` };
}

function queueOfExecutions(store: Store): Pick<Executions, 'take' | 'renew' | 'nextTime' | 'putOff'> {
  return {
    async take(now, lockTime, max) {
      const free = store
        .selectFrom('executions')
        .select('id')
        .where('dueAt', '<=', now)
        .where(isFree('lockedUntil', now, lockTime))
        .orderBy('dueAt')
        .limit(max);
      const rows = await store
        .updateTable('executions')
        .set({ lockedUntil: now + lockTime })
        .where(isAmong(store, free))
        // Checked again on the row itself: another process may have taken it between the choice and the change.
        .where('dueAt', '<=', now)
        .where(isFree('lockedUntil', now, lockTime))
        .returningAll()
        .modifyEnd(light)
        .execute();
      return rows.flatMap(readExecution);
    },
    async renew(ids, until) {
      if (ids.length === 0) return;
      await store
        .updateTable('executions')
        .set({ lockedUntil: until })
        .where('id', 'in', ids)
        .modifyEnd(light)
        .execute();
    },
    async nextTime(now) {
      const row = await store
        .selectFrom('executions')
        .select('dueAt')
        .where('dueAt', 'is not', null)
        .where(isFree('lockedUntil', now, lockTime))
        .orderBy('dueAt')
        .limit(1)
        .executeTakeFirst();
      return row && Number(row.dueAt);
    },
    async putOff({ id, revision, tries }, dueAt, failed) {
      await store
        .updateTable('executions')
        .set({ dueAt, lockedUntil: 0, tries: failed ? tries + 1 : 0 })
        .where('id', '=', id)
        .where('revision', '=', revision)
        .modifyEnd(light)
        .execute();
    },
  };
}
