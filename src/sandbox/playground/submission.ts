import { isRecord, type Json, parsed, recordOf, recordsOf } from './json.ts';
import type { Modal } from './modals.ts';
import type { SubmitAnswer } from './protocol.ts';
import type { Slack } from './slack.ts';
import { SlackError } from './slackError.ts';

/** The message to a person when the bot's answer to a submission makes no sense. The modal stays open. */
export const trouble = 'We had some trouble connecting. Try again?';

/** The actions that an ack may ask for, and the keys that may stand beside each. */
const actions: Record<string, readonly string[]> = {
  errors: ['response_action', 'errors'],
  update: ['response_action', 'view'],
  push: ['response_action', 'view'],
  clear: ['response_action'],
};

/** Why an ack body is no answer to a submission; undefined if it is one. */
function fault(body: Json, view: Json): string | undefined {
  const allowed = actions[String(body.response_action)];
  if (allowed === undefined) return 'the body of the ack is no response_action';
  const strange = Object.keys(body).filter(key => !allowed.includes(key));
  if (strange.length > 0) return `the ack has unknown keys: ${strange.join(', ')}`;
  if (body.response_action !== 'errors') return undefined;
  const errors = Object.entries(recordOf(body.errors));
  if (errors.length === 0) return '`errors` names no field';
  const inputs = recordsOf(view.blocks).filter(block => block.type === 'input');
  const unknown = errors.filter(([key]) => !inputs.some(block => block.block_id === key)).map(([key]) => key);
  if (unknown.length > 0) return `\`errors\` names no input block: ${unknown.join(', ')}`;
  return errors.every(([, text]) => typeof text === 'string' && text !== '') ? undefined : '`errors` must be texts';
}

const textsOf = (errors: unknown): Record<string, string> =>
  Object.fromEntries(Object.entries(recordOf(errors)).map(([key, text]) => [key, String(text)]));

/**
 * Does what the bot's ack of a view_submission asks for: nothing said closes the modal and shows the one below.
 * @param body the ack's body, empty if it had none
 */
export function settle(slack: Slack, modal: Modal, body: string): SubmitAnswer {
  if (body === '') {
    // The person may have cancelled meanwhile, or the bot have put another modal on top.
    if (slack.views.stack(modal.user).at(-1) === modal) slack.views.close(modal.user, false);
    return { ok: true };
  }
  const answer = parsed(body);
  const wrong = isRecord(answer) ? fault(answer, modal.view) : 'the body of the ack is no JSON object';
  if (!isRecord(answer) || wrong !== undefined) {
    slack.inspector.violation('view_submission', wrong ?? '');
    return { ok: false, error: trouble };
  }
  try {
    switch (answer.response_action) {
      case 'errors':
        return { ok: false, errors: textsOf(answer.errors) };
      case 'clear':
        slack.views.close(modal.user, true);
        break;
      case 'update':
        slack.views.update({ view_id: modal.view.id }, answer.view);
        break;
      default:
        slack.views.push(modal.user, answer.view);
    }
    return { ok: true };
  } catch (error) {
    if (!(error instanceof SlackError)) throw error;
    slack.inspector.refusal('view_submission', error);
    return { ok: false, error: trouble };
  }
}
