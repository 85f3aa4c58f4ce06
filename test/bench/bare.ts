import { App, HTTPReceiver } from '@slack/bolt';
import type { HomeView, KnownBlock, ModalView } from '@slack/types';
import type { Statement } from 'better-sqlite3';

/*
 * The app that Dolly is compared with: Bolt as it comes, with the listeners that any app would have for the same
 * things. It checks signatures, acks at once, and says afterwards what was written beforehand: the very text and form that
 * Dolly says, so that both send and are sent as many bytes. Where Dolly promises that a form which closes is kept, this
 * keeps it too, in one commit (PRAGMA synchronous=FULL, as Dolly's store): what was filled in, and as many bytes as Dolly
 * writes.
 */
const { SLACK_BOT_TOKEN = '', SLACK_SIGNING_SECRET = '', SLACK_API_URL = '', DATA_DIR = '', ROW = '' } = process.env;
const help: { text: string; blocks: KnownBlock[] } = JSON.parse(process.env.HELP ?? '{"text":"Help","blocks":[]}');
const form: ModalView = JSON.parse(process.env.FORM ?? '{}');
const home: HomeView = JSON.parse(process.env.HOME_VIEW ?? '{}');

const receiver = new HTTPReceiver({ signingSecret: SLACK_SIGNING_SECRET });
const app = new App({ token: SLACK_BOT_TOKEN, receiver, clientOptions: { slackApiUrl: SLACK_API_URL } });

app.command('/db', async ({ ack, respond }) => {
  await ack();
  await respond(help);
});

app.event('app_home_opened', async ({ event, client }) => {
  await client.views.publish({ user_id: event.user, view: home });
});

app.event('app_mention', async ({ event, client }) => {
  const { text, blocks } = help;
  await client.chat.postEphemeral({ channel: event.channel, user: event.user ?? '', text, blocks });
});

app.event('function_executed', async ({ ack, event, client }) => {
  await ack();
  await client.functions.completeError({
    function_execution_id: event.function_execution_id,
    error: 'Something is missing.',
  });
});

app.command('/clone', async ({ ack, command, client }) => {
  await ack();
  await client.views.open({ trigger_id: command.trigger_id, view: form });
});

let statement: Statement | undefined;
/** Opened at the first form, so that start time and memory without any are Bolt's alone. */
async function openForms(): Promise<Statement> {
  const { default: Sqlite } = await import('better-sqlite3');
  const store = new Sqlite(`${DATA_DIR}/bare.sqlite`);
  store.pragma('journal_mode = WAL');
  store.pragma('synchronous = FULL');
  store.exec('CREATE TABLE forms (id INTEGER PRIMARY KEY, person TEXT, inputs TEXT, rest TEXT)');
  return store.prepare('INSERT INTO forms (person, inputs, rest) VALUES (?, ?, ?)');
}

/** Mentions and steps are kept before Slack hears of them, as forms are. Bolt by itself acknowledges events first. */
const processEvent = app.processEvent.bind(app);
app.processEvent = async received => {
  const { event } = received.body;
  if (event?.type === 'app_mention' || event?.type === 'function_executed') {
    statement ??= await openForms();
    statement.run(event.user ?? '', JSON.stringify(received.body), '');
  }
  await processEvent(received);
};

app.view('clone.create', async ({ ack, body, view, client }) => {
  const { values } = view.state;
  if (!values.sourceDatabase?.value?.selected_option) {
    await ack({ response_action: 'errors', errors: { sourceDatabase: 'This is needed.' } });
    return;
  }
  statement ??= await openForms();
  const inputs = JSON.stringify(values);
  statement.run(body.user.id, inputs, ROW.slice(inputs.length));
  await ack();
  await client.chat.postMessage({ channel: 'CBENCH', text: 'Working on it' });
});

const server = await app.start({ port: 0, host: '127.0.0.1' });
const address = server.address();
console.log(`listens at http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}`);
// An end by a signal would write no profile.
process.once('SIGTERM', () => process.exit(0));
