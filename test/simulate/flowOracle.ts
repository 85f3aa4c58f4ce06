import { z } from 'zod';
import { addresses, goesBack } from './faults.ts';
import { isAtRest, type Job } from './jobRows.ts';
import { toldTo } from './messageOracle.ts';
import type { Exchange } from './network.ts';
import type { Facts, Found } from './oracles.ts';
import type { ActOf } from './plan.ts';

/*
 * What must hold of the steps of workflows: each ends once at Slack, with an outcome that is true (19), and nothing is sent
 * without the leave of its person, or after they heard that it is taken back (20).
 */

/** What is seen of the steps of workflows. */
export type FlowOracle = Readonly<{
  sent(exchange: Exchange): void;
  /** A job has changed its state. */
  moved(job: Job, before: string | undefined): void;
  /** Whether a step is about to go on. */
  isBusy(): boolean;
  atEnd(): void;
}>;

/** A run of a step, as the store has it. */
const Row = z.object({
  id: z.string(),
  state: z.string(),
  waits_for: z.string().nullable(),
  body: z.string().transform(text => Body.parse(JSON.parse(text))),
});
const Body = z.object({
  execution: z.string(),
  job: z.string().nullable(),
  inputs: z.object({ workflow: z.string(), person: z.string() }),
});
type Row = z.output<typeof Row>;

/** Watches the workflows of a world. */
export function watchFlows(
  { plan, disk, slack, deeds }: Pick<Facts, 'plan' | 'disk' | 'slack' | 'deeds'>,
  { jobs, found }: Readonly<{ jobs(): readonly Job[]; found: Found }>,
): FlowOracle {
  const rows = (): readonly Row[] =>
    disk
      .rows("select id, state, waits_for, body from things where kind = 'execution' order by id")
      .map(row => Row.parse(row));
  /** What Slack was told of each execution: a second time changes nothing there. */
  const told = new Map<string, Exchange[]>();
  const jobOf = ({ id }: Row) => jobs().filter(job => job.execution === id && job.plan === null);

  /** Whether a step goes on by itself: it waits for no person. */
  function isMoving(row: Row): boolean {
    if (row.state === 'running') return jobOf(row).every(job => !isAtRest(job) || job.ended_at !== null);
    return row.state === 'telling' || (row.state === 'asked' && row.waits_for === null);
  }

  /** What the person of a workflow pressed about its leave, the oldest first. */
  function pressedOn(workflow: string): readonly Readonly<{ button: string; at: number }>[] {
    const named = plan.acts.filter(act => act.act === 'run step' && act.workflow === workflow).map(({ id }) => id);
    return deeds().flatMap(({ act, beganAt }) =>
      (act.act === 'answer step' || act.act === 'change leave') && named.includes(act.of)
        ? [{ button: act.button, at: beganAt }]
        : [],
    );
  }

  /** Whether they heard that it is taken back, and pressed nothing since. */
  function heardTakenBack(workflow: string, person: string): boolean {
    const last = pressedOn(workflow).at(-1);
    const said = (text: string) => text.includes(`*${workflow}* may `) && text.includes('Taken back');
    return last?.button === 'Revoke' && toldTo(slack, person).some(({ at, text }) => at >= last.at && said(text));
  }

  function checkSent(job: Job): void {
    const row = rows().find(({ id }) => id === job.execution);
    if (!row) {
      found('20 by leave', `${job.operation} of ${job.target} is of a step that is not stored`);
      return;
    }
    const { workflow, person } = row.body.inputs;
    if (!pressedOn(workflow).some(({ button }) => button === 'Allow'))
      found('20 by leave', `${job.operation} of ${job.target} is sent, and nobody allowed it`);
    // A backup that was put back knows nothing of that.
    if (heardTakenBack(workflow, person) && !goesBack(plan, 'restored'))
      found(
        '20 by leave',
        `${job.operation} of ${job.target} is sent after its person heard that the leave is taken back`,
      );
  }

  /** Whether what Slack was told of a step is true. */
  function checkOutcome(
    run: ActOf<'run step'> | undefined,
    row: Row | undefined,
    state: string,
    outcome: unknown,
  ): void {
    const name = `the step of ${run?.workflow}`;
    const own = row ? jobOf(row) : [];
    if (own.length > 1) found('19 steps end once', `${name} made ${own.length} jobs`);
    const [job] = own;
    const isWaiting = run?.step === 'wait_until';
    // Of what ended before a backup was put back, it may have no job, or one that waited in the backup.
    const isLost = (job === undefined || job.state === 'expired') && goesBack(plan, 'restored');
    if (state === 'completed' && !isWaiting && !isLost && job?.state !== 'succeeded' && job?.state !== 'finished')
      found('19 steps end once', `${name} is told as completed, and its job is ${job?.state}`);
    if (state === 'failed' && job?.state === 'succeeded' && outcome !== unheard)
      found('19 steps end once', `${name} is told as failed (${outcome}), and its job succeeded`);
  }

  return {
    sent(exchange) {
      const kind = kindOf(exchange);
      if (kind === undefined) return;
      const id = new URLSearchParams(exchange.body).get('function_execution_id') ?? '';
      const before = told.get(id) ?? [];
      // In a backup, a step that had ended may not have begun: it ends with an error, which Slack passes over.
      if (!goesBack(plan, 'restored') && before.some(one => kindOf(one) !== kind))
        found('19 steps end once', `${id} is told as both ends`);
      told.set(id, [...before, exchange]);
    },
    moved(job, before) {
      if (job.execution === null || job.plan !== null) return;
      const isBegun = job.steps !== null && job.state === 'running' && (before === 'new' || before === 'approved');
      if (job.state === 'sending' || isBegun) checkSent(job);
    },
    isBusy: () => {
      const all = rows();
      // Slack delivers what was not taken once more, for a few minutes.
      const steps = slack.slack.workflows.runs().flatMap(run => run.steps);
      const isOnItsWay = ({ execution, state }: (typeof steps)[number]) =>
        state === 'running' && !all.some(({ body }) => body.execution === execution);
      return steps.some(isOnItsWay) || all.some(isMoving);
    },
    atEnd() {
      const all = rows();
      for (const run of slack.slack.workflows.runs()) {
        const asked = plan.acts.find(
          (act): act is ActOf<'run step'> => act.act === 'run step' && act.workflow === run.name,
        );
        for (const step of run.steps) {
          const row = all.find(({ body }) => body.execution === step.execution);
          checkOutcome(asked, row, step.state, step.error);
          // One that was asked for in the lost seconds is gone: Slack ends it after its time.
          const isLost = row === undefined && goesBack(plan);
          if (step.state === 'running' && !isLost && (row === undefined || row.state === 'ended'))
            found('19 steps end once', `${run.name} waits for its step, which is ${row?.state ?? 'not stored'}`);
        }
      }
    },
  };
}

/** What Slack says of a step that its app did not answer to. */
const unheard = 'The app did not respond.';

function kindOf({ url }: Exchange): string | undefined {
  return url.hostname === addresses.slack ? /functions\.complete(Success|Error)$/.exec(url.pathname)?.[1] : undefined;
}
