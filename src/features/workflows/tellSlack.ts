import { maskSurePasswords } from '../../api/secrets/passwords.ts';
import { day } from '../../ground/durations.ts';
import { legible, withoutHidden } from '../../records/legible.ts';
import { plain } from '../../slack/blocks/mrkdwn.ts';
import { platformError } from '../../slack/connection/slackErrors.ts';
import type { Desk } from '../../slack/desk/desk.ts';
import { connectionIn } from '../../slack/messages/jobMessage.ts';
import { nameOf, sentenceOf } from '../../slack/messages/jobWords.ts';
import type { EndedJob } from '../../store/jobs/rows/job.ts';
import type { Execution, StepResult } from './execution.ts';

/** Max characters of an output and of an error. */
const longest = 1_000;

/**
 * The outcome of a step by the end of its job. Only what the records confirmed counts as done: a later step of the
 * workflow rests on it. `link` is the address of the job's message.
 */
export function resultOfJob(job: EndedJob, link: string | undefined): StepResult {
  if (job.state !== 'succeeded') return { error: plain(sentenceOf(job), longest) };
  const { evidence } = job;
  const connection = connectionIn(job);
  return {
    outputs: {
      outcome: 'confirmed',
      name: legible(evidence?.name ?? nameOf(job)),
      identifier: job.claimed ?? evidence?.id ?? job.target,
      connection: connection === undefined ? '' : withoutHidden(maskSurePasswords(connection)),
      link: link ?? '',
    },
  };
}

/** The time for which Dolly tries to tell Slack how a step ended, in milliseconds. */
const longestTelling = 7 * day;

/**
 * Slack's words for a step that is over for it: it was told before and the answer was lost, the workflow was cancelled,
 * or the app was removed (docs.slack.dev/reference/methods/functions.completeSuccess).
 */
const over: readonly (string | undefined)[] = [
  ...['execution_not_in_running_state', 'function_execution_not_found', 'access_denied', 'not_installed'],
];

/**
 * Tells Slack once how a step ended, with the app's own token: the one that came with the event lives for 15 minutes
 * only. A second time changes nothing there. Gives what came of it.
 * @throws what Slack says where it did not take it: another try may help
 */
export async function tellSlack(desk: Desk<'clock' | 'log' | 'slack'>, execution: Execution) {
  const { team, execution: id, endedAt } = execution;
  try {
    await complete(desk, execution);
    return 'step told';
  } catch (error) {
    const word = platformError(error);
    if (over.includes(word)) {
      desk.log.info({ execution: id, team, word }, 'a step is over for Slack already');
      return 'step over';
    }
    desk.log.warn({ error, execution: id, team }, 'Slack did not take the outcome of a step');
    if (desk.clock.now() - (endedAt ?? execution.createdAt) > longestTelling) return 'step untold';
    if (word === 'parameter_validation_failed' && 'outputs' in (execution.result ?? {})) {
      await desk.slack.of(team).functions.completeError({ function_execution_id: id, error: unfitting });
      return 'step told';
    }
    throw error;
  }
}

const unfitting =
  'It is done, but Slack does not accept its outputs: the app’s manifest is from another version of Dolly. Its message in Slack has them.';

async function complete(desk: Desk<'slack'>, { team, execution: id, result, declared }: Execution): Promise<void> {
  const slack = desk.slack.of(team);
  if (result === null || 'error' in result) {
    await slack.functions.completeError({
      function_execution_id: id,
      error: result?.error ?? 'It did not finish.',
    });
    return;
  }
  // A manifest of another release may declare fewer outputs, and Slack refuses the others.
  const outputs = Object.fromEntries(Object.entries(result.outputs).filter(([name]) => declared.includes(name)));
  await slack.functions.completeSuccess({ function_execution_id: id, outputs });
}
