import { useEffect, useRef, useState } from 'preact/hooks';
import type { Message } from '../../protocol.ts';
import { isJson, type Json, list, string } from '../blocks.ts';
import { type Page, usePage } from '../context.ts';
import { kindWord, repliesTo } from '../conversation.ts';
import { clockTime, dateOfTs, fullTime } from '../dates.ts';
import { SurfaceContext, surfaceOf } from '../surface.ts';
import { mentions } from '../unread.ts';
import { Avatar } from './avatar.tsx';
import { Blocks } from './block.tsx';
import { FileCard } from './file-card.tsx';
import { Icon } from './icon.tsx';
import { MessageEditor, MessageTools } from './message-tools.tsx';
import { Mrkdwn } from './mrkdwn-text.tsx';

/** One message: who, when, what; its thread; who else sees it. */
export function MessageRow({ message, follows, inThread }: { message: Message; follows: boolean; inThread: boolean }) {
  const page = usePage();
  const { data, state } = page;
  const row = useRef<HTMLElement>(null);
  const [editing, setEditing] = useState(false);
  const isTarget = state.target === message.ts;
  useEffect(() => {
    if (isTarget) row.current?.scrollIntoView({ block: 'center' });
  }, [isTarget]);
  const author = data.people.find(person => person.id === message.user);
  const date = dateOfTs(message.ts);
  const time = (
    <time class={follows ? 'hover-time' : 'message-time'} dateTime={date.toISOString()} title={fullTime(date)}>
      {clockTime(date)}
    </time>
  );
  const classes = [
    'message',
    follows ? 'follows' : '',
    isTarget ? 'target' : '',
    message.onlyFor ? 'ephemeral' : '',
    // An ephemeral message is for me anyway.
    !message.onlyFor && message.user !== data.me.id && mentions(message, data.me.id, data.groups) ? 'mentions-me' : '',
  ];
  return (
    <article
      ref={row}
      class={classes.filter(Boolean).join(' ')}
      data-ts={message.ts}
      data-testid="message"
      aria-label={`${author?.realName ?? message.user}, ${clockTime(date)}`}
    >
      <div class="gutter">{follows ? time : <Avatar person={author} />}</div>
      <div class="message-body">
        {message.onlyFor && (
          <div class="only-you">
            <Icon name="eye" /> Only visible to you
          </div>
        )}
        {!follows && (
          <div class="byline">
            <b>{author?.realName ?? message.user}</b>
            {author?.isBot && <span class="app-badge">App</span>}
            {author?.kind && <span class="app-badge">{kindWord(author)}</span>}
            {time}
          </div>
        )}
        {editing ? (
          <MessageEditor message={message} done={() => setEditing(false)} />
        ) : (
          <MessageContent page={page} message={message} />
        )}
        {message.files?.map(file => (
          <FileCard key={file.id} file={file} />
        ))}
        {message.edited && <span class="edited">(edited)</span>}
        {!inThread && <Replies message={message} />}
      </div>
      {!message.onlyFor && !editing && (
        <MessageTools message={message} inThread={inThread} edit={() => setEditing(true)} />
      )}
    </article>
  );
}

function MessageContent({ page, message }: { page: Page; message: Message }) {
  const blocks = [...message.blocks, ...message.attachments.flatMap(attachment => list(attachment, 'blocks'))];
  const surface = surfaceOf(page, { type: 'message', channel: message.channel, ts: message.ts }, blocks);
  return (
    <SurfaceContext value={surface}>
      {message.blocks.length > 0 ? <Blocks blocks={message.blocks} /> : <Mrkdwn text={message.text} />}
      {message.attachments.filter(isJson).map((attachment, at) => (
        <div key={at} class="attachment" style={{ borderColor: colourOf(string(attachment, 'color')) }}>
          {list(attachment, 'blocks').length > 0 ? (
            <Blocks blocks={list(attachment, 'blocks')} />
          ) : (
            <PlainAttachment attachment={attachment} />
          )}
        </div>
      ))}
    </SurfaceContext>
  );
}

/** An attachment of the older kind, without blocks: a heading, a text, and fields. */
function PlainAttachment({ attachment }: { attachment: Json }) {
  const title = string(attachment, 'title');
  const text = string(attachment, 'text');
  const fields = list(attachment, 'fields').filter(isJson);
  return (
    <>
      {string(attachment, 'pretext') && <Mrkdwn text={string(attachment, 'pretext')} />}
      {title && <b>{title}</b>}
      {text && <Mrkdwn text={text} />}
      {fields.map((field, at) => (
        <div key={at}>
          <b>{string(field, 'title')}</b> <Mrkdwn text={string(field, 'value')} />
        </div>
      ))}
      {!title && !text && fields.length === 0 && <Mrkdwn text={string(attachment, 'fallback')} />}
    </>
  );
}

/** Slack's names for the bar of an attachment, and plain colours. */
function colourOf(colour: string): string {
  const named = new Map([
    ['good', '#2a9d6a'],
    ['warning', '#d99a1c'],
    ['danger', '#c9342c'],
  ]);
  return named.get(colour) ?? (colour ? `#${colour.replace(/^#/, '')}` : 'var(--line)');
}

function Replies({ message }: { message: Message }) {
  const { data, dispatch } = usePage();
  const replies = repliesTo(data.messages[message.channel] ?? [], message.ts);
  const count = Math.max(message.replyCount, replies.length);
  if (count === 0) return null;
  const last = replies.at(-1);
  const authors = [...new Set(replies.map(reply => reply.user))].slice(0, 3);
  return (
    <button
      type="button"
      class="replies"
      onClick={() => dispatch({ type: 'side', side: { type: 'thread', channel: message.channel, ts: message.ts } })}
    >
      {authors.map(id => (
        <Avatar key={id} person={data.people.find(person => person.id === id)} small />
      ))}
      <b>
        {count} {count === 1 ? 'reply' : 'replies'}
      </b>
      {last && <span>last at {clockTime(dateOfTs(last.ts))}</span>}
    </button>
  );
}
