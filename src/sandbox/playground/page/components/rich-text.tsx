import type { ComponentChildren } from 'preact';
import { child, flag, list, number, string } from '../blocks.ts';
import { emojiCalled } from '../emoji.ts';
import { EmojiSign } from './emoji-sign.tsx';
import { ChannelMention, DateText, GroupMention, Link, UserMention } from './mrkdwn-text.tsx';
import { Unknown } from './unknown.tsx';

/** A rich_text block: sections, lists, quotes and preformatted text. */
export function RichText({ elements }: { elements: unknown[] }) {
  return (
    <div class="rich-text">
      {elements.map((element, at) => (
        <Part key={at} element={element} />
      ))}
    </div>
  );
}

function Part({ element }: { element: unknown }) {
  const inner = list(element, 'elements');
  switch (string(element, 'type')) {
    case 'rich_text_section':
      return (
        <div class="mrkdwn">
          <Inline elements={inner} />
        </div>
      );
    case 'rich_text_quote':
      return (
        <blockquote>
          <Inline elements={inner} />
        </blockquote>
      );
    case 'rich_text_preformatted':
      return (
        <pre>
          <Inline elements={inner} />
        </pre>
      );
    case 'rich_text_list': {
      const items = inner.map((item, at) => (
        <li key={at}>
          <Inline elements={list(item, 'elements')} />
        </li>
      ));
      const style = { marginInlineStart: `${(number(element, 'indent') ?? 0) * 1.5}em` };
      return string(element, 'style') === 'ordered' ? (
        <ol style={style} start={(number(element, 'offset') ?? 0) + 1}>
          {items}
        </ol>
      ) : (
        <ul style={style}>{items}</ul>
      );
    }
    default:
      return <Unknown what="rich text" json={element} />;
  }
}

/** The pieces of a line of rich text. */
export function Inline({ elements }: { elements: unknown[] }) {
  return (
    <>
      {elements.map((element, at) => (
        <Styled key={at} style={child(element, 'style')}>
          <Piece element={element} />
        </Styled>
      ))}
    </>
  );
}

function Styled({ style, children }: { style: unknown; children: ComponentChildren }) {
  let styled = children;
  if (flag(style, 'code')) styled = <code>{styled}</code>;
  if (flag(style, 'strike')) styled = <s>{styled}</s>;
  if (flag(style, 'underline')) styled = <u>{styled}</u>;
  if (flag(style, 'italic')) styled = <i>{styled}</i>;
  if (flag(style, 'bold')) styled = <b>{styled}</b>;
  return <>{styled}</>;
}

function Piece({ element }: { element: unknown }) {
  switch (string(element, 'type')) {
    case 'text':
      return <>{string(element, 'text')}</>;
    case 'link':
      return <Link url={string(element, 'url')}>{string(element, 'text') || string(element, 'url')}</Link>;
    case 'user':
      return <UserMention id={string(element, 'user_id')} />;
    case 'channel':
      return <ChannelMention id={string(element, 'channel_id')} />;
    case 'usergroup':
      return <GroupMention id={string(element, 'usergroup_id')} />;
    case 'broadcast':
      return <span class="mention me">@{string(element, 'range')}</span>;
    case 'emoji': {
      const name = string(element, 'name');
      const character = emojiCalled(name);
      return character ? <EmojiSign name={name} character={character} /> : <>:{name}:</>;
    }
    case 'date':
      return (
        <DateText
          node={{
            type: 'date',
            seconds: number(element, 'timestamp') ?? Number.NaN,
            pattern: string(element, 'format'),
            url: string(element, 'url'),
            fallback: string(element, 'fallback'),
          }}
        />
      );
    case 'color':
      return (
        <span class="colour">
          <span class="colour-dot" style={{ background: string(element, 'value') }} /> {string(element, 'value')}
        </span>
      );
    default:
      return <Unknown what="piece of rich text" json={element} />;
  }
}
