import type { Button } from '@slack/types';
import { z } from 'zod';
import { minute } from '../../ground/durations.ts';
import { Failure, isSignedOut, sentence } from '../../ground/failure.ts';
import { linkLifetime } from '../../store/tables/links.ts';
import type { Owner } from '../../store/vault.ts';
import { asJson, asText, defineAction } from '../blocks/action.ts';
import { type Content, said } from '../blocks/message.ts';
import { momentAfter } from '../blocks/moments.ts';
import { bold, plain } from '../blocks/mrkdwn.ts';
import { whisper } from '../desk/answer.ts';
import type { Desk, Greeter, Voice } from '../desk/desk.ts';
import type { Speaker } from '../desk/interaction.ts';
import { runCommand } from '../words/commandActions.ts';

/**
 * The channel and the thread in which a sign-in was asked for (`c`, `t`), and the command to go on with afterwards (`i`).
 */
const Resumed = z.object({ c: z.string(), t: z.string().optional(), i: z.string().nullable() });
type Resumed = z.infer<typeof Resumed>;

/** The button that opens the sign-in form, for a bot that no browser can reach. */
export const signInByForm = defineAction('login.form', asJson(Resumed));
/** The button whose link leads to the sign-in page. Slack reports clicks on it, too. */
export const signInByLink = defineAction('login.link', asText);

/**
 * The value of a sign-in button. A command that does not fit is left out: half a command would ask for something else.
 */
function resumable({ channel: c, thread: t }: Speaker, intent: string | null): Resumed {
  const whole = { c, t, i: intent };
  return signInByForm.fits(whole) ? whole : { ...whole, i: null };
}

/**
 * The offer to sign in: a single-use link, or a button for the form. `intent` is the command to go on with afterwards;
 * `why` comes first.
 */
export async function signInOffer(desk: Greeter, speaker: Speaker, intent: string | null, why = ''): Promise<Content> {
  const lead = why ? `${plain(why, 500)} ` : '';
  const onward = intent === null ? '' : ' to go on';
  if (desk.publicUrl === undefined) {
    return said(`${lead}:key: Sign in to the service at ${plain(desk.service.url)}${onward}.`, [
      signInByForm.button('Sign in', resumable(speaker, intent), { style: 'primary' }),
    ]);
  }
  const { team, person, channel, thread } = speaker;
  const secret = await desk.links.make({ team, person, channel, thread, intent }, desk.clock.now());
  const url = `${desk.publicUrl}/login/${secret}`;
  const link: Button = { ...signInByLink.button('Sign in', 'link', { style: 'primary' }), url };
  return said(
    `${lead}:key: Sign in to the service at ${plain(desk.service.url)}${onward}. The link is for you alone, works once, and expires in ${linkLifetime / minute} minutes.`,
    [link],
  );
}

/** Offers a sign-in to whoever asks for it, and says so to those who are signed in already. */
export async function offerSignIn(desk: Greeter & Desk<'credentials'>, speaker: Speaker): Promise<Content> {
  const known = await desk.credentials.find(speaker);
  const why = known && `You are already signed in, as ${known.username}. A new sign-in replaces that one.`;
  return signInOffer(desk, speaker, null, why);
}

/** Tells somebody that they are signed in, and goes on with what they wanted. */
export type Welcomer = Voice & Desk<'service' | 'goOn'>;

/**
 * Tells the person in Slack that the sign-in worked. What they wanted to see follows at once; what changes something, or
 * needs a form, has a button.
 */
export async function tellSignedIn(desk: Welcomer, speaker: Speaker, username: string, intent: string | null) {
  const wanted = intent !== null && runCommand.fits(intent) ? intent : undefined;
  const shown = wanted === undefined ? undefined : await desk.goOn(speaker, wanted);
  const next = wanted === undefined ? firstButtons() : [runCommand.button('Go on', wanted, { style: 'primary' })];
  const signedIn = `:white_check_mark: You are signed in to ${plain(desk.service.url)} as ${bold(username)}.`;
  await whisper(desk, speaker, said(signedIn, shown ? [] : next));
  if (shown) await whisper(desk, speaker, shown);
}

/** What somebody does first who only wanted to sign in. */
function firstButtons() {
  return [
    runCommand.button('All databases', 'list', { suffix: 'list' }),
    runCommand.button('What you can ask', 'help', { suffix: 'help' }),
  ];
}

/** `logout`: deletes the token here, and says what that does not end. */
export async function signOut(desk: Desk<'credentials' | 'clock'>, owner: Owner, channel: string): Promise<Content> {
  const had = await desk.credentials.forget(owner, desk.clock.now(), channel);
  if (!had) return said('You were not signed in.');
  return said(
    'You are signed out: I have forgotten your token. The service may still accept it until it expires, since it offers no way to revoke a token. Your running jobs wait until you sign in again.',
  );
}

/** `whoami`: the person's user of the service, checked now. */
export async function whoAmI(desk: Greeter & Desk<'records'>, speaker: Speaker): Promise<Content> {
  const session = await desk.records.session(speaker);
  if (!session) return signInOffer(desk, speaker, null, 'You are not signed in.');
  const line = `You are signed in to ${plain(desk.service.url)} as ${bold(session.credential.username)} ${momentAfter('since', session.credential.since)}.`;
  try {
    await session.records.list('user');
  } catch (error) {
    if (isSignedOut(error)) return signInOffer(desk, speaker, null, sentence(error));
    if (error instanceof Failure && error.kind !== 'forbidden')
      return said(`${line} I could not check it just now: ${plain(sentence(error), 500)}`);
  }
  return said(`${line} The service accepts it.`);
}
