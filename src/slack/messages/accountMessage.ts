import { AccountNotice } from '../../jobs/account/accountNotice.ts';
import { message, section, wordsFor } from '../blocks/blocks.ts';
import { code, plain } from '../blocks/mrkdwn.ts';

/** The message that the service account cannot sign in. */
export const accountMessage = wordsFor(AccountNotice, ({ username, why }, outcome) => {
  const who = `The service account ${code(username, 80)}`;
  if (outcome !== null) return message([section(`:white_check_mark: ${who}: ${plain(outcome, 300)}`)]);
  const text = [
    `:warning: ${who} cannot sign in to the service. ${plain(why, 500)}`,
    `What runs with it waits, and I try again at least once an hour. Once the file that \`SERVICE_PASSWORD_FILE\` names has the right password, I go on by myself.`,
  ].join('\n');
  return message([section(text)], 'all');
});
