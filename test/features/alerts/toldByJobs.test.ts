import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { minute } from '../../../src/ground/durations.ts';
import { type Json, parsed, recordsOf } from '../../../src/sandbox/playground/json.ts';
import type { Middleware } from '../../../src/sandbox/service/application.ts';
import type { Store } from '../../../src/store/database.ts';
import type { JobRow } from '../../../src/store/jobs/rows/jobRow.ts';
import { folder, storeIn } from '../../store/folder.ts';
import { alertBoard, clone } from './alertBoard.ts';

/* A channel is spared what the message of a job there has told, and nothing else. */

let store: Store;
let here: Awaited<ReturnType<typeof alertBoard>>;
/** A record that has the identifier of the clone once that is gone. */
let newcomer: Json | undefined;
const middleware: Middleware = async (request, next) => {
  const answer = await next();
  const { pathname } = new URL(request.url);
  if (newcomer && pathname.endsWith(clone)) return Response.json(newcomer);
  if (newcomer && pathname.endsWith('/database/list'))
    return Response.json([...recordsOf(parsed(await answer.text())), newcomer]);
  return answer;
};

beforeEach(async () => {
  newcomer = undefined;
  store = await storeIn(folder());
  here = await alertBoard(store, middleware);
  await here.on();
  await here.looks();
  await here.told();
});
afterEach(() => here.end());

const ended = (operation: string, state: string, seen: object = {}, change: Partial<JobRow> = {}) =>
  here.hasJob(operation, state, { seen, change });

function fails(error?: string) {
  Object.assign(here.database(clone), { state: 'FAILED', error });
}

const stop = 'clone.stop';
const disk = { state: 'FAILED', stateClass: 'failed', error: 'The disk is full.' };
const shown = [`C1: incident failed orders-3320 @U0ANA`];

describe('a failure', () => {
  test('a failure that a job told in a channel is not told again there, and is told elsewhere', async () => {
    await here.on({ team: 'T1', person: 'U0ANA', channel: 'C2' });
    await here.looks();
    await here.told();
    await ended(stop, 'failed', disk);
    fails(disk.error);
    await here.looks();
    expect(await here.told()).toEqual(['C2: incident failed orders-3320 @U0ANA']);
  });

  test.each<readonly [string, () => Promise<unknown>]>([
    ['after a job there that went well', () => ended(stop, 'succeeded', { state: 'STOPPED', stateClass: 'stopped' })],
    ['after a job that failed for another reason', () => ended(stop, 'failed', { ...disk, error: 'No licence.' })],
    ['that a job told only in a direct message', () => ended(stop, 'failed', disk, { place: 'D1' })],
    ['of a job whose message does not show its end yet', () => ended(stop, 'failed', disk, { shown: 0 })],
    ['after a job that failed on another record', () => ended(stop, 'failed', { ...disk, id: 'MYSQL_CLONE_SERVER-2' })],
  ])('an alert tells a failure that no job’s message told there: one %s', async (_, happens) => {
    await happens();
    fails(disk.error);
    await here.looks();
    expect(await here.told()).toEqual(shown);
  });

  test('a failure that comes again is told, though a job told the one before', async () => {
    await ended(stop, 'failed', disk);
    fails(disk.error);
    await here.looks();
    here.database(clone).state = 'RUNNING';
    await here.looks();
    await here.told();
    fails(disk.error);
    await here.looks();
    expect(await here.told()).toEqual(shown);
  });

  test('a failure of a record is told while a clone of that record is being made', async () => {
    await ended('clone.create', 'running', {}, { endedAt: null });
    fails(disk.error);
    await here.looks();
    expect(await here.told()).toEqual(shown);
  });
});

describe('a record that is gone', () => {
  const vanished = ['C1: incident vanished orders-3320 @U0ANA'];
  const gone = { gone: true };

  test.each<readonly [string, () => Promise<unknown>, readonly string[]]>([
    ['not after its confirmed deletion', () => ended('database.delete', 'succeeded', gone), []],
    ['not while its deletion is under way', () => ended('database.delete', 'running', {}, { endedAt: null }), []],
    ['not soon after its unconfirmed deletion', () => ended('database.delete', 'unconfirmed'), []],
    ['though its deletion failed', () => ended('database.delete', 'failed'), vanished],
    ['after a stop', () => ended(stop, 'succeeded'), vanished],
    [
      'long after its unconfirmed deletion',
      () =>
        ended(
          'database.delete',
          'unconfirmed',
          {},
          { endedAt: here.clock.now() - 6 * minute, sentAt: here.clock.now() - 7 * minute },
        ),
      vanished,
    ],
  ])('a record that is gone is told unless Dolly deleted it: %s', async (_, happens, told) => {
    await here.looks();
    await happens();
    here.service.estate.databases.delete(clone);
    await here.looks();
    expect(await here.told()).toEqual(told);
  });

  test.each<readonly [string, string, readonly string[]]>([
    ['stop', stop, ['C1: incident vanished new @U0ANA']],
    ['deletion', 'database.delete', []],
  ])(
    'a vanished record is told though a new one has its identifier, but not after a deletion: %s',
    async (_, operation, told) => {
      await here.looks();
      await ended(operation, 'succeeded');
      here.service.estate.databases.delete(clone);
      newcomer = { id: clone, name: 'new', state: 'RUNNING', createdAt: new Date(here.clock.now()).toISOString() };
      await here.looks();
      expect(await here.told()).toEqual(told);
    },
  );
});
