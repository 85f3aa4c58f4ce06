import { minute } from '../../src/ground/durations.ts';
import { watchAnswers } from './answerOracle.ts';
import { stepOn, watchApprovals } from './approvalOracle.ts';
import { watchBrake } from './brakeOracle.ts';
import { watchCauses } from './causeOracle.ts';
import { watchClaims } from './claimOracle.ts';
import type { Disk } from './disk.ts';
import { doorOf, doorsOf } from './doors.ts';
import { watchDue } from './dueOracle.ts';
import { addresses, goesBack, isWrite } from './faults.ts';
import { watchFlows } from './flowOracle.ts';
import { type Inbound, inboundOf } from './inbound.ts';
import { endWords, isAtRest, isBatch, type Job, jobsIn, neverSent, requestOf } from './jobRows.ts';
import { checkKept } from './keptOracle.ts';
import type { Kernel } from './kernel.ts';
import { watchLeases } from './leaseOracle.ts';
import { type Logins, watchLogins } from './logins.ts';
import { checkMessages, checkSecrets } from './messageOracle.ts';
import type { Exchange, Network } from './network.ts';
import type { Deed } from './people.ts';
import type { Plan } from './plan.ts';
import { endedBy, keyOf, wasRefused } from './requests.ts';
import { watchSchedules } from './scheduleOracle.ts';
import { checkSeen } from './seenOracle.ts';
import type { ServiceSide, SlackSide } from './sides.ts';
import { watchSignOuts } from './signOutOracle.ts';
import { checkRefused, checkStanding } from './standingOracle.ts';
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
  logins: Logins;
  /** Whether nothing has been broken since a time, or between two. */
  calm(since: number, until?: number): boolean;
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
export function judge(given: Omit<Facts, 'logins'>): Oracles {
  const logins = watchLogins(given);
  const facts: Facts = { ...given, logins };
  const { plan, kernel, disk, cover } = facts;
  const findings: Finding[] = [];
  const told = new Set<string>();
  const found: Found = (invariant, what) => {
    if (told.has(invariant + what)) return;
    told.add(invariant + what);
    findings.push({ invariant, what, at: Math.round(kernel.now()) });
  };
  const jobs = () => jobsIn(disk);
  const count = (among: string, ...values: readonly string[]) =>
    Number(disk.rows(`select count(*) as many from ${among}`, ...values)[0]?.many ?? 0);
  const interactionsLeft = () => count('inbox');
  const noticesLeft = () => count("due where kind = 'notice' and due_at is not null");
  const entriesAbout = (job: string) => count('audit where job = ?', job);
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
  const answers = watchAnswers(facts, found);
  const causes = watchCauses(facts, found);
  const claims = watchClaims(facts, found);
  const due = watchDue(facts, found);
  const brake = watchBrake(facts, { leases, found });
  /** Whether another person is signed in as a user, too. */
  const isAnothers = (person: string, username: string) =>
    disk.rows('select person from credentials where username = ? and person != ?', username, person).length > 0;
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
      if (doubtful && before.filter(one => !wasRefused(one)).length >= mostOf(key))
        found('1 one write', `${key} is sent again, although the one before was ${doubtful.known}`);
      writes.set(key, [...before, exchange]);
      const stopped = endedBy(exchange);
      if (stopped !== undefined && leases.isLeased(stopped) && !stepOn(jobs(), stopped)) leases.ends(exchange, stopped);
    },
    arrived(exchange) {
      const inbound = inboundOf(exchange);
      if (inbound) came(inbound);
      else if (exchange.url.hostname === addresses.service && isWrite(exchange)) {
        approvals.arrived(exchange);
        steps.arrived(exchange);
      }
    },
    committed() {
      isDirty = true;
    },
    happened() {
      due.happened();
      if (!isDirty) return;
      isDirty = false;
      const changed = logins.committed();
      signOuts.changed(changed);
      for (const { person, username } of changed.in)
        if (isAnothers(person, username)) cover(doorOf('another Slack account of one person'));
      things.committed();
      claims.committed();
      answers.committed();
      causes.committed();
      for (const job of jobs()) {
        const before = states.get(job.id);
        const held = holders.get(job.id);
        if (held && held.holder !== job.tell_holder && held.until > 0) cover('lock expired');
        if (job.tell_holder !== null) holders.set(job.id, { holder: job.tell_holder, until: job.tell_locked_until });
        approvals.seen(job);
        brake.seen(job);
        if (before === undefined && job.schedule !== null && job.plan === null) schedules.begun(job);
        if (before !== job.state) moved(job, before);
      }
    },
    wentBack() {
      // Whoever stands as signed in there again has not signed in.
      logins.committed();
      signOuts.wentBack();
      causes.wentBack();
      claims.wentBack();
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

  function came(inbound: Inbound): void {
    for (const door of doorsOf(inbound)) cover(door);
    approvals.clicked(inbound);
    steps.clicked(inbound);
    causes.came(inbound);
    together.clicked(inbound);
  }

  function moved(job: Job, before: string | undefined): void {
    states.set(job.id, job.state);
    checkTrail(job, before);
    if (before === undefined) {
      causes.begun(job);
      answers.begun(job);
    }
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
    if (before === undefined && job.plan !== null) cover(doorOf('a step of a plan'));
    if (before === 'approved' && job.steps !== null) cover(doorOf('the begin of an approved plan'));
    if (before !== undefined && before in endWords) revived.set(job.id, (revived.get(job.id) ?? 0) + 1);
    truth.moved(job);
    flows.moved(job, before);
    brake.moved(job, before);
    together.moved(job);
  }

  /** How many jobs that were sent ask for this: each is sent once. */
  function mostOf(key: string): number {
    const own = jobs().filter(job => job.sent_at !== null && requestOf(job) === key);
    // Of some runs of a schedule, a backup that was put back knows nothing.
    if (goesBack(plan, 'restored') && own.some(({ schedule }) => schedule !== null)) return Number.POSITIVE_INFINITY;
    return own.length || 1;
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
    answers.atEnd();
    causes.atEnd();
    truth.atEnd();
    checkMessages(facts, { all, revived, found });
    checkSecrets(facts, found);
    checkStanding(facts, found);
    checkRefused(facts, found);
    checkSeen(facts, found);
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
    // Nobody can stop looking for one job of a batch, as people do for others.
    const isOfBatch = ({ plan: whole }: Job) => all.some(({ id, operation }) => id === whole && isBatch(operation));
    const looked = all.filter(
      job =>
        (plan.dialect !== undefined || job.no_answer !== null || followsLate(job) || isOfBatch(job)) &&
        (job.deadline_at ?? 0) > kernel.now(),
    );
    const isBraked = disk.rows("select id from things where kind = 'brake' and state = 'on'").length > 0;
    for (const job of all) {
      // What goes by itself waits as long as the brake is on, and so does what it is a part of.
      if (isBraked && (job.plan !== null || job.steps !== null || job.schedule !== null)) continue;
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
