import { z } from 'zod';
import { type Job, neverSent, underWay } from './jobRows.ts';
import type { LeaseOracle } from './leaseOracle.ts';
import type { Exchange } from './network.ts';
import type { Facts, Found } from './oracles.ts';
import { isReadOf, parsed } from './requests.ts';
import { approvers } from './sides.ts';

/*
 * What must hold of deletions: another approver approved exactly what was shown (4), it was looked at again since (5), and
 * nothing is sent of what was denied or withdrawn (6).
 */

/** What is seen of approvals. */
export type ApprovalOracle = Readonly<{
  /** A request that changes something has arrived at the service. */
  arrived(exchange: Exchange): void;
  /** A request has arrived at a bot. */
  clicked(exchange: Exchange): void;
  /** A job has changed. */
  seen(job: Job): void;
  /** A job is being sent from now on. */
  sending(job: Job): void;
}>;

const Click = z.object({
  type: z.literal('block_actions'),
  user: z.object({ id: z.string() }),
  actions: z.array(z.object({ action_id: z.string(), value: z.string().optional() })),
});
const Seen = z.object({ j: z.string(), d: z.string() });

/** The operations of the requests by which others approve what runs with the service account. */
const requestsForAccount = new Set(['schedule.approve', 'workflow.approve']);

/** Watches the approvals of a world. */
export function watchApprovals(
  { kernel, network, service, slack }: Pick<Facts, 'kernel' | 'network' | 'service' | 'slack'>,
  { jobs, leases, found }: Readonly<{ jobs(): readonly Job[]; leases: LeaseOracle; found: Found }>,
): ApprovalOracle {
  const clicks: Readonly<{ at: number; action: string; person: string; job: string; digest: string }>[] = [];
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
    if (!requests.some(job => approvalOf(job)))
      found('4 approved', `${operation} of ${target} runs with the service account, and nobody else approved that`);
  }

  /** The first approval of a job, as it was shown, by another approver. Whoever presses again approves nothing more. */
  function approvalOf(job: Job) {
    return clicks.find(
      ({ action, person, digest, ...click }) =>
        action === 'approval.approve' &&
        click.job === job.id &&
        digest === job.digest &&
        person !== job.person &&
        approvers.includes(person),
    );
  }

  /** Whether a request was approved by another approver, as it was shown, and looked at again since. */
  function checkApproval(exchange: Exchange, job: Job): void {
    const { target } = job;
    const approval = approvalOf(job);
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
}

/** The step of a plan that is under way on a record. */
export function stepOn(all: readonly Job[], target: string): Job | undefined {
  return all.find(job => job.plan !== null && job.target === target && underWay.has(job.state));
}
