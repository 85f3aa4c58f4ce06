import { minutesToMilliseconds } from 'date-fns/minutesToMilliseconds';
import { type Dolly, startDolly } from '../../src/app/app.ts';
import { readConfig } from '../../src/app/config/config.ts';
import type { openStorage as realStorage, Storage } from '../../src/app/storage.ts';
import { openLog } from '../../src/ground/log.ts';
import type { Hint } from '../../src/store/agenda.ts';
import type { Pause } from '../../src/store/drivers/replicas.ts';
import { followHistory, type History } from '../../src/store/history/history.ts';
import { begin } from './cast.ts';
import { newDisk } from './disk.ts';
import { doorOf, forgedDoors } from './doors.ts';
import { addresses, errandOf, setOff } from './faults.ts';
import { forge } from './forge.ts';
import { guard } from './guard.ts';
import { type Host, type Kernel, newKernel } from './kernel.ts';
import { seenUntil } from './messageOracle.ts';
import { layNetwork } from './network.ts';
import { type Finding, judge } from './oracles.ts';
import { type Deed, enter, type People } from './people.ts';
import type { Act, ActOf, FaultOf, Plan } from './plan.ts';
import { accountKeys } from './robot.ts';
import { keys, leaseKeys, openService, openSlack, tourKeys, twoApprovalKeys } from './sides.ts';

/** What came of a plan. */
export type Outcome = Readonly<{
  plan: Plan;
  findings: readonly Finding[];
  /** The same for the same plan and code. */
  fingerprint: string;
  events: number;
  kills: number;
  /** The faults that met something, the steps of jobs, the acts that were taken: what the run has covered, by name. */
  covered: ReadonlyMap<string, number>;
  deeds: readonly Deed[];
  /** What people saw until the first finding, the newest last. */
  seen: readonly string[];
  log: readonly string[];
}>;

/** People stop looking for what may never have arrived so long after the last fault, and again. Milliseconds. */
const givesUpAfter = [5, 10, 15].map(minutes => minutesToMilliseconds(minutes));
/** By then all jobs must have ended, and all ends must be told. */
const longestEnd = minutesToMilliseconds(40);
/** A bot that could not start is started again. */
const startPause = 1_000;

/** A bot that runs, and the way in which it hears of the others. */
type Running = Readonly<{ host: Host; dolly: Dolly; heard(hints?: readonly Hint[]): void; paused(pause: Pause): void }>;

/**
 * Runs a plan.
 * @param image the store as the first start of a bot makes it
 * @param noted hears of all that the fingerprint is made of
 */
export async function simulate(plan: Plan, image: Buffer, noted?: (what: string) => void): Promise<Outcome> {
  const covered = new Map<string, number>();
  const cover = (what: string) => void covered.set(what, (covered.get(what) ?? 0) + 1);
  const log: string[] = [];
  const kernel: Kernel = newKernel(plan.seed, begin, {
    passes: (host, point, side, errand) => faults.passes(host, point, side, errand),
    happened: () => oracles.happened(),
    ...(noted ? { noted } : {}),
  });
  const hosts = new Map<number, Host>();
  /** The bot that each process is an incarnation of: it is asked for at every point that a process passes. */
  const numbers = new Map<Host, number>();
  const incarnations = new Map<number, number>();
  const up = new Map<number, Running>();
  const operator = kernel.raise('operator');
  let kills = 0;
  let people: People | undefined;
  let isOver = false;

  const faults = setOff(plan, {
    kernel,
    begun: begin,
    botOf: host => (hosts.get(numbers.get(host) ?? -1) === host ? numbers.get(host) : undefined),
    hostOf: bot => hosts.get(bot),
    kill,
    restart,
    backUp: () => disk.bytes(),
    goBack,
  });
  const network = layNetwork(kernel, {
    fate: exchange => faults.fate(exchange),
    errandOf,
    sent: exchange => oracles.sent(exchange),
    arrived: exchange => oracles.arrived(exchange),
  });
  const isEmbedded = plan.store === 'embedded';
  const disk = newDisk(kernel, {
    image,
    isEmbedded,
    mishap: faults.mishap,
    committed: () => oracles.committed(),
  });
  const slack = openSlack(kernel, network);
  const service = await openService(kernel, network, plan);
  const oracles = judge({
    plan,
    kernel,
    disk,
    network,
    slack,
    service,
    cover,
    calm: (since, until = kernel.now()) => !faults.wasTroubled(since, until),
    deeds: () => people?.deeds ?? [],
    log,
  });

  let nextBot = 0;
  network.name(addresses.bot, () => {
    const all = [...up.values()];
    const chosen = all[nextBot++ % Math.max(1, all.length)];
    return chosen && Number(new URL(chosen.dolly.url).port);
  });

  /** @param isRestored whether the store was put back from a backup: the others start once this one is ready */
  function start(bot: number, isRestored = false): void {
    const incarnation = (incarnations.get(bot) ?? 0) + 1;
    incarnations.set(bot, incarnation);
    const host = kernel.raise(`bot ${bot}.${incarnation}`);
    host.ahead = faults.aheadOf(bot);
    hosts.set(bot, host);
    numbers.set(host, bot);
    const others = () => [...up.values()].filter(other => other.host !== host);
    let hooks: Pick<Running, 'heard' | 'paused'> | undefined;
    const openStorage = async (
      _config: unknown,
      { clock, heard, paused, ...onReturn }: Parameters<typeof realStorage>[1],
    ): Promise<Storage> => {
      hooks = { heard, paused };
      const shared = { isShared: !isEmbedded, replicas: replicasOf(kernel, up, others) };
      if (isEmbedded) return { store: disk.open(), ...shared, close: async () => undefined };
      let history: History | undefined;
      const store = disk.open({
        isHere: place => history?.isHere(place) ?? true,
        arrive: async place => history?.arrive(place),
      });
      const [place, faulty] = [async () => disk.place(), () => undefined];
      history = followHistory({ store, beside: disk.open(), place, clock, faulty, ...onReturn });
      await history.begin();
      return { store, ...shared, close: history.stop };
    };
    const config = readConfig({
      ...keys,
      ...(plan.approvalChannel ? { APPROVAL_CHANNEL: 'C0APPROVAL' } : {}),
      ...(plan.leases ? leaseKeys : {}),
      ...(plan.approvals === undefined ? {} : twoApprovalKeys),
      ...(plan.tour ? tourKeys[plan.tour] : {}),
      ...(plan.account ? accountKeys() : {}),
    });
    const writing = { write: (line: string) => void (host.isUp && log.push(line)) };
    kernel.as(host, () => {
      startDolly(config, { log: openLog('info', writing), openStorage, isRestored }).then(
        dolly => {
          if (!host.isUp || !hooks) return;
          up.set(bot, { host, dolly, ...hooks });
          if (isRestored) for (let other = 0; other < plan.bots; other++) if (other !== bot) start(other);
        },
        error => {
          if (!host.isUp) return;
          log.push(`a start failed: ${error}`);
          die(host);
          kernel.after(startPause, operator, 'start', () => start(bot, isRestored));
        },
      );
    });
  }

  function die(host: Host): void {
    host.isUp = false;
    for (const [bot, running] of up) if (running.host === host) up.delete(bot);
    network.died(host);
    disk.died(host);
  }

  function kill(host: Host, bot: number, { power, down, point, side }: FaultOf<'kill'>): void {
    kills += 1;
    cover(`kill ${side} ${point}`);
    die(host);
    if (power) disk.losePower();
    hosts.delete(bot);
    kernel.after(down, operator, 'start', () => start(bot));
  }

  function restart({ bot, down }: FaultOf<'restart'>): void {
    const running = up.get(bot);
    if (!running) return;
    up.delete(bot);
    kernel.as(running.host, () => {
      void running.dolly.stop().finally(() => {
        die(running.host);
        hosts.delete(bot);
        kernel.after(down, operator, 'start', () => start(bot));
      });
    });
  }

  function goBack({ how }: FaultOf<'go back'>, past: Buffer): void {
    if (how === 'restored') cover(doorOf('a restored store'));
    if (how === 'restored') for (const host of hosts.values()) die(host);
    if (how === 'restored') hosts.clear();
    disk.goBack(past);
    oracles.wentBack();
    if (how === 'restored') kernel.after(startPause, operator, 'start', () => start(0, true));
  }

  function perform(act: Act): void {
    if (act.act === 'end tokens') service.endTokens(act.as);
    else if (act.act === 'leave group') slack.leaveGroup(act.approver);
    else if (act.act === 'change') service.change(act, kernel.now());
    else if (act.act === 'break') service.breaks(act);
    else if (act.act === 'lose clone')
      service.loseClone(
        act,
        plan.acts.find(({ id }) => id === act.of),
      );
    else if (act.act === 'forge') sendForged(act);
    else void people?.perform(act);
  }

  function sendForged(act: ActOf<'forge'>): void {
    const wire = forge(act, network, kernel.now(), kernel.random('forgeries').next());
    if (!wire) return;
    cover(forgedDoors[act.how]);
    kernel.as(operator, () => void network.send(wire).catch(() => undefined));
  }

  kernel.after(0, operator, 'begin', () => {
    for (let bot = 0; bot < plan.bots; bot++) start(bot);
    const crowd = kernel.raise('people');
    kernel.as(crowd, () => {
      void enter({
        ...slack,
        approvalChannel: plan.approvalChannel ? '#dba-approvals' : '#databases',
        idOf: service.idOf,
        find: id => plan.acts.find(act => act.id === id),
      }).then(entered => {
        people = entered;
      });
    });
    for (const act of plan.acts) kernel.after(act.at, crowd, `act ${act.id}`, () => perform(act));
    for (const after of givesUpAfter)
      kernel.after(plan.quietFrom + after, crowd, 'gives up', () => void people?.giveUp());
    const watch = () => {
      isOver = oracles.isSettled();
      if (!isOver) kernel.after(10_000, operator, 'watch', watch);
    };
    kernel.after(plan.quietFrom + minutesToMilliseconds(1), operator, 'watch', watch);
  });
  const dies = (error: unknown) =>
    oracles.found('0 no process ends by itself', error instanceof Error ? (error.stack ?? '') : String(error));
  process.on('unhandledRejection', dies);
  const guarding = guard(what => oracles.found('the world', what));
  const thrown = await kernel
    .run(() => isOver || oracles.hasFound(), begin + plan.quietFrom + longestEnd)
    .catch(error => error);
  guarding.end();
  process.off('unhandledRejection', dies);
  if (thrown !== undefined)
    oracles.found('the world', thrown instanceof Error ? (thrown.stack ?? thrown.message) : String(thrown));
  oracles.atEnd(isOver);
  for (const fault of faults.met()) cover(`fault ${fault.fault}`);
  for (const { act, isTaken } of people?.deeds ?? []) cover(`${act.act} ${isTaken ? 'taken' : 'not taken'}`);
  const [first] = oracles.findings();
  return {
    plan,
    findings: oracles.findings(),
    seen: first ? seenUntil(slack, first.at) : [],
    fingerprint: kernel.fingerprint(),
    events: kernel.events(),
    kills,
    covered,
    deeds: people?.deeds ?? [],
    log,
  };
}

/** What the processes tell one another over the store. It may get lost. */
function replicasOf(
  kernel: Kernel,
  up: ReadonlyMap<number, Running>,
  others: () => readonly Running[],
): Storage['replicas'] {
  const chance = kernel.random('notices');
  const tell = (what: (other: Running) => void) => {
    for (const other of others())
      if (chance.chance(0.9)) kernel.after(chance.whole(1, 250), other.host, 'notice', () => what(other));
  };
  let waiting: Hint[] | 'anything' | undefined;
  return {
    count: () => Math.max(1, up.size),
    announce(hints) {
      const isFirst = waiting === undefined;
      waiting = hints && waiting !== 'anything' ? [...(waiting ?? []), ...hints] : 'anything';
      if (!isFirst) return;
      setTimeout(() => {
        const told = waiting === 'anything' ? undefined : waiting;
        waiting = undefined;
        tell(other => other.heard(told));
      }, 250);
    },
    passOn: pause => tell(other => other.paused(pause)),
    stop: async () => undefined,
  };
}
