import type { App } from '@slack/bolt';
import { z } from 'zod';
import type { Desk } from '../../slack/desk/desk.ts';
import { teamInEvent } from '../../slack/desk/who.ts';
import { executions, longestWait, newExecution } from './execution.ts';
import { workflowFunctions } from './functions.ts';
import { personIn } from './stepInputs.ts';

/**
 * What Dolly needs of the event (docs.slack.dev/reference/events/function_executed). It names neither the workflow nor
 * who started it. Its token lives for 15 minutes only, and is not kept.
 */
const Executed = z.object({
  function: z.object({
    callback_id: z.string(),
    output_parameters: z
      .array(z.object({ name: z.string() }))
      .optional()
      .catch(undefined),
  }),
  inputs: z.record(z.string(), z.unknown()).catch({}),
  function_execution_id: z.string().min(1),
  workflow_execution_id: z.string().catch(''),
});

/**
 * Listens to the steps of workflows. An execution is stored before Slack hears that it was taken; one that cannot be
 * stored is not acknowledged, so that Slack delivers it again.
 */
export function listenToSteps(app: App, desk: Desk<'things' | 'clock' | 'log'>): void {
  app.event('function_executed', async ({ ack, event, body }) => {
    const { function_execution_id: execution, workflow_execution_id: run, inputs, ...executed } = Executed.parse(event);
    const { callback_id: step, output_parameters: outputs } = executed.function;
    const team = teamInEvent(body);
    const now = desk.clock.now();
    const about = { team, execution, run, step, inputs, person: personIn(inputs) };
    const declared = outputs?.map(({ name }) => name) ?? ownOutputs(step);
    const as = newExecution({ ...about, declared, createdAt: now, deadlineAt: now + longestWait });
    const begins = { as, dueAt: now, trail: { event: 'step asked' } };
    const begun = await desk.things.act(executions, as.id, thing => (thing ? undefined : begins), now);
    await ack();
    if (!begun) desk.log.info({ execution, team }, 'Slack delivered a step once more');
  });
}

function ownOutputs(step: string): readonly string[] {
  const known = Object.hasOwn(workflowFunctions, step) ? workflowFunctions[step] : undefined;
  return Object.keys(known?.output_parameters ?? {});
}
