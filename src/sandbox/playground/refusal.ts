import { type Fault, sentence } from './fault.ts';
import { SlackError } from './slackError.ts';

/** The error that names each broken rule of Block Kit, in the two places where Slack puts them. The workspace may be their source, too. */
export function refusal(
  code: 'invalid_blocks' | 'invalid_arguments' | 'invalid_attachments',
  faults: Fault[],
  source: 'bot' | 'workspace' = 'bot',
) {
  const sentences = faults.map(sentence);
  const messages = sentences.map(text => `[ERROR] ${text}`);
  return new SlackError(code, { errors: sentences, response_metadata: { messages } }, source);
}
