import { describe, expect, test } from 'vitest';
import { differenceSinceAsked, marksOfName } from '../../../src/jobs/approval/sameAsShown.ts';

const id = 'MYSQL_LIVE_SERVER-1';
const [made, later] = [Date.UTC(2026, 0, 1), Date.UTC(2026, 5, 1)];

describe('a record that does harm is done to', () => {
  test.each([
    ['shows both as before', { name: 'a', madeAt: made }, { name: 'a', madeAt: made }],
    ['shows its name alone', { name: 'a', madeAt: made }, { name: 'a' }],
    ['shows its creation alone', { name: 'a', madeAt: made }, { madeAt: made }],
  ])('a record counts as the one that was asked about where it %s', (_, before, now) => {
    expect(differenceSinceAsked({ [id]: before }, { [id]: now })).toBeUndefined();
  });

  test.each([
    ['has another name and another creation', { name: 'b', madeAt: later }, 'Another record now has the identifier'],
    ['has another name', { name: 'b', madeAt: made }, `${id} was a, made 2026-01-01 00:00 UTC when this was requested`],
    ['was made at another time', { name: 'a', madeAt: later }, `${id} may now be another record`],
    ['shows nothing of it any more', {}, `I cannot tell whether ${id} is still what it was`],
  ])('a record does not pass for the one that was asked about where it %s', (_, now, says) => {
    expect(differenceSinceAsked({ [id]: { name: 'a', madeAt: made } }, { [id]: now })).toContain(says);
  });

  test('a record that is no longer there does not pass for the one that was asked about', () => {
    expect(differenceSinceAsked({ [id]: { name: 'a' } }, {})).toContain('I cannot tell whether');
  });

  test('a record of which nothing was shown before, as in older releases, is compared with nothing', () => {
    expect(differenceSinceAsked(undefined, { [id]: { name: 'b' } })).toBeUndefined();
    expect(differenceSinceAsked({}, { [id]: { name: 'b' } })).toBeUndefined();
  });
});

describe('in a list, which may show less', () => {
  test.each([
    ['it lacks counts for nothing', {}, true],
    ['it shows counts', { name: 'b' }, false],
  ])('a list may show less than the record itself, so what %s', (_, now, isUntold) => {
    const said = differenceSinceAsked({ [id]: { name: 'a', madeAt: made } }, { [id]: now }, true);
    expect(said === undefined).toBe(isUntold);
  });
});

test('a name that was cut for a picker is not compared with the name of the record', () => {
  expect(marksOfName(id, { [id]: 'orders' })).toEqual({ [id]: { name: 'orders' } });
  expect(marksOfName(id, { [id]: 'orders of the shop…' })).toEqual({});
  expect(marksOfName(id, {})).toEqual({});
});
