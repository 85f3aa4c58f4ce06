import { expect, test } from 'vitest';
import { alertMessage, standingMessage } from '../../../src/features/alerts/alertMessages.ts';
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

test('an alert of a late backup has a button that backs up; of several, the first three have one', () => {
  expect(buttons([late(1)])).toContain('Back up now: shop-1');
  expect(buttons([late(1, { mend: 'database.backupLogs' })])).toContain('Back up logs now: shop-1');
  expect(buttons([1, 2, 3, 4, 5].map(number => late(number))).filter(text => text.startsWith('Back up'))).toEqual([
    'Back up now: shop-1',
    'Back up now: shop-2',
    'Back up now: shop-3',
  ]);
  expect(buttons([late(1)], { what: 'morning' })).toEqual(['Back up now: shop-1']);
});

test('an alert has no backup button once the backup came, or where nothing mends the trouble', () => {
  expect(buttons([late(1, { endedAt: 5 }), late(2, { mend: null, kind: 'failed' })])).not.toContainEqual(
    expect.stringContaining('Back up'),
  );
});

test.each<[AlertItem['kind'], string]>([
  ['failed', 'failed'],
  ['disabled', 'was disabled'],
  ['late', 'was late with backups'],
  ['never', 'was never backed up'],
  ['vanished', 'vanished without a job of mine'],
])('an incident that is over says why it began, in the past tense: %s', (kind, was) => {
  const by = { operation: 'database.backup', person: 'U0ANA', schedule: null };
  const item = late(1, { kind, by, words: 'ORA-00257: archiver error', endedAt: 60_000, end: 'over' });
  const told = alertMessage({ ...alert, items: [item], counts: { [kind]: { all: 1, left: 0 } } }, 'ended');
  const text = JSON.stringify(told);
  expect(text).toContain(`*shop-1* on *HOST_ENVIRONMENT-1* ${was}, now resolved`);
  expect(text).toMatch(new RegExp(`${was} <!date[^>]*\\|from [^>]*> · ORA-00257: archiver error · in the `));
  expect(text).not.toMatch(/ (is|are) (disabled|late)/);
});

test.each([
  [
    'before the first look',
    { lookedAt: null },
    /^:hourglass_flowing_sand: \*Alerts are on\*, but I have not looked yet/,
  ],
  ['with no open problem', {}, /^:white_check_mark: \*No open problem\*/],
  ['where nobody can look now', { isBlind: true }, /^:grey_question: .*\n:warning: I can’t look at the moment/],
  [
    'with more problems than it names',
    { items: [late(1)], more: 4 },
    /^:warning: \*5 open problems\*[\s\S]*shop-1[\s\S]*…and 4 more/,
  ],
])('the answer to `alerts` is green only after a look that found no problem: %s', (_, change, words) => {
  const seen = { items: [], more: 0, lookedAt: 60_000, isBlind: false, open: [], ...change };
  expect(standingMessage(seen, 'Alerts are on.', []).text).toMatch(words);
});
