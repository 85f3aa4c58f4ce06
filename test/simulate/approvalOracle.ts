import { z } from 'zod';
import type { Inbound } from './inbound.ts';
import { type Job, neverSent, underWay } from './jobRows.ts';
import type { LeaseOracle } from './leaseOracle.ts';
import type { Exchange } from './network.ts';
import type { Facts, Found } from './oracles.ts';
import { isReadOf, parsed } from './requests.ts';
import { approversOf } from './sides.ts';

/*
 * What must hold of deletions: another approver approved exactly what was shown (4), it was looked at again since (5), and
 * nothing is sent of what was denied or withdrawn (6).
 */

const Decisions = z.array(z.looseObject({ person: z.string(), at: z.number() }));
/** What comes to a bot is done within this time, mostly, in milliseconds. */
const soon = 3_000;

/** What is seen of approvals. */
export type ApprovalOracle = Readonly<{
  /** A request that changes something has arrived at the service. */
  arrived(exchange: Exchange): void;
  /** Something has come to a bot. */
  clicked(inbound: Inbound): void;
  /** A job has changed. */
  seen(job: Job): void;
  /** A job is being sent from now on. */
  sending(job: Job): void;
}>;

const Seen = z.object({ j: z.string(), d: z.string() });

/** A process looks at its target within this time before it deletes it, in milliseconds: a service may be slow. */
const looksFor = 15_000;

/** The operations of the requests by which others approve what runs with the service account. */
const requestsForAccount = new Set(['schedule.approve', 'workflow.approve']);

/** Watches the approvals of a world. */
export function watchApprovals(
  {
    plan,
    kernel,
    network,
    service,
    slack,
    logins,
  }: Pick<Facts, 'plan' | 'kernel' | 'network' | 'service' | 'slack' | 'logins'>,
  { jobs, leases, found }: Readonly<{ jobs(): readonly Job[]; leases: LeaseOracle; found: Found }>,
): ApprovalOracle {
  const approvers = approversOf(plan);
  /** Those who broke the glass. */
  const glass = new Set<string>();
  const clicks: Readonly<{
    at: number;
    action: string;
    person: string;
    job: string;
    digest: string;
  }>[] = [];
  /** Since when each job waits for approval of what its digest covers. */
  const shownSince = new Map<string, number>();

  return {
    arrived: checkGuarded,
    clicked: readClick,
    sending: checkAccount,
    seen({ id, digest }) {
      const shown = `${id} ${digest}`;
      if (digest !== null && !shownSince.has(shown)) shownSince.set(shown, kernel.now());
    },
  };

  /** What comes before the sending of something that needs approval (4, 5), and what must not (6). */
  function checkGuarded(exchange: Exchange): void {
    const target = exchange.url.searchParams.get('input');
    // Of a clone whose lease ends, the policy's rule is the approval.
    if (!target) return;
    const step = stepOn(jobs(), target);
    if (leases.isLeased(target) && !step) return;
    const all = jobs();
    const whole = step && all.find(({ id }) => id === step.plan);
    if (whole) {
      checkApproval(exchange, { ...whole, target });
      const isFirst = !all.some(one => one.plan === whole.id && one.id !== step.id && one.sent_at !== null);
      // Before its first deletion, all that a plan deletes is read again: its own target comes last.
      if (isFirst) checkUnchanged(exchange, whole, 0);
      return;
    }
    const asked = all.filter(job => job.target === target && job.plan === null);
    const job = asked.findLast(one => underWay.has(one.state));
    const late = asked.find(one => neverSent.has(one.state));
    if (job) checkApproval(exchange, job);
    else if (late) found('6 nothing after the end', `${target} is deleted although its request is ${late.state}`);
    else found('4 approved', `${target} is deleted, and no request is under way that asks for it`);
  }

  /** Whether others approved that something runs with the service account: its schedule, or its workflow. */
  function checkAccount({ target, operation, runs_as, plan }: Job): void {
    if (runs_as !== 'service') return;
    const all = jobs();
    const asked = all.find(({ id }) => id === plan)?.target ?? target;
    const requests = all.filter(job => requestsForAccount.has(job.operation) && job.target === asked);
    if (!requests.some(job => approvalsOf(job).length > 0))
      found('4 approved', `${operation} of ${target} runs with the service account, and nobody else approved that`);
  }

  /** The approvals of a job, as it was shown, by other approvers, the first one first. */
  function approvalsOf(job: Job) {
    return clicks.filter(
      ({ action, person, digest, ...click }) =>
        action === 'approval.approve' &&
        click.job === job.id &&
        digest === job.digest &&
        person !== job.person &&
        approvers.includes(person),
    );
  }

  /** Whether a request was approved by enough other humans, as it was shown, and looked at again since. */
  function checkApproval(exchange: Exchange, job: Job): void {
    const { target } = job;
    // Whoever may break the glass needs nobody else.
    if (plan.tour === 'leases' && glass.has(job.person)) return;
    const runsAs = service.tokens.get((exchange.headers.authorization ?? '').replace('Bearer ', ''));
    const groupRead = network.exchanges.findLast(
      ({ url, arrivedAt, sentAt }) =>
        url.pathname.includes('usergroups.users') && arrivedAt !== undefined && sentAt < exchange.sentAt,
    )?.arrivedAt;
    // A click that was kept is done when it can be, by whoever its person is then.
    const usersOf = (person: string, at: number) => {
      const until = Decisions.parse(JSON.parse(job.decisions ?? '[]')).find(one => one.person === person)?.at;
      const logged = logins.around(person, at, Math.max(at + soon, until ?? 0));
      return logged.filter(login => login !== runsAs);
    };
    /** One human is one user of the service. Whoever left the group before it was read is no approver any more. */
    const given = approvalsOf(job).filter(
      ({ at, person }) =>
        usersOf(person, at).length > 0 && (slack.left.get(person) ?? Number.POSITIVE_INFINITY) >= (groupRead ?? 0),
    );
    const [users, people] = [new Set<string>(), new Set<string>()];
    const last = given.find(({ at, person }) => {
      people.add(person);
      for (const login of usersOf(person, at)) users.add(login);
      return Math.min(people.size, users.size) >= (plan.approvals ?? 1);
    });
    if (last) checkUnchanged(exchange, job, last.at);
    else
      found(
        '4 approved',
        `${target} is deleted as ${runsAs}, and exactly that is approved by ${[...users].join(', ') || 'nobody else'}`,
      );
  }

  /** Whether a target was looked at again after its approval, and was as it was shown. */
  function checkUnchanged(exchange: Exchange, { id, digest, target }: Job, approvedAt: number): void {
    const reads = network.exchanges.filter(
      one => isReadOf(one, target) && one.arrivedAt !== undefined && one.arrivedAt < exchange.sentAt,
    );
    const read = reads.at(-1)?.arrivedAt;
    const changed = service.changes.get(target);
    const shown = shownSince.get(`${id} ${digest}`) ?? 0;
    // Another process reads for others, and so does this one: of its latest reads, one was the look at this target.
    const latest = reads.filter(one => one.from === exchange.from && (one.arrivedAt ?? 0) > exchange.sentAt - looksFor);
    if (read === undefined || read < approvedAt)
      found('5 looked at again', `${target} is deleted, and was not read after its approval`);
    else if (changed !== undefined && shown < changed && latest.every(({ arrivedAt = 0 }) => changed < arrivedAt))
      found('5 looked at again', `${target} is deleted although it changed after it was shown`);
  }

  /** Notes clicks on the buttons of requests as they reach a bot, and approvals on the last page of one. */
  function readClick({ kind, person, name, value }: Inbound): void {
    if (kind === 'form' && name === 'glass') glass.add(person);
    const isPage = kind === 'form' && name === 'request';
    const seen = kind === 'click' || isPage ? Seen.safeParse(parsed(value)).data : undefined;
    if (!seen) return;
    const action = isPage ? 'approval.approve' : name;
    clicks.push({ at: kernel.now(), action, person, job: seen.j, digest: seen.d });
  }
}

/** The step of a plan that is under way on a record. */
export function stepOn(all: readonly Job[], target: string): Job | undefined {
  return all.find(job => job.plan !== null && job.target === target && underWay.has(job.state));
}
