import { z } from 'zod';
import { textOf } from '../person.ts';
import type { Disk } from './disk.ts';
import { addresses, isWrite } from './faults.ts';
import type { Kernel } from './kernel.ts';
import { watchLeases } from './leaseOracle.ts';
import type { Exchange, Network } from './network.ts';
import { type Deed, passwordOf } from './people.ts';
import type { Plan } from './plan.ts';
import { watchSchedules } from './scheduleOracle.ts';
import { approvers, keys, type ServiceSide, type SlackSide } from './sides.ts';

/*
 * What must hold, whatever breaks. The oracles know the true state of the service and of Slack, what went over the wires
 * and what the store holds. They import nothing of how the bot works.
 */

/** Something that must not be. `invariant` is its name, which a planted defect and a kept plan name, too. */
export type Finding = Readonly<{ invariant: string; what: string; at: number }>;

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
  /** Whether nothing is left to be done or told. */
  isSettled(): boolean;
  atEnd(isSettled: boolean): void;
  found(invariant: string, what: string): void;
  hasFound(): boolean;
  findings(): readonly Finding[];
}>;

/** The states of a job in which nothing is sent any more, and the words of its card then. */
const endWords: Readonly<Record<string, string>> = {
  succeeded: 'Confirmed',
  finished: 'Finished, result not shown',
  failed: 'Failed',
  unconfirmed: 'Unconfirmed',
  denied: 'Denied',
  withdrawn: 'Withdrawn',
  expired: 'Expired',
  void: 'Approval void',
};
/** The states of a job whose request may be on its way. */
const underWay = new Set(['new', 'approved', 'sending', 'running']);
/** Nothing may ever have been sent for a job that ended so. */
const neverSent = new Set(['denied', 'withdrawn', 'expired', 'void']);

/** A row of a job, as far as it is looked at. */
const Job = z.object({
  id: z.string(),
  person: z.string(),
  operation: z.string(),
  inputs: z.string(),
  target: z.string(),
  state: z.string(),
  reason: z.string().nullable(),
  hold: z.string().nullable(),
  in_doubt: z.number(),
  claimed: z.string().nullable(),
  sent_at: z.number().nullable(),
  deadline_at: z.number().nullable(),
  created_at: z.number(),
  channel: z.string(),
  message_ts: z.string().nullable(),
  reply_ts: z.string().nullable(),
  revision: z.number(),
  shown: z.number(),
  tell_at: z.number().nullable(),
  tell_holder: z.string().nullable(),
  tell_locked_until: z.number(),
  digest: z.string().nullable(),
  plan: z.string().nullable(),
  schedule: z.string().nullable(),
  step: z.number().nullable(),
  steps: z.string().nullable(),
});
type Job = z.output<typeof Job>;

const jobColumns = Object.keys(Job.shape).join(', ');

/** A look that was under way at a sign-out reads on for so long at most, in milliseconds. Nothing is changed any more. */
const lastLook = 60_000;

/** A clock that is further off finds no lost post, in milliseconds. */
const mostOff = 600_000;

/** What a process holds at the end of a pause may be another one's for so long, in milliseconds. */
const aftereffect = 30_000;

/** Watches a world. */
export function judge(facts: Facts): Oracles {
  const { plan, kernel, disk, network, service, slack, cover } = facts;
  const findings: Finding[] = [];
  const told = new Set<string>();
  const found = (invariant: string, what: string) => {
    if (told.has(invariant + what)) return;
    told.add(invariant + what);
    findings.push({ invariant, what, at: Math.round(kernel.now()) });
  };
  const jobs = (): readonly Job[] =>
    disk.rows(`select ${jobColumns} from jobs order by created_at, id`).map(row => Job.parse(row));
  const states = new Map<string, string>();
  /** The sends of each request that changes something, by what makes it one request. */
  const writes = new Map<string, Exchange[]>();
  /** When each token was last taken from its person, by a sign-out that was kept. */
  const over = new Map<string, number>();
  const clicks: Readonly<{ at: number; action: string; person: string; job: string; digest: string }>[] = [];
  /** Since when each job waits for approval of what its digest covers. */
  const shownSince = new Map<string, number>();
  /** Who had each job for its message, and until when. */
  const holders = new Map<string, Readonly<{ holder: string; until: number }>>();
  /** The number of entries in the trail about each job. */
  const trailed = new Map<string, number>();
  const sendingSince = new Map<string, number>();
  /** How often a person let each job go on that had ended: each end has a reply of its own. */
  const revived = new Map<string, number>();
  const leases = watchLeases(facts, found);
  const schedules = watchSchedules(facts, found);
  let signedIn: ReadonlySet<string> = new Set();
  let isDirty = false;

  return {
    found,
    hasFound: () => findings.length > 0,
    findings: () => findings,
    sent(exchange) {
      leases.sent(exchange);
      if (exchange.url.hostname !== addresses.service) return;
      const token = exchange.headers.authorization?.replace('Bearer ', '') ?? '';
      const ended = over.get(token);
      // What was begun before the sign-out goes on: its request is on its way then.
      const begun =
        isWrite(exchange) &&
        jobs().some(job => job.state === 'sending' && (sendingSince.get(job.id) ?? 0) < (ended ?? 0));
      if (ended !== undefined && !begun && kernel.now() > ended + (isWrite(exchange) ? 0 : lastLook))
        found('14 signed out', `${exchange.method} ${exchange.url.pathname} runs with a sign-in that was ended`);
      if (!isWrite(exchange)) return;
      const key = keyOf(exchange);
      const before = writes.get(key) ?? [];
      const doubtful = before.find(one => !wasRefused(one));
      // A backup is asked for as often as somebody likes, of the same database.
      if (doubtful && before.filter(one => !wasRefused(one)).length >= mostOf(key))
        found('1 one write', `${key} is sent again, although the one before was ${doubtful.known}`);
      writes.set(key, [...before, exchange]);
      const stopped = endedBy(exchange);
      if (stopped !== undefined && leases.isLeased(stopped) && !stepOn(stopped)) leases.ends(exchange, stopped);
    },
    arrived(exchange) {
      if (exchange.url.hostname === addresses.service) {
        if (isWrite(exchange)) {
          checkGuarded(exchange);
          checkStep(exchange);
        }
      } else readClick(exchange);
    },
    committed() {
      isDirty = true;
    },
    happened() {
      if (!isDirty) return;
      isDirty = false;
      noteSignOuts();
      for (const job of jobs()) {
        const before = states.get(job.id);
        const held = holders.get(job.id);
        if (held && held.holder !== job.tell_holder && held.until > 0) cover('lock expired');
        if (job.tell_holder !== null) holders.set(job.id, { holder: job.tell_holder, until: job.tell_locked_until });
        const shown = `${job.id} ${job.digest}`;
        if (job.digest !== null && !shownSince.has(shown)) shownSince.set(shown, kernel.now());
        if (before === undefined && job.schedule !== null && job.plan === null) schedules.begun(job);
        if (before === job.state) continue;
        states.set(job.id, job.state);
        checkTrail(job, before);
        if (job.plan !== null) checkBegun(job);
        if (job.state === 'sending') sendingSince.set(job.id, kernel.now());
        cover(`step ${before ?? ''} → ${job.state}`);
        if (before !== undefined && before in endWords) revived.set(job.id, (revived.get(job.id) ?? 0) + 1);
        if (job.state in endWords) checkTruth(job);
        else if (job.in_doubt === 1) checkDoubt(job);
      }
    },
    isSettled: () =>
      jobs().every(job => isAtRest(job) && job.tell_at === null) &&
      usesLeft() === 0 &&
      noticesLeft() === 0 &&
      !leases.isBusy() &&
      !schedules.isBusy(),
    atEnd,
  };

  /** Notes whose sign-in is gone: with the tokens that they have, nothing runs any more (14). */
  function noteSignOuts(): void {
    const now = new Set(disk.rows('select person from credentials').map(({ person }) => String(person)));
    for (const person of signedIn.difference(now)) {
      const name = slack.slack.workspace.people.find(({ id }) => id === person)?.name;
      for (const [token, username] of service.tokens) if (username === name) over.set(token, kernel.now());
    }
    signedIn = now;
  }

  function usesLeft(): number {
    return Number(disk.rows('select count(*) as many from uses')[0]?.many ?? 0);
  }

  function noticesLeft(): number {
    const left = "select count(*) as many from due where kind = 'notice' and due_at is not null";
    return Number(disk.rows(left)[0]?.many ?? 0);
  }

  /** How many requests of this kind people have asked for. */
  function mostOf(key: string): number {
    if (key.startsWith('POST /database/clone/create')) return 1 + plan.acts.filter(({ act }) => act === 'renew').length;
    const back = plan.acts.filter(act => act.act === 'press lease' && act.button === 'Bring it back').length;
    // A clone that was brought back can be stopped again.
    if (key.startsWith('PUT /database/stop')) return 1 + back;
    if (key.startsWith('PUT /database/start')) return Math.max(1, back);
    const timed = plan.acts.find(
      act => act.act === 'schedule' && key === `PUT /database/sync ${service.idOf(act.record)}`,
    );
    if (timed && 'record' in timed) return jobs().filter(({ target }) => target === service.idOf(timed.record)).length;
    return (
      plan.acts.filter(act => act.act === 'back up' && key === `PUT /database/sync ${service.idOf(act.record)}`)
        .length || 1
    );
  }

  /** The step of a plan that is under way on a record. */
  function stepOn(target: string): Job | undefined {
    return jobs().find(job => job.plan !== null && job.target === target && underWay.has(job.state));
  }

  /** What comes before the sending of something that needs approval (4, 5), and what must not (6). */
  function checkGuarded(exchange: Exchange): void {
    const target = exchange.url.searchParams.get('input');
    // Of a clone whose lease ends, the policy's rule is the approval.
    if (!target) return;
    const step = stepOn(target);
    if (leases.isLeased(target) && !step) return;
    const all = jobs();
    const whole = step && all.find(({ id }) => id === step.plan);
    if (whole) {
      checkApproval(exchange, { ...whole, target });
      return;
    }
    const asked = all.filter(job => job.target === target && job.plan === null);
    const job = asked.findLast(one => underWay.has(one.state));
    const late = asked.find(one => neverSent.has(one.state));
    if (job) checkApproval(exchange, job);
    else if (late) found('6 nothing after the end', `${target} is deleted although its request is ${late.state}`);
    else found('4 approved', `${target} is deleted, and no request is under way that asks for it`);
  }

  /** Whether the step of a plan before this one was confirmed (15). */
  function checkStep(exchange: Exchange): void {
    const all = jobs();
    const job = all.find(one => one.plan !== null && one.state === 'sending' && requestOf(one) === keyOf(exchange));
    const before = job && all.find(one => one.plan === job.plan && one.step === (job.step ?? 0) - 1);
    if (job && job.step !== 0 && before?.state !== 'succeeded' && !wentOn(job))
      found('15 step by step', `${job.operation} of ${job.target} is sent while the step before is ${before?.state}`);
  }

  /** Whether a step may have begun as it did: its plan runs, the step before is confirmed, and nothing is begun twice (15). */
  function checkBegun(job: Job): void {
    if (job.state !== 'new' && job.state !== 'approved') return;
    const all = jobs();
    const whole = all.find(({ id }) => id === job.plan);
    const name = `${job.operation} of ${job.target}, step ${job.step},`;
    if (whole && neverSent.has(whole.state))
      found('15 step by step', `${name} is begun, and its plan is ${whole.state}`);
    if (wentOn(whole ?? job)) return;
    const own = all.filter(one => one.plan === job.plan);
    const before = own.find(one => one.step === (job.step ?? 0) - 1);
    if (job.step !== 0 && before?.state !== 'succeeded')
      found('15 step by step', `${name} is begun while the step before is ${before?.state}`);
    if (own.filter(({ step }) => step === job.step).length > 1) found('15 step by step', `${name} is begun twice`);
  }

  /** Whether the person of a plan let it go on after a step that was not confirmed. */
  function wentOn({ target, plan: whole }: Job): boolean {
    const targets = [target, ...jobs().flatMap(job => (job.id === whole ? job.target : []))];
    return facts.deeds().some(({ act }) => {
      const asked =
        act.act === 'press' && act.button === 'Go on from here' && plan.acts.find(({ id }) => id === act.of);
      if (!asked) return false;
      return asked.act === 'renew' || ('record' in asked && targets.includes(service.idOf(asked.record)));
    });
  }

  /** Whether a request was approved by another approver, as it was shown, and looked at again since. */
  function checkApproval(exchange: Exchange, job: Job): void {
    const { target } = job;
    const approval = clicks.findLast(
      ({ action, person, digest, ...click }) =>
        action === 'approval.approve' &&
        click.job === job.id &&
        digest === job.digest &&
        person !== job.person &&
        approvers.includes(person),
    );
    if (!approval) {
      found('4 approved', `${target} is deleted, and nobody else approved exactly that`);
      return;
    }
    const groupRead = network.exchanges.findLast(
      ({ url, arrivedAt, sentAt }) =>
        url.pathname.includes('usergroups.users') && arrivedAt !== undefined && sentAt < exchange.sentAt,
    )?.arrivedAt;
    const left = slack.left.get(approval.person);
    if (left !== undefined && left < (groupRead ?? 0))
      found('4 approved', `${target} is deleted, and whoever approved it is no approver any more`);
    const read = network.exchanges.findLast(
      one => isReadOf(one, target) && one.arrivedAt !== undefined && one.arrivedAt < exchange.sentAt,
    )?.arrivedAt;
    const changed = service.changes.get(target);
    const shown = shownSince.get(`${job.id} ${job.digest}`) ?? 0;
    if (read === undefined || read < approval.at)
      found('5 looked at again', `${target} is deleted, and was not read after its approval`);
    else if (changed !== undefined && changed < read && shown < changed)
      found('5 looked at again', `${target} is deleted although it changed after it was shown`);
  }

  /** Notes clicks on the buttons of requests as they reach a bot. */
  function readClick(exchange: Exchange): void {
    if (!exchange.url.pathname.endsWith('/slack/events')) return;
    const payload = new URLSearchParams(exchange.body).get('payload');
    const click = payload === null ? undefined : Click.safeParse(JSON.parse(payload)).data;
    const [action] = click?.actions ?? [];
    if (!click || !action) return;
    const seen = Seen.safeParse(parsed(action.value ?? '')).data;
    if (!seen) return;
    clicks.push({ at: kernel.now(), action: action.action_id, person: click.user.id, job: seen.j, digest: seen.d });
  }

  /** Whether the end of a job is true (7). */
  function checkTruth(job: Job): void {
    const truth = truthOf(job);
    if (job.state === 'succeeded' && truth === 'no')
      found('7 true ends', `${job.operation} of ${job.target} is confirmed, and it did not happen (${job.reason})`);
    if (job.state === 'failed' && truth === 'yes')
      found('7 true ends', `${job.operation} of ${job.target} is told as failed, and it happened (${job.reason})`);
    const wasSent = (writes.get(requestOf(job) ?? '') ?? []).some(one => !wasRefused(one));
    // Of a plan, what was under way when it was withdrawn goes on.
    if (neverSent.has(job.state) && wasSent && !isShared(job) && job.steps === null)
      found('6 nothing after the end', `${job.operation} of ${job.target} is ${job.state}, and was sent`);
  }

  /** Whether a change of state came with its entry in the trail (12). */
  function checkTrail(job: Job, before: string | undefined): void {
    const entries = Number(disk.rows('select count(*) as many from audit where job = ?', job.id)[0]?.many ?? 0);
    if (entries <= (trailed.get(job.id) ?? 0))
      found('12 the trail', `${job.operation} of ${job.target} went from ${before} to ${job.state} without an entry`);
    trailed.set(job.id, entries);
  }

  /** Whether a job that is told as interrupted was: by the death of the process that sent it, or by its pause (7). */
  function checkDoubt(job: Job): void {
    const sent = writes.get(requestOf(job) ?? '')?.at(-1);
    const wasPaused = sent !== undefined && sent.from.frozenUntil + aftereffect > sent.sentAt;
    const isWaitedFor = sent?.known === 'nothing' && sent.from.isUp && !wasPaused;
    if (!job.reason?.includes('was interrupted') || !isWaitedFor || isShared(job)) return;
    found(
      '7 true ends',
      `${job.operation} of ${job.target} is told as interrupted while its process waits for the answer`,
    );
  }

  /** Whether what a job asked for has happened: as the service knows it, of what only this job asks for. */
  function truthOf(job: Job): 'yes' | 'no' | 'untold' {
    const inputs = Inputs.parse(JSON.parse(job.inputs));
    const did = (operation: string, target: string) =>
      service.ends.some(end => end.operation === operation && end.target === target && end.isDone);
    if (job.operation === 'clone.create' && inputs.port !== undefined) {
      const made = service
        .records()
        .find(record => record.port === Number(inputs.port) && record.cloneType !== undefined);
      return made?.usable ? 'yes' : 'no';
    }
    if (job.operation.endsWith('delete')) {
      return service.records().some(({ id }) => id === job.target) ? 'no' : 'yes';
    }
    if (isShared(job)) return 'untold';
    if (job.operation === 'database.backup') return did('database/sync', job.target) ? 'yes' : 'no';
    if (isRestore(job)) return did('database/restore', job.target) ? 'yes' : 'no';
    return 'untold';
  }

  /** Whether several requests ask for the same. */
  function isShared(job: Job): boolean {
    return (
      plan.acts.filter(act => 'record' in act && act.act !== 'change' && service.idOf(act.record) === job.target)
        .length > 1
    );
  }

  function requestOf(job: Job): string | undefined {
    const inputs = Inputs.parse(JSON.parse(job.inputs));
    if (job.operation === 'clone.create') return `POST /database/clone/create port ${inputs.port}`;
    if (job.operation.endsWith('delete')) return `DELETE /database/delete ${job.target}`;
    if (job.operation.endsWith('database.backup')) return `PUT /database/sync ${job.target}`;
    if (isRestore(job)) return `POST /database/restore ${job.target}`;
    return undefined;
  }

  function atEnd(isSettled: boolean): void {
    if (findings.length > 0) return;
    const all = jobs();
    checkKept(all);
    checkMessages(all);
    checkSecrets();
    leases.atEnd();
    schedules.atEnd();
    if (isSettled) return;
    // What may never have arrived is looked for until its time is over, which is up to a day.
    const looked = all.filter(job => job.in_doubt === 1 && (job.deadline_at ?? 0) > kernel.now());
    for (const job of all) {
      if (looked.includes(job) || looked.some(step => step.plan === job.id)) continue;
      if (!isAtRest(job))
        found('10 all ends', `${job.operation} of ${job.target} is still ${job.state} (${job.reason})`);
      else if (job.tell_at !== null)
        found('10 all ends', `${job.operation} of ${job.target} is ${job.state} and is not told`);
    }
    if (noticesLeft() > 0) found('10 all ends', `${noticesLeft()} messages are not told`);
    if (usesLeft() > 0) found('10 all ends', `${usesLeft()} interactions are kept and not done`);
  }

  /** A closed form is a kept job, and one form makes one job (2, 3). */
  function checkKept(all: readonly Job[]): void {
    for (const { act, isTaken } of facts.deeds()) {
      const own = all.filter(job => isOf(job, act));
      const isAsked = ['clone', 'delete', 'restore', 'tear down'].includes(act.act);
      if (isAsked && own.length > 1) found('2 one job', `${act.act} ${act.id} made ${own.length} jobs`);
      if (isAsked && isTaken && own.length === 0)
        found('3 kept', `${act.act} ${act.id} was taken, and there is no job`);
    }
    for (const record of new Set(plan.acts.flatMap(act => (act.act === 'back up' ? [act.record] : [])))) {
      const asked = facts.deeds().filter(({ act }) => act.act === 'back up' && act.record === record);
      const own = all.filter(job => job.operation === 'database.backup' && job.target === service.idOf(record));
      const answered = asked.filter(deed => isAnswered(deed)).length;
      if (own.length > asked.length) found('2 one job', `${asked.length} backups of ${record} made ${own.length} jobs`);
      if (own.length + answered < asked.filter(({ isTaken }) => isTaken).length)
        found(
          '3 kept',
          `backups of ${record} were acknowledged, and there are ${own.length} jobs and ${answered} answers`,
        );
    }
  }

  /** Whether a person was told something after a deed of theirs. */
  function isAnswered({ act, beganAt }: Deed): boolean {
    const name = 'who' in act ? act.who.toLowerCase() : '';
    const person = slack.slack.workspace.people.find(one => one.name === name)?.id;
    return messages().some(({ ts, onlyFor }) => onlyFor === person && Number(ts) * 1_000 >= beganAt);
  }

  function isOf(job: Job, act: Deed['act']): boolean {
    if (job.plan !== null) return false;
    if (act.act === 'tear down') return job.operation.endsWith('teardown') && job.target === service.idOf(act.record);
    if (act.act === 'clone' && job.operation !== 'clone.create') return false;
    if (act.act === 'clone') return Inputs.parse(JSON.parse(job.inputs)).port === act.port;
    if (act.act === 'delete') return job.operation.endsWith('delete') && job.target === service.idOf(act.record);
    if (act.act === 'restore') return isRestore(job) && job.plan === null && job.target === service.idOf(act.record);
    return false;
  }

  function messages() {
    return slack.slack.workspace.channels.flatMap(({ id }) => slack.slack.messages.list(id));
  }

  /** One card and one reply for each job, and the card says its end (8, 9). */
  function checkMessages(all: readonly Job[]): void {
    const parts = new Map<string, Posted[]>();
    for (const message of messages().toSorted((one, other) => Number(one.ts) - Number(other.ts))) {
      const about = Metadata.safeParse(message.metadata).data?.event_payload;
      if (!about) continue;
      const key = `${about.job} ${about.part}`;
      parts.set(key, [...(parts.get(key) ?? []), { text: textOf(message), channel: message.channel }]);
    }
    // A lost post is looked for among what Slack took within minutes of the time at which it began.
    const isFarOff = plan.faults.some(fault => fault.fault === 'clock' && Math.abs(fault.by) > mostOff);
    for (const [key, posted] of parts) {
      const twice = key.endsWith(' notice') && !isFarOff ? inOnePlace(posted, 1) : undefined;
      if (twice) found('8 told once', `a message stands twice in ${twice.channel}: ${twice.text.slice(0, 100)}`);
    }
    for (const job of all) {
      const name = `${job.operation} of ${job.target}, which is ${job.state},`;
      const [cards = [], replies = []] = ['card', 'reply'].map(part => parts.get(`${job.id} ${part}`) ?? []);
      // A channel that Slack says is closed to Dolly keeps its card, and the person gets another one.
      const mostReplies = 1 + (revived.get(job.id) ?? 0);
      const twice = inOnePlace(cards, 1) ?? inOnePlace(replies, mostReplies);
      if (twice) found('8 told once', `${name} has two messages in ${twice.channel}: ${twice.text.slice(0, 100)}`);
      const word = endWords[job.state];
      const newest = cards.at(-1);
      if (word === undefined || !newest) continue;
      if (replies.length === 0) found('8 told once', `${name} has a card and no reply`);
      // A plan says how its steps ended, in its own words.
      const isSaid = job.steps === null ? newest.text.includes(word) : !newest.text.startsWith(':hourglass');
      if (!isSaid) found('9 the card says the end', `${name} has a card that says: ${newest.text.slice(0, 200)}`);
    }
  }

  /** No secret stands where somebody could read it (13). */
  function checkSecrets(): void {
    const passwords = plan.acts.flatMap(act => (act.act === 'sign in' ? [passwordOf(act.as)] : []));
    const secrets = [...new Set([...service.tokens.keys(), ...passwords, keys.TOKEN_KEYS, keys.SLACK_SIGNING_SECRET])];
    const store = disk.bytes().toString('latin1');
    const log = facts.log.join('\n');
    const said = JSON.stringify(messages());
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

  function wasRefused({ known, answer }: Exchange): boolean {
    if (known === 'unsent') return true;
    if (known !== 'answered' || !answer) return false;
    // 500 and what a proxy says may come after the work was done.
    return (
      (answer.status >= 400 && answer.status < 500 && answer.status !== 408) ||
      answer.status === 503 ||
      isError(answer.body)
    );
  }
}

type Posted = Readonly<{ text: string; channel: string }>;

/** One of more messages than there may be in one channel. */
function inOnePlace(messages: readonly Posted[], most: number): Posted | undefined {
  return messages.find(one => messages.filter(({ channel }) => channel === one.channel).length > most);
}

const isRestore = ({ operation }: Job) => operation.includes('restore');
const isError = (body: string) => /"status":"?(ERROR|FAILED)/i.test(body) || /ERROR_RESULT/.test(body);

/** A job that has ended, or that waits for people. */
function isAtRest({ state, hold }: Job): boolean {
  return state in endWords || state === 'awaiting' || hold === 'sign-in';
}

const Click = z.object({
  type: z.literal('block_actions'),
  user: z.object({ id: z.string() }),
  actions: z.array(z.object({ action_id: z.string(), value: z.string().optional() })),
});
const Seen = z.object({ j: z.string(), d: z.string() });
const Metadata = z.object({ event_payload: z.object({ job: z.string(), part: z.string() }) });
const Inputs = z.looseObject({ port: z.number().optional() });

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** What makes a request that changes something one request: its kind, and what no other act of the plan names. */
function keyOf({ method, url, body }: Exchange): string {
  const path = url.pathname.replace('/service', '');
  const given = parsed(body);
  const fields = z.looseObject({ port: z.number().optional(), database: z.string().optional() }).safeParse(given).data;
  const about = url.searchParams.get('input') ?? (fields?.port ? `port ${fields.port}` : fields?.database) ?? body;
  return `${method} ${path} ${about}`;
}

/** The record that a request stops or deletes. */
function endedBy({ method, url, body }: Exchange): string | undefined {
  if (method === 'DELETE' && url.pathname.endsWith('/database/delete'))
    return url.searchParams.get('input') ?? undefined;
  return url.pathname.endsWith('/database/stop') ? body : undefined;
}

function isReadOf({ method, url }: Exchange, id: string): boolean {
  return method === 'GET' && (url.pathname.endsWith('/database/list') || url.pathname.endsWith(`/database/${id}`));
}
