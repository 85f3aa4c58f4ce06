import { describe, expect, test } from 'vitest';
import { only } from '../reading.ts';

describe('an error', () => {
  const errorOf = (record: object) => only([{ id: 'MYSQL_CLONE_SERVER-1', ...record }]).error;
  test.each([
    [{ error: 'disk full' }],
    [{ errorMessage: ' disk \n full ' }],
    [{ failure_reason: 'disk full' }],
    [{ error: { code: 28, message: 'disk full' } }],
    [{ errors: ['disk full'] }],
    [{ errors: [{ code: 'E28', message: 'disk full' }] }],
    [{ status: 'FAILED', message: 'disk full' }],
    [{ message: 'Backup failed: disk full' }],
    [{ state: '300', statusMessage: 'Failure: disk full' }],
    [{ status: { state: 'ERROR', reason: 'disk full' } }],
    [{ lifecycle: { state: 'Error', reason: { code: 'E1', text: 'disk full' } } }],
  ])('a record’s error is read from %j', record => {
    expect(errorOf(record)).toMatch(/(^|: )disk full$/);
  });

  test.each([
    [{}],
    [{ error: null }],
    [{ error: '' }],
    [{ error: 'none' }],
    [{ error: 'N/A' }],
    [{ error: { code: 0, message: 'Success' } }],
    [{ errors: [] }],
    [{ state: 'RUNNING', message: 'all is well' }],
    [{ message: 'made by ben' }],
    [{ state: 200, message: 'Backup completed' }],
    [{ state: 'RUNNING', message: 'Backup failed last week' }],
    [{ reason: 'asked for by ben' }],
    [{ source: { id: 'MYSQL_LIVE_SERVER-1', error: 'disk full' } }],
    [{ snapshots: [{ id: 'MYSQL_SNAPSHOT-1', error: 'disk full' }] }],
  ])('a record’s error is not read from %j', record => {
    expect(errorOf(record)).toBeUndefined();
  });
});
