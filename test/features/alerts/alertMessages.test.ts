import { expect, test } from 'vitest';
import { alertMessage } from '../../../src/features/alerts/alertMessages.ts';
import type { AlertItem } from '../../../src/store/tables/alerts/alertRows.ts';

const late = (number: number, change: Partial<AlertItem> = {}): AlertItem => ({
  ...{ record: `MYSQL_LIVE_SERVER-${number}`, name: `shop-${number}`, kind: 'late', since: 0, words: null },
  place: 'HOST_ENVIRONMENT-1',
  ...{ mend: 'database.backup', isFlapping: false, isQuiet: false, endedAt: null, end: null, ...change },
});
const alert = {
  what: 'incident',
  incident: 'a1',
  place: 'HOST_ENVIRONMENT-1',
  placeName: null,
  counts: { late: { all: 5, left: 5 } },
};

/** The buttons of a message, as they read. */
function buttons(items: readonly AlertItem[], what: object = alert): readonly string[] {
  const { blocks = [] } = alertMessage({ ...what, items }, null) ?? {};
  return blocks.flatMap(block =>
    block.type === 'actions' ? block.elements.flatMap(one => (one.type === 'button' ? [one.text.text] : [])) : [],
  );
}

test('a late backup has the button that mends it, and the first three of several have theirs', () => {
  expect(buttons([late(1)])).toContain('Back up now: shop-1');
  expect(buttons([late(1, { mend: 'database.backupLogs' })])).toContain('Back up logs now: shop-1');
  expect(buttons([1, 2, 3, 4, 5].map(number => late(number))).filter(text => text.startsWith('Back up'))).toEqual([
    'Back up now: shop-1',
    'Back up now: shop-2',
    'Back up now: shop-3',
  ]);
  expect(buttons([late(1)], { what: 'morning' })).toEqual(['Back up now: shop-1']);
});

test('what is backed up again, and what nothing mends, have none', () => {
  expect(buttons([late(1, { endedAt: 5 }), late(2, { mend: null, kind: 'failed' })])).not.toContainEqual(
    expect.stringContaining('Back up'),
  );
});
