import type { Message, UserGroup } from '../protocol.ts';

/** Counts the new messages of a channel, and those of them that mention me. */
export type Unread = { count: number; mentions: number };

/** Whether ts `a` is earlier than ts `b`; both are Slack's `seconds.micros`. */
export function isBefore(a: string, b: string): boolean {
  return Number(a) < Number(b);
}

/** The ts of the latest of some messages. */
export function lastTs(messages: Message[]): string | undefined {
  return messages.reduce<string | undefined>(
    (last, message) => (last === undefined || isBefore(last, message.ts) ? message.ts : last),
    undefined,
  );
}

/** Whether a message mentions a person, or a group of theirs, in its text, its blocks or its attachments. */
export function mentions(message: Message, person: string, groups: readonly UserGroup[] = []): boolean {
  const said = `${message.text}${JSON.stringify(message.blocks)}${JSON.stringify(message.attachments)}`;
  const has = (...marks: string[]): boolean => marks.some(mark => said.includes(mark));
  return (
    has(`<@${person}>`, `<@${person}|`, `"user_id":"${person}"`) ||
    groups
      .filter(({ users }) => users.includes(person))
      .some(({ id }) => has(`<!subteam^${id}>`, `<!subteam^${id}|`, `"usergroup_id":"${id}"`))
  );
}

/**
 * Counts what is new in a channel after `lastRead`, or after `since` where the person never looked. Replies in threads
 * count only if they mention me, as nobody asked to follow them.
 */
export function unreadOf(
  messages: Message[],
  me: string,
  lastRead: string | undefined,
  since: string,
  groups: readonly UserGroup[] = [],
): Unread {
  const from = lastRead ?? since;
  const fresh = messages.filter(message => message.user !== me && isBefore(from, message.ts));
  const mentioning = fresh.filter(message => mentions(message, me, groups)).length;
  const count = fresh.filter(message => !message.threadTs || message.threadTs === message.ts).length;
  return { count: Math.max(count, mentioning), mentions: mentioning };
}
