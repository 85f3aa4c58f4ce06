import type { ComponentChildren } from 'preact';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { Message } from '../../protocol.ts';
import { usePage } from '../context.ts';
import { firstDrawn, lines } from '../conversation.ts';
import { dateOfTs, dayHeading } from '../dates.ts';
import { isBefore } from '../unread.ts';
import { Icon } from './icon.tsx';
import { MessageRow } from './message-row.tsx';

/** The maximum distance from the end, in pixels, at which new messages keep the list at the end. */
const NEAR_PX = 80;

/** Messages by time, with a heading for each day. Stays at the end unless the person has scrolled up. */
export function MessageList({
  label,
  messages,
  before,
  inThread = false,
}: {
  label: string;
  messages: Message[];
  before?: ComponentChildren;
  inThread?: boolean;
}) {
  const { state, data } = usePage();
  const box = useRef<HTMLDivElement>(null);
  const content = useRef<HTMLDivElement>(null);
  const [atEnd, setAtEnd] = useState(true);
  const sticks = useRef(true);
  // Messages that arrive while one looks on are not marked as new.
  const [entered] = useState(() => messages.at(-1)?.ts ?? '0');
  const firstNew = inThread
    ? undefined
    : messages.find(
        message => isBefore(state.readTo, message.ts) && !isBefore(entered, message.ts) && message.user !== data.me.id,
      )?.ts;

  function toEnd(): void {
    box.current?.scrollTo({ top: box.current.scrollHeight });
  }
  const [asked, setAsked] = useState(0);
  const from = inThread ? 0 : firstDrawn(messages, asked, state.target);
  const last = messages.at(-1);
  const mine = last && (last.user === data.me.id || last.onlyFor === data.me.id) ? last.ts : undefined;
  useLayoutEffect(() => {
    // I want to see my own messages, and answers to me alone, wherever I have scrolled to.
    if (mine) toEnd();
  }, [mine]);
  useLayoutEffect(() => {
    if (!content.current) return;
    // Pictures, opened details and the composer change the height too, so it is the size that is watched.
    const watch = new ResizeObserver(() => {
      if (sticks.current) toEnd();
    });
    watch.observe(content.current);
    if (box.current) watch.observe(box.current);
    toEnd();
    return () => watch.disconnect();
  }, []);

  return (
    <div class="message-area">
      <div
        class="message-list"
        ref={box}
        role="log"
        aria-label={label}
        aria-live="polite"
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolled region must be reachable by keyboard
        tabIndex={0}
        onScroll={event => {
          const { scrollHeight, scrollTop, clientHeight } = event.currentTarget;
          sticks.current = scrollHeight - scrollTop - clientHeight < NEAR_PX;
          setAtEnd(sticks.current);
        }}
      >
        <div class="message-content" ref={content}>
          {from === 0 ? (
            before
          ) : (
            <button type="button" class="earlier" onClick={() => setAsked(asked + 1)}>
              Show earlier messages ({from})
            </button>
          )}
          {lines(messages.slice(from)).map(({ message, newDay, follows }, at) => (
            <div key={`${message.ts} ${message.onlyFor ?? ''}`}>
              {newDay && !inThread && (
                <div class="day">
                  <span>{dayHeading(dateOfTs(message.ts), new Date())}</span>
                </div>
              )}
              {message.ts === firstNew && (
                <div class="new-mark">
                  <span>New</span>
                </div>
              )}
              {inThread && at === 1 && (
                <div class="day thread-count">
                  <span>{messages.length === 2 ? '1 reply' : `${messages.length - 1} replies`}</span>
                </div>
              )}
              <MessageRow
                message={message}
                follows={follows && message.ts !== firstNew && !(inThread && at === 1)}
                inThread={inThread}
              />
            </div>
          ))}
        </div>
      </div>
      {!atEnd && (
        <button type="button" class="to-end" onClick={toEnd}>
          <Icon name="down" /> Newest messages
        </button>
      )}
    </div>
  );
}
