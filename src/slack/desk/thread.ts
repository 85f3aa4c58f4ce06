import { z } from 'zod';
import { parseJson } from '../../api/reading/jsonTree.ts';
import { isDirect } from './answer.ts';

/** The container of a click on a message (github.com/slackapi/java-slack-sdk/issues/1200 shows one in a thread). */
const Container = z.object({ thread_ts: z.string().optional(), is_ephemeral: z.boolean().optional() });
const Carried = z.object({ thread: z.string().optional() });

/**
 * The thread in which a click goes on: that of an answer for the person alone, or that in which a form was asked for.
 * Other messages in threads are about jobs, whose buttons begin something new outside of them. In direct messages every
 * message is for the person alone: there `isAnswer` says whether it was an answer.
 */
export function threadOf(
  {
    container,
    channel,
    view,
  }: { container?: unknown; channel?: { id: string } | undefined; view?: { private_metadata?: string } | undefined },
  isAnswer = false,
): string | undefined {
  if (view) return Carried.safeParse(parseJson(view.private_metadata ?? '')).data?.thread;
  const { thread_ts: thread, is_ephemeral: isEphemeral } = Container.safeParse(container).data ?? {};
  return isEphemeral || (isAnswer && isDirect(channel?.id ?? '')) ? thread : undefined;
}
