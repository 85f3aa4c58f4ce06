import type { ComponentChildren } from 'preact';
import { useEffect, useMemo, useState } from 'preact/hooks';
import type { TextObject } from '../blocks.ts';
import { usePage } from '../context.ts';
import { formatDate, fullTime } from '../dates.ts';
import { type Node, parseMrkdwn, parsePlain } from '../mrkdwn.ts';
import { readPermalink } from '../permalink.ts';
import { EmojiSign } from './emoji-sign.tsx';

/** Slack's mrkdwn as elements; nothing of it is ever read as HTML. */
export function Mrkdwn({ text }: { text: string }) {
  const nodes = useMemo(() => parseMrkdwn(text), [text]);
  return (
    <div class="mrkdwn">
      <Nodes nodes={nodes} />
    </div>
  );
}

/** A text object: mrkdwn, or plain text with emoji. */
export function Text({ text }: { text: TextObject | undefined }) {
  if (!text) return null;
  return text.type === 'mrkdwn' ? <Mrkdwn text={text.text} /> : <Plain text={text.text} emoji={text.emoji} />;
}

/** A plain text: emoji are drawn, nothing else is formatted. */
export function Plain({ text, emoji = true }: { text: string; emoji?: boolean }) {
  return (
    <span class="plain">
      <Nodes nodes={parsePlain(text, emoji)} />
    </span>
  );
}

/** Formatted text, piece by piece. */
export function Nodes({ nodes }: { nodes: Node[] }) {
  return (
    <>
      {nodes.map((node, at) => (
        <NodeView key={at} node={node} />
      ))}
    </>
  );
}

function NodeView({ node }: { node: Node }) {
  switch (node.type) {
    case 'text':
      return <>{node.text}</>;
    case 'bold':
      return (
        <b>
          <Nodes nodes={node.children} />
        </b>
      );
    case 'italic':
      return (
        <i>
          <Nodes nodes={node.children} />
        </i>
      );
    case 'strike':
      return (
        <s>
          <Nodes nodes={node.children} />
        </s>
      );
    case 'quote':
      return (
        <blockquote>
          <Nodes nodes={node.children} />
        </blockquote>
      );
    case 'code':
      return <code>{node.text}</code>;
    case 'pre':
      return <pre>{node.text}</pre>;
    case 'link':
      return (
        <Link url={node.url}>
          <Nodes nodes={node.children} />
        </Link>
      );
    case 'emoji':
      return <EmojiSign character={node.character} name={node.name} />;
    case 'date':
      return <DateText node={node} />;
    case 'user':
      return <UserMention id={node.id} label={node.label} />;
    case 'channel':
      return <ChannelMention id={node.id} label={node.label} />;
    case 'group':
      return <GroupMention id={node.id} label={node.label} />;
    case 'broadcast':
      return <span class="mention me">@{node.range.replace(/^@/, '')}</span>;
  }
}

/** A link that opens in another tab, or here if it leads to a message; an address that is neither web nor mail is only shown. */
export function Link({ url, children }: { url: string; children: ComponentChildren }) {
  const { dispatch } = usePage();
  if (!/^(?:https?|mailto|tel):/i.test(url)) return <span>{children}</span>;
  const permalink = readPermalink(url, location.origin);
  if (permalink) {
    return (
      <a
        href={url}
        onClick={event => {
          if (event.ctrlKey || event.metaKey || event.shiftKey) return;
          event.preventDefault();
          dispatch({ type: 'visit', permalink });
        }}
      >
        {children}
      </a>
    );
  }
  return (
    <a href={url} target="_blank" rel="noopener noreferrer">
      {children}
    </a>
  );
}

/** `@Name`, highlighted where it is me. */
export function UserMention({ id, label = '' }: { id: string; label?: string }) {
  const { data } = usePage();
  const person = data.people.find(other => other.id === id);
  return <span class={id === data.me.id ? 'mention me' : 'mention'}>@{person?.realName ?? (label || id)}</span>;
}

/** `@handle` of a group, highlighted where I am in it. */
export function GroupMention({ id, label = '' }: { id: string; label?: string }) {
  const { data } = usePage();
  const group = data.groups.find(other => other.id === id);
  const name = group?.handle ?? (label || id).replace(/^@/, '');
  return <span class={group?.users.includes(data.me.id) ? 'mention me' : 'mention'}>@{name}</span>;
}

/** `#name`, which goes there. */
export function ChannelMention({ id, label = '' }: { id: string; label?: string }) {
  const { data, dispatch } = usePage();
  const channel = data.channels.find(other => other.id === id);
  if (!channel) return <span class="mention">#{label || id}</span>;
  return (
    <button
      type="button"
      class="mention channel"
      onClick={() => dispatch({ type: 'go', place: { type: 'channel', id } })}
    >
      #{channel.name}
    </button>
  );
}

const TURN_MS = 30_000;

/** A date in local time; one that tells the distance (`{ago}`) keeps telling it. */
export function DateText({ node }: { node: Extract<Node, { type: 'date' }> }) {
  const [now, setNow] = useState(() => new Date());
  const moves = node.pattern.includes('{ago}');
  useEffect(() => {
    if (!moves) return;
    const timer = setInterval(() => setNow(new Date()), TURN_MS);
    return () => clearInterval(timer);
  }, [moves]);
  const date = new Date(node.seconds * 1000);
  if (!node.pattern || Number.isNaN(date.getTime())) return <>{node.fallback}</>;
  const time = (
    <time dateTime={date.toISOString()} title={fullTime(date)}>
      {formatDate(date, node.pattern, now)}
    </time>
  );
  return node.url ? <Link url={node.url}>{time}</Link> : time;
}
