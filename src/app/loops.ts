import { resumeAccount } from '../jobs/account/resumeAccount.ts';
import { workOnAlerts } from '../jobs/alerts/workOnAlerts.ts';
import { workOnDueJobs } from '../jobs/dueJobs.ts';
import { workOnLeases } from '../jobs/leases/workOnLeases.ts';
import { keepHistory } from '../jobs/retention.ts';
import { workOnSchedules } from '../jobs/schedules/workOnSchedules.ts';
import type { Desk } from '../slack/desk/desk.ts';
import { keepHomes } from '../slack/home/home.ts';
import { deliver as deliverNews } from '../slack/messages/delivery.ts';
import { tellNotices } from '../slack/messages/notices.ts';
import type { Taker } from '../slack/uses/keptUses.ts';
import { workOnExecutions } from '../slack/workflows/workOnExecutions.ts';
import type { Pause } from '../store/drivers/replicas.ts';
import type { Owner } from '../store/vault.ts';

type LoopName =
  | 'watch'
  | 'uses'
  | 'homes'
  | 'leases'
  | 'schedules'
  | 'steps'
  | 'account'
  | 'alerts'
  | 'retention'
  | 'deliver'
  | 'notices';

/** The time of each loop's last turn that went well, by the steady clock. `/readyz` has the loops by these names. */
export type LoopTurns = Readonly<Record<LoopName, number | undefined>>;

/** The turns of loops that have not begun. */
export const noTurns: LoopTurns = {
  watch: undefined,
  uses: undefined,
  homes: undefined,
  leases: undefined,
  schedules: undefined,
  steps: undefined,
  account: undefined,
  alerts: undefined,
  retention: undefined,
  deliver: undefined,
  notices: undefined,
};

/** The loops that do by themselves the work that is due in the store. */
export type Loops = Readonly<{
  /** Wakes every loop, since anything may be due. */
  wakeAll(): void;
  /** Keeps a pause that Slack asked of another process. */
  keepPause(pause: Pause): void;
  /** Wakes the work on jobs, since one may be due. */
  wakeWork(): void;
  /** Wakes the loops that tell people the news. */
  wakeNews(): void;
  /** Publishes App Home at once for people who have just opened it. */
  hurryHomes(): void;
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
export function startLoops(desk: Desk, taker: Taker): Loops {
  const homes = keepHomes(desk);
  const deliver = deliverNews(desk);
  const notices = tellNotices({ ...desk, posts: deliver.posts, updates: deliver.updates });
  const changed = ({ team, person }: Owner) => desk.homes.ask({ team, person });
  const workers = {
    watch: workOnDueJobs(desk),
    uses: taker.watch(),
    homes,
    leases: workOnLeases({ ...desk, changed }),
    schedules: workOnSchedules({ ...desk, changed }),
    steps: workOnExecutions({ ...desk, changed }),
    account: resumeAccount(desk),
    alerts: workOnAlerts(desk),
    retention: keepHistory(desk, desk),
  };
  const all = { ...workers, deliver, notices };
  return {
    wakeAll() {
      for (const loop of Object.values(all)) loop.wake();
    },
    keepPause: deliver.keepPause,
    wakeWork() {
      all.watch.wake();
      all.leases.wake();
      all.schedules.wake();
      all.steps.wake();
      all.alerts.wake();
    },
    wakeNews() {
      deliver.wake();
      notices.wake();
      homes.wake();
    },
    hurryHomes: () => homes.hurry(),
    turns: () => ({
      watch: all.watch.turnedAt(),
      uses: all.uses.turnedAt(),
      homes: homes.turnedAt(),
      leases: all.leases.turnedAt(),
      schedules: all.schedules.turnedAt(),
      steps: all.steps.turnedAt(),
      account: all.account.turnedAt(),
      alerts: all.alerts.turnedAt(),
      retention: all.retention.turnedAt(),
      deliver: deliver.turnedAt(),
      notices: notices.turnedAt(),
    }),
    async stopWork() {
      await Promise.all(Object.values(workers).map(loop => loop.stop()));
    },
    async stopNews() {
      await Promise.all([deliver.stop(), notices.stop()]);
    },
  };
}
