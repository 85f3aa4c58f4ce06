import { expect, test } from 'vitest';
import { mentionsIn } from '../../../src/api/reading/mentions.ts';
import { labelOf } from '../../../src/slack/forms/pickers.ts';
import { recordDetails } from '../../../src/slack/records/recordBlocks.ts';
import { recordOf } from '../../jobs/rows.ts';

const database = (createdAt: string) => ({
  ...{ name: 'shop', createdAt, snapshots: [{ id: 'MYSQL_SNAPSHOT-7', createdAt }] },
});
const snapshotOf = (createdAt: string) => mentionsIn(database(createdAt), 'snapshot')[0];

/** The date of Slack's that a message shows in each reader's own zone. */
const inZoneOfReader = `<!date^${Date.UTC(2026, 10, 21, 4) / 1_000}^`;

test('a record’s time with a zone is shown in the reader’s own, and one without a zone as it came', () => {
  const details = (createdAt: string) =>
    JSON.stringify(recordDetails(recordOf('MYSQL_LIVE_SERVER-1', database(createdAt))));
  expect(details('2026-11-21T04:00:00Z')).toContain(`MYSQL_SNAPSHOT-7\`  ${inZoneOfReader}`);
  const local = details('2026-11-21 04:00:00');
  expect(local).not.toContain('<!date^');
  expect(local).toMatch(/Created[^{]* 2026-11-21 04:00:00/);
  expect(local).toContain('MYSQL_SNAPSHOT-7`  2026-11-21 04:00:00');
});

test('a picker shows a snapshot’s time without a zone as it came', () => {
  const label = (createdAt: string) => {
    const snapshot = snapshotOf(createdAt);
    return snapshot && labelOf(snapshot, 'Europe/Berlin');
  };
  expect(label('2026-11-21T04:00:00Z')).toBe('2026-11-21 05:00 UTC+01:00');
  expect(label('2026-11-21 04:00:00')).toBe('2026-11-21 04:00:00');
});
