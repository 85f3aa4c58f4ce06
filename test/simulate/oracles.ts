import { minute } from '../../src/ground/durations.ts';
import { stepOn, watchApprovals } from './approvalOracle.ts';
import type { Disk } from './disk.ts';
import { addresses, goesBack, isWrite } from './faults.ts';
import { watchFlows } from './flowOracle.ts';
import { endWords, isAtRest, type Job, jobsIn, neverSent } from './jobRows.ts';
import { checkKept } from './keptOracle.ts';
import type { Kernel } from './kernel.ts';
import { watchLeases } from './leaseOracle.ts';
import { checkMessages, checkSecrets } from './messageOracle.ts';
import type { Exchange, Network } from './network.ts';
import type { Deed } from './people.ts';
import type { Plan } from './plan.ts';
import { endedBy, keyOf, wasRefused } from './requests.ts';
import { watchSchedules } from './scheduleOracle.ts';
import type { ServiceSide, SlackSide } from './sides.ts';
import { watchSignOuts } from './signOutOracle.ts';
import { checkStanding } from './standingOracle.ts';
import { watchSteps } from './stepOracle.ts';
import { watchStates } from './thingStates.ts';
import { watchTogether } from './togetherOracle.ts';
import { watchTruth } from './truthOracle.ts';

/*
 * What must hold, whatever breaks. The oracles know the true state of the service and of Slack, what went over the wires
 * and what the store holds. They import nothing of how the bot works. Each part of it has a file of its own.
 */

/** Something that must not be. `invariant` is its name, which a planted defect and a kept plan name, too. */
export type Finding = Readonly<{ invariant: string; what: string; at: number }>;

/** Hears of something that must not be. */
export type Found = (invariant: string, what: string) => void;

/** The facts that the oracles judge by. */
export type Facts = Readonly<{
  plan: Plan;
  kernel: Kernel;
  disk: Disk;
  network: Network;
  slack: SlackSide;
  service: ServiceSide;
  cover(what: string): void;
  deeds(): readonly Deed[];
  log: readonly string[];
}>;

export type Oracles = Readonly<{
  sent(exchange: Exchange): void;
  arrived(exchange: Exchange): void;
  committed(): void;
  happened(): void;
  /** The store has gone back: what it knew since then is gone, and nobody changed it. */
  wentBack(): void;
  /** Whether nothing is left to be done or told. */
  isSettled(): boolean;
  atEnd(isSettled: boolean): void;
  found: Found;
  hasFound(): boolean;
  findings(): readonly Finding[];
}>;

/** Watches a world. */
export function judge(facts: Facts): Oracles {
  const { plan, kernel, disk, service, cover } = facts;
  const findings: Finding[] = [];
  const told = new Set<string>();
  const found: Found = (invariant, what) => {
    if (told.has(invariant + what)) return;
    told.add(invariant + what);
    findings.push({ invariant, what, at: Math.round(kernel.now()) });
  };
  const jobs = () => jobsIn(disk);
  const states = new Map<string, string>();
  /** The sends of each request that changes something, by what makes it one request. */
  const writes = new Map<string, Exchange[]>();
  /** Who had each job for its message, and until when. */
  const holders = new Map<string, Readonly<{ holder: string; until: number }>>();
  /** The number of entries in the trail about each job. */
  const trailed = new Map<string, number>();
  /** How often a person let each job go on that had ended: each end has a reply of its own. */
  const revived = new Map<string, number>();
  /** The jobs that ended without being sent. */
  const forbidden = new Set<string>();
  const leases = watchLeases(facts, found);
  const schedules = watchSchedules(facts, found);
  const signOuts = watchSignOuts(facts, { jobs, found });
  const approvals = watchApprovals(facts, { jobs, leases, found });
  const steps = watchSteps(facts, { jobs, found });
  const flows = watchFlows(facts, { jobs, found });
  const truth = watchTruth(facts, { jobs, writes, found });
  const together = watchTogether(facts, { jobs, found });
  const things = watchStates(disk, cover);
  let isDirty = false;

  return {
    found,
    hasFound: () => findings.length > 0,
    findings: () => findings,
    sent(exchange) {
      leases.sent(exchange);
      signOuts.sent(exchange);
      flows.sent(exchange);
      if (exchange.url.hostname !== addresses.service || !isWrite(exchange)) return;
      const key = keyOf(exchange);
      const before = writes.get(key) ?? [];
      const doubtful = before.find(one => !wasRefused(one));
      // A backup is asked for as often as somebody likes, of the same database.
      if (doubtful && before.filter(one => !wasRefused(one)).length >= mostOf(key))
        found('1 one write', `${key} is sent again, although the one before was ${doubtful.known}`);
      writes.set(key, [...before, exchange]);
      const stopped = endedBy(exchange);
      if (stopped !== undefined && leases.isLeased(stopped) && !stepOn(jobs(), stopped)) leases.ends(exchange, stopped);
    },
    arrived(exchange) {
      if (exchange.url.hostname !== addresses.service) approvals.clicked(exchange);
      else if (isWrite(exchange)) {
        approvals.arrived(exchange);
        steps.arrived(exchange);
      }
    },
    committed() {
      isDirty = true;
    },
    happened() {
      if (!isDirty) return;
      isDirty = false;
      signOuts.committed();
      things.committed();
      for (const job of jobs()) {
        const before = states.get(job.id);
        const held = holders.get(job.id);
        if (held && held.holder !== job.tell_holder && held.until > 0) cover('lock expired');
        if (job.tell_holder !== null) holders.set(job.id, { holder: job.tell_holder, until: job.tell_locked_until });
        approvals.seen(job);
        if (before === undefined && job.schedule !== null && job.plan === null) schedules.begun(job);
        if (before !== job.state) moved(job, before);
      }
    },
    wentBack() {
      signOuts.wentBack();
      for (const known of [states, trailed, holders]) known.clear();
      for (const { id, state } of jobs()) {
        states.set(id, state);
        trailed.set(id, entriesAbout(id));
      }
    },
    isSettled: () =>
      jobs().every(job => isAtRest(job) && job.tell_at === null) &&
      interactionsLeft() === 0 &&
      noticesLeft() === 0 &&
      !leases.isBusy() &&
      !schedules.isBusy() &&
      !flows.isBusy() &&
      !together.isBusy(),
    atEnd,
  };

  function moved(job: Job, before: string | undefined): void {
    states.set(job.id, job.state);
    checkTrail(job, before);
    if (job.plan !== null) steps.moved(job);
    if (neverSent.has(job.state)) forbidden.add(job.id);
    if (job.state === 'sending') {
      // Also where the store went back to before that; who restores a backup is told to look.
      if (forbidden.has(job.id) && !goesBack(plan, 'restored'))
        found('6 nothing after the end', `${job.operation} of ${job.target} is sent after it was ended unsent`);
      signOuts.sending(job);
      approvals.sending(job);
    }
    cover(`step ${before ?? ''} → ${job.state}`);
    if (before !== undefined && before in endWords) revived.set(job.id, (revived.get(job.id) ?? 0) + 1);
    truth.moved(job);
    flows.moved(job, before);
  }

  function interactionsLeft(): number {
    return Number(disk.rows('select count(*) as many from inbox')[0]?.many ?? 0);
  }

  function noticesLeft(): number {
    const left = "select count(*) as many from due where kind = 'notice' and due_at is not null";
    return Number(disk.rows(left)[0]?.many ?? 0);
  }

  /** How many requests of this kind people have asked for. */
  function mostOf(key: string): number {
    if (key.startsWith('POST /database/clone/create'))
      return 1 + plan.acts.filter(({ act }) => act === 'renew' || act === 'run step').length;
    const back = plan.acts.filter(act => act.act === 'press lease' && act.button === 'Bring it back').length;
    // A clone that was brought back can be stopped again.
    if (key.startsWith('PUT /database/stop')) return 1 + back;
    if (key.startsWith('PUT /database/start')) return Math.max(1, back);
    const timed = plan.acts.find(
      act => act.act === 'schedule' && key === `PUT /database/sync ${service.idOf(act.record)}`,
    );
    // Of some runs, a backup that was put back knows nothing.
    if (timed && goesBack(plan, 'restored')) return Number.POSITIVE_INFINITY;
    if (timed && 'record' in timed) return jobs().filter(({ target }) => target === service.idOf(timed.record)).length;
    return (
      plan.acts.filter(
        act =>
          (act.act === 'back up' || act.act === 'run step') && key === `PUT /database/sync ${service.idOf(act.record)}`,
      ).length || 1
    );
  }

  function entriesAbout(job: string): number {
    return Number(disk.rows('select count(*) as many from audit where job = ?', job)[0]?.many ?? 0);
  }

  /** Whether a change of state came with its entry in the trail (12). */
  function checkTrail(job: Job, before: string | undefined): void {
    const entries = entriesAbout(job.id);
    if (entries <= (trailed.get(job.id) ?? 0))
      found('12 the trail', `${job.operation} of ${job.target} went from ${before} to ${job.state} without an entry`);
    trailed.set(job.id, entries);
  }

  function atEnd(isSettled: boolean): void {
    if (findings.length > 0) return;
    const all = jobs();
    checkKept(facts, all, found);
    checkMessages(facts, { all, revived, found });
    checkSecrets(facts, found);
    checkStanding(facts, found);
    together.atEnd();
    leases.atEnd();
    schedules.atEnd();
    flows.atEnd();
    if (isSettled) return;
    // What may never have arrived is looked for until its time is over, which is up to a day. So is what came after a job
    // of the same work that ended unconfirmed: what is there may be that one's, late. In another dialect, a record may not show
    // whose work it was.
    const followsLate = ({ id, operation, target }: Job) =>
      all.some(
        one => one.id !== id && one.operation === operation && one.target === target && one.state === 'unconfirmed',
      );
    const looked = all.filter(
      job =>
        (plan.dialect !== undefined || job.no_answer !== null || followsLate(job)) &&
        (job.deadline_at ?? 0) > kernel.now(),
    );
    for (const job of all) {
      const isHeld = all.some(step => step.plan === job.id && step.hold === 'sign-in');
      // The calendar begins runs until the very end of the world.
      const isFresh = job.schedule !== null && kernel.now() - job.created_at < minute;
      if (isHeld || isFresh || looked.includes(job) || looked.some(step => step.plan === job.id)) continue;
      if (!isAtRest(job))
        found('10 all ends', `${job.operation} of ${job.target} is still ${job.state} (${job.reason})`);
      else if (job.tell_at !== null)
        found('10 all ends', `${job.operation} of ${job.target} is ${job.state} and is not told`);
    }
    if (noticesLeft() > 0) found('10 all ends', `${noticesLeft()} messages are not told`);
    if (interactionsLeft() > 0) found('10 all ends', `${interactionsLeft()} interactions are kept and not done`);
  }
}
