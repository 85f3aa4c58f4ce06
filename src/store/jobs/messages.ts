import type { ExpressionBuilder } from 'kysely';
import { inTransaction, noteDue } from '../agenda.ts';
import type { Schema, Store } from '../database.ts';
import { noteMessageOf } from '../history/recentRows.ts';
import { light } from '../light.ts';
import { equals, wrote } from '../statementParts.ts';
import { isSamePart, type Part, type Place, Posts } from './rows/data.ts';
import { columnsOf } from './rows/encode.ts';
import type { JobChange } from './rows/job.ts';

/*
 * Notes in a job's row about its messages. They are no steps of the job, so its state does not matter. A process that was
 * paused for longer than its lock lasts notes nothing any more once another one has taken the job.
 */

/** The notes about the messages of jobs. */
export type JobMessages = Readonly<{
  /** Sets fields about a job's message; with `revision`, only where the job still has that revision. Tells whether it did. */
  noteMessage(id: string, change: JobChange, revision?: number): Promise<boolean>;
  /**
   * Keeps the place of one of a job's other messages, and notes that no post is under way any more.
   * @throws Error where the job is not there any more
   */
  notePost(id: string, part: Part, message: Place): Promise<void>;
  /**
   * Notes that readers were told this revision, sets fields beside that, and frees the job. A job that has moved on
   * since is still to be told; one that has not is told again at the time `tellAt`, if the change has one. The posts
   * themselves were noted before.
   */
  noteTold(id: string, revision: number, change?: JobChange): Promise<void>;
}>;

/** Makes the notes of the process that `holder` stands for. */
export function jobMessagesIn(store: Store, holder: string): JobMessages {
  const isMine = ({ or, eb }: ExpressionBuilder<Schema, 'jobs'>) =>
    or([eb('tellHolder', '=', holder), eb('tellHolder', 'is', null)]);
  return {
    async noteMessage(id, change, revision) {
      const row = equals({ id, ...(revision === undefined ? {} : { revision }) });
      const isNoted = await wrote(store.updateTable('jobs').set(columnsOf(change)).where(row).where(isMine));
      if (isNoted) noteMessageOf(store, id, () => columnsOf(change));
      if (isNoted) noteDue(store, 'jobs to tell', change.tellAt);
      return isNoted;
    },
    notePost: (id, part, message) =>
      inTransaction(store, async changes => {
        const row = await changes.selectFrom('jobs').select('posts').where('id', '=', id).executeTakeFirstOrThrow();
        const others = Posts.parse(JSON.parse(row.posts)).filter(one => !isSamePart(one, part));
        const posts = JSON.stringify([...others, { ...part, ...message }]);
        await changes.updateTable('jobs').set({ posts, posting: null }).where('id', '=', id).where(isMine).execute();
        noteMessageOf(changes, id, () => ({ posts, posting: null }));
      }),
    async noteTold(id, revision, change = {}) {
      await store
        .updateTable('jobs')
        .set(eb => ({
          ...columnsOf(change),
          tellLockedUntil: 0,
          tellAt: eb
            .case()
            .when('revision', '=', revision)
            .then(eb.lit(change.tellAt ?? null))
            .else(eb.ref('tellAt'))
            .end(),
        }))
        .where('id', '=', id)
        .where(isMine)
        .modifyEnd(light)
        .execute();
      noteMessageOf(store, id, row => ({
        ...columnsOf(change),
        tellAt: row.revision === revision ? (change.tellAt ?? null) : row.tellAt,
      }));
    },
  };
}
