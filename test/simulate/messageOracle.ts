import { z } from 'zod';
import { textOf } from '../person.ts';
import { goesBack } from './faults.ts';
import { passwordOf } from './gestures.ts';
import { endWords, type Job } from './jobRows.ts';
import type { Facts, Found } from './oracles.ts';
import { parsed } from './requests.ts';
import { robot } from './robot.ts';
import { keys, type SlackSide } from './sides.ts';

/* What must hold of messages at the end: one card and one reply for each job (8), which say its end (9), and no secret (13). */

const Metadata = z.object({ event_payload: z.object({ job: z.string(), part: z.string() }) });

/** What a person was told alone, in a channel or in their direct messages, the oldest first. */
export function toldTo(slack: SlackSide, person: string): readonly Readonly<{ at: number; text: string }>[] {
  return messagesOf(slack)
    .filter(({ channel, onlyFor }) => onlyFor === person || channel === person.replace(/^U/, 'D'))
    .map(message => ({ at: Number(message.ts) * 1_000, text: textOf(message) }))
    .toSorted((one, other) => one.at - other.at);
}

/** Which part of what a message is about. */
const keyOf = ({ job, part }: Readonly<{ job: string; part: string }>) => `${job} ${part}`;

/** A clock that is further off finds no lost post, in milliseconds. */
const mostOff = 600_000;

/** The channel whose history Dolly may not read. */
const unread = 'C0RANDOM01';

/** All messages of all channels. */
export function messagesOf({ slack }: SlackSide) {
  return slack.workspace.channels.flatMap(({ id }) => slack.messages.list(id));
}

/** What people saw until a time, the newest last: when, who alone or in which channel, and the words. */
export function seenUntil(side: SlackSide, time: number): readonly string[] {
  const nameOf = (id: string) => side.slack.workspace.people.find(person => person.id === id)?.name ?? id;
  const seen = messagesOf(side).filter(({ ts }) => Number(ts) * 1_000 <= time);
  return seen
    .toSorted((one, other) => Number(one.ts) - Number(other.ts))
    .map(message => {
      const { onlyFor, channel, ts } = message;
      const place = onlyFor ?? (channel.startsWith('D') ? channel.replace(/^D/, 'U') : channel);
      const words = textOf(message).replaceAll(/\s+/g, ' ').slice(0, longestSeen);
      return `${new Date(Number(ts) * 1_000).toISOString().slice(11, 19)} ${nameOf(place)}: ${words}`;
    });
}

/** So much of a message tells what it is about. */
const longestSeen = 160;

/**
 * The parts with a post whose answer was lost while its clock was far off: a lost post is looked for among what Slack took
 * within minutes of the time at which it began.
 */
function unfindableIn({ exchanges }: Facts['network']): ReadonlySet<string> {
  const lost = exchanges.filter(
    ({ url, ahead, known }) =>
      url.pathname.endsWith('/chat.postMessage') && Math.abs(ahead) > mostOff && known !== 'answered',
  );
  return new Set(
    lost.flatMap(({ body }) => {
      const about = Metadata.safeParse(parsed(new URLSearchParams(body).get('metadata') ?? '')).data;
      return about ? [keyOf(about.event_payload)] : [];
    }),
  );
}

/** One card and one reply for each job, and the card says its end (8, 9). */
export function checkMessages(
  { plan, network, slack }: Pick<Facts, 'plan' | 'network' | 'slack'>,
  { all, revived, found }: Readonly<{ all: readonly Job[]; revived: ReadonlyMap<string, number>; found: Found }>,
): void {
  const parts = new Map<string, Posted[]>();
  for (const message of messagesOf(slack).toSorted((one, other) => Number(one.ts) - Number(other.ts))) {
    const about = Metadata.safeParse(message.metadata).data?.event_payload;
    // Where nobody can look for a lost post, it may stand there twice.
    if (!about || message.channel === unread) continue;
    const key = keyOf(about);
    parts.set(key, [...(parts.get(key) ?? []), { text: textOf(message), channel: message.channel }]);
  }
  const unfindable = unfindableIn(network);
  for (const [key, posted] of parts) {
    // Where the store went back, what was told since then is told again.
    if (goesBack(plan)) break;
    const twice = key.endsWith(' notice') && !unfindable.has(key) ? inOnePlace(posted, 1) : undefined;
    if (twice) found('8 told once', `a message stands twice in ${twice.channel}: ${twice.text.slice(0, 100)}`);
  }
  for (const job of all) {
    const name = `${job.operation} of ${job.target}, which is ${job.state},`;
    const [cards = [], replies = []] = ['card', 'reply'].map(part => parts.get(keyOf({ job: job.id, part })) ?? []);
    const lost = (part: string) => (unfindable.has(keyOf({ job: job.id, part })) ? Number.POSITIVE_INFINITY : 0);
    // A channel that Slack says is closed to Dolly keeps its card, and the person gets another one.
    const mostReplies = 1 + (revived.get(job.id) ?? 0) + laterReplies(job, all, revived);
    const twice = inOnePlace(cards, 1 + lost('card')) ?? inOnePlace(replies, mostReplies + lost('reply'));
    if (twice && !goesBack(plan))
      found('8 told once', `${name} has two messages in ${twice.channel}: ${twice.text.slice(0, 100)}`);
    const word = endWords[job.state];
    const newest = cards.at(-1);
    if (word === undefined || !newest) continue;
    // The card that stands there may be one of which the backup that was put back knows nothing.
    if (goesBack(plan, 'restored')) continue;
    if (replies.length === 0) found('8 told once', `${name} has a card and no reply`);
    const isUnderWay = all.some(step => step.plan === job.id && ['sending', 'running'].includes(step.state));
    if (job.state === 'withdrawn' && !isUnderWay && /goe?s? on to (its|their) end/.test(replies.at(-1)?.text ?? ''))
      found('8 told once', `${name} does not tell how that ended which was under way`);
    // A plan says how its steps ended, in its own words.
    const isSaid = job.steps === null ? newest.text.includes(word) : !newest.text.startsWith(':hourglass');
    if (!isSaid) found('9 the card says the end', `${name} has a card that says: ${newest.text.slice(0, 200)}`);
  }
}

type Posted = Readonly<{ text: string; channel: string }>;

/** One of more messages than there may be in one channel. */
function inOnePlace(messages: readonly Posted[], most: number): Posted | undefined {
  return messages.find(one => messages.filter(({ channel }) => channel === one.channel).length > most);
}

/** A withdrawn plan has a later reply when what was under way has ended, and one more for each later end of that. */
function laterReplies({ id, state, steps }: Job, all: readonly Job[], revived: ReadonlyMap<string, number>): number {
  if (state !== 'withdrawn' || steps === null) return 0;
  const again = all.filter(({ plan }) => plan === id).map(step => revived.get(step.id) ?? 0);
  return 1 + again.reduce((sum, many) => sum + many, 0);
}

/** No secret stands where somebody could read it (13). */
export function checkSecrets(
  {
    plan,
    service,
    slack,
    disk,
    network,
    log: lines,
  }: Pick<Facts, 'plan' | 'service' | 'slack' | 'disk' | 'network' | 'log'>,
  found: Found,
): void {
  const passwords = plan.acts.flatMap(act => (act.act === 'sign in' ? [passwordOf(act.as)] : []));
  const secrets = [
    ...new Set([robot.password, ...service.tokens.keys(), ...passwords, keys.TOKEN_KEYS, keys.SLACK_SIGNING_SECRET]),
  ];
  const store = disk.bytes().toString('latin1');
  const log = lines.join('\n');
  const said = JSON.stringify(messagesOf(slack));
  const urls = network.exchanges.map(({ url }) => url.href).join('\n');
  for (const secret of secrets)
    for (const [place, text] of Object.entries({
      'the store': store,
      'the log': log,
      messages: said,
      addresses: urls,
    }))
      if (text.includes(secret)) found('13 secrets', `a secret stands in ${place}`);
}
