import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type StateClass, stateClass } from '../../../src/api/reading/stateWords.ts';
import { only } from '../reading.ts';

const stateOf = (record: object) => only([{ id: 'MYSQL_CLONE_SERVER-1', ...record }]).state;

describe('a state', () => {
  const words: Record<StateClass, readonly string[]> = {
    ok: [
      'RUNNING',
      'running',
      'Active',
      'UP',
      'ONLINE',
      'Open',
      'AVAILABLE',
      'OK',
      'ENABLED',
      'healthy',
      'CREATE_COMPLETE',
      'CREATED',
      'provisioned',
      'READ-WRITE OPEN',
    ],
    busy: [
      'ACTIVE, operation running',
      'JOB_RUNNING',
      'CREATING',
      'Creating…',
      'create_in_progress',
      'createInProgress',
      'PENDING',
      'Starting up',
      'SHUTTING_DOWN',
      'STOPPING',
      'BACKING_UP',
      'DISABLING',
      'NOT_READY',
      'not available',
      'UNAVAILABLE',
      'Waiting for host',
      'in Arbeit',
      'Operation under way',
      'wird gesichert',
      'en cours',
    ],
    failed: [
      'FAILED',
      'CREATE_FAILED',
      'createFailed',
      'Error',
      'COMPLETED_WITH_ERRORS',
      'ABORTED',
      'cancelled',
      'TIMED_OUT',
      'Stopped: error',
      'UNHEALTHY',
      'not healthy',
      'ERR',
      'BUILD_FAIL',
    ],
    stopped: [
      'STOPPED',
      'Down',
      'OFFLINE',
      'SHUTDOWN',
      'powered off',
      'NOT RUNNING',
      'notRunning',
      'paused',
      'not started',
      'angehalten',
      'arrêtée',
    ],
    disabled: ['DISABLED', 'inactive', 'SUSPENDED', 'LOCKED', 'gesperrt', 'désactivée'],
    unknown: [
      '',
      '3',
      'BLUE',
      'FROBNICATED',
      '走る',
      'upset',
      'knockdown',
      'no errors',
      'nicht bereit',
      'not open',
      '__proto__',
      'constructor',
    ],
  };
  test.each(['GREEN', 'healthy', 'OK'])('a record whose health is %s shows no state by that alone', health => {
    expect(stateOf({ health })).toBeUndefined();
    expect(stateOf({ health: 'RUNNING' })).toMatchObject({ word: 'RUNNING' });
    expect(stateOf({ health: 'UNHEALTHY' })).toMatchObject({ class: 'failed' });
  });

  test.each(Object.entries(words).flatMap(([meaning, all]) => all.map(word => [word, meaning] as const)))(
    'the state word “%s” is understood as %s',
    (word, meaning) => {
      expect(stateClass(word)).toBe(meaning);
    },
  );

  test.each([
    ['state', { state: 'RUNNING' }],
    ['status', { status: 'RUNNING' }],
    ['lifecycle_state', { lifecycle_state: 'RUNNING' }],
    ['databaseStatus', { databaseStatus: 'RUNNING' }],
    ['a name inside', { state: { name: 'RUNNING', code: 3 } }],
    ['a description beside a code', { status: { code: 2, description: 'RUNNING' } }],
    ['what is current', { state: { current: 'RUNNING', previous: 'CREATING' } }],
    ['a text beside a number', { state: 3, stateText: 'RUNNING' }],
    ['the name beside a code', { stateCode: 1, stateName: 'RUNNING' }],
    ['everything nested', { info: { runtime: { state: 'RUNNING' } } }],
    ['a state beside an error object with its own', { error: { state: 'FAILED' }, state: 'RUNNING' }],
    ['a state beside a failed backup', { lastBackup: { status: 'FAILED' }, runtime: { state: 'RUNNING' } }],
    [
      'a state beside a source with its own',
      { source: { id: 'MYSQL_LIVE_SERVER-1', state: 'FAILED' }, state: 'RUNNING' },
    ],
    [
      'a state deeper than a source’s',
      { source: { id: 'MYSQL_LIVE_SERVER-1', state: 'FAILED' }, runtime: { state: 'RUNNING' } },
    ],
  ])('a record’s state is found as %s', (_, record) => {
    expect(stateOf(record)).toEqual({ word: 'RUNNING', class: 'ok' });
  });

  test.each([
    [{ enabled: false }, 'disabled'],
    [{ enabled: true }, 'ok'],
    [{ disabled: true }, 'disabled'],
    [{ isDisabled: 'Y' }, 'disabled'],
    [{ running: true }, 'ok'],
    [{ is_running: false }, 'stopped'],
    [{ online: 'no' }, 'stopped'],
    [{ inProgress: true, enabled: true }, 'busy'],
    [{ inProgress: true, enabled: false, running: false }, 'busy'],
    [{ state: 11, state_text: 'being created' }, 'busy'],
    [{ state: 'IN_TRANSITION' }, 'busy'],
    [{ state: 'In creation' }, 'busy'],
    [{ failed: true, running: true }, 'failed'],
    [{ state: 'RUNNING', enabled: false }, 'disabled'],
    [{ state: 'RUNNING', enabled: true }, 'ok'],
    [{ state: 'DISABLING', enabled: false }, 'busy'],
    [{ state: 'FAILED', disabled: true }, 'failed'],
    [{ state: 4 }, 'unknown'],
    [{ available: true, provisioned: false }, 'busy'],
    [{ available: true, suspended: true }, 'disabled'],
    [{ isStarted: false }, 'stopped'],
    [{ power: 'ON' }, 'ok'],
    [{ power: 'OFF' }, 'stopped'],
    [{ phase: 'Available', isRunning: false }, 'stopped'],
    [{ phase: 'Available', isRunning: true, isBusy: true }, 'busy'],
    [{ state: 'RUNNING', running: false }, 'ok'],
    [{ state: 'CREATE_FAILED', isBusy: true }, 'failed'],
  ])('a record’s state is understood by its flags: %j', (record, meaning) => {
    expect(stateOf(record)?.class).toBe(meaning);
  });

  test.each([
    [{}],
    [{ state: '' }],
    [{ state: null }],
    [{ state: [] }],
    [{ state: {} }],
    [{ replication: { state: 'UP' } }],
    [{ snapshots: [{ id: 'MYSQL_SNAPSHOT-1', state: 'OK' }] }],
  ])('a record that shows no state has none: %j', record => {
    expect(stateOf(record)).toBeUndefined();
  });

  test.each([
    [{ status: 'Available' }, true],
    [{ status: 'Healthy' }, true],
    [{ status: 'Available', disabled: true }, false],
    [{ status: 'ONLINE' }, false],
  ])('a state says whether its word tells only that all is well: %j', (record, isVague) => {
    expect(stateOf(record)?.isVague === true).toBe(isVague);
  });

  test('a state is of one of six classes, whatever its word', () => {
    const classes = ['ok', 'busy', 'failed', 'stopped', 'disabled', 'unknown'];
    fc.assert(fc.property(fc.string({ unit: 'binary' }), word => classes.includes(stateClass(word))));
  });
});
