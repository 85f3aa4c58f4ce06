import { AccountNotice } from '../../jobs/account/accountNotice.ts';
import { section } from '../blocks/blocks.ts';
import { message, wordsFor } from '../blocks/message.ts';
import { code, plain } from '../blocks/mrkdwn.ts';

/** The message that the service account cannot sign in. */
export const accountMessage = wordsFor(AccountNotice, ({ username, why }, outcome) => {
  const who = `The service account ${code(username, 80)}`;
  if (outcome !== null) return message([section(`:white_check_mark: ${who}: ${plain(outcome, 300)}`)]);
  const text = [
    `:warning: ${who} cannot sign in to the service. ${plain(why, 500)}`,
    `Work that runs with it waits. I try again at least once an hour, and carry on once the file named in \`SERVICE_PASSWORD_FILE\` holds the right password.`,
  ].join('\n');
  return message([section(text)], 'all');
});
