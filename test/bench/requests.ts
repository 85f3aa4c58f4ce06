import { z } from 'zod';
import type { Bot, Outside } from './bots.ts';

const team = 'T0BENCH001';
const channel = 'C0BENCH001';
/** Is signed in to the service. */
export const signedIn = 'U0BENCH001';

let commands = 0;

/** A channel for each command: a job's message stands in the channel of its command, and one channel takes one a second. */
function ownChannel(): string {
  commands += 1;
  return `C0BENCH${String(commands).padStart(6, '0')}`;
}

/** The body of a slash command, with the fields that Slack sends. */
export function command(bot: Pick<Bot, 'responseUrl'>, name: string, text = '', person = signedIn): string {
  return new URLSearchParams({
    token: 'deprecated-verification-token',
    team_id: team,
    team_domain: 'bench',
    channel_id: ownChannel(),
    channel_name: 'dev',
    user_id: person,
    user_name: 'ana',
    command: name,
    text,
    api_app_id: 'A0BENCH001',
    is_enterprise_install: 'false',
    response_url: bot.responseUrl,
    // No two are the same: else the second would be the first one, sent again.
    trigger_id: `1234567890123.${1_000_000_000 + commands}.0123456789abcdef0123456789abcdef`,
  }).toString();
}

let events = 0;

/** The body of an event, with the fields that Slack sends. No two are the same. */
function event(of: (number: string) => object): string {
  events += 1;
  const number = String(events).padStart(6, '0');
  const authorization = { team_id: team, user_id: 'Udolly', is_bot: true, is_enterprise_install: false };
  return JSON.stringify({
    ...{ type: 'event_callback', token: 'deprecated-verification-token', team_id: team, api_app_id: 'A0BENCH001' },
    ...{ event_id: `Ev0BENCH${number}`, event_time: Math.floor(Date.now() / 1_000) },
    event: of(number),
    authorizations: [{ ...authorization, enterprise_id: null }],
  });
}

const ts = (number: string) => `${Math.floor(Date.now() / 1_000)}.${number}`;

/** Somebody opens Home for the first time. */
export const homeOpened = () =>
  event(number => ({
    ...{ type: 'app_home_opened', user: `U0HOME${number}`, channel: `D0HOME${number}` },
    ...{ tab: 'home', event_ts: ts(number) },
  }));

/** Somebody asks for help by a mention. */
export const mention = () =>
  event(number => ({
    ...{ type: 'app_mention', user: signedIn, text: '<@Udolly> help', ts: ts(number), event_ts: ts(number) },
    channel: ownChannel(),
  }));

/** A workflow comes to a step that lacks its inputs, so that it ends at once. */
export const stepExecuted = () =>
  event(number => ({
    ...{ type: 'function_executed', function: { id: 'Fn0BENCH', callback_id: 'wait_until' }, inputs: {} },
    ...{ function_execution_id: `Fx0BENCH${number}`, workflow_execution_id: `Wx0BENCH${number}` },
    event_ts: ts(number),
  }));

/** The body of a submitted form: a view as it was opened, with what was filled in, by the name of its block. */
export function submission(view: object, person: string, values: Readonly<Record<string, object>>): string {
  return interaction({ type: 'view_submission', response_urls: [] }, view, person, values);
}

function interaction(kind: object, view: object, person: string, values: Readonly<Record<string, object>>): string {
  const state = Object.entries(values).map(([field, value]) => [blockOf(view, field), { value }]);
  const payload = {
    ...kind,
    team: { id: team, domain: 'bench' },
    user: { id: person, username: 'ana', name: 'ana', team_id: team },
    api_app_id: 'A0BENCH001',
    token: 'deprecated-verification-token',
    trigger_id: '1234567890123.1234567890.0123456789abcdef0123456789abcdef',
    view: {
      id: 'V0BENCH001',
      team_id: team,
      app_id: 'A0BENCH001',
      bot_id: 'B0BENCH001',
      hash: '1767225600.abcdefgh',
      previous_view_id: null,
      root_view_id: 'V0BENCH001',
      ...view,
      state: { values: Object.fromEntries(state) },
    },
    is_enterprise_install: false,
    enterprise: null,
  };
  return new URLSearchParams({ payload: JSON.stringify(payload) }).toString();
}

/** The block of a field in a view, which has a number behind its name where the field was drawn anew. */
function blockOf(view: object, field: string): string {
  const { blocks } = Blocks.parse(view);
  return blocks.find(({ block_id }) => block_id?.split(':')[0] === field)?.block_id ?? field;
}

const Blocks = z.looseObject({ blocks: z.array(z.looseObject({ block_id: z.string().optional() })).default([]) });

/** The body of a letter typed into the picker of the source database. */
export function suggestion(view: object, person: string, typed: string): string {
  const asked = { block_id: 'sourceDatabase', action_id: 'value', value: typed };
  return interaction({ type: 'block_suggestion', ...asked }, view, person, {});
}

const Modal = z.looseObject({ type: z.literal('modal') });

/** Opens the form of a clone, as a person would, and gives it as Slack would keep it. */
export async function openForm(bot: Bot, person = signedIn): Promise<object> {
  const before = await bot.told('views.open', 0);
  await bot.send(command(bot, '/clone', '', person));
  await bot.told('views.open', before + 1);
  return Modal.parse(JSON.parse(await bot.last('view')));
}

/**
 * Opens the form of a clone and chooses what `values` say. Gives the form that Dolly then draws for these choices: it is
 * the answer to a form that was submitted as it was before. The bare app draws no other.
 */
export async function openFilledForm(bot: Bot, values: Readonly<Record<string, object>>): Promise<object> {
  const view = await openForm(bot);
  if (bot.kind === 'bare') return view;
  const answer = await bot.ask(submission(view, signedIn, values));
  return z.object({ view: Modal }).parse(JSON.parse(answer)).view;
}

/** All that the sandbox service needs for a clone, with the port and the mount base of its own. */
export function filled(port: number, mountBase = `/mnt/c${port}`) {
  return {
    sourceDatabase: choice('external_select', 'MYSQL_LIVE_SERVER-2', 'shop'),
    cloneType: choice('radio_buttons', 'VIRTUALCLONE', 'Virtual'),
    targetEnvironment: choice('external_select', 'HOST_ENVIRONMENT-4', 'dev'),
    install: choice('external_select', 'MYSQL_INSTALL-2', 'MySQL'),
    environmentUser: choice('external_select', 'ENVIRONMENT_USER-8', 'backup'),
    port: { type: 'number_input', value: String(port) },
    mountBase: { type: 'plain_text_input', value: mountBase },
  } as const;
}

/** A clone that the sandbox service refuses, so that the job ends at once and the service does not fill with clones. */
export const refused = filled(4_000, '/mnt/refuse');

/** Signs {@link signedIn} in at the sandbox service, by Dolly's form. */
export async function signIn(dolly: Bot, { username, password }: Outside['account']): Promise<void> {
  const view = { type: 'modal', callback_id: 'login', private_metadata: JSON.stringify({ channel, intent: null }) };
  const field = (value: string) => ({ type: 'plain_text_input', value });
  await dolly.send(submission(view, signedIn, { username: field(username), password: field(password) }), /Asking/);
  await dolly.told('chat.postEphemeral', 1);
}

function choice(type: string, value: string, label: string) {
  return { type, selected_option: { value, text: { type: 'plain_text', text: label } } };
}
