import { describe, expect, test } from 'vitest';
import { statusMessage } from '../../../src/features/protection/statusMessage.ts';
import type { Content } from '../../../src/slack/blocks/message.ts';
import { jobIn } from '../../jobs/jobIn.ts';
import { clone, estate, live, summaryOf } from './estate.ts';

const own = { reader: 'reader' } as const;

/** The first three lines of the message about these records. */
const lines = async (...asked: Parameters<typeof summaryOf>) =>
  statusMessage(await summaryOf(...asked), own)
    .text.split('\n')
    .slice(0, 3);

const backedUp = { lastBackup: '2026-11-22T11:00:00Z' };
const enabled = { environments: [] };

describe('the first three lines', () => {
  test('the status begins with the databases protected, what is failed or disabled, and how old clones are', async () => {
    expect(await lines(estate)).toEqual([
      ':red_circle: *1 of 5 databases protected*: 2 late, 1 never backed up · 1 not visible in the records',
      ':x: *1 failed*: broken · environment *dev* is disabled: 2 databases can’t be backed up',
      ':hourglass_flowing_sand: *2 clones*, *1 older than wanted* · no jobs failed in the last 24 hours',
    ]);
  });

  test.each<[string, unknown, string]>([
    [
      'several databases that are all protected',
      [live(1, 'a', backedUp), live(2, 'b', backedUp)],
      ':large_green_circle: *2 of 2 databases protected*',
    ],
    ['a single database', [live(1, 'a', backedUp)], ':large_green_circle: *1 of 1 database protected*'],
    [
      'a database whose backups are not visible',
      [live(1, 'a', backedUp), live(2, 'b')],
      ':white_circle: *1 of 2 databases protected* · 1 not visible in the records',
    ],
    ['no databases at all', [], ':white_circle: *No live databases*'],
  ])('the status begins with the protection of %s', async (_, records, expected) => {
    const [first, second] = await lines(records, { reading: enabled });
    expect(first).toBe(expected);
    expect(second).toBe(':large_green_circle: *Nothing is failed or disabled*');
  });

  test('the status does not call a job failed whose end nobody knows', async () => {
    const jobs = [jobIn('unconfirmed')];
    const [, , third] = await lines(estate, { frame: { jobs } });
    expect(third).toContain(' · *1 job failed or unconfirmed* in the last 24 hours');
  });

  test('the status does not say that nothing is disabled where environments cannot be read', async () => {
    const [, second] = await lines([live(1, 'a', backedUp)], { reading: { environments: undefined } });
    expect(second).toBe(':white_circle: the environments could not be read');
  });
});

test('the status tells how many databases were not read, and that others are read the next time', async () => {
  const told = async (unread: number) => statusMessage(await summaryOf(estate, { reading: { unread } }), own).text;
  expect(await told(4950)).toContain('The list shows no backup of 4,950 more databases');
  expect(await told(4950)).toContain('I read 50 at a time, different ones each time.');
  expect(await told(0)).not.toContain('The list shows no backup');
});

/** The labels of the buttons beside the rows, with what they carry. */
const buttons = ({ blocks }: Content) =>
  blocks.flatMap(block =>
    block.type === 'section' && block.accessory?.type === 'button'
      ? [`${block.accessory.text.text}: ${block.accessory.value}`]
      : [],
  );

/** The captions of the tables, with the number of rows below their headers. */
const tablesIn = (blocks: Content['blocks']) =>
  blocks.flatMap(block => (block.type === 'data_table' ? [[block.caption, block.rows.length - 1]] : []));

test('each row of the status that needs somebody has the button that mends it', async () => {
  expect(buttons(statusMessage(await summaryOf(estate), own))).toEqual([
    'Details: show MYSQL_LIVE_SERVER-5',
    'Back up now: MYSQL_LIVE_SERVER-3',
    'Back up now: MYSQL_LIVE_SERVER-5',
    'Back up now: MYSQL_LIVE_SERVER-2',
    'Details: env show HOST_ENVIRONMENT-2',
    'Renew…: MYSQL_CLONE_SERVER-1',
  ]);
  const rows = statusMessage(await summaryOf(estate), own).blocks;
  expect(rows.map(({ type }) => type).lastIndexOf('section')).toBeLessThan(
    rows.findIndex(({ type }) => type === 'data_table'),
  );
});

test('the status shows clones, and charts of backup ages and of clones by owner, at one press', async () => {
  const status = JSON.stringify(statusMessage(await summaryOf(estate), own).blocks);
  expect(status).toContain('"value":"status show=clones"');
  expect(status).not.toContain('data_visualization');
  const { blocks } = statusMessage(await summaryOf(estate), { ...own, shows: 'clones' });
  expect(tablesIn(blocks)).toEqual([['Clones, those too old first', 2]]);
  const charts = blocks.flatMap(block => (block.type === 'data_visualization' ? [block.chart] : []));
  expect(charts).toMatchObject([
    {
      series: [
        { name: 'Age', data: [{ label: 'broken', value: 9 }, { label: 'late', value: 1.1 }, { label: 'fresh' }] },
        { name: 'Max age', data: [{ value: 1 }, { value: 1 }, { value: 1 }] },
      ],
      axis_config: { y_label: 'days' },
    },
    {
      series: [
        {
          data: [
            { label: 'not visible', value: 1 },
            { label: 'olga', value: 1 },
          ],
        },
      ],
    },
  ]);
});

test('the status offers details, not a backup, of a database that is disabled or on a disabled environment', async () => {
  const environment = { id: 'HOST_ENVIRONMENT-2', name: 'dev' };
  const records = [live(1, 'a', { snapshots: [], environment }), live(2, 'b', { snapshots: [], state: 'DISABLED' })];
  expect(buttons(statusMessage(await summaryOf(records), own)).slice(0, 2)).toEqual([
    'Details: show MYSQL_LIVE_SERVER-1',
    'Details: show MYSQL_LIVE_SERVER-2',
  ]);
});

test('the status offers to back up the logs of a database that is late by its logs alone', async () => {
  const records = [live(1, 'a', { ...backedUp, lastLogBackup: '2026-11-22T08:00:00Z' })];
  const content = statusMessage(await summaryOf(records, { rules: [{ backup: '1d', logs: '2h' }] }), own);
  expect(buttons(content)[0]).toBe('Back up logs now: MYSQL_LIVE_SERVER-1');
  expect(content.text).toContain('last backup 1 h ago, max age 24 h · logs 4 h ago, max age 2 h');
});

test('the status of thousands of databases fits into one message, which says how many more there are', async () => {
  const many = Array.from({ length: 5_000 }, (_, number) =>
    number % 2 === 0
      ? live(number, `a-rather-long-name-of-a-shop-${number}`, { snapshots: [] })
      : clone(number, `a-rather-long-name-of-a-clone-${number}`, 9e9),
  );
  const summary = await summaryOf(many);
  const { blocks, plain = [], text } = statusMessage(summary, own);
  expect(tablesIn(blocks)).toEqual([['Up to 20 of 2,500 live databases, the worst first', 20]]);
  expect(text).toContain('*0 of 2,500 databases protected*');
  expect(JSON.stringify(blocks)).toContain('and 2,497 more not protected');
  expect(JSON.stringify(plain)).toContain('*Other databases* · 30 of 2,497');
  for (const form of [blocks, plain]) expect(JSON.stringify(form).length).toBeLessThanOrEqual(11_000);
  const clones = statusMessage(summary, { ...own, shows: 'clones' });
  expect(tablesIn(clones.blocks)).toEqual([['Up to 25 of 2,500 clones, those too old first', 25]]);
});

test('the status shows hostile names letter for letter', async () => {
  const records = [live(1, '<!channel> *free* `x` <http://evil|shop>', { snapshots: [] })];
  const { text, plain } = statusMessage(await summaryOf(records), own);
  expect(JSON.stringify([text, plain])).not.toMatch(/<!channel>|<http/);
});

test('the status shows records without a name by their identifiers', async () => {
  const { text } = statusMessage(await summaryOf([{ id: 'MYSQL_LIVE_SERVER-1', snapshots: [] }]), own);
  expect(text).toContain('*MYSQL_LIVE_SERVER-1* · never backed up');
});

test('the status says of a list that is not whole that there is more', async () => {
  const { text } = statusMessage(await summaryOf(estate, { reading: { isPart: true } }), own);
  expect(text).toContain('The service shows only part of its records. I cannot say anything about the others.');
});
