import type { Loop } from '../ground/loop.ts';
import { resumeAccount } from '../jobs/account/resumeAccount.ts';
import { keepHistory } from '../jobs/retention.ts';
import { workOnDueJobs } from '../jobs/workOnJobs.ts';
import { keepHomes } from '../slack/home/keepHomes.ts';
import type { Taker } from '../slack/inbox/inbox.ts';
import { deliver as deliverNews } from '../slack/outbox/delivery.ts';
import { tellNotices } from '../slack/outbox/tellNotices.ts';
import type { Pause } from '../store/drivers/replicas.ts';
import type { Owner } from '../store/vault.ts';
import type { Features } from './features.ts';
import type { WholeDesk } from './wholeDesk.ts';

/** The time of each loop's last turn that went well, by the steady clock. `/readyz` has the loops by these names. */
type LoopTurns = Readonly<Record<string, number | undefined>>;

/** The turns of loops that have not begun: of those that do work, and of those that tell of it. */
export function noTurns(features: Features): LoopTurns {
  const names = ['watch', 'inbox', 'homes', 'account', 'retention', 'deliver', 'outbox'];
  const own = features.flatMap(({ name, things }) => (things?.work ? name : []));
  return Object.fromEntries([...names, ...own].map(name => [name, undefined]));
}

/** The loops that do by themselves the work that is due in the store. */
export type Loops = Readonly<{
  /** Wakes every loop, since anything may be due. */
  wakeAll(): void;
  /** Publishes App Home at once for people who have just opened it. */
  hurryHomes(): void;
  /** Keeps a pause that Slack asked of another process. */
  keepPause(pause: Pause): void;
  /** The last turn of each loop that went well; `undefined` where there was none yet. */
  turns(): LoopTurns;
  /** Takes up no more work, and resolves when the work in flight is finished. */
  stopWork(): Promise<void>;
  /**
   * Stops telling people the news. News that Slack has not accepted yet stay in the store and go out after the next
   * start.
   */
  stopNews(): Promise<void>;
}>;

/** Starts all loops. */
export function startLoops(desk: WholeDesk, features: Features, taker: Taker): Loops {
  const homes = keepHomes(desk);
  const deliver = deliverNews(desk, desk.standingOf);
  const things = features.flatMap(feature => feature.things ?? []);
  const words = Object.fromEntries(things.flatMap(one => Object.entries(one.words ?? {})));
  const latestAlone = things.flatMap(one => one.latestAlone ?? []);
  const outbox = tellNotices({ ...desk, paces: deliver.paces }, words, latestAlone);
  const worker = { ...desk, changed: ({ team, person }: Owner) => desk.homes.ask({ team, person }) };
  const watch = workOnDueJobs(desk, desk);
  const ofFeatures = features.flatMap(({ name, things }) =>
    things?.work ? [[name, things.work(worker, desk)] as const] : [],
  );
  const workers: Readonly<Record<string, Loop>> = {
    ...{ watch, inbox: taker.watch(), homes, account: resumeAccount(desk) },
    retention: keepHistory(
      desk,
      desk,
      things.flatMap(({ kinds }) => kinds ?? []),
    ),
    ...Object.fromEntries(ofFeatures),
  };
  const all: Readonly<Record<string, Loop>> = { ...workers, deliver, outbox };
  return {
    wakeAll() {
      for (const loop of Object.values(all)) loop.wake();
    },
    keepPause: deliver.keepPause,
    hurryHomes: () => homes.hurry(),
    turns: () => Object.fromEntries(Object.entries(all).map(([name, loop]) => [name, loop.turnedAt()])),
    async stopWork() {
      await Promise.all(Object.values(workers).map(loop => loop.stop()));
    },
    async stopNews() {
      await Promise.all([deliver.stop(), outbox.stop()]);
    },
  };
}
