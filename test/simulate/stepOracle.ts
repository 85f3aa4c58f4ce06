import { z } from 'zod';
import type { Inbound } from './inbound.ts';
import { endWords, isBatch, type Job, neverSent, requestOf } from './jobRows.ts';
import { toldTo } from './messageOracle.ts';
import type { Exchange } from './network.ts';
import type { Facts, Found } from './oracles.ts';
import { keyOf, parsed } from './requests.ts';

/* What must hold of plans of several steps: each step begins once, after the one before it was confirmed (15), and none is sent after its person heard that the plan is withdrawn (20). */

/** What is seen of plans. */
export type StepOracle = Readonly<{
  /** A request that changes something has arrived at the service. */
  arrived(exchange: Exchange): void;
  /** A step of a plan has changed its state. */
  moved(job: Job): void;
  /** Something has come to a bot. */
  clicked(inbound: Inbound): void;
}>;

/** What the button carries that lets a plan go on. */
const SeenStop = z.object({ j: z.string(), n: z.number() });

/** Whether no step waits for another one: togetherOracle.ts judges those. */
function isOfBatch({ plan }: Job, all: readonly Job[]): boolean {
  return all.some(({ id, operation }) => id === plan && isBatch(operation));
}

/** Watches the plans of a world. */
export function watchSteps(
  { plan, service, slack, deeds }: Pick<Facts, 'plan' | 'service' | 'slack' | 'deeds'>,
  { jobs, found }: Readonly<{ jobs(): readonly Job[]; found: Found }>,
): StepOracle {
  /** The stop after which each plan was last let go on: the number of jobs that its steps had then, as the person saw it. */
  const wentOnAt = new Map<string, number>();

  return {
    clicked({ kind, name, value }) {
      const seen = kind === 'click' && name === 'job.onward' ? SeenStop.safeParse(parsed(value)).data : undefined;
      if (seen) wentOnAt.set(seen.j, seen.n);
    },
    arrived: checkStep,
    moved(job) {
      checkBegun(job);
      if (job.state === 'sending') checkWithdrawn(job);
    },
  };

  /** Whether a step is sent although its person heard that nothing further is begun (20). */
  function checkWithdrawn(job: Job): void {
    const whole = jobs().find(({ id }) => id === job.plan);
    if (whole?.state !== 'withdrawn') return;
    if (toldTo(slack, whole.person).some(({ text }) => /Withdrawn\. .*I start nothing further/.test(text)))
      found(
        '20 by leave',
        `${job.operation} of ${job.target} is sent after its person heard that its plan is withdrawn`,
      );
  }

  /** Whether the step of a plan before this one was confirmed (15). */
  function checkStep(exchange: Exchange): void {
    const all = jobs();
    const job = all.find(
      one => one.plan !== null && !isOfBatch(one, all) && one.state === 'sending' && requestOf(one) === keyOf(exchange),
    );
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
    const own = all.filter(one => one.plan === job.plan);
    const [last] = own.filter(one => one.id !== job.id).slice(-1);
    const isStopped = last && last.state in endWords && last.state !== 'succeeded' && !isOfBatch(job, all);
    if (isStopped && wentOnAt.get(job.plan ?? '') !== own.length - 1)
      found('15 step by step', `${name} is begun after a stop at which nobody let its plan go on`);
    if (wentOn(whole ?? job)) return;
    const before = own.find(one => one.step === (job.step ?? 0) - 1);
    if (job.step !== 0 && before?.state !== 'succeeded' && !isOfBatch(job, all))
      found('15 step by step', `${name} is begun while the step before is ${before?.state}`);
    if (own.filter(({ step }) => step === job.step).length > 1) found('15 step by step', `${name} is begun twice`);
  }

  /** Whether the person of a plan let it go on after a step that was not confirmed. */
  function wentOn({ target, plan: whole }: Job): boolean {
    const targets = [target, ...jobs().flatMap(job => (job.id === whole ? job.target : []))];
    return deeds().some(({ act }) => {
      const asked =
        act.act === 'press' && act.button === 'Go on from here' && plan.acts.find(({ id }) => id === act.of);
      if (!asked) return false;
      return asked.act === 'renew' || ('record' in asked && targets.includes(service.idOf(asked.record)));
    });
  }
}
