import { useEffect } from 'preact/hooks';
import { usePage } from '../context.ts';
import { channelTitle, isReply } from '../conversation.ts';
import type { Notice } from '../store.ts';
import { Icon } from './icon.tsx';
import { Mrkdwn } from './mrkdwn-text.tsx';

const SHOWN_MS = 9000;

/** Short notes at the corner: mentions elsewhere and failed requests. Mentions go by themselves. */
export function Notices() {
  const { state } = usePage();
  return (
    <div class="notices" role="status" aria-live="polite">
      {state.notices.map(notice => (
        <NoticeCard key={notice.id} notice={notice} />
      ))}
    </div>
  );
}

function NoticeCard({ notice }: { notice: Notice }) {
  const { data, dispatch } = usePage();
  const { message } = notice;
  const author = message && data.people.find(person => person.id === message.user);
  const channel = message && data.channels.find(({ id }) => id === message.channel);
  useEffect(() => {
    if (notice.kind === 'error') return;
    const timer = setTimeout(() => dispatch({ type: 'dismiss', id: notice.id }), SHOWN_MS);
    return () => clearTimeout(timer);
  }, [notice.id, notice.kind, dispatch]);

  function open(): void {
    if (!message) return;
    dispatch({ type: 'go', place: { type: 'channel', id: message.channel } });
    if (isReply(message) && message.threadTs) {
      dispatch({ type: 'side', side: { type: 'thread', channel: message.channel, ts: message.threadTs } });
    }
    dispatch({ type: 'dismiss', id: notice.id });
  }

  return (
    <div class={notice.kind === 'error' ? 'notice failed' : 'notice'} data-testid="notice">
      <div class="notice-body">
        {message ? (
          <>
            <b>
              {author?.realName ?? 'Somebody'} {channel?.kind === 'dm' ? 'sent you a message' : 'mentioned you'}
              {channel && channel.kind !== 'dm' ? ` in ${channelTitle(channel, data)}` : ''}
            </b>
            <div class="notice-text">
              <Mrkdwn text={notice.text} />
            </div>
            <button type="button" class="link-button" onClick={open}>
              {isReply(message) ? 'Open the thread' : 'Show'}
            </button>
          </>
        ) : (
          notice.text
        )}
      </div>
      <button
        type="button"
        class="icon-button"
        aria-label="Dismiss"
        onClick={() => dispatch({ type: 'dismiss', id: notice.id })}
      >
        <Icon name="close" />
      </button>
    </div>
  );
}
