import type { BlockAction } from '@slack/bolt';
import { WebClient } from '@slack/web-api';
import { pino } from 'pino';
import { describe, expect, onTestFinished, test } from 'vitest';
import { day, hour, minute } from '../../../src/ground/durations.ts';
import { recordOf, recordsOf, stringOf } from '../../../src/sandbox/playground/json.ts';
import type { TakenBlocks } from '../../../src/sandbox/playground/newerBlocks.ts';
import { startPlayground } from '../../../src/sandbox/playground/server.ts';
import { actionsRow, foldBlock, section } from '../../../src/slack/blocks/blocks.ts';
import { seriesChart } from '../../../src/slack/blocks/chart.ts';
import { dataTable } from '../../../src/slack/blocks/dataTable.ts';
import { message } from '../../../src/slack/blocks/message.ts';
import { warningBlock } from '../../../src/slack/blocks/warningBlock.ts';
import { oneForAll } from '../../../src/slack/connection/slacks.ts';
import { answerClick, answerCommand, tellDirectly, whisper } from '../../../src/slack/desk/answer.ts';
import { contentView, writePlace } from '../../../src/slack/desk/contentView.ts';
import { type Body, sendContent, sendView, viewInAnswer } from '../../../src/slack/desk/sendContent.ts';
import { openView } from '../../../src/slack/desk/views.ts';
import { findLostPost, marked } from '../../../src/slack/outbox/lostPost.ts';
import { type OlderWorkspaces, olderWorkspacesIn } from '../../../src/store/tables/olderWorkspaces.ts';
import { testClock } from '../../clock.ts';
import { stage, tokens } from '../../sandbox/playground/bolt.ts';
import { folder, storeIn } from '../../store/folder.ts';

const content = message([
  section('*1 database is late.*'),
  ...dataTable({ caption: 'Backups', header: ['Database', 'Age'], rows: [['shop', { text: '26 h', value: 26 }]] }),
  ...seriesChart({ type: 'bar', title: 'Ages', categories: ['shop'], series: [{ name: 'age', values: [26] }] }),
  ...actionsRow([]),
]);
const rich = ['section', 'data_table', 'data_visualization'];
const older = ['section', 'section', 'section'];

/** A workspace, with or without the newer blocks, and two replicas that send to it. */
async function office(newerBlocks: TakenBlocks) {
  const clock = testClock(Date.UTC(2026, 10, 21, 9));
  const store = await storeIn(folder());
  const playground = await startPlayground({ port: 0, ...tokens, commands: [], clock });
  onTestFinished(() => playground.close());
  playground.slack.settings.newerBlocks = newerBlocks;
  const slack = new WebClient(tokens.botToken, { slackApiUrl: playground.apiUrl, retryConfig: { retries: 0 } });
  const { id: channel } = playground.slack.workspace.channels.find(({ name }) => name === 'databases') ?? { id: '' };
  const ana = playground.slack.workspace.people[0]?.id ?? '';
  const replica = (change: Partial<OlderWorkspaces> = {}) => ({
    ...{ slack: oneForAll(slack), clock, log: pino({ level: 'silent' }) },
    olderWorkspaces: { ...olderWorkspacesIn(store), ...change },
  });
  const seen = () =>
    playground.slack.messages(channel).map(({ blocks }) => blocks.map(block => stringOf(recordOf(block).type)));
  const calls = () => playground.slack.traffic().filter(({ direction }) => direction === 'from bot').length;
  const post = (body: Body) => slack.chat.postMessage({ channel, ...body });
  return { clock, playground, slack, channel, ana, replica, seen, calls, post };
}

describe('newer blocks', () => {
  test('newer blocks go out in one call to a workspace that takes them', async () => {
    const { replica, post, seen, calls } = await office(true);
    await sendContent(replica(), 'T1', content, post);
    expect(seen()).toEqual([rich]);
    expect(calls()).toBe(1);
  });

  test('a workspace that refuses newer blocks gets the older form from every replica for a day, and then the newer', async () => {
    const { clock, playground, replica, post, seen, calls } = await office(false);
    const [one, other] = [replica(), replica()];
    await sendContent(one, 'T1', content, post);
    expect(seen()).toEqual([older]);
    expect(calls()).toBe(2);
    await sendContent(other, 'T1', content, post);
    expect(calls()).toBe(3);
    // The workspace has them now, but nobody asks it yet.
    playground.slack.settings.newerBlocks = true;
    await clock.advance(day - minute);
    await sendContent(one, 'T1', content, post);
    expect(seen()).toEqual([older, older, older]);
    await clock.advance(minute);
    await sendContent(other, 'T1', content, post);
    expect(seen()).toEqual([older, older, older, rich]);
    // It is a refusal of the workspace, and no broken rule.
    expect(playground.slack.violations()).toEqual([]);
  });

  test('a workspace that refuses one kind of newer blocks still gets the other kinds', async () => {
    const { replica, post, seen, calls } = await office({ without: ['container'] });
    const facts = message([section('*shop is ready*'), ...foldBlock('Details', ['Port: 3310'])]);
    await sendContent(replica(), 'T1', facts, post);
    await sendContent(replica(), 'T1', content, post);
    await sendContent(replica(), 'T1', facts, post);
    expect(seen()).toEqual([['section', 'section', 'section'], rich, ['section', 'section', 'section']]);
    expect(calls()).toBe(4);
  });

  test('two replicas that try refused blocks at the same time each post one message, in the older form', async () => {
    const { replica, post, seen } = await office(false);
    await Promise.all([sendContent(replica(), 'T1', content, post), sendContent(replica(), 'T1', content, post)]);
    expect(seen()).toEqual([older, older]);
  });

  test('a changed, an ephemeral and a direct message have the older form where newer blocks are refused', async () => {
    const { replica, slack, channel, ana, playground, seen, post } = await office(false);
    const { ts = '' } = await post({ text: 'first' });
    await sendContent(replica(), 'T1', content, body => slack.chat.update({ channel, ts, blocks: [], ...body }));
    await whisper(replica(), { team: 'T1', person: ana, channel }, content);
    expect(seen()).toEqual([older, older]);
    await tellDirectly(replica(), { team: 'T2', person: ana }, content);
    const { channel: direct } = await slack.conversations.open({ users: ana });
    expect(playground.slack.messages(direct?.id ?? '').map(({ blocks }) => blocks.length)).toEqual([3]);
  });

  test('a message changes to newer blocks once its workspace takes them, and back once it refuses them', async () => {
    const { clock, playground, replica, slack, channel, seen, post } = await office(false);
    const { ts = '' } = await sendContent(replica(), 'T1', content, post);
    const update = () =>
      sendContent(replica(), 'T1', content, body => slack.chat.update({ channel, ts, blocks: [], ...body }));
    playground.slack.settings.newerBlocks = true;
    await clock.advance(day);
    await update();
    expect(seen()).toEqual([rich]);
    // Another replica, which has not tried them again yet, sends the older form of the same message.
    await slack.chat.update({ channel, ts, text: content.text, blocks: content.plain ?? [] });
    expect(seen()).toEqual([older]);
    await update();
    playground.slack.settings.newerBlocks = { without: ['data_visualization'] };
    await update();
    expect(seen()).toEqual([older]);
    expect(playground.slack.messages(channel)[0]?.text).toBe(content.text);
  });

  test('a message whose newer blocks are refused while the store is away is still sent, once', async () => {
    const { replica, post, seen } = await office(false);
    const away = () => Promise.reject(new Error('the store is away'));
    await sendContent(replica({ note: away }), 'T1', content, post);
    await sendContent(replica({ refuses: away, note: away }), 'T1', content, post);
    expect(seen()).toEqual([older, older]);
  });

  test('a process that dies after the older form went out leaves one post behind, which is found again', async () => {
    const { clock, playground, replica, slack, channel, post, seen, calls } = await office(false);
    let tries = 0;
    const dying = sendContent(replica(), 'T1', content, body => {
      tries += 1;
      if (tries === 2) playground.slack.faults.add({ method: 'chat.postMessage', kind: 'lose-answer' });
      return slack.chat.postMessage({ channel, ...body, metadata: marked('job1', { part: 'card' }) });
    });
    await expect(dying).rejects.toThrow();
    expect(seen()).toEqual([older]);
    const lost = { job: 'job1', part: 'card', place: channel, threadTs: undefined, since: clock.now() };
    expect(await findLostPost(slack, lost)).toBe(playground.slack.messages(channel)[0]?.ts);
    // The refusal was noted before, so the next message is not refused.
    const before = calls();
    await sendContent(replica(), 'T1', content, post);
    expect(calls() - before).toBe(1);
  });

  test('a message that Slack limits after refusing its newer blocks goes out later, at once in the older form', async () => {
    const { playground, replica, slack, channel, post, seen, calls } = await office(false);
    let tries = 0;
    const limited = sendContent(replica(), 'T1', content, body => {
      tries += 1;
      if (tries === 2) playground.slack.faults.add({ method: 'chat.postMessage', kind: 'refuse', word: 'ratelimited' });
      return slack.chat.postMessage({ channel, ...body });
    });
    await expect(limited).rejects.toThrow('ratelimited');
    const before = calls();
    await sendContent(replica(), 'T1', content, post);
    expect(calls() - before).toBe(1);
    expect(seen()).toEqual([older]);
  });

  test('newer blocks that Slack refuses for another reason are sent again with the next message', async () => {
    const { playground, replica, post, seen } = await office(true);
    playground.slack.faults.add({ method: 'chat.postMessage', kind: 'refuse', word: 'msg_blocks_too_long' });
    await sendContent(replica(), 'T1', content, post);
    await sendContent(replica(), 'T1', content, post);
    expect(seen()).toEqual([older, rich]);
  });
});

test('an answer to a command has the older form where its response URL refuses the newer, also the next time', async () => {
  const { replica } = await office(false);
  const desk = replica();
  await using on = await stage(app => {
    app.command('/db', async ({ ack, command, respond, client }) => {
      await ack();
      const asker = { team: command.team_id, person: command.user_id, channel: command.channel_id };
      await answerCommand({ ...desk, slack: oneForAll(client) }, asker, respond, content);
    });
  });
  on.playground.slack.settings.newerBlocks = false;
  const ana = await on.someone('Ana');
  const answers = () => on.playground.slack.traffic().filter(({ what }) => what === 'response_url');
  await ana.types('#databases', '/db');
  await ana.reads('#databases', '1 database is late');
  expect(answers()).toHaveLength(2);
  await ana.types('#databases', '/db');
  await expect.poll(() => answers().length).toBe(3);
  expect(on.playground.slack.messages('#databases')).toHaveLength(2);
});

test('a click inside a form is answered in a modal on top, and in the channel where three modals are open', async () => {
  const { replica } = await office(true);
  const desk = replica();
  const button = {
    type: 'button' as const,
    action_id: 'deeper',
    text: { type: 'plain_text' as const, text: 'Deeper' },
  };
  const answerTo = (click: number) => message([section(`Answer ${click}`), ...actionsRow([button], 'again')]);
  let clicks = 0;
  await using on = await stage(app => {
    app.command('/db', async ({ ack, command, client }) => {
      await ack();
      const { trigger_id: trigger, team_id: team, channel_id: channel } = command;
      const form = contentView({ title: 'Form', metadata: writePlace({ channel }) }, answerTo(0));
      await openView({ ...desk, slack: oneForAll(client) }, { team, trigger }, form);
    });
    app.action<BlockAction>('deeper', async ({ ack, body, respond, client }) => {
      await ack();
      clicks += 1;
      await answerClick({ ...desk, slack: oneForAll(client) }, { body, respond }, answerTo(clicks));
    });
  });
  const ana = await on.someone('Ana');
  await ana.types('#databases', '/db');
  await ana.modal();
  for (const depth of [2, 3]) {
    await ana.presses('Deeper');
    await ana.until(() => ana.sees().views.length === depth, `${depth} modals`);
  }
  expect(JSON.stringify((await ana.modal()).blocks)).toContain('Answer 2');
  await ana.presses('Deeper');
  await ana.reads('#databases', 'Answer 3');
  expect(ana.sees().views).toHaveLength(3);
});

test('a message whose blocks Slack calls invalid is sent as text alone', async () => {
  const { playground, replica, post, seen } = await office(true);
  const broken = message([section('x'.repeat(10))]);
  playground.slack.faults.add({ method: 'chat.postMessage', kind: 'refuse', word: 'invalid_blocks' });
  await sendContent(replica(), 'T1', broken, post);
  expect(seen()).toEqual([[]]);
});

describe('a view with an alert', () => {
  const view = {
    type: 'modal' as const,
    title: { type: 'plain_text' as const, text: 'Delete shop?' },
    blocks: [section('*Delete shop*'), warningBlock('warning', 'This cannot be undone.', 'warning')],
  };
  const kindsShown = (blocks: readonly { type: string }[]) => blocks.map(({ type }) => type);
  /** A workspace in which each command opens the view. */
  const workspace = async (newerBlocks: TakenBlocks) => {
    const { replica } = await office(true);
    const desk = replica();
    const on = await stage(app => {
      app.command('/db', async ({ ack, body, client }) => {
        await ack();
        const open = (shown: typeof view) => client.views.open({ trigger_id: body.trigger_id, view: shown });
        await sendView(desk, body.team_id, view, open);
      });
    });
    onTestFinished(() => on[Symbol.asyncDispose]());
    on.playground.slack.settings.newerBlocks = newerBlocks;
    const ana = await on.someone('Ana');
    const opens = async () => {
      await ana.types('#databases', '/db');
      return kindsShown(recordsOf((await ana.modal()).blocks).map(({ type }) => ({ type: stringOf(type) })));
    };
    const team = on.playground.slack.workspace.team.id;
    return { desk, opens, team, on, answer: () => kindsShown(viewInAnswer(desk, team, view).blocks) };
  };

  test('a view opens with an alert where the workspace takes it, and from then on answers a form with it for an hour', async () => {
    const { desk, opens, answer } = await workspace(true);
    expect(answer()).toEqual(['section', 'section']);
    expect(await opens()).toEqual(['section', 'alert']);
    // A person sees the view before Slack has answered the bot.
    await expect.poll(answer).toEqual(['section', 'alert']);
    await desk.clock.advance(hour);
    expect(answer()).toEqual(['section', 'section']);
  });

  test('a view opens without its alert, by the same trigger, where the workspace refuses it, which is remembered', async () => {
    const { opens, on, answer, team, desk } = await workspace({ without: ['alert'] });
    const calls = () => on.playground.slack.traffic().filter(({ what }) => what === 'views.open').length;
    expect(await opens()).toEqual(['section', 'section']);
    expect(calls()).toBe(2);
    expect(answer()).toEqual(['section', 'section']);
    expect(await desk.olderWorkspaces.refuses(team, ['container'], desk.clock.now())).toBe(false);
    expect(await opens()).toEqual(['section', 'section']);
    expect(calls()).toBe(3);
    expect(on.playground.slack.violations()).toEqual([]);
  });
});

test('a fourth modal on top of three is refused for that reason, and not for coming too late', async () => {
  const { replica, playground } = await office(true);
  const view = contentView({ title: 'Form', metadata: '{}' }, content);
  const opens = (word: string) => {
    playground.slack.faults.add({ method: 'views.push', kind: 'refuse', word });
    return openView(replica(), { team: 'T1', trigger: 'trigger', isInForm: true }, view);
  };
  await expect(opens('push_limit_reached')).rejects.toThrow('only three windows on top of each other');
  await expect(opens('expired_trigger_id')).rejects.toThrow('could not open the form in time');
});
