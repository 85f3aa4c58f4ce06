import type { MiddlewareHandler } from 'hono';
import { recordOf, recordsOf, stringOf } from '../../../src/sandbox/playground/json.ts';
import type { StoredMessage } from '../../../src/sandbox/playground/messages.ts';
import type { Store } from '../../../src/store/database.ts';
import { textOf } from '../../person.ts';

/** A message as it was when Dolly posted it: what is changed later rings nobody. */
export type Post = Readonly<{
  at: number;
  channel: string;
  isTop: boolean;
  text: string;
  /** The people whom it rings: those whom it mentions, and whose direct message it is. */
  rings: readonly string[];
  /** What it is about, and which part of that, by its metadata. */
  about: string;
  part: string;
}>;

/** Gathers what a bot posts. `read` finds a message that Slack has just taken. */
export function gatherPosts(read: (channel: string, ts: string) => StoredMessage | undefined, now: () => number) {
  const posts: Post[] = [];
  const middleware: MiddlewareHandler = async (c, next) => {
    await next();
    if (!c.req.path.endsWith('/chat.postMessage')) return;
    const { channel, ts } = recordOf(await c.res.clone().json());
    const message = read(stringOf(channel), stringOf(ts));
    if (message) posts.push(postOf(message, now()));
  };
  return { posts, middleware };
}

function postOf(message: StoredMessage, at: number): Post {
  const { channel, threadTs, blocks, text, metadata } = message;
  const { job, part } = recordOf(recordOf(metadata).event_payload);
  const said = `${text}\n${textOf(blocks)}`;
  const mentioned = [...said.matchAll(/<@(U\w+)>/g)].map(([, person = '']) => person);
  // The direct messages of a person are in a channel of their own, whose id is theirs but for its first letter.
  const direct = channel.startsWith('D') ? [channel.replace(/^D/, 'U')] : [];
  return {
    ...{ at, channel, isTop: threadTs === undefined && direct.length === 0, text: said },
    rings: [...new Set([...mentioned, ...direct])],
    ...{ about: stringOf(job), part: stringOf(part) },
  };
}

/** What a post is, and of an alert which kinds of trouble it tells. */
export type Known = Readonly<{ kind: string; troubles: readonly string[] }>;

/** The kinds of notices, by the word of their data; `*` is any other of the same kind. */
const kindsOfNotices: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  report: { '*': 'report' },
  alert: { incident: 'incident', morning: 'alerts of the morning', on: 'alerts are on', '*': 'incident again' },
  lease: { warned: 'lease warning', 'warned late': 'lease warning', begun: 'lease begun', '*': 'lease end' },
  schedule: { daily: 'line of the day', '*': 'schedule' },
  maintenance: { '*': 'maintenance' },
};

/** Says of each post what it is, by the rows in Dolly's store of which it was made. */
export async function knownPosts(store: Store, posts: readonly Post[]): Promise<readonly (Post & Known)[]> {
  const notices = await store.selectFrom('outbox').select(['id', 'kind', 'data']).execute();
  const jobs = await store.selectFrom('jobs').select(['id', 'schedule', 'purpose']).execute();
  const noticeOf = new Map(notices.map(row => [row.id, row]));
  const jobOf = new Map(jobs.map(row => [row.id, row]));
  const knownOf = ({ about, part, channel }: Post): Known => {
    const way = channel.startsWith('D') ? ' (direct message)' : '';
    const notice = noticeOf.get(about);
    const job = jobOf.get(about);
    if (notice) {
      const { what, items, begun } = recordOf(JSON.parse(notice.data));
      const kinds = kindsOfNotices[notice.kind] ?? {};
      const told = [...recordsOf(items), ...recordsOf(recordOf(begun).items)].map(({ kind }) => stringOf(kind));
      return { kind: `${kinds[stringOf(what)] ?? kinds['*'] ?? notice.kind}${way}`, troubles: [...new Set(told)] };
    }
    const isApproval = part !== 'card' && part !== 'reply';
    const isLease = job?.purpose?.startsWith('The lease ended') === true;
    const asked = isLease ? 'lease end' : job?.schedule ? 'run of a schedule' : 'asked by hand';
    return { kind: `${job === undefined ? 'other' : isApproval ? 'approval' : asked}${way}`, troubles: [] };
  };
  return posts.map(post => ({ ...post, ...knownOf(post) }));
}
