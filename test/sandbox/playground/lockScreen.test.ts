import { expect, test } from 'vitest';
import { leftUnsaid } from '../../lockScreen.ts';

const section = (text: string) => ({ type: 'section', text: { type: 'mrkdwn', text } });
const button = { type: 'actions', elements: [{ type: 'button', text: { type: 'plain_text', text: 'Stop' } }] };

test.each([
  ['*shop is ready*\nmysql --host=dev', [section('*shop is ready*'), section('mysql')]],
  ['shop is ready', [button, section(':white_check_mark: *shop is ready*\nin a while')].slice(1)],
  ['It is 3 hours old', [button]],
  ['How long clones take', [{ type: 'data_visualization', title: 'How long clones take', chart: {} }]],
  ['no blocks', []],
])('the text “%s” on a lock screen says what its message says', (text, blocks) => {
  const said = text.includes('ready') ? `white_check_mark ${text}` : text;
  expect(leftUnsaid({ text: said, blocks })).toBeUndefined();
});

test.each([
  ['A message', [section('*shop is ready*')], 'shop is ready'],
  ['', [button, section('shop')], 'shop'],
  ['Ages', [{ type: 'data_table', caption: 'Ages of backups', rows: [] }], 'of backups'],
  ['Plan', [{ type: 'plan', title: 'Plan of shop', tasks: [] }], 'of shop'],
])('the text “%s” on a lock screen leaves out something of its message', (text, blocks, missing) => {
  expect(leftUnsaid({ text, blocks })).toContain(`does not say “${missing}”`);
});
