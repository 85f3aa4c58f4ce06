import { type Fault, sentence } from './blockkit.ts';
import { SlackError } from './slackError.ts';

/** The error that names each broken rule of Block Kit, in the two places where Slack puts them. */
export function refusal(code: 'invalid_blocks' | 'invalid_arguments' | 'invalid_attachments', faults: Fault[]) {
  const sentences = faults.map(sentence);
  return new SlackError(code, {
    errors: sentences,
    response_metadata: { messages: sentences.map(text => `[ERROR] ${text}`) },
  });
}
