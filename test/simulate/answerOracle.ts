import { begin } from './cast.ts';
import { addresses, mayBeLost, mayBeUntold } from './faults.ts';
import { type Inbound, inboundOf } from './inbound.ts';
import { type Job, jobsIn } from './jobRows.ts';
import type { Exchange } from './network.ts';
import type { Facts, Found } from './oracles.ts';

/*
 * What must hold of what people say to Dolly (3): whatever was acknowledged has an answer of its own. A command's goes to the
 * address that came with it, a mention's to its thread. What was kept may be
 * done by another process, which has no such address: then each message to that person is the answer to one thing.
 */

/** Something that somebody said, and Slack heard that it was taken. */
type Said = Readonly<{
  exchange: Exchange;
  at: number;
  person: string;
  text: string;
  /** Whether it is a mention or a direct message: outside of threads, nothing but the person ties an answer to it. */
  isTalk: boolean;
  /** Whether a request of a bot is the answer to it. */
  isAnswer(answer: Exchange): boolean;
}>;

/** A job, and when it was there for the first time. */
type Begun = Readonly<Pick<Job, 'person' | 'target' | 'operation'> & { begunAt: number }>;

/** What is kept is so within this time, in milliseconds: Slack waits for it. */
const soon = 3_000;
/** What says, however it is encoded, that the answer is still to come. */
const putOff = /I( |\+|%20)keep\1your\1request/;

/** Watches what is kept of what people say. */
export function watchAnswers(
  { plan, kernel, network, disk, service }: Pick<Facts, 'plan' | 'kernel' | 'network' | 'disk' | 'service'>,
  found: Found,
) {
  /** When something that each person said was kept, so that it is done whatever becomes of the process that took it. */
  const kept = new Map<string, Set<number>>();
  const begun: Begun[] = [];
  return {
    /** A job is there for the first time. */
    begun: ({ person, target, operation }: Job) =>
      void begun.push({ person, target, operation, begunAt: kernel.now() }),
    committed() {
      for (const { person, created_at } of disk.rows("select person, created_at from inbox where action = 'command'"))
        kept.set(String(person), (kept.get(String(person)) ?? new Set()).add(Number(created_at)));
    },
    atEnd() {
      checkAnswers({ plan, network, service }, { kept, begun }, found);
      checkAddresses({ plan, network, disk, service }, found);
    },
  };
}

/** Looks for the answer to each thing that was said. */
function checkAnswers(
  { plan, network, service }: Pick<Facts, 'plan' | 'network' | 'service'>,
  { kept, begun }: Readonly<{ kept: ReadonlyMap<string, ReadonlySet<number>>; begun: readonly Begun[] }>,
  found: Found,
): void {
  const namesOf = ({ target }: Begun) => service.records().flatMap(({ id, name }) => (id === target ? name : []));
  const all = firstOfEach(network.exchanges.flatMap(exchange => said(exchange) ?? []));
  /** Whether something was kept, or may have been: of several things that a person said at once, nobody can tell which one was. */
  const keptAs = ({ person, at: saidAt, exchange: { toAhead = 0 } }: Said) => {
    const isNear = (at: number) => Math.abs(at - saidAt - toAhead) < soon;
    const many = [...(kept.get(person) ?? [])].filter(isNear).length;
    if (many === 0) return 'not';
    return many >= all.filter(one => one.person === person && isNear(one.at + toAhead)).length ? 'surely' : 'maybe';
  };
  const sent = network.exchanges.filter(
    exchange => exchange.url.hostname === addresses.slack && !putOff.test(exchange.body),
  );
  const jobs: (Begun | undefined)[] = [...begun];
  const spent = new Set<Exchange>();
  /** The presses by which people gave up what was kept: nothing follows on that. */
  const forgets = network.exchanges.flatMap(exchange => {
    const inbound = inboundOf(exchange);
    return inbound?.name === 'kept.forget' ? [inbound] : [];
  });
  for (const one of all) {
    if (one.exchange.answer?.body.includes('"text"') || mayBeLost(plan, one.at - begin)) continue;
    const since = sent.filter(({ sentAt }) => sentAt >= one.at);
    const answer = since.find(each => !spent.has(each) && one.isAnswer(each));
    if (answer) {
      spent.add(answer);
      continue;
    }
    const isKept = keptAs(one);
    // Somebody may ask for several things of one record: a job is of what says so in its words, if anything does.
    const isOf = (job: Begun | undefined, other = one) => job !== undefined && isMadeBy(job, other, namesOf(job));
    const isNamed = (job: Begun | undefined, other = one) => isOf(job, other) && saysWork(job, other);
    const at = jobs.findIndex(job => isNamed(job) || (isOf(job) && !all.some(other => isNamed(job, other))));
    const toThem = isKept !== 'not' || one.isTalk ? since.filter(each => isTo(each, one.person)) : [];
    const free = toThem.filter(each => !spent.has(each));
    // What is about it may have been taken for the answer to something else.
    const told = free.find(each => isAbout(each, one)) ?? free[0] ?? toThem.find(each => isAbout(each, one));
    // Of a job and words that may be about it, it is what came first.
    if (at >= 0 && (!told || (jobs[at]?.begunAt ?? 0) <= told.sentAt)) {
      jobs[at] = undefined;
      continue;
    }
    // What only shows something, or opens a form, is gone with its process: people see that nothing came, and ask again.
    if (isKept !== 'surely' && wasInterrupted(one.exchange)) continue;
    const forget = forgets.findIndex(({ person, exchange, value }) => {
      if (person !== one.person || exchange.sentAt <= one.at) return false;
      // The button stands in the very message that said so, which came by the address of what was kept.
      const offers = network.exchanges.filter(each => putOff.test(each.body) && each.body.includes(value));
      return offers.some(one.isAnswer) || !all.some(other => offers.some(other.isAnswer));
    });
    if (isKept !== 'not' && forget >= 0) forgets.splice(forget, 1);
    else if (told) spent.add(told);
    else found('3 kept', `${one.person} said "${one.text.slice(0, 80)}", which was acknowledged and has no answer`);
  }
}

/** Whether something that was said made a job: it says the identifier of its record, or one of its names. */
function isMadeBy({ person, target, begunAt }: Begun, said: Said, names: readonly string[]): boolean {
  return person === said.person && begunAt >= said.at && [target, ...names].some(name => said.text.includes(name));
}

/** Whether the work of a job stands in the words of what was said, or in the name of the command. */
function saysWork(job: Begun | undefined, { text, exchange }: Said): boolean {
  const words = `${new URLSearchParams(exchange.body).get('command') ?? ''} ${text}`;
  return job?.operation.split('.').some(word => words.includes(word)) === true;
}

/** Whether words have a longer word of what was said, which they then are about. */
function isAbout({ body }: Exchange, { text }: Said): boolean {
  return text.split(/[^\w-]+/).some(word => word.length > longWord && body.includes(word));
}

/** So many letters have the short words that stand everywhere, at most. */
const longWord = 6;

/** Whether the process that took something died or slept since, so that another one may have done it. */
function wasInterrupted({ to, arrivedAt = 0 }: Exchange): boolean {
  return to !== undefined && (!to.isUp || to.frozenUntil > arrivedAt);
}

/** Whether a request tells a person something alone, and no news of a job. */
function isTo({ url, body }: Exchange, person: string): boolean {
  const fields = new URLSearchParams(body);
  if (url.pathname.endsWith('/chat.postEphemeral')) return fields.get('user') === person;
  return (
    url.pathname.endsWith('/chat.postMessage') &&
    fields.get('channel') === person.replace(/^U/, 'D') &&
    !fields.has('metadata')
  );
}

/** What somebody said by a request to a bot, if it was taken. */
function said(exchange: Exchange): Said | undefined {
  const { arrivedAt: at, answer } = exchange;
  const inbound = at === undefined || answer?.status !== 200 ? undefined : inboundOf(exchange);
  if (at === undefined || !inbound) return undefined;
  const { kind, person, text, address, trigger, thread } = inbound;
  const one = { exchange, at, person, text, isTalk: kind !== 'command' };
  if (kind === 'command')
    return { ...one, isAnswer: ({ url, body }) => url.href === address || (trigger !== '' && body.includes(trigger)) };
  if (kind !== 'mention' && kind !== 'direct') return undefined;
  return {
    ...one,
    isAnswer({ url, body }) {
      if (!/\/chat\.post/.test(url.pathname)) return false;
      return new URLSearchParams(body).get('thread_ts') === thread;
    },
  };
}

/** News of a job that came by the address of a command, since the channel is closed to Dolly; lists name the jobs of others. */
const news = /I am not in this channel|I sent you the message of/;

/** An answer comes within this time, in milliseconds. */
const answered = 10_000;

/**
 * Looks for answers that reached another one than they are for, and for things that were answered twice: Slack may tell of
 * one more than once.
 */
function checkAddresses(
  { plan, network, disk, service }: Pick<Facts, 'plan' | 'network' | 'disk' | 'service'>,
  found: Found,
): void {
  const all = network.exchanges.flatMap(exchange => inboundOf(exchange) ?? []);
  const jobs = jobsIn(disk);
  const named = service.records().map(({ id, name }) => ({ id, name }));
  const taken = network.exchanges.filter(({ known, answer }) => known === 'answered' && answer?.status === 200);
  for (const [address, [first]] of Map.groupBy(all, one => one.address)) {
    if (address === '' || !first) continue;
    const said = all.filter(one => one.person === first.person).map(one => one.text + one.value + one.exchange.body);
    const answers = taken.filter(({ url, body }) => url.href === address && !putOff.test(body));
    for (const { body } of answers.slice(1))
      for (const { person, target } of jobs) {
        const name = named.find(({ id }) => id === target)?.name ?? target;
        const isForeign =
          person !== first.person &&
          news.test(body) &&
          body.includes(`${name}*`) &&
          !said.some(text => text.includes(name) || text.includes(target));
        if (isForeign) found('3 kept', `${first.person} was told of ${name}, by the address of their own command`);
      }
  }
  const talk = all.filter(({ kind }) => kind === 'mention' || kind === 'direct');
  for (const [, same] of Map.groupBy(talk, ({ exchange }) => exchange.body)) {
    const [first, ...again] = same;
    for (const one of first ? again : []) {
      // Right after the first time, an answer is the answer to both.
      if ((one.exchange.arrivedAt ?? 0) < (first?.exchange.arrivedAt ?? 0) + answered) continue;
      // Without the store nobody knows, and an answer twice is better than none.
      if (mayBeUntold(plan, (one.exchange.arrivedAt ?? 0) - begin)) continue;
      const soonAfter = ({ exchange: { arrivedAt = 0 } }: Inbound) =>
        taken.filter(each => isTo(each, one.person) && each.sentAt > arrivedAt && each.sentAt < arrivedAt + answered);
      const before = soonAfter(first ?? one).map(({ body }) => body);
      const alike = talk.filter(({ person, text }) => person === one.person && text === one.text);
      const messages = new Set(alike.map(({ exchange }) => exchange.body)).size;
      // What was kept for long may be answered only then.
      const isOneMore = (body: string) =>
        taken.filter(each => isTo(each, one.person) && each.body === body).length > messages;
      if (soonAfter(one).some(({ body }) => before.includes(body) && isOneMore(body)))
        found('3 kept', `${one.person} was answered once more when Slack told of "${one.text}" once more`);
    }
  }
}

/** Slack says the same once more where it did not hear that it was taken. */
function firstOfEach(all: readonly Said[]): readonly Said[] {
  // A process that stands still takes what was sent to it first after another one took it.
  const byArrival = all.toSorted((one, other) => one.at - other.at);
  const known = new Set<string>();
  return byArrival.filter(({ exchange: { body } }) => !known.has(body) && known.add(body));
}
