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

/**
 * Keeps a list at its end while messages come, unless the person has scrolled up. A message `mine` brings it there all the same.
 */
function useEnd(mine: string | undefined) {
  const box = useRef<HTMLDivElement>(null);
  const content = useRef<HTMLDivElement>(null);
  const [atEnd, setAtEnd] = useState(true);
  const sticks = useRef(true);
  function toEnd(): void {
    box.current?.scrollTo({ top: box.current.scrollHeight });
  }
  useLayoutEffect(() => {
    if (mine) toEnd();
  }, [mine]);
  useLayoutEffect(() => {
    if (!content.current) return;
    // Opened details and the composer change the height too, so it is the size that is watched.
    const watch = new ResizeObserver(() => {
      if (sticks.current) toEnd();
    });
    watch.observe(content.current);
    if (box.current) watch.observe(box.current);
    toEnd();
    return () => watch.disconnect();
  }, []);
  function onScroll({
    currentTarget: { scrollHeight, scrollTop, clientHeight },
  }: {
    currentTarget: HTMLElement;
  }): void {
    sticks.current = scrollHeight - scrollTop - clientHeight < NEAR_PX;
    setAtEnd(sticks.current);
  }
  return { box, content, atEnd, toEnd, onScroll };
}

/** The first message that came since the person last read here; none of those that come while they look on. */
function useFirstNew(messages: Message[]): string | undefined {
  const { state, data } = usePage();
  const [entered] = useState(() => messages.at(-1)?.ts ?? '0');
  return messages.find(({ ts, user }) => isBefore(state.readTo, ts) && !isBefore(entered, ts) && user !== data.me.id)
    ?.ts;
}

type Shown = { label: string; messages: Message[]; before?: ComponentChildren; inThread?: boolean };

/** Messages by time, with a heading for each day. Stays at the end unless the person has scrolled up. */
export function MessageList({ label, messages, before, inThread = false }: Shown) {
  const { state, data } = usePage();
  const [asked, setAsked] = useState(0);
  const newest = useFirstNew(messages);
  const firstNew = inThread ? undefined : newest;
  const from = inThread ? 0 : firstDrawn(messages, asked, state.target);
  const last = messages.at(-1);
  // I want to see my own messages, and answers to me alone, wherever I have scrolled to.
  const mine = last && (last.user === data.me.id || last.onlyFor === data.me.id) ? last.ts : undefined;
  const { box, content, atEnd, toEnd, onScroll } = useEnd(mine);
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
        onScroll={onScroll}
      >
        <div class="message-content" ref={content}>
          {from === 0 ? (
            before
          ) : (
            <button type="button" class="earlier" onClick={() => setAsked(asked + 1)}>
              Show earlier messages ({from})
            </button>
          )}
          {lines(messages.slice(from)).map(({ message, newDay, follows }, at) => {
            const replies = inThread && at === 1 ? messages.length - 1 : undefined;
            const isNew = message.ts === firstNew;
            return (
              <div key={`${message.ts} ${message.onlyFor ?? ''}`}>
                <Marks day={newDay && !inThread ? message.ts : undefined} isNew={isNew} replies={replies} />
                <MessageRow
                  message={message}
                  follows={follows && !isNew && replies === undefined}
                  inThread={inThread}
                />
              </div>
            );
          })}
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

/** The lines above a message: the day that begins (by a message's time), what is new, the number of replies in a thread. */
function Marks({ day, isNew, replies }: { day: string | undefined; isNew: boolean; replies: number | undefined }) {
  return (
    <>
      {day !== undefined && (
        <div class="day">
          <span>{dayHeading(dateOfTs(day), new Date())}</span>
        </div>
      )}
      {isNew && (
        <div class="new-mark">
          <span>New</span>
        </div>
      )}
      {replies !== undefined && (
        <div class="day thread-count">
          <span>{replies === 1 ? '1 reply' : `${replies} replies`}</span>
        </div>
      )}
    </>
  );
}
