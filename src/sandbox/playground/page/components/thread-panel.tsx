import { usePage } from '../context.ts';
import { repliesTo } from '../conversation.ts';
import { Composer } from './composer.tsx';
import { MessageList } from './message-list.tsx';
import { SidePanel } from './side-panel.tsx';

/** A thread: the message it began with, the replies, and a composer. */
export function ThreadPanel({ channel, ts }: { channel: string; ts: string }) {
  const { data } = usePage();
  const messages = data.messages[channel] ?? [];
  const root = messages.find(message => message.ts === ts);
  const replies = repliesTo(messages, ts);
  return (
    <SidePanel title="Thread">
      <MessageList
        key={ts}
        label="Replies"
        messages={root ? [root, ...replies] : replies}
        inThread
        before={!root && <p class="empty">The message that this thread began with is gone.</p>}
      />
      <Composer key={`composer ${ts}`} channel={channel} threadTs={ts} label="Reply in thread" />
    </SidePanel>
  );
}
