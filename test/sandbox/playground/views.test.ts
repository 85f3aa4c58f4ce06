import type { App } from '@slack/bolt';
import { LogLevel, WebClient } from '@slack/web-api';
import { describe, expect, test } from 'vitest';
import type { Playground } from '../../../src/sandbox/playground/server.ts';
import { testClock } from '../../clock.ts';
import { stage, tokens } from './bolt.ts';

const plain = (text: string) => ({ type: 'plain_text' as const, text });
const modal = (title: string, more: object = {}) => ({
  type: 'modal' as const,
  callback_id: title,
  title: plain(title),
  submit: plain('Go'),
  blocks: [
    {
      type: 'input' as const,
      block_id: 'name',
      label: plain('Name'),
      element: { type: 'plain_text_input' as const, action_id: 'value', min_length: 2, max_length: 5 },
    },
    {
      type: 'input' as const,
      block_id: 'note',
      label: plain('Note'),
      optional: true,
      element: { type: 'plain_text_input' as const, action_id: 'value' },
    },
    {
      type: 'actions' as const,
      block_id: 'buttons',
      elements: [{ type: 'button' as const, action_id: 'deeper', text: plain('Deeper') }],
    },
  ],
  ...more,
});

/** Keeps the triggers that come along, so that a test can use them as it likes. */
const collector =
  (triggers: string[], acks: object[] = [], bodies: object[] = []) =>
  (app: App) => {
    app.command('/db', async ({ ack, command }) => {
      triggers.push(command.trigger_id);
      await ack();
    });
    app.action('deeper', async ({ ack, body }) => {
      if ('trigger_id' in body) triggers.push(body.trigger_id);
      await ack();
    });
    app.view(/.*/, async ({ ack, body }) => {
      bodies.push(body);
      // What Bolt's types would not let through is what these tests are about.
      const answer: object | undefined = acks.shift();
      await Reflect.apply(ack, undefined, answer === undefined ? [] : [answer]);
    });
  };

const clientOf = ({ apiUrl }: Playground) =>
  new WebClient(tokens.botToken, { slackApiUrl: apiUrl, retryConfig: { retries: 0 }, logLevel: LogLevel.ERROR });
const refused = (work: Promise<unknown>, code: string) => expect(work).rejects.toThrow(`: ${code}`);
const last = (triggers: string[]) => triggers.at(-1) ?? '';

describe('a trigger', () => {
  test('a trigger opens one view, within three seconds', async () => {
    const clock = testClock();
    const triggers: string[] = [];
    await using on = await stage(collector(triggers), 'http', { clock });
    const client = clientOf(on.playground);
    const ana = await on.someone('Ana');
    await ana.types('#databases', '/db');
    await client.views.open({ trigger_id: last(triggers), view: modal('One') });
    await refused(client.views.open({ trigger_id: last(triggers), view: modal('Two') }), 'exchanged_trigger_id');
    await ana.types('#databases', '/db');
    await clock.advance(3_001);
    await refused(client.views.open({ trigger_id: last(triggers), view: modal('Two') }), 'expired_trigger_id');
    await refused(client.views.open({ trigger_id: 'made.up', view: modal('Two') }), 'invalid_trigger_id');
    expect(on.playground.slack.violations()).toHaveLength(3);
  });

  test('a trigger is not used up by a view that Slack refuses', async () => {
    const triggers: string[] = [];
    await using on = await stage(collector(triggers));
    const client = clientOf(on.playground);
    const ana = await on.someone('Ana');
    await ana.types('#databases', '/db');
    const bad = modal('A title of more than twenty-four characters');
    await expect(client.views.open({ trigger_id: last(triggers), view: bad })).rejects.toMatchObject({
      data: {
        error: 'invalid_arguments',
        response_metadata: { messages: ['[ERROR] must be less than 25 characters [json-pointer:/view/title/text]'] },
      },
    });
    await client.views.open({ trigger_id: last(triggers), view: modal('Good') });
    expect((await ana.modal()).title).toBe('Good');
  });
});

describe('an open modal', () => {
  const opened = async (acks: object[] = [], more: object = {}, bodies: object[] = []) => {
    const triggers: string[] = [];
    const on = await stage(collector(triggers, acks, bodies));
    const client = clientOf(on.playground);
    const ana = await on.someone('Ana');
    await ana.types('#databases', '/db');
    const { view } = await client.views.open({ trigger_id: last(triggers), view: modal('One', more) });
    await ana.modal();
    return { on, client, ana, triggers, view, violations: on.playground.slack.violations };
  };

  test('an open modal is updated by its id, not past a newer hash, and keeps what was filled in', async () => {
    const { on, client, ana, view } = await opened();
    await using _ = on;
    const view_id = view?.id ?? '';
    await ana.fills({ name: 'orders', note: 'kept' });
    const { view: newer } = await client.views.update({ view_id, hash: view?.hash ?? '', view: modal('Two') });
    await refused(client.views.update({ view_id, hash: view?.hash ?? '', view: modal('Three') }), 'hash_conflict');
    await client.views.update({ view_id, hash: newer?.hash ?? '', view: modal('Four') });
    await refused(client.views.update({ view_id: 'V0NONE', view: modal('Five') }), 'not_found');
    await ana.until(() => ana.sees().views[0]?.hash !== newer?.hash, 'the update');
    expect((await ana.modal()).title).toBe('Four');
    expect((await ana.modal()).fields).toMatchObject({ note: { value: { value: 'kept' } } });
  });

  test('modals stack three deep, and a fourth is refused', async () => {
    const { on, client, ana, triggers } = await opened();
    await using _ = on;
    for (const title of ['Two', 'Three']) {
      await ana.presses('Deeper');
      await client.views.push({ trigger_id: last(triggers), view: modal(title) });
      await ana.until(() => ana.sees().views.length === (title === 'Two' ? 2 : 3), title);
    }
    await ana.presses('Deeper');
    await refused(client.views.push({ trigger_id: last(triggers), view: modal('Four') }), 'push_limit_reached');
    expect(ana.sees().views.map(({ stack }) => stack)).toEqual([0, 1, 2]);
    await ana.cancels();
    expect((await ana.modal()).title).toBe('Two');
    await ana.cancels(true);
    expect(ana.hasModal()).toBe(false);
  });

  test('a modal is not submitted before its inputs are complete and in their bounds', async () => {
    const bodies: object[] = [];
    const { on, ana } = await opened([], {}, bodies);
    await using _ = on;
    expect(await ana.submits()).toMatchObject({ errors: { name: 'Please complete this required field.' }, open: true });
    await ana.fills({ name: 'a' });
    expect(await ana.submits()).toMatchObject({ errors: { name: 'Please enter at least 2 characters.' } });
    await ana.fills({ name: 'abcdef' });
    expect(await ana.submits()).toMatchObject({ errors: { name: 'Please enter at most 5 characters.' } });
    expect(bodies).toEqual([]);
    await ana.fills({ name: 'abc' });
    expect(await ana.submits()).toMatchObject({ errors: {}, open: false });
    expect(bodies).toMatchObject([
      {
        response_urls: [],
        view: {
          state: {
            values: {
              name: { value: { type: 'plain_text_input', value: 'abc' } },
              note: { value: { type: 'plain_text_input', value: null } },
            },
          },
        },
      },
    ]);
  });

  test.each<[string, object, string]>([
    ['an unknown field', { response_action: 'errors', errors: { port: 'Taken.' } }, 'no input block: port'],
    ['no field', { response_action: 'errors', errors: {} }, 'names no field'],
    ['an unknown action', { response_action: 'dance' }, 'no response_action'],
    ['a message', { text: 'Thanks!' }, 'no response_action'],
    ['a broken view', { response_action: 'update', view: modal('x'.repeat(25)) }, 'must be less than 25 characters'],
  ])('a submitted modal stays open, with a violation, when the bot’s answer has %s', async (_name, ack, detail) => {
    const { on, ana, violations } = await opened([ack]);
    await using _ = on;
    await ana.fills({ name: 'abc' });
    expect(await ana.submits()).toMatchObject({ error: 'We had some trouble connecting. Try again?', open: true });
    expect(violations()).toMatchObject([{ detail: expect.stringContaining(detail) }]);
  });

  test('a submitted modal is replaced, covered or cleared by the bot’s answer', async () => {
    const { on, ana, violations } = await opened([
      { response_action: 'update', view: modal('Updated') },
      { response_action: 'push', view: modal('Pushed') },
      { response_action: 'clear' },
    ]);
    await using _ = on;
    for (const title of ['Updated', 'Pushed']) {
      await ana.fills({ name: 'abc' });
      expect(await ana.submits()).toMatchObject({ errors: {}, error: '', open: true });
      expect((await ana.modal()).title).toBe(title);
    }
    expect(ana.sees().views).toHaveLength(2);
    await ana.fills({ name: 'abc' });
    expect(await ana.submits()).toMatchObject({ open: false });
    expect(violations()).toEqual([]);
  });

  test('a modal cannot be submitted by another person', async () => {
    const { on, ana } = await opened();
    await using _ = on;
    const ben = await on.someone('Ben');
    const { id } = await ana.modal();
    const answer = await fetch(`${on.playground.url}/play/submit`, {
      method: 'POST',
      body: JSON.stringify({ as: ben.id, viewId: id, state: {} }),
    });
    expect(await answer.json()).toEqual({ ok: false, error: 'This form is no longer open.' });
  });
});

test('a Home is published for a known person alone, and not past a newer hash', async () => {
  await using on = await stage(() => undefined);
  const client = clientOf(on.playground);
  const home = { type: 'home' as const, blocks: [{ type: 'header' as const, text: plain('Jobs') }] };
  const { view } = await client.views.publish({ user_id: 'U0ANA00001', view: home });
  const hash = view?.hash ?? '';
  await client.views.publish({ user_id: 'U0ANA00001', hash, view: home });
  await refused(client.views.publish({ user_id: 'U0ANA00001', hash, view: home }), 'hash_conflict');
  await refused(client.views.publish({ user_id: 'U0NOBODY', view: home }), 'user_not_found');
});
