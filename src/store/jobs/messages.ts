import type { Store } from '../database.ts';
import { type Place, Posts } from './data.ts';
import { columnsOf } from './encode.ts';
import type { JobChange } from './job.ts';

/** What a job's row knows of its messages. None of it is a step of the job, so its state does not matter. */
export type JobMessages = {
  /** Sets what is known of a job's message; with `revision`, unless the job moved on since. */
  noteMessage(id: string, change: JobChange, revision?: number): Promise<void>;
  /** Remembers where one of a job's other messages stands, and that nothing is being posted. */
  notePost(id: string, part: string, message: Place): Promise<void>;
  /** Readers have all that this revision says: nothing is to be told, unless the job moved on since. */
  noteTold(id: string, revision: number): Promise<void>;
};

/** The parts of the store's jobs that keep their messages. */
export function jobMessagesIn(store: Store): JobMessages {
  return {
    async noteMessage(id, change, revision) {
      await store
        .updateTable('jobs')
        .set(columnsOf(change))
        .where('id', '=', id)
        .$if(revision !== undefined, query => query.where('revision', '=', revision ?? 0))
        .execute();
    },
    notePost: (id, part, message) =>
      store.transaction().execute(async changes => {
        const row = await changes.selectFrom('jobs').select('posts').where('id', '=', id).executeTakeFirstOrThrow();
        const posts = JSON.stringify({ ...Posts.parse(JSON.parse(row.posts)), [part]: message });
        await changes.updateTable('jobs').set({ posts, posting: null }).where('id', '=', id).execute();
      }),
    async noteTold(id, revision) {
      await store
        .updateTable('jobs')
        .set({ tellAt: null })
        .where('id', '=', id)
        .where('revision', '=', revision)
        .execute();
    },
  };
}
