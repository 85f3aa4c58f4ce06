import { expect, test } from 'vitest';
import { factOf, valueFactOf } from '../../../src/jobs/approval/facts/fact.ts';
import { messageFaults } from '../../../src/sandbox/playground/blockkit.ts';
import { jobCard } from '../../../src/slack/messages/jobMessage.ts';
import { jobIn } from '../../jobs/jobIn.ts';

/* What those who decide read at a glance, and what they unfold. */

const long = 'x'.repeat(300);
const facts = [
  factOf('name', 'orders'),
  factOf('vendor', 'MySQL'),
  factOf('state', 'RUNNING'),
  factOf('environment', 'prod (HOST_ENVIRONMENT-1)'),
  factOf('port', '3306'),
  factOf('created', '2026-06-24 09:00 UTC'),
  factOf('snapshots', '4 of its own'),
  factOf('dependents', 'none that the records show'),
  factOf('identifier', 'MYSQL_LIVE_SERVER-1'),
  valueFactOf('description', long),
];
const card = (changes: object = {}) => jobCard(jobIn('awaiting', { facts: JSON.stringify(facts), ...changes }));
const columnsOf = (content: ReturnType<typeof card>) =>
  content.blocks.flatMap(block => (block.type === 'section' ? (block.fields ?? []) : []).map(({ text }) => text));
const foldOf = (content: ReturnType<typeof card>) =>
  JSON.stringify(content.blocks.filter(({ type }) => type === 'container'));

test('an approval card shows five facts in columns, and each other one in a line of its fold, none twice', () => {
  const shown = card();
  expect(columnsOf(shown).map(text => text.split('\n')[0])).toEqual([
    '*Identifier*',
    '*Environment*',
    '*State*',
    '*Created*',
    '*Snapshots*',
  ]);
  expect(columnsOf(shown)[1]).toBe('*Environment*\nprod (HOST_ENVIRONMENT-1)');
  const fold = foldOf(shown);
  for (const line of ['Vendor: MySQL', 'Port: 3306', `Description: ${long}`]) expect(fold).toContain(line);
  expect(fold).not.toContain('RUNNING');
});

test('a fact that is too long for a column of the approval card stands whole in its fold', () => {
  const name = { ...factOf('environment', 'y'.repeat(400)) };
  const shown = card({ facts: JSON.stringify([name, ...facts.slice(0, 2)]) });
  expect(columnsOf(shown).join()).not.toContain('yyy');
  expect(foldOf(shown)).toContain(`Environment: ${'y'.repeat(400)}`);
});

test('a long reason on an approval card hides neither dependents, nor a deceptive name, nor the time limit', () => {
  const clones = Array.from({ length: 90 }, (_, at) => `shop-${at} (MYSQL_CLONE_SERVER-${at})`);
  const ids = clones.map((_, at) => `MYSQL_CLONE_SERVER-${at}`).join(' ');
  const bound = [
    factOf('beware', `It looks like the name of ${'x'.repeat(400)}.`, ''),
    { ...factOf('dependents', undefined, ids), value: clones.join(', ') },
  ];
  const shown = card({ facts: JSON.stringify(bound), purpose: `${'&'.repeat(60)}\n`.repeat(8) });
  expect(messageFaults(shown.blocks)).toEqual([]);
  const all = JSON.stringify(shown.blocks);
  for (const said of ['*Beware*: It looks', '*Depends on it*, 90 in all: shop-0 (MYSQL_CLONE_SERVER-0)', 'Approve…'])
    expect(all).toContain(said);
  expect(all).toMatch(/Decide <!date\^\d+\^[^>]*>\./);
});

test('the message of a request that is decided in another channel shows no facts', () => {
  const shown = card({ cardPlace: 'C9' });
  expect(columnsOf(shown)).toEqual([]);
  expect(JSON.stringify(shown.blocks)).not.toContain('3306');
});
