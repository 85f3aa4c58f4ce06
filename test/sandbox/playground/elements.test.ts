import type { App } from '@slack/bolt';
import { describe, expect, test } from 'vitest';
import { inputErrors } from '../../../src/sandbox/playground/inputs.ts';
import { testClock } from '../../clock.ts';
import { stage } from './bolt.ts';

const plain = (text: string) => ({ type: 'plain_text' as const, text });
const choice = (name: string) => ({ text: plain(`Choice ${name}`), value: name });
const choices = [choice('a'), choice('b'), choice('c')];
const id = { action_id: 'value' };

/** An element of each kind, what a person puts in, what Slack tells of it filled and untouched. */
const kinds = [
  { element: { type: 'plain_text_input', ...id }, fill: 'text', filled: { value: 'text' }, empty: { value: null } },
  {
    element: { type: 'number_input', is_decimal_allowed: true, ...id },
    fill: 1.5,
    filled: { value: '1.5' },
    empty: { value: null },
  },
  {
    element: { type: 'email_text_input', ...id },
    fill: 'a@b.example',
    filled: { value: 'a@b.example' },
    empty: { value: null },
  },
  {
    element: { type: 'url_text_input', ...id },
    fill: 'https://b.example',
    filled: { value: 'https://b.example' },
    empty: { value: null },
  },
  {
    element: { type: 'static_select', options: choices, ...id },
    fill: 'choice b',
    filled: { selected_option: { value: 'b' } },
    empty: { selected_option: null },
  },
  {
    element: { type: 'radio_buttons', options: choices, ...id },
    fill: 'c',
    filled: { selected_option: { value: 'c' } },
    empty: { selected_option: null },
  },
  {
    element: { type: 'external_select', min_query_length: 0, ...id },
    fill: 'far',
    filled: { selected_option: { value: 'far' } },
    empty: { selected_option: null },
  },
  {
    element: { type: 'checkboxes', options: choices, ...id },
    fill: ['a', 'c'],
    filled: { selected_options: [{ value: 'a' }, { value: 'c' }] },
    empty: { selected_options: [] },
  },
  {
    element: { type: 'multi_static_select', options: choices, ...id },
    fill: ['b'],
    filled: { selected_options: [{ value: 'b' }] },
    empty: { selected_options: [] },
  },
  {
    element: { type: 'users_select', ...id },
    fill: '@ben',
    filled: { selected_user: 'U0BEN00001' },
    empty: { selected_user: null },
  },
  {
    element: { type: 'channels_select', ...id },
    fill: '#dev',
    filled: { selected_channel: 'C0DEV00001' },
    empty: { selected_channel: null },
  },
  {
    element: { type: 'conversations_select', ...id },
    fill: '#dev',
    filled: { selected_conversation: 'C0DEV00001' },
    empty: { selected_conversation: null },
  },
  {
    element: { type: 'datepicker', ...id },
    fill: '2026-11-21',
    filled: { selected_date: '2026-11-21' },
    empty: { selected_date: null },
  },
  {
    element: { type: 'timepicker', ...id },
    fill: '03:45',
    filled: { selected_time: '03:45' },
    empty: { selected_time: null },
  },
  {
    element: { type: 'datetimepicker', ...id },
    fill: 1_790_000_000,
    filled: { selected_date_time: 1_790_000_000 },
    empty: { selected_date_time: null },
  },
] as const;

const input = (element: object & { type: string }) => ({
  type: 'input',
  block_id: element.type,
  label: plain(element.type),
  optional: true,
  element,
});

const everything = (submitted: object[]) => (app: App) => {
  app.command('/db', async ({ ack, client, command }) => {
    await ack();
    const blocks = kinds.map(({ element }) => input(element));
    const view = { type: 'modal', title: plain('All'), submit: plain('Go'), callback_id: 'all', blocks };
    await client.apiCall('views.open', { trigger_id: command.trigger_id, view });
  });
  app.options('value', async ({ ack }) => ack({ options: [choice('near'), choice('far')] }));
  app.view('all', async ({ ack, view }) => {
    submitted.push(view.state.values);
    await ack();
  });
};

describe('a form with every kind of input', () => {
  test('a form with every kind of input tells the bot each value that was filled in, and each empty one', async () => {
    const submitted: object[] = [];
    await using on = await stage(everything(submitted));
    const ana = await on.someone('Ana');
    for (const fill of [false, true]) {
      await ana.types('#databases', '/db');
      if (fill) await ana.fills(Object.fromEntries(kinds.map(row => [row.element.type, row.fill])));
      else await ana.modal();
      expect(await ana.submits()).toEqual({ errors: {}, error: '', open: false });
    }
    const told = (key: 'empty' | 'filled') =>
      Object.fromEntries(kinds.map(row => [row.element.type, { value: { type: row.element.type, ...row[key] } }]));
    expect(submitted[0]).toEqual(told('empty'));
    expect(submitted[1]).toMatchObject(told('filled'));
    expect(on.playground.slack.violations()).toEqual([]);
  });
});

describe('an answer to an external select', () => {
  test('an answer to an external select that is too long, malformed or too late shows no choices and a violation', async () => {
    const answers = [{ options: [choice('x'.repeat(80))] }, { text: 'no' }, undefined];
    const clock = testClock();
    await using on = await stage(
      app => {
        everything([])(app);
        app.options({ action_id: 'never' }, async () => undefined);
      },
      'http',
      { clock },
    );
    on.app.use(async ({ payload, ack, next }) => {
      if (!('value' in payload) || !('block_id' in payload) || ack === undefined) return next();
      const answer = answers.shift();
      if (answer !== undefined) await Reflect.apply(ack, undefined, [answer]);
      return undefined;
    });
    const ana = await on.someone('Ana');
    await ana.types('#databases', '/db');
    for (let row = 0; row < 3; row += 1) {
      const choices = ana.choices('external_select', 'a');
      const refused = expect(choices).rejects.toThrow('could not be loaded');
      await clock.advance(3_000);
      await refused;
    }
    expect(on.playground.slack.violations().map(({ what }) => what)).toEqual([
      'block_suggestion',
      'block_suggestion',
      'operation_timeout',
    ]);
  });
});

describe("Slack's own check", () => {
  const errors = (element: object, value: unknown) => {
    const block = { type: 'input', block_id: 'b', element: { action_id: 'value', ...element } };
    return inputErrors([block], { b: { value: { value, selected_options: value } } });
  };
  test.each<[string, object, unknown, boolean]>([
    ['nothing', { type: 'plain_text_input' }, null, false],
    ['an empty text', { type: 'plain_text_input' }, '', false],
    ['no box ticked', { type: 'checkboxes' }, [], false],
    ['a text', { type: 'plain_text_input' }, 'a', true],
    ['letters for a number', { type: 'number_input' }, 'a', false],
    ['a fraction', { type: 'number_input' }, '1.5', false],
    ['a fraction where it may', { type: 'number_input', is_decimal_allowed: true }, '1.5', true],
    ['too small a number', { type: 'number_input', min_value: '10' }, '9', false],
    ['the smallest number', { type: 'number_input', min_value: '10' }, '10', true],
    ['too great a number', { type: 'number_input', max_value: '65535' }, '65536', false],
    ['no address', { type: 'email_text_input' }, 'ana', false],
    ['an address', { type: 'email_text_input' }, 'ana@b.example', true],
    ['no URL', { type: 'url_text_input' }, 'somewhere', false],
  ])(
    'a required input with %s passes the playground’s check only where Slack’s own would let it',
    (_, element, value, passes) => {
      expect(Object.keys(errors(element, value))).toEqual(passes ? [] : ['b']);
    },
  );
});
