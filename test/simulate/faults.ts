import { minute, second } from '../../src/ground/durations.ts';
import type { Mishap } from './disk.ts';
import type { Errand, Host, Kernel, Point, Side } from './kernel.ts';
import type { Answer, Exchange, Fate } from './network.ts';
import type { Fault, FaultOf, Plan } from './plan.ts';

/** What the faults of a plan do to a world. */
export type Faults = Readonly<{
  fate(exchange: Exchange): Fate;
  mishap(host: Host, isCommit: boolean): Mishap;
  /** A process passes a point: it may die there. */
  passes(host: Host, point: Point, side: Side, errand: Errand): void;
  /** By how much the clock of a bot's machine is ahead, in milliseconds. */
  aheadOf(bot: number): number;
  /** The faults that have met something. */
  met(): ReadonlySet<Fault>;
  /** Whether something was broken at any time between two, as far as it is known now. */
  wasTroubled(from: number, to: number): boolean;
}>;

/** What the faults need of the world. `botOf` is the number of the bot that a process is an incarnation of. */
export type FaultyWorld = Readonly<{
  kernel: Kernel;
  begun: number;
  botOf(host: Host): number | undefined;
  hostOf(bot: number): Host | undefined;
  kill(host: Host, bot: number, fault: FaultOf<'kill'>): void;
  restart(fault: FaultOf<'restart'>): void;
  /** The store as it is, and the store as it was. */
  backUp(): Buffer;
  goBack(fault: FaultOf<'go back'>, past: Buffer): void;
}>;

/** What somebody does takes them as long as this at most, in milliseconds, and its answer may be on its way. */
const longestDeed = 60_000;

/**
 * Whether what somebody began to do at a time may be gone, since the store went back to before it was kept, or while it was
 * done: nobody can know of what was asked then and never sent.
 */
export function mayBeLost({ faults }: Pick<Plan, 'faults'>, time: number): boolean {
  return faults.some(
    fault =>
      fault.fault === 'go back' &&
      fault.how === 'restored' &&
      time > fault.at - fault.by - longestDeed &&
      time < fault.at + longestDeed,
  );
}

/** Whether the store may not tell at a time, or soon after it, what was done before. */
export function mayBeUntold({ faults }: Pick<Plan, 'faults'>, time: number): boolean {
  return faults.some(fault => fault.fault === 'store' && time > fault.at - 5_000 && time < fault.at + fault.lasts);
}

/** Whether the store goes back: messages of what it does not know any more stand in Slack, and some stand there twice. */
export function goesBack({ faults }: Pick<Plan, 'faults'>, how?: FaultOf<'go back'>['how']): boolean {
  return faults.some(fault => fault.fault === 'go back' && (how === undefined || fault.how === how));
}

/** A rest that is so long saves more time than it takes, in milliseconds. */
const longRest = 30 * minute;
/** A request arrives within this time, in milliseconds, or never. */
const longestWay = 250;

/** Which errands of a process a fault meets. */
const fits: Readonly<Record<FaultOf<'kill'>['on'], (errand: Errand) => boolean>> = {
  all: () => true,
  writes: errand => errand.endsWith('write'),
  service: errand => errand.startsWith('service'),
  'service writes': errand => errand === 'service write',
};

/** Where requests go, by the names of the hosts in their addresses. */
export const addresses = { slack: 'slack.invalid', service: 'service.invalid', bot: 'dolly.invalid' } as const;

/** How long something stays broken after a fault met it, in milliseconds. */
function lastsOf(fault: Fault, quietFrom: number): number {
  if (fault.fault === 'clock') return quietFrom;
  // Replicas wait for one another, and for those that stay silent.
  if (fault.fault === 'go back') return 90_000;
  return 'down' in fault ? fault.down : 'ms' in fault ? fault.ms : 0;
}

/** Sets off the faults of a plan at their times. */
export function setOff({ faults, quietFrom }: Plan, world: FaultyWorld): Faults {
  const { kernel, begun } = world;
  const chance = kernel.random('ways');
  const met = new Set<Fault>();
  const troubles: Readonly<{ from: number; to: number }>[] = [];
  const meet = (fault: Fault) => {
    met.add(fault);
    troubles.push({ from: kernel.now(), to: kernel.now() + lastsOf(fault, quietFrom) });
  };
  const counts = new Map<Fault, number>();
  const operator = kernel.raise('operator');
  const ahead = new Map<number, number>();
  const aheadOf = (bot: number) => ahead.get(bot) ?? 0;
  const isDue = (fault: Fault, lasts = Number.POSITIVE_INFINITY) => {
    const time = kernel.now() - begun;
    return time < quietFrom && time >= fault.at && time < fault.at + lasts;
  };
  /** Counts what fits a fault: it passes `skip`, and meets the `times` that follow. */
  const meets = (fault: Fault & Readonly<{ skip: number; times?: number }>) => {
    const passed = counts.get(fault) ?? 0;
    counts.set(fault, passed + 1);
    const isMet = passed >= fault.skip && passed < fault.skip + (fault.times ?? 1);
    if (isMet) meet(fault);
    return isMet;
  };
  const lasts = (fault: Fault, ms: number) => {
    if (!isDue(fault, ms)) return false;
    meet(fault);
    return true;
  };
  const of = <Name extends Fault['fault']>(name: Name): FaultOf<Name>[] =>
    faults.filter((fault): fault is FaultOf<Name> => fault.fault === name);

  const atPoints = [...of('kill'), ...of('freeze')];
  const setClock = (bot: number, by: number) => {
    ahead.set(bot, by);
    const host = world.hostOf(bot);
    if (host) host.ahead = by;
  };
  for (const fault of of('clock')) {
    kernel.after(fault.at, operator, 'clock', () => {
      meet(fault);
      setClock(fault.bot, aheadOf(fault.bot) + fault.by);
    });
    kernel.after(quietFrom, operator, 'clock', () => setClock(fault.bot, 0));
  }
  for (const fault of of('restart')) {
    const restart = () => {
      const down = Math.min(fault.down, begun + fault.at + fault.down - kernel.now());
      if (world.hostOf(fault.bot)) {
        meet(fault);
        world.restart({ ...fault, down });
        // A bot that is down rests all the same: to look in vain for days takes a simulation longer than it tells.
      } else if (down > longRest) kernel.after(second, operator, 'restart', restart);
    };
    kernel.after(fault.at, operator, 'restart', restart);
  }
  for (const fault of of('go back'))
    kernel.after(fault.at - fault.by, operator, 'backup', () => {
      const past = world.backUp();
      kernel.after(fault.by, operator, 'go back', () => {
        meet(fault);
        world.goBack(fault, past);
      });
    });

  return {
    met: () => met,
    wasTroubled: (from, to) => troubles.some(trouble => trouble.from <= to && trouble.to >= from),
    aheadOf,
    passes(host, point, side, errand) {
      const bot = world.botOf(host);
      if (bot === undefined) return;
      for (const fault of atPoints) {
        if ((fault.bot ?? bot) !== bot || fault.point !== point || fault.side !== side) continue;
        if (!fits[fault.on](errand)) continue;
        if (!isDue(fault) || !meets(fault)) continue;
        if (fault.fault === 'kill') return world.kill(host, bot, fault);
        host.frozenUntil = kernel.now() + fault.ms;
      }
    },
    mishap(host, isCommit) {
      if (world.botOf(host) === undefined) return undefined;
      for (const fault of of('store'))
        if ((fault.how === 'away' || isCommit) && lasts(fault, fault.lasts)) return fault.how;
      if (isCommit && of('unknown commit').some(fault => isDue(fault) && meets(fault))) return 'unknown';
      return undefined;
    },
    fate(exchange) {
      const to = goesTo(exchange);
      const usual = usualWay(chance);
      const slow = Math.max(
        0,
        ...of('slow').flatMap(fault => (fault.to === to && lasts(fault, fault.lasts) ? fault.ms : [])),
      );
      const isAway = of('away').some(fault => fault.to === to && lasts(fault, fault.lasts));
      const lost = of('lose').find(
        fault =>
          fault.to === to &&
          (!fault.writes || isWrite(exchange)) &&
          (fault.method === undefined || exchange.url.pathname.endsWith(`/${fault.method}`)) &&
          isDue(fault) &&
          meets(fault),
      );
      const late = of('late').find(fault => to !== 'bot' && isWrite(exchange) && isDue(fault) && meets(fault));
      const instead = lost || isAway ? undefined : answerInstead(exchange, to);
      return {
        requestTakes: late?.ms ?? usual.request,
        answerTakes: usual.answer + slow,
        lost: lost?.what,
        isSilent: lost?.isSilent ?? false,
        isAway,
        instead,
      };
    },
  };

  /** The answer of somebody who did nothing: Slack's refusal, or an error of the service. */
  function answerInstead(exchange: Exchange, to: string | undefined): Answer | undefined {
    if (to === 'slack') {
      const method = exchange.url.pathname.split('/').at(-1) ?? '';
      const fault = of('refuse').find(one => {
        const fits = one.method === '' ? method !== 'auth.test' : one.method === method;
        // It says so of a post in a channel. Where the history cannot be read, nobody knows whether a lost post stands.
        const isOfChannel = /^chat.post/.test(method) && exchange.body.includes('channel=C');
        // That an account is closed, it says of a post to that person alone.
        const isPossible =
          (one.word !== 'not_in_channel' || isOfChannel) && (one.word !== 'user_disabled' || !isOfChannel);
        return fits && isPossible && isDue(one) && meets(one);
      });
      if (!fault) return undefined;
      const headers = { 'content-type': 'application/json', 'retry-after': '2' };
      const body = JSON.stringify({ ok: false, error: fault.word });
      return { status: fault.word === 'ratelimited' ? 429 : 200, headers, body };
    }
    if (to !== 'service') return undefined;
    const fault = of('error').find(one => (!one.writes || isWrite(exchange)) && isDue(one) && meets(one));
    if (!fault) return undefined;
    const headers = { 'content-type': 'application/json', ...(fault.status === 503 ? { 'retry-after': '3' } : {}) };
    return { status: fault.status, headers, body: JSON.stringify({ status: 'ERROR', message: 'out of order' }) };
  }
}

/** Most requests and answers take a moment, some take longer: milliseconds. */
function usualWay(chance: { next(): number; whole(from: number, to: number): number }) {
  const takes = () => 1 + Math.floor(longestWay * chance.next() ** 4);
  return { request: Math.min(takes(), longestWay), answer: takes() };
}

/** Who is asked. */
export function goesTo({ url }: Exchange): keyof typeof addresses | undefined {
  if (url.hostname === addresses.slack) return 'slack';
  if (url.hostname === addresses.service) return 'service';
  return url.hostname === addresses.bot || url.hostname === '127.0.0.1' ? 'bot' : undefined;
}

/** What a process does by a request. */
export function errandOf(wire: Pick<Exchange, 'method' | 'url'>): Errand {
  if (wire.url.hostname === addresses.service) return isWrite(wire) ? 'service write' : 'service read';
  return isWrite(wire) ? 'write' : 'other';
}

/** Whether a request may change something: at Slack, each that says something. */
export function isWrite({ method, url }: Pick<Exchange, 'method' | 'url'>): boolean {
  if (url.hostname === addresses.slack) return /chat\.|views\.|response/.test(url.pathname);
  return method !== 'GET' && !url.pathname.includes('/user/user/');
}
