import { expect, it } from 'vitest';
import { buttonAction, overflowAction, valueAction } from '../../../src/sandbox/playground/page/actions.ts';

const option = { text: { type: 'plain_text', text: 'One', emoji: true }, value: '1' };
const element = (type: string, raw: object) => ({ type, blockId: 'b', actionId: 'a', raw: { type, ...raw } });
const base = { block_id: 'b', action_id: 'a' };

it('the playground’s action for a pressed button has its text, and value and style only where it has them', () => {
  const text = { type: 'plain_text', text: 'Go', emoji: true };
  expect(buttonAction(element('button', { text }))).toEqual({ type: 'button', ...base, text });
  expect(buttonAction(element('button', { text, value: '7', style: 'danger' }))).toEqual({
    type: 'button',
    ...base,
    text,
    value: '7',
    style: 'danger',
  });
});

it('the playground’s action for a select has what is chosen, what was chosen first, and its placeholder', () => {
  const placeholder = { type: 'plain_text', text: 'Pick', emoji: true };
  const raw = { placeholder, initial_option: option, options: [option] };
  expect(valueAction(element('static_select', raw), option)).toEqual({
    type: 'static_select',
    ...base,
    selected_option: option,
    initial_option: option,
    placeholder,
  });
});

it('the playground’s action for each kind of element has its value under the name that Slack gives it', () => {
  expect(valueAction(element('users_select', {}), 'U1')).toEqual({
    type: 'users_select',
    ...base,
    selected_user: 'U1',
  });
  expect(valueAction(element('checkboxes', {}), [option])).toEqual({
    type: 'checkboxes',
    ...base,
    selected_options: [option],
  });
  expect(valueAction(element('plain_text_input', {}), 'x')).toEqual({ type: 'plain_text_input', ...base, value: 'x' });
  expect(overflowAction(element('overflow', {}), option)).toEqual({
    type: 'overflow',
    ...base,
    selected_option: option,
  });
});
