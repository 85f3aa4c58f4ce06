import { describe, expect, test } from 'vitest';
import { isAsWanted, overdue, readWaitState } from '../../../src/features/workflows/lookUntil.ts';
import { only } from '../../api/reading.ts';

const record = (status: string) => only([{ id: 'MYSQL_CLONE_SERVER-7', name: 'qa', status }]);

describe('what a step waits for', () => {
  test.each([
    ['gone', undefined, true, true],
    ['gone', undefined, false, false],
    ['gone', 'RUNNING', true, false],
    ['there', undefined, true, false],
    ['there', 'CREATING', false, true],
    ['ok', 'RUNNING', false, true],
    ['ok', 'CREATING', false, false],
    ['stopped', 'STOPPED', false, true],
    ['disabled', 'DISABLED', true, true],
    ['failed', 'FAILED', true, true],
    ['failed', undefined, true, false],
  ] as const)(
    'a step that waits for “%s”, with its record in %s and seen before: %s, finds it so: %s',
    (until, state, wasSeen, isSo) => {
      expect(isAsWanted(until, state && record(state), wasSeen)).toBe(isSo);
    },
  );

  test.each([
    ['is in no list', undefined, 'No record shows it.'],
    ['shows its state', record('STOPPED'), 'Its record says STOPPED.'],
    ['shows no state', only([{ id: 'MYSQL_CLONE_SERVER-7', name: 'qa' }]), 'Its record shows no state.'],
  ])('a step that waited in vain for a record says what it saw: the record %s', (_, found, shows) => {
    expect(overdue({ record: 'qa', until: 'ok' }, found)).toEqual({
      error: `I waited, but never saw that qa is in order. ${shows}`,
    });
  });

  test.each([
    ['OK', 'ok'],
    [' Gone ', 'gone'],
    ['running', 'ok'],
    ['toString', undefined],
    ['', undefined],
  ])('a workflow step’s wait for “%s” is read as %s', (text, state) => expect(readWaitState(text)).toBe(state));
});
