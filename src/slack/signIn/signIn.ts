import type { App } from '@slack/bolt';
import type { Button, ModalView } from '@slack/types';
import { z } from 'zod';
import { parseJson } from '../../api/reading/jsonTree.ts';
import { quotesAny } from '../../api/secrets/secrets.ts';
import { Failure, isSignedOut, kindOf, sentence } from '../../ground/failure.ts';
import { within } from '../../ground/remembered.ts';
import { learnIdentity } from '../../jobs/approval/identity.ts';
import type { Owner } from '../../store/vault.ts';
import { button, type Content, notice, said } from '../blocks/blocks.ts';
import { bold, cut, limits, moment, plain } from '../blocks/limits.ts';
import { mustBeAdmitted } from '../desk/admission.ts';
import { answerClick, whisper } from '../desk/answer.ts';
import type { Desk } from '../desk/desk.ts';
import { openView, showView } from '../desk/views.ts';
import { whoIn } from '../desk/who.ts';

/** Answers and forms of `login`, `logout` and `whoami`. `intent` is the command to go on with afterwards. */
export async function signInOffer(
  desk: Desk,
  owner: Owner,
  channel: string,
  intent: string | null,
  why = '',
): Promise<Content> {
  const lead = why ? `${plain(why, 500)} ` : '';
  const value = JSON.stringify({ c: channel, i: resumable(intent, 1_500) });
  if (desk.publicUrl === undefined) {
    return said(`${lead}:key: Sign in to the service at ${plain(desk.service.url)} to go on.`, [
      button('login.form', 'Sign in', value, 'primary'),
    ]);
  }
  const secret = await desk.links.make({ ...owner, channel, intent }, desk.clock.now());
  const link: Button = {
    ...button('login.link', 'Sign in', 'link', 'primary'),
    url: `${desk.publicUrl}/login/${secret}`,
  };
  return said(
    `${lead}:key: Sign in to the service at ${plain(desk.service.url)} to go on. The link is for you alone, works once, and ends in 10 minutes.`,
    [link],
  );
}

/** What a person is told of a failure; one that a sign-in mends comes with the link, and goes on with `intent` then. */
export async function refused(
  desk: Desk,
  owner: Owner,
  channel: string,
  intent: string | null,
  error: unknown,
): Promise<Content> {
  if (isSignedOut(error)) return signInOffer(desk, owner, channel, intent, sentence(error));
  desk.log.warn({ error }, 'could not do what was asked');
  return said(`:warning: ${plain(sentence(error), 1000)}`);
}

/**
 * Exchanges a password for a token, keeps it sealed, and lets the person's waiting jobs go on. The trail has what came
 * of it, and `channel`: where the person did so, or `page`.
 * @throws {Failure} without asking the service: `forbidden` where the person may not use Dolly, `busy` where too many
 *   passwords were refused
 */
export async function signIn(
  desk: Desk,
  { team, person }: Owner,
  username: string,
  password: string,
  channel: string,
): Promise<void> {
  const name = username.trim();
  if (name === '' || password === '') throw new Failure('input', 'Type both your user name and your password.');
  try {
    await exchange(desk, { team, person }, name, password, channel);
  } catch (error) {
    // What stands in the wrong field may be a password, so that only a name that is known is written down.
    const isKnown = await desk.credentials.knows(team, name);
    const why = sentence(error);
    const quotes = quotesAny(isKnown ? [] : [name]);
    const isQuoted = quotes(why) || (error instanceof Failure && quotes(String(error.cause)));
    desk.log.info({ person, ...(isQuoted ? { kind: kindOf(error) } : { error }) }, 'a sign-in failed');
    const detail = isQuoted ? 'The service did not accept this user name and password.' : why;
    const entry = { team, person, actor: person, login: isKnown ? name : null, channel, detail };
    await desk.audit.add({ ...entry, event: 'sign-in refused', at: desk.clock.now() });
    throw error;
  }
}

async function exchange(desk: Desk, owner: Owner, name: string, password: string, channel: string): Promise<void> {
  await mustBeAdmitted(desk, owner);
  const attempt = await desk.tries.begin(owner, name, desk.clock.now());
  if ('until' in attempt) {
    // The next whole minute, so that whoever comes back then is let in.
    const until = new Date(Math.ceil(attempt.until / 60_000) * 60_000).toISOString().slice(11, 16);
    const retryAfter = attempt.until - desk.clock.now();
    throw new Failure('busy', `Too many wrong passwords: no other one is tried until ${until} UTC.`, { retryAfter });
  }
  let answer: unknown;
  const answered = (body: unknown) => {
    answer = body;
  };
  const token = await desk.service.signIn(name, password, answered).catch(async (error: unknown) => {
    // A service that is down has refused nobody.
    if (!(error instanceof Failure && refusals.has(error.kind))) await desk.tries.forgive(attempt.id);
    throw error;
  });
  await Promise.all([desk.tries.forgive(attempt.id), desk.tries.clear(owner, name)]);
  const learning = within(desk.clock, patience, learnIdentity(desk, token, name, answer));
  const identity = await learning.catch((error: unknown) => {
    desk.log.info({ error, person: owner.person }, 'the service did not tell who signed in; it is asked again');
    return undefined;
  });
  const now = desk.clock.now();
  await desk.credentials.keep(owner, name, token, now, channel, identity);
  await desk.jobs.resume(owner, now);
  desk.wake();
  desk.tell();
}

/** How long a sign-in waits to learn who it is, in milliseconds: somebody looks at the page. */
const patience = 3_000;

/** The kinds of failures by which the service says that the password is wrong, or not enough. */
const refusals: ReadonlySet<string> = new Set<Failure['kind']>(['refused', 'signed-out', 'forbidden']);

/** Tells the person in Slack that the sign-in worked, with a button that goes on with what they wanted to do. */
export async function tellSignedIn(
  desk: Desk,
  owner: Owner,
  username: string,
  channel: string,
  intent: string | null,
): Promise<void> {
  const command = resumable(intent, limits.buttonValue);
  const actions = command === null ? [] : [button('command.run', 'Go on', command, 'primary')];
  const content = said(
    `:white_check_mark: You are signed in to ${plain(desk.service.url)} as ${bold(username)}.${intent === null ? '' : ` You wanted \`${plain(intent, 100)}\`.`}`,
    actions,
  );
  await whisper(desk, owner.person, channel, content);
}

/** A command that a button can carry whole: half a command would ask for something else. */
function resumable(intent: string | null, most: number): string | null {
  return intent !== null && intent.length <= most ? intent : null;
}

/** `logout`: forgets the token here, and says what that does not do. */
export async function signOut(desk: Desk, owner: Owner, channel: string): Promise<Content> {
  const had = await desk.credentials.forget(owner, desk.clock.now(), channel);
  if (!had) return said('You were not signed in.');
  desk.tell();
  return said(
    'You are signed out: I have forgotten your token. The service itself may honour it until it ends; the specification shows no way to revoke it. Jobs of yours that still run wait until you sign in again.',
  );
}

/** `whoami`: who the person is for the service, checked now. */
export async function whoAmI(desk: Desk, owner: Owner, channel: string): Promise<Content> {
  const credential = await desk.credentials.find(owner);
  if (!credential) return signInOffer(desk, owner, channel, null, 'You are not signed in.');
  const line = `You are signed in to ${plain(desk.service.url)} as ${bold(credential.username)} since ${moment(credential.since)}.`;
  try {
    await desk.service.fetch(credential.token, { method: 'GET', path: '/user/list' });
  } catch (error) {
    if (isSignedOut(error)) {
      await desk.credentials.drop(owner, credential.token, desk.clock.now());
      return signInOffer(desk, owner, channel, null, sentence(error));
    }
    if (error instanceof Failure && error.kind !== 'forbidden')
      return said(`${line} I could not check it just now: ${plain(sentence(error), 500)}`);
  }
  return said(`${line} The service honours it.`);
}

const Asked = z.object({ c: z.string(), i: z.string().nullable() });

/** Listens to the sign-in form for bots that no browser can reach, and to the link's button. */
export function listenToSignIn(app: App, desk: Desk): void {
  app.action('login.link', async ({ ack }) => ack());
  app.action({ action_id: 'login.form', type: 'block_actions' }, async ({ ack, body, action, respond }) => {
    await ack();
    const stranger = await mustBeAdmitted(desk, whoIn(body)).then(() => undefined, sentence);
    if (stranger !== undefined) {
      // What is used in a form has nowhere to answer to but a form.
      if (body.view) await desk.slack.views.push({ trigger_id: body.trigger_id, view: notice('Sign in', stranger) });
      else await answerClick(desk, body, respond, said(`:warning: ${stranger}`));
      return;
    }
    const metadata = action.type === 'button' ? (action.value ?? '') : '';
    // From inside a form the sign-in lies on top of it, so that nothing that was typed is lost.
    const view = signInForm(desk, metadata);
    if (body.view?.type === 'modal') await desk.slack.views.push({ trigger_id: body.trigger_id, view });
    else await openView(desk, body.trigger_id, view);
  });
  app.view({ callback_id: 'login', type: 'view_submission' }, async ({ ack, body, view }) => {
    const owner = whoIn(body);
    const asked = Asked.safeParse(parseJson(view.private_metadata));
    const username = view.state.values.username?.value?.value ?? '';
    const [field = '', { value: typed } = {}] =
      Object.entries(view.state.values).find(([block]) => block.startsWith('password')) ?? [];
    const password = typed?.value ?? '';
    // The service may be slower than Slack's 3 s, so the form first becomes a note, then the answer.
    await ack({ response_action: 'update', view: notice('Sign in', ':hourglass_flowing_sand: Asking the service …') });
    const work = signIn(desk, owner, username, password, asked.data?.c ?? owner.person).then(
      async () => {
        const done = `:white_check_mark: You are signed in as ${bold(username.trim())}.`;
        await showView(desk, view.id, notice('Sign in', done));
        if (asked.success) await tellSignedIn(desk, owner, username.trim(), asked.data.c, asked.data.i);
      },
      async (error: unknown) => {
        const refused = { fault: sentence(error), after: field };
        const isStranger = error instanceof Failure && error.kind === 'forbidden';
        const again = isStranger
          ? notice('Sign in', `:warning: ${plain(refused.fault)}`)
          : signInForm(desk, view.private_metadata, refused);
        await showView(desk, view.id, again);
      },
    );
    desk.run('sign in', work);
  });
}

/** @param refused what was wrong with the last try, and the block_id of its password */
function signInForm(desk: Desk, metadata: string, refused?: { fault: string; after: string }): ModalView {
  const tries = refused ? Number(refused.after.split(':')[1] ?? 0) + 1 : 0;
  return {
    type: 'modal',
    callback_id: 'login',
    title: { type: 'plain_text', text: 'Sign in' },
    submit: { type: 'plain_text', text: 'Sign in' },
    close: { type: 'plain_text', text: 'Cancel' },
    private_metadata: metadata,
    blocks: [
      ...(refused
        ? [
            {
              type: 'section' as const,
              text: {
                type: 'mrkdwn' as const,
                text: cut(`:warning: ${plain(refused.fault, 500)}`, limits.sectionText),
              },
            },
          ]
        : []),
      {
        type: 'section',
        text: {
          type: 'mrkdwn',
          text: `Sign in to the service at ${plain(desk.service.url)}. :warning: Slack has no masked input: your password is *visible while you type*. It is used once and not kept.`,
        },
      },
      {
        type: 'input',
        block_id: 'username',
        label: { type: 'plain_text', text: 'User name' },
        element: { type: 'plain_text_input', action_id: 'value', ...(tries === 0 ? { focus_on_load: true } : {}) },
      },
      // A new block_id empties the field after a wrong password.
      {
        type: 'input',
        block_id: tries > 0 ? `password:${tries}` : 'password',
        label: { type: 'plain_text', text: 'Password (visible)' },
        element: { type: 'plain_text_input', action_id: 'value', ...(tries > 0 ? { focus_on_load: true } : {}) },
      },
    ],
  };
}
