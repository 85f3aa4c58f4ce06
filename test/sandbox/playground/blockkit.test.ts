import { describe, expect, test } from 'vitest';
import { messageFaults, optionsFaults, viewFaults } from '../../../src/sandbox/playground/blockkit.ts';
import { sentence } from '../../../src/sandbox/playground/fault.ts';
import { limits } from '../../../src/sandbox/playground/limits.ts';

const text = (length: number) => 'x'.repeat(length);
const plain = (length: number) => ({ type: 'plain_text', text: text(length) });
const mrkdwn = (length: number) => ({ type: 'mrkdwn', text: text(length) });
const many = <T>(count: number, make: (index: number) => T) => Array.from({ length: count }, (_, index) => make(index));
const option = (index: number) => ({ text: plain(5), value: `v${index}` });
const button = (index: number, more: object = {}) => ({
  type: 'button',
  action_id: `a${index}`,
  text: plain(4),
  ...more,
});
const section = (accessory: object) => ({ type: 'section', text: plain(3), accessory });
const input = (element: object, more: object = {}) => ({ type: 'input', label: plain(4), element, ...more });
const actions = (...elements: object[]) => ({ type: 'actions', elements });
const written = { type: 'plain_text_input', action_id: 'value' };
const select = (options: object[]) => ({ type: 'static_select', action_id: 'pick', options });
const modal = (more: object = {}) => ({ type: 'modal', title: plain(5), blocks: [], ...more });
const divider = { type: 'divider' };

/** Each row: a block that is as large as Slack takes it, by its size. One more must be refused. */
const sizes: [string, number, (size: number) => object][] = [
  ['section text', limits.text, size => ({ type: 'section', text: mrkdwn(size) })],
  ['fields', limits.fields, size => ({ type: 'section', fields: many(size, () => mrkdwn(1)) })],
  ['field text', limits.field, size => ({ type: 'section', fields: [mrkdwn(size)] })],
  ['header text', limits.header, size => ({ type: 'header', text: plain(size) })],
  ['context elements', limits.contextElements, size => ({ type: 'context', elements: many(size, () => mrkdwn(1)) })],
  ['actions elements', limits.actionsElements, size => actions(...many(size, index => button(index)))],
  ['button text', limits.buttonText, size => actions(button(1, { text: plain(size) }))],
  ['button value', limits.buttonValue, size => actions(button(1, { value: text(size) }))],
  ['button url', limits.url, size => actions(button(1, { url: `https://x.example/${text(size - 18)}` }))],
  ['action_id', limits.actionId, size => actions(button(1, { action_id: text(size) }))],
  ['block_id', limits.blockId, size => ({ ...divider, block_id: text(size) })],
  ['options', limits.options, size => section(select(many(size, option)))],
  ['option text', limits.optionText, size => section(select([{ text: plain(size), value: 'v' }]))],
  ['option value', limits.optionValue, size => section(select([{ text: plain(1), value: text(size) }]))],
  [
    'option description',
    limits.optionDescription,
    size => section(select([{ ...option(1), description: plain(size) }])),
  ],
  [
    'radio buttons',
    limits.choices,
    size => section({ type: 'radio_buttons', action_id: 'r', options: many(size, option) }),
  ],
  ['overflow', limits.overflow, size => section({ type: 'overflow', action_id: 'o', options: many(size, option) })],
  ['placeholder', limits.placeholder, size => section({ ...select([option(1)]), placeholder: plain(size) })],
  ['label', limits.label, size => input(written, { label: plain(size) })],
  ['hint', limits.hint, size => input(written, { hint: plain(size) })],
  [
    'confirm title',
    limits.confirmTitle,
    size => actions(button(1, { confirm: { title: plain(size), text: plain(1) } })),
  ],
  ['confirm text', limits.confirmText, size => actions(button(1, { confirm: { text: plain(size) } }))],
  [
    'confirm button',
    limits.confirmButton,
    size => actions(button(1, { confirm: { text: plain(1), confirm: plain(size) } })),
  ],
  [
    'confirm’s other button',
    limits.confirmButton,
    size => actions(button(1, { confirm: { text: plain(1), deny: plain(size) } })),
  ],
  [
    'table rows',
    limits.tableRows,
    size => ({ type: 'table', rows: many(size, () => [{ type: 'raw_text', text: 'a' }]) }),
  ],
  [
    'table columns',
    limits.tableColumns,
    size => ({ type: 'table', rows: [many(size, () => ({ type: 'raw_text', text: 'a' }))] }),
  ],
];

const viewSizes: [string, number, (size: number) => object][] = [
  ['blocks', limits.viewBlocks, size => modal({ blocks: many(size, () => divider) })],
  ['title', limits.viewTitle, size => modal({ title: plain(size) })],
  ['submit', limits.viewTitle, size => modal({ submit: plain(size) })],
  ['close', limits.viewTitle, size => modal({ close: plain(size) })],
  ['private_metadata', limits.privateMetadata, size => modal({ private_metadata: text(size) })],
  ['callback_id', limits.callbackId, size => modal({ callback_id: text(size) })],
];

describe('a message', () => {
  test.each(sizes)('the playground takes a message with %s up to %i, not one more', (_, limit, block) => {
    expect(messageFaults([block(limit)])).toEqual([]);
    expect(messageFaults([block(limit + 1)])).toHaveLength(1);
  });

  test('the playground takes a message with 50 blocks and one table, not more', () => {
    const table = { type: 'table', rows: [[{ type: 'raw_text', text: 'a' }]] };
    expect(messageFaults(many(limits.messageBlocks, () => divider))).toEqual([]);
    expect(messageFaults(many(limits.messageBlocks + 1, () => divider)).map(sentence)).toEqual([
      'no more than 50 items allowed [json-pointer:/blocks]',
    ]);
    expect(messageFaults([table, divider])).toEqual([]);
    expect(messageFaults([table, table]).map(sentence)).toEqual(['only_one_table_allowed [json-pointer:/blocks]']);
  });

  test.each<[string, unknown, string]>([
    [
      'too long a text',
      [divider, { type: 'section', text: mrkdwn(3001) }],
      'must be less than 3001 characters [json-pointer:/blocks/1/text/text]',
    ],
    ['an unknown block', [{ type: 'accordion' }], 'unsupported type: accordion [json-pointer:/blocks/0/type]'],
    [
      'an unknown property',
      [{ ...divider, colour: 'red' }],
      'invalid additional property: colour [json-pointer:/blocks/0]',
    ],
    ['an absent property', [{ type: 'header' }], 'missing required field: text [json-pointer:/blocks/0]'],
    [
      'an empty text',
      [{ type: 'section', text: mrkdwn(0) }],
      'must be more than 0 characters [json-pointer:/blocks/0/text/text]',
    ],
    [
      'an element out of place',
      [section(written)],
      'unsupported type: plain_text_input [json-pointer:/blocks/0/accessory/type]',
    ],
    ['a section with nothing', [{ type: 'section' }], 'must provide either text or fields [json-pointer:/blocks/0]'],
    [
      'a block_id twice',
      [
        { ...divider, block_id: 'a' },
        { ...divider, block_id: 'a' },
      ],
      '`block_id` "a" already exists [json-pointer:/blocks]',
    ],
    ['an action_id twice', [actions(button(1), button(1))], '`action_id` "a1" already exists [json-pointer:/blocks/0]'],
    [
      'an option value twice',
      [section(select([option(1), option(1)]))],
      'duplicate option value: v1 [json-pointer:/blocks/0/accessory/options]',
    ],
    [
      'a default that is no choice',
      [section({ ...select([option(1)]), initial_option: option(2) })],
      'initial option must be one of the options [json-pointer:/blocks/0/accessory/initial_option]',
    ],
    [
      'a URL that is none',
      [actions(button(1, { url: 'nowhere' }))],
      'must be a valid URL [json-pointer:/blocks/0/elements/0/url]',
    ],
  ])('the playground refuses a message for %s, and says where by a JSON pointer', (_, blocks, says) => {
    expect(messageFaults(blocks).map(sentence)).toEqual([says]);
  });
});

describe('a view', () => {
  test.each(viewSizes)('the playground takes a view with %s up to %i, not one more', (_, limit, view) => {
    expect(viewFaults(view(limit), 'modal')).toEqual([]);
    expect(viewFaults(view(limit + 1), 'modal')).toHaveLength(1);
  });

  test('a modal with inputs needs a submit button', () => {
    const blocks = [input(written)];
    expect(viewFaults(modal({ blocks }), 'modal')).toHaveLength(1);
    expect(viewFaults(modal({ blocks, submit: plain(4) }), 'modal')).toEqual([]);
  });

  test('a view has no table, and at most one field with the focus', () => {
    const table = { type: 'table', rows: [[{ type: 'raw_text', text: 'a' }]] };
    expect(viewFaults(modal({ blocks: [table] }), 'modal')).toHaveLength(1);
    expect(viewFaults({ type: 'home', blocks: [table] }, 'home')).toHaveLength(1);
    const focused = input({ ...written, focus_on_load: true });
    expect(viewFaults(modal({ submit: plain(1), blocks: [focused, focused] }), 'modal')).toHaveLength(1);
  });

  test('a modal is refused as a Home, and a Home as a modal', () => {
    expect(viewFaults(modal(), 'home')).not.toEqual([]);
    expect(viewFaults({ type: 'home', blocks: [] }, 'modal')).not.toEqual([]);
  });
});

describe('an answer with choices', () => {
  test('an answer with choices may be empty or grouped, and has at most 100 choices', () => {
    expect(optionsFaults({ options: [] })).toEqual([]);
    expect(optionsFaults({ option_groups: [{ label: plain(4), options: [option(1)] }] })).toEqual([]);
    expect(optionsFaults({ options: many(100, option) })).toEqual([]);
    expect(optionsFaults({ options: many(101, option) })).toHaveLength(1);
  });

  test('an answer with choices is refused where it is something else, or has too long a text or a value twice', () => {
    expect(optionsFaults(undefined)).not.toEqual([]);
    expect(optionsFaults({ options: [{ text: plain(76), value: 'v' }] })).toHaveLength(1);
    expect(optionsFaults({ options: [option(1), option(1)] })).toHaveLength(1);
  });
});
