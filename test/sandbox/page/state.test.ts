import { describe, expect, it } from 'vitest';
import { elementsOf } from '../../../src/sandbox/playground/page/blocks.ts';
import { elementState, heldBy, keepState, withValue } from '../../../src/sandbox/playground/page/state.ts';

const option = (value: string) => ({ text: { type: 'plain_text', text: value, emoji: true }, value });
const input = (blockId: string, element: object) => ({ type: 'input', block_id: blockId, element });

describe('the state that a view starts with', () => {
  it.each([
    ['plain_text_input', { value: null }],
    ['number_input', { value: null }],
    ['email_text_input', { value: null }],
    ['url_text_input', { value: null }],
    ['static_select', { selected_option: null }],
    ['external_select', { selected_option: null }],
    ['radio_buttons', { selected_option: null }],
    ['checkboxes', { selected_options: [] }],
    ['multi_static_select', { selected_options: [] }],
    ['multi_external_select', { selected_options: [] }],
    ['users_select', { selected_user: null }],
    ['multi_users_select', { selected_users: [] }],
    ['conversations_select', { selected_conversation: null }],
    ['channels_select', { selected_channel: null }],
    ['datepicker', { selected_date: null }],
    ['timepicker', { selected_time: null }],
    ['datetimepicker', { selected_date_time: null }],
  ])('a view starts with an empty %s in the form that Slack gives it', (type, empty) => {
    expect(keepState([input('b', { type, action_id: 'a' })])).toEqual({ b: { a: { type, ...empty } } });
  });

  it('a view starts with the initial values of its inputs, and with numbers as text', () => {
    const blocks = [
      input('name', { type: 'plain_text_input', action_id: 'value', initial_value: 'orders' }),
      input('port', { type: 'number_input', action_id: 'value', initial_value: 3310 }),
      input('kind', { type: 'radio_buttons', action_id: 'value', initial_option: option('virtual') }),
      input('day', { type: 'datepicker', action_id: 'value', initial_date: '2026-01-02' }),
    ];
    expect(keepState(blocks)).toEqual({
      name: { value: { type: 'plain_text_input', value: 'orders' } },
      port: { value: { type: 'number_input', value: '3310' } },
      kind: { value: { type: 'radio_buttons', selected_option: option('virtual') } },
      day: { value: { type: 'datepicker', selected_date: '2026-01-02' } },
    });
  });

  it('the state of a view has inputs in sections and actions, too, but no buttons', () => {
    const blocks = [
      { type: 'section', block_id: 's', accessory: { type: 'users_select', action_id: 'who' } },
      {
        type: 'actions',
        block_id: 'x',
        elements: [
          { type: 'button', action_id: 'go' },
          { type: 'overflow', action_id: 'more' },
          { type: 'static_select', action_id: 'pick' },
        ],
      },
      { type: 'divider', block_id: 'd' },
    ];
    expect(keepState(blocks)).toEqual({
      s: { who: { type: 'users_select', selected_user: null } },
      x: { pick: { type: 'static_select', selected_option: null } },
    });
  });
});

describe('after an update of the view', () => {
  const name = (initial: string) => ({ type: 'plain_text_input', action_id: 'value', initial_value: initial });
  const typed = { name: { value: { type: 'plain_text_input', value: 'typed' } } };

  it('an input that stays over an update of its view keeps what was typed, not a new initial value', () => {
    expect(keepState([input('name', name('new'))], typed)).toEqual(typed);
  });

  it('an input that a person emptied stays empty over an update of its view', () => {
    const emptied = { name: { value: { type: 'plain_text_input', value: null } } };
    expect(keepState([input('name', name('new'))], emptied)).toEqual(emptied);
  });

  it('an input with a new block_id, action_id or type starts anew, and one that went is forgotten', () => {
    expect(keepState([input('name:2', name('new'))], typed)).toEqual({
      'name:2': { value: { type: 'plain_text_input', value: 'new' } },
    });
    expect(keepState([input('name', { ...name('new'), action_id: 'other' })], typed)).toEqual({
      name: { other: { type: 'plain_text_input', value: 'new' } },
    });
    expect(keepState([input('name', { type: 'number_input', action_id: 'value' })], typed)).toEqual({
      name: { value: { type: 'number_input', value: null } },
    });
    expect(keepState([], typed)).toEqual({});
  });
});

it('a cleared input holds null, as Slack sends it', () => {
  expect(elementState('plain_text_input', '')).toEqual({ type: 'plain_text_input', value: null });
  expect(elementState('users_select', undefined)).toEqual({ type: 'users_select', selected_user: null });
});

it('a new value in a view’s state changes neither the other inputs nor the old state', () => {
  const blocks = [
    input('a', { type: 'plain_text_input', action_id: 'x' }),
    input('b', { type: 'checkboxes', action_id: 'y' }),
  ];
  const before = keepState(blocks);
  const [first] = elementsOf(blocks);
  if (!first) throw new Error('no element');
  const after = withValue(before, first, 'hello');
  expect(heldBy(after.a?.x)).toBe('hello');
  expect(heldBy(after.b?.y)).toEqual([]);
  expect(heldBy(before.a?.x)).toBeNull();
});
