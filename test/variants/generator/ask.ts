import { approves } from '../../journeys/asking.ts';
import type { Someone } from '../../person.ts';
import type { World } from '../../world.ts';

/** Where everybody asks. */
export const channel = '#databases';

/**
 * Types a command, fills in whatever must be typed to confirm it, and has it approved. Gives the message of its job, or
 * what Dolly says to this person instead.
 */
export async function ask(earth: World, someone: Someone, line: string): Promise<{ ts: string }> {
  const before = earth.cards(channel).length;
  const answers = () => someone.messages(channel).filter(({ onlyFor }) => onlyFor === someone.id);
  const known = answers().length;
  const posted = () => earth.cards(channel)[before];
  const isReady = () => someone.sees().views.some(({ view }) => JSON.stringify(view).includes('"submit":{'));
  await someone.types(channel, line);
  const isAnswered = () => posted() !== undefined || isReady() || answers().length > known;
  await earth.until(isAnswered, `a form or a message of ${line}`);
  const answer = answers()[known];
  if (answer) return answer;
  let isTyped = false;
  for (let page = 0; someone.hasModal() && page < 3; page++) {
    await someone.until(isReady, 'the page');
    const { text, fields } = await someone.modal();
    const wanted = /Type (.+) to confirm/.exec(text)?.[1];
    if (wanted !== undefined) await someone.fills({ confirm: wanted });
    isTyped ||= wanted !== undefined;
    if ('reason' in fields) await someone.fills({ reason: 'It is not needed any more.' });
    const { errors, error } = await someone.submits();
    if (error !== '' || Object.keys(errors).length > 0) throw new Error(`${line}: ${JSON.stringify(errors)} ${error}`);
  }
  // What is refused at once is told to its person alone.
  const card = await earth.until(() => posted() ?? answers()[known], `the message of ${line}`);
  if (earth.approver && isTyped && posted()) await approves(earth, earth.approver, card);
  return card;
}
