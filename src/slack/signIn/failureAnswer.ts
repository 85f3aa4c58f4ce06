import { isSignedOut, sentence } from '../../ground/failure.ts';
import { type Content, said } from '../blocks/message.ts';
import { code, plain } from '../blocks/mrkdwn.ts';
import type { Desk, Greeter } from '../desk/desk.ts';
import type { Speaker } from '../desk/interaction.ts';
import { FormNeeded } from '../desk/views.ts';
import { commandOffer } from '../words/commandOffer.ts';
import { signInOffer } from './signIn.ts';

/**
 * The answer to a failure. If a sign-in helps, the answer offers it, and `intent` goes on afterwards. What needs a form,
 * and came without a trigger that opens one, gets a button that does.
 */
export async function answerToFailure(
  desk: Greeter & Desk<'log'>,
  speaker: Speaker,
  intent: string | null,
  error: unknown,
): Promise<Content> {
  if (isSignedOut(error))
    return signInOffer(desk, speaker, intent, sentence(error)).catch((why: unknown) =>
      answerToFailure(desk, speaker, null, why),
    );
  if (error instanceof FormNeeded && intent !== null)
    return commandOffer(`To go on with ${code(intent, 150)}, open its form:`, 'Open the form', intent);
  desk.log.warn({ error }, 'could not do what was asked');
  return said(`:warning: ${plain(sentence(error), 1000)}`);
}
