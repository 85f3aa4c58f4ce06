import { z } from 'zod';
import { minute, second } from '../../src/ground/durations.ts';
import { textOf } from '../person.ts';
import { begin } from './cast.ts';
import { addresses } from './faults.ts';
import { cloneName } from './gestures.ts';
import type { Exchange } from './network.ts';
import type { Facts } from './oracles.ts';
import type { ActOf } from './plan.ts';

/*
 * What must hold of the leases of clones: nothing is stopped or deleted before its owner was warned, the warning arrived,
 * and then had the whole time that it promised; and what people were told last about an end is what happens (11).
 */

/** What is seen of leases. */
export type LeaseOracle = Readonly<{
  /** Whether a clone is under the rule that ends clones, so that nobody has to ask for its end. */
  isLeased(id: string): boolean;
  sent(exchange: Exchange): void;
  /** A clone is to be stopped or deleted. */
  ends(exchange: Exchange, id: string): void;
  /** Whether a lease is about to do something. */
  isBusy(): boolean;
  atEnd(): void;
}>;

/** The time between a warning and the end of a lease, as leases.yml has it. */
const warned = 10 * minute;
/** Times are told to the second, and a request takes its way. */
const slack = 2 * second;
/** The time from which an end counts as set in time for its warning: it takes a while until people hear of it. */
const margin = minute;
/** The clocks of two replicas differ by so much at most: each is off by up to 8 seconds (faultDrawing.ts). */
const mostApart = 16 * second;
/** What is due is done within this time once nothing breaks any more. */
const patience = 15 * minute;
/** Leases that do something within this time are waited for. */
const soon = 13 * minute;

/** A message to the owner of a clone, as Slack got it, or did not. */
type Post = Readonly<{ exchange: Exchange; text: string }>;
/** The end of a clone as somebody was told it, and when; `Infinity`: none. */
type Told = Readonly<{ at: number; endsAt: number; to: string | undefined }>;

type Clone = Readonly<{ id: string; asked: ActOf<'clone'>; since: number }>;

const Made = z.object({
  claimed: z.string(),
  inputs: z.string().transform(text => z.looseObject({ port: z.coerce.number().optional() }).parse(JSON.parse(text))),
  ended_at: z.number().nullable(),
});

/** Watches the leases of a world. */
export function watchLeases(
  {
    plan,
    disk,
    service,
    slack: side,
    kernel,
    calm,
  }: Pick<Facts, 'plan' | 'disk' | 'service' | 'slack' | 'kernel' | 'calm'>,
  found: (invariant: string, what: string) => void,
): LeaseOracle {
  const posts: Post[] = [];
  /** The clones that were stopped or deleted, with the time of each. */
  const stops = new Map<string, number>();
  const deletions = new Map<string, number>();

  /** The clones that were made, by their identifiers, with what was asked for and the time at which that ended. */
  const made = () =>
    disk
      .rows(
        "select claimed, inputs, ended_at from jobs where operation = 'clone.create' and plan is null and claimed is not null",
      )
      .flatMap(row => {
        const { claimed, inputs, ended_at } = Made.parse(row);
        const asked = plan.acts.find(act => act.act === 'clone' && act.port === inputs.port);
        return asked?.act === 'clone' ? [{ id: claimed, asked, since: ended_at ?? 0 }] : [];
      });
  const madeAs = (id: string) => made().find(clone => clone.id === id);
  const personOf = (name: string) =>
    side.slack.workspace.people.find(person => person.name === name.toLowerCase())?.id ?? '';

  /** The ends of a clone as they were told by now, the oldest first. */
  function toldOf({ port, who }: ActOf<'clone'>): Told[] {
    const name = cloneName(port);
    const direct = postsTo(who, name).flatMap(({ exchange, text }) => {
      const endsAt = endIn(text, name);
      return endsAt === undefined || !isTaken(exchange)
        ? []
        : [{ at: exchange.arrivedAt ?? 0, endsAt, to: personOf(who) }];
    });
    const answers = side.slack.workspace.channels
      .flatMap(({ id }) => side.slack.messages.list(id))
      .filter(({ onlyFor }) => onlyFor !== undefined)
      .flatMap(message => {
        const endsAt = endIn(textOf(message), name);
        return endsAt === undefined ? [] : [{ at: Number(message.ts) * 1_000, endsAt, to: message.onlyFor }];
      });
    return [...direct, ...answers, ...setByOwner(name, personOf(who))].toSorted((one, other) => one.at - other.at);
  }

  /** The ends that an owner set by themselves: they know them, even where the answer was lost. */
  function setByOwner(name: string, owner: string): Told[] {
    const set = "select at, detail from audit where event = 'lease set' and target_name = ? and actor = ?";
    return disk.rows(set, name, owner).flatMap(({ at, detail }) => {
      const [, end] = /^until (\S+ \S+) UTC$/.exec(String(detail)) ?? [];
      const endsAt = detail === 'without an end' ? Number.POSITIVE_INFINITY : Date.parse(`${end}Z`);
      return Number.isNaN(endsAt) ? [] : [{ at: Number(at), endsAt, to: owner }];
    });
  }

  /** The posts about a clone in the direct messages of its owner, those that Slack did not take, too. */
  function postsTo(who: string, name: string): Post[] {
    const channel = personOf(who).replace(/^U/, 'D');
    return posts.filter(
      ({ exchange, text }) =>
        new URLSearchParams(exchange.body).get('channel') === channel && text.includes(`*${name}*`),
    );
  }

  /**
   * Says why words that promise a time are broken by an end; `undefined`: they reached the owner, and the time is over. It
   * is over by the clock of the process that acts: none can know that it is some seconds ahead of the one that promised.
   */
  function brokenPromise(words: readonly Post[], endsAt: number, { sentAt, ahead }: Exchange): string | undefined {
    const first = words[0]?.exchange;
    const arrived = words.find(({ exchange }) => isTaken(exchange))?.exchange.arrivedAt;
    if (!first || arrived === undefined) return 'and its owner was not warned';
    const promised = endsAt - (first.sentAt + first.ahead);
    const apart = Math.min(Math.max(ahead - first.ahead, 0), mostApart);
    const left = arrived + promised - (sentAt + apart);
    return left > slack ? `${Math.round(left / second)} s before the time that its owner was promised` : undefined;
  }

  /** What is wrong with a stop, as far as anything is. */
  function faultOfStop(exchange: Exchange, { asked, since }: Clone): string | undefined {
    const { port, who, until } = asked;
    const name = cloneName(port);
    const at = exchange.sentAt;
    const formed = until === undefined ? [] : [{ at: since, endsAt: begin + until, to: personOf(who) }];
    const told = [...formed, ...toldOf(asked).filter(one => one.at < at)];
    const last = told.at(-1);
    if (!last) return 'and nobody was told when';
    const { endsAt } = last;
    // A bot whose clock is behind may send what another one has ended in time.
    const early = endsAt - (at + Math.max(exchange.ahead, 0));
    if (early > slack) return `${Math.round(early / second)} s before the end that was told`;
    const isThat = (other: number) => Math.abs(other - endsAt) < second;
    const setAt = told.find(one => isThat(one.endsAt))?.at ?? at;
    const words = postsTo(who, name).filter(({ text }) => isThat(endIn(text, name) ?? 0));
    const warnings = words.filter(({ text }) => text.includes('hourglass_flowing_sand'));
    if (endsAt - warned > setAt + margin) {
      const begun = warnings[0]?.exchange.sentAt ?? at;
      if (calm(endsAt - warned - margin, endsAt - warned + margin) && begun > endsAt - warned + margin)
        return `and its owner was warned ${Math.round((endsAt - begun) / minute)} minutes before, for the first time`;
      return brokenPromise(warnings, endsAt, exchange);
    }
    const isOwn = told.some(one => isThat(one.endsAt) && one.to === personOf(who));
    return isOwn ? undefined : brokenPromise(words, endsAt, exchange);
  }

  /** What is wrong with a deletion, as far as anything is. */
  function faultOfDeletion(exchange: Exchange, { asked }: Clone): string | undefined {
    const name = cloneName(asked.port);
    const at = exchange.sentAt;
    const words = postsTo(asked.who, name).filter(({ text }) => deletionIn(text, name) !== undefined);
    const endsAt = deletionIn(words.at(-1)?.text ?? '', name) ?? 0;
    const broken = brokenPromise(
      words.filter(({ text }) => deletionIn(text, name) === endsAt),
      endsAt,
      exchange,
    );
    const stoppedAt = words.at(-1)?.exchange.arrivedAt ?? 0;
    const isKept = toldOf(asked).some(one => one.at > stoppedAt && one.at < at);
    return broken ?? (isKept ? 'and somebody was told that it is kept' : undefined);
  }

  /** What was done to a clone is told to its owner, and what was promised is done. */
  function checkTold(asked: ActOf<'clone'>, id: string): void {
    const name = cloneName(asked.port);
    // What others did to it is no affair of its lease.
    if (service.lost.has(name)) return;
    const seen = side.slack.messages.list(personOf(asked.who).replace(/^U/, 'D')).map(textOf);
    const says = (words: string) => seen.some(text => text.includes(name) && text.includes(words));
    const hasSaid = (words: string) =>
      postsTo(asked.who, name).some(({ exchange, text }) => isTaken(exchange) && text.includes(words));
    if (deletions.has(id) && !service.records().some(record => record.id === id) && !says('deleted.'))
      found('17 leases are told', `${name} was deleted at its end, and its owner was not told`);
    if (stops.has(id) && !hasSaid('is stopped') && !hasSaid('is up'))
      found('17 leases are told', `${name} was stopped at its end, and its owner was not told`);
    const last = toldOf(asked).at(-1);
    if (!last || last.endsAt > kernel.now() - patience || stops.has(id) || hasSaid('is up')) return;
    if (!hasSaid('is stopped')) found('17 leases are told', `the time of ${name} is over, and nothing was done`);
  }

  return {
    isLeased: id => plan.leases === true && madeAs(id) !== undefined,
    sent(exchange) {
      if (exchange.url.hostname !== addresses.slack || !exchange.url.pathname.endsWith('/chat.postMessage')) return;
      const given = new URLSearchParams(exchange.body);
      if (given.get('channel')?.startsWith('D'))
        posts.push({ exchange, text: `${given.get('text')} ${given.get('blocks')}` });
    },
    ends(exchange, id) {
      const clone = madeAs(id);
      if (!clone) return;
      const isStop = exchange.url.pathname.endsWith('/stop');
      (isStop ? stops : deletions).set(id, exchange.sentAt);
      const fault = isStop ? faultOfStop(exchange, clone) : faultOfDeletion(exchange, clone);
      const what = `${cloneName(clone.asked.port)} is ${isStop ? 'stopped' : 'deleted'}`;
      if (fault !== undefined) found('11 warned first', `${what}, ${fault}`);
    },
    isBusy: () =>
      Number(
        disk.rows(
          `select count(*) as many from things where kind = 'lease' and (state in ('new', 'stopping', 'deleting') or planned_at < ?)`,
          kernel.now() + soon,
        )[0]?.many ?? 0,
      ) > 0,
    atEnd() {
      if (!plan.leases) return;
      for (const { asked, id } of made()) checkTold(asked, id);
    },
  };
}

/** The end of a clone that a message tells; `Infinity`: none. A wish that is only told is none. */
function endIn(text: string, name: string): number | undefined {
  if (/ wants .* to be kept /.test(text)) return undefined;
  const said = `\\*${name}\\* is kept:? |Time is up for \\*${name}\\*, but [^.]+\\. So it is kept `;
  const [, end] = new RegExp(`(?:${said})(?:<!date\\^(\\d+)\\^until|without an end)`).exec(text) ?? [
    undefined,
    undefined,
  ];
  if (end !== undefined) return Number(end) * second;
  return new RegExp(`(?:${said})without an end`).test(text) ? Number.POSITIVE_INFINITY : undefined;
}

/** The time at which a stopped clone is deleted, as a message tells it. */
function deletionIn(text: string, name: string): number | undefined {
  const [, end] = new RegExp(`\\*${name}\\* is stopped.*?It is deleted<!date\\^(\\d+)`).exec(text) ?? [];
  return end === undefined ? undefined : Number(end) * second;
}

/** Whether Slack took a message. */
function isTaken({ arrivedAt, answer }: Exchange): boolean {
  return arrivedAt !== undefined && answer?.status === 200 && answer.body.includes('"ok":true');
}
