import { z } from 'zod';
import { isTree } from '../../api/reading/jsonTree.ts';
import { parseJson } from '../../ground/json.ts';
import { carriedBy } from './who.ts';

/** The container of a click on a message (github.com/slackapi/java-slack-sdk/issues/1200 shows one in a thread). */
const Container = z.object({ thread_ts: z.string().optional(), is_ephemeral: z.boolean().optional() });

/** Where a click was made: on a message, or in a form. */
type Clicked = Readonly<{ container?: unknown; view?: { private_metadata?: string } | undefined }>;

/** What a form carries, with the thread in which it was asked for; `undefined` where it carries something else. */
export function writeThread(carried: string, thread: string): string | undefined {
  const known = parseJson(carried);
  return isTree(known) ? JSON.stringify({ ...known, thread }) : undefined;
}

/** The thread in which the clicked message stands. */
export function threadAt({ container }: Clicked): string | undefined {
  return Container.safeParse(container).data?.thread_ts;
}

/**
 * The thread in which a click goes on: that of an answer for the person alone, or that in which a form was asked for.
 * Other messages in threads are about jobs, whose buttons begin something new outside of them. `isAnswer` tells that the
 * message was an answer, where everybody sees it.
 */
export function threadOf({ container, view }: Clicked, isAnswer = false): string | undefined {
  if (view) return carriedBy(view).thread;
  const isAlone = Container.safeParse(container).data?.is_ephemeral === true;
  return isAlone || isAnswer ? threadAt({ container }) : undefined;
}
