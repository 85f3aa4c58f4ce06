import { describe, expect, test } from 'vitest';
import { readView } from '../../../src/slack/forms/formState.ts';

describe('a view that comes back', () => {
  test('a form that comes back gives its values by field name, whatever their block_id, and the chosen labels', () => {
    const view = readView({
      callback_id: 'clone.create',
      private_metadata: JSON.stringify({ request: 'r', channel: 'C1' }),
      blocks: [{ block_id: 'install:3' }, { type: 'context' }],
      state: {
        values: {
          'snapshot:2': {
            value: {
              type: 'external_select',
              selected_option: { value: 'MYSQL_SNAPSHOT-1', text: { type: 'plain_text', text: 'nightly' } },
            },
          },
          'install:3': { value: { type: 'external_select', selected_option: null } },
          port: { value: { type: 'number_input', value: '3310' } },
          mountBase: { value: { type: 'plain_text_input', value: null } },
        },
      },
    });
    expect(view).toMatchObject({
      inputs: { snapshot: 'MYSQL_SNAPSHOT-1', port: '3310' },
      labels: { 'MYSQL_SNAPSHOT-1': 'nightly' },
      resets: { snapshot: 2, install: 3 },
      blockIds: { snapshot: 'snapshot:2', install: 'install:3', port: 'port', mountBase: 'mountBase' },
      metadata: { request: 'r', channel: 'C1', chosen: {}, labels: {} },
    });
    expect(Object.keys(view?.inputs ?? {})).toEqual(['snapshot', 'port']);
  });

  test.each([
    [undefined],
    [null],
    [{}],
    [{ private_metadata: '' }],
    [{ private_metadata: '{' }],
    [{ private_metadata: '{"channel":"C1"}' }],
    [{ private_metadata: '[]', state: 7 }],
  ])('a view that is no form of Dolly’s is not read: %j', payload => {
    expect(readView(payload)).toBeUndefined();
  });
});
