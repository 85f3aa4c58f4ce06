import { hoursToMilliseconds } from 'date-fns/hoursToMilliseconds';
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { minute } from '../../src/ground/durations.ts';
import type { Json } from '../../src/sandbox/playground/json.ts';
import type { Message } from '../../src/sandbox/playground/protocol.ts';
import { inboxIn } from '../../src/store/tables/inbox.ts';
import { openVault } from '../../src/store/vault.ts';
import { personIn, type Someone, textOf } from '../person.ts';
import { hasPostgres } from '../postgresServer.ts';
import { tokenKey, type World, world } from '../world.ts';
import { approvalKeys } from './approvals.ts';
import { confirms } from './asking.ts';
import { endsIn, said, tells } from './talking.ts';

/* What can go wrong between a message and what comes of it. */

let earth: World;
let ana: Someone;
let ben: Someone;

beforeAll(async () => {
  earth = await world({ handsOnStore: true, environment: { APPROVERS: approvalKeys.APPROVERS } });
  ana = await earth.enters('Ana', 'ana');
  ben = await earth.enters('Ben');
});
afterAll(() => earth.close());
// So that no journey meets the gate of floods.
beforeEach(() => earth.clock.advance(30_000));

const databases = 'C0DATABASE';
const direct = 'D0ANA00001';
const backups = ({ path }: { path: string }) => path.endsWith('/database/sync');
const countBackups = (of = earth) => of.writes().filter(backups).length;

let count = 0;
/** The event of a mention by Ana, as Slack tells it. */
function mention(text: string, change: Json = {}, at = earth.clock.now()): Json {
  count += 1;
  const ts = `${Math.floor(at / 1_000)}.${String(count).padStart(6, '0')}`;
  const bot = earth.playground.slack.workspace.app.botUser;
  const event = { type: 'app_mention', user: ana.id, channel: databases, text: `<@${bot}> ${text}`, ts, event_ts: ts };
  return { ...event, ...change };
}

/** Does something, and gives the next message of Dolly's in a channel. */
async function next(channel: string, act: () => Promise<unknown>): Promise<Message> {
  const before = said(earth, channel).length;
  await act();
  return earth.until(() => said(earth, channel)[before], `a message in ${channel}`);
}

/** Does something, and claims that Dolly says nothing and asks the service for nothing: all looks at jobs that ended are over by then. */
async function nothingComesOf(act: () => Promise<unknown>): Promise<void> {
  const all = () =>
    [said(earth, databases), said(earth, direct), earth.service.service.requests].map(list => list.length);
  await earth.clock.advance(6 * minute);
  const before = all();
  await act();
  await earth.clock.advance(15_000);
  expect(all()).toEqual(before);
}

/** A message of Ben's, under which a thread begins with one of Ana's. */
async function thread(): Promise<Message> {
  const before = ben.messages('#databases').length;
  await ben.types('#databases', 'Is orders backed up?');
  const root = await ben.until(() => ben.messages('#databases')[before], 'the first message');
  await ana.types('#databases', 'I look', root);
  return root;
}

describe('a message of which Slack tells several times', () => {
  test('a mention that Slack delivers several times is done once, also later and after a restart', async () => {
    const before = countBackups();
    const event = mention('backup orders');
    const card = await next(databases, () =>
      Promise.all([tells(earth, event), tells(earth, event), tells(earth, event)]),
    );
    await endsIn(earth, card, card.ts);
    await nothingComesOf(() => tells(earth, event));
    await earth.restart();
    await nothingComesOf(() => tells(earth, event, { event_id: 'Ev0ANOTHER1' }));
    expect(countBackups() - before).toBe(1);
  });

  test('a question by a mention that Slack delivers several times is answered once, also after a restart', async () => {
    const event = mention('help login');
    await next(databases, () => Promise.all([tells(earth, event), tells(earth, event)]));
    await nothingComesOf(() => tells(earth, event));
    await earth.restart();
    await nothingComesOf(() => tells(earth, event));
  });

  test('a mention whose ack Slack never heard is done once', async () => {
    const before = countBackups();
    earth.playground.slack.deafTo('event app_mention');
    const card = await next(databases, () => ana.types('#databases', '@dolly backup orders'));
    await endsIn(earth, card, card.ts);
    await earth.clock.advance(400_000);
    expect(countBackups() - before).toBe(1);
  });
});

describe('a message', () => {
  test('a mention that was edited is not done by itself, but offered by a button', async () => {
    const before = countBackups();
    const list = await next(databases, () => ana.types('#databases', '@dolly list orders'));
    const own = ana.messages('#databases').findLast(({ user, ts }) => user === ana.id && Number(ts) < Number(list.ts));
    if (!own) throw new Error('Ana wrote nothing');
    const offer = await next(databases, () => ana.edits(own, '@dolly backup orders'));
    expect([offer.onlyFor, textOf(offer)]).toEqual([ana.id, expect.stringContaining('You edited this message')]);
    await earth.clock.advance(60_000);
    expect(countBackups()).toBe(before);
    const card = await next(databases, () => ana.presses('Do it now', { message: offer }));
    await endsIn(earth, card, card.ts);
    expect(countBackups() - before).toBe(1);
  });

  test('a mention that comes five hours late is done once', async () => {
    const event = mention('backup orders', {}, earth.clock.now() - hoursToMilliseconds(5));
    const card = await next(databases, () => tells(earth, event));
    await endsIn(earth, card, card.ts);
    await nothingComesOf(() => tells(earth, event));
  });
});

describe('nothing comes of', () => {
  test.each([
    ['what another bot wrote', { bot_id: 'B0ANOTHER1', user: 'U0ANOTHER1' }],
    ['what Dolly wrote itself', { bot_id: 'B0DOLLY001', user: 'U0DOLLY001' }],
    ['what a workflow wrote', { bot_id: 'B0WORKFLOW', subtype: 'bot_message', user: undefined }],
    ['what Slackbot wrote', { user: 'USLACKBOT' }],
    [
      'news that a message was changed',
      { type: 'message', subtype: 'message_changed', channel_type: 'im', hidden: true },
    ],
    ['a message in a channel that mentions nobody', { type: 'message', channel_type: 'channel' }],
    ['an event without a person', { user: undefined }],
    ['an event without a text that is one', { text: { hostile: true } }],
  ])('nothing is done because of %s', async (_what, change) => {
    await nothingComesOf(async () => expect(await tells(earth, mention('backup orders', change))).toBe(200));
  });

  test('a mention by a person of another workspace gets one sentence, for them alone, and does nothing', async () => {
    const oli = await personIn(earth.playground, 'Oli');
    const before = earth.service.service.requests.length;
    const answer = await next('C0PARTNERS', () => oli.types('#partners', '@dolly list'));
    expect([answer.onlyFor, answer.text]).toEqual([oli.id, expect.stringContaining('Only members of this workspace')]);
    expect(earth.service.service.requests.length).toBe(before);
    oli.leaves();
  });
});

test('of a flood of 100 mentions some sixty are answered, and the person is told of the limit once', async () => {
  const before = said(earth, databases).length;
  await Promise.all(Array.from({ length: 100 }, () => tells(earth, mention('help login'))));
  await earth.clock.advance(1_000);
  const answers = said(earth, databases).slice(before);
  expect(answers.length).toBeLessThanOrEqual(62);
  expect(answers.filter(({ text }) => text.includes('more at once than I do'))).toHaveLength(1);
});

test('a password in a mention stands in nothing that Dolly says, and in no button', async () => {
  const root = await thread();
  for (const line of [
    "clone shop databaseParams='password=hunter22'",
    'clone shop password=hunter22',
    'clonne shop password=hunter22',
    'show --password hunter22',
    'why clone shop databaseParams="password=hunter22"',
  ]) {
    const answer = await next(databases, () => tells(earth, mention(line, { thread_ts: root.ts })));
    expect([answer.onlyFor, answer.threadTs]).toEqual([ana.id, root.ts]);
    expect(answer.text).toContain('looks like a password');
  }
  const sent = earth.playground.slack.traffic().filter(({ direction }) => direction !== 'to bot');
  expect(JSON.stringify(sent).includes('hunter22')).toBe(false);
});

test('a mention’s mistyped words are repeated without mentioning anybody', async () => {
  const answer = await next(databases, () => tells(earth, mention('shwo &lt;!channel&gt; *x* `y` <!channel>')));
  expect(answer.text).not.toMatch(/<!channel>|<@/);
});

test('a job’s message in a thread whose answer from Slack is lost stands there once', async () => {
  const root = await thread();
  earth.playground.slack.faults.add({ method: 'chat.postMessage', kind: 'lose-answer' });
  const card = await next(databases, () => tells(earth, mention('backup orders', { thread_ts: root.ts })));
  await endsIn(earth, card, root.ts);
  expect(earth.replies(root)).toHaveLength(2);
});

describe('where the thread or the channel is gone', () => {
  test('a mention in a thread that was deleted has its answer and its job in the channel', async () => {
    const root = await thread();
    await ben.deletes(root);
    const answer = await next(databases, () => tells(earth, mention('help login', { thread_ts: root.ts })));
    expect([answer.onlyFor, answer.threadTs]).toEqual([ana.id, undefined]);
    const card = await next(databases, () => tells(earth, mention('backup orders', { thread_ts: root.ts })));
    expect(card.threadTs).toBeUndefined();
    await endsIn(earth, card, card.ts);
  });

  test('the end of a job whose thread is deleted meanwhile is told all the same', async () => {
    const root = await thread();
    const card = await next(databases, () => tells(earth, mention('backup orders', { thread_ts: root.ts })));
    expect(card.threadTs).toBe(root.ts);
    await ben.deletes(root);
    const before = said(earth, databases).length;
    await earth.until(() => said(earth, databases).length > before, 'the end');
    expect(earth.text(card)).toContain('Confirmed');
  });

  test('a mention in a private channel that Dolly has left is answered by direct message', async () => {
    const private_ = { channel: 'C0PRIVATE1', thread_ts: '1795000000.000100' };
    const answer = await next(direct, () => tells(earth, mention('help login', private_)));
    expect(textOf(answer)).toContain('login');
    const card = await next(direct, () => tells(earth, mention('backup orders', private_)));
    await endsIn(earth, card, card.ts);
  });
});

test('a job that waits for approval in a thread is decided and ends there', async () => {
  const root = await thread();
  const dev = await earth.enters('Dev', 'dev');
  const offer = await next(databases, () => tells(earth, mention('delete CRMTEST', { thread_ts: root.ts })));
  await ana.until(() => ana.messages('#databases').some(({ ts }) => ts === offer.ts), 'the offer');
  await ana.presses('Open the form', { message: offer });
  await confirms(ana, 'CRMTEST');
  const isCard = (message: Message) => message.threadTs === root.ts && textOf(message).includes('Waits for approval');
  const card = await earth.until(() => said(earth, databases).find(isCard), 'the card');
  await dev.until(() => dev.messages('#databases').some(({ ts }) => ts === card.ts), 'the card');
  await dev.presses('Approve', { message: card });
  await endsIn(earth, card, root.ts);
});

describe('what could not be done at once', () => {
  test('a mention that a killed bot had acknowledged is done by the next bot, in its thread', async () => {
    const root = await thread();
    const vault = openVault([new Uint8Array(Buffer.from(tokenKey, 'base64'))]);
    const by = { team: earth.playground.slack.workspace.team.id, person: ana.id, createdAt: earth.clock.now() };
    const left = { id: 'left', ...by, channel: databases, thread: root.ts, action: 'command', value: 'backup orders' };
    await inboxIn(earth.store(), vault).keep(left, 0, 'mention');
    const card = await next(databases, () => earth.clock.advance(11_000));
    expect(card.threadTs).toBe(root.ts);
    await endsIn(earth, card, root.ts);
  });

  test('a mention that the store cannot keep is answered with an error, and done if Slack delivers it again', async () => {
    const event = mention('backup orders');
    const rename = (from: string, to: string) => earth.store().schema.alterTable(from).renameTo(to).execute();
    await rename('inbox', 'away');
    const sorry = await next(databases, () => tells(earth, event));
    expect(sorry.text).toContain('My store has a problem');
    await rename('away', 'inbox');
    const card = await next(databases, () => tells(earth, event));
    await endsIn(earth, card, card.ts);
  });
});

test('“/db doctor” says when the last mention came, and that no direct message did', async () => {
  await tells(earth, mention('doctor'));
  const answer = await ana.reads('#databases', 'The set-up');
  expect(textOf(answer)).toMatch(/Mentions: the last one/);
  expect(textOf(answer)).toMatch(/Direct messages: none came.*message\.im/s);
});

test.runIf(hasPostgres)('a mention that reaches two replicas at once is done once', async () => {
  const shared = await world({ store: 'PostgreSQL' });
  onTestFinished(() => shared.close());
  const cleo = await shared.enters('Ana', 'ana');
  const other = await shared.joins();
  const event = mention('backup orders', { user: cleo.id }, shared.clock.now());
  const show = mention('help login', { user: cleo.id }, shared.clock.now());
  const before = said(shared, databases).length;
  for (const one of [event, show])
    await Promise.all([tells(shared, one), tells(shared, one, {}, other), tells(shared, one, {}, other)]);
  const card = await shared.until(
    () =>
      said(shared, databases)
        .slice(before)
        .find(({ onlyFor }) => onlyFor === undefined),
    'the card',
  );
  await endsIn(shared, card, card.ts);
  await shared.clock.advance(15_000);
  expect(shared.writes().filter(backups)).toHaveLength(1);
  expect(
    said(shared, databases)
      .slice(before)
      .filter(({ threadTs }) => threadTs === undefined),
  ).toHaveLength(2);
  await other.stop();
});
