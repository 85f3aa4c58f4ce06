import { describe, expect, test } from 'vitest';
import { typedIdentifier } from '../../src/api/identifiers.ts';
import { type KnownTarget, obstaclesTo } from '../../src/operations/availability.ts';
import { writeOperation } from '../../src/operations/catalogue.ts';

const running = { class: 'ok', word: 'RUNNING' } as const;
const stopped = { class: 'stopped', word: 'STOPPED' } as const;
const disabled = { class: 'disabled', word: 'DISABLED' } as const;

/** A clone that failed. */
const failed = { state: { class: 'failed', word: 'BROKEN' } } as const;

/** What stands in the way of an operation on a record of which this is known. */
function against(name: string, id: string, known: Omit<KnownTarget, 'id'> = {}): readonly string[] {
  const [operation, target] = [writeOperation(name), idOf(id)];
  if (!operation) throw new Error(`there is no ${name}`);
  return obstaclesTo(operation, { id: target, ...known }).map(({ about }) => about);
}

function idOf(text: string) {
  const id = typedIdentifier(text);
  if (!id) throw new Error(`${text} is no identifier`);
  return id;
}

describe('an operation is available', () => {
  const clone = 'MYSQL_CLONE_SERVER-1';
  const host = 'HOST_ENVIRONMENT-1';
  const snapshot = 'MYSQL_SNAPSHOT-1';
  test.each<readonly [string, string, string, Omit<KnownTarget, 'id'>, readonly string[]]>([
    ['where nothing is known that speaks against it', 'clone.stop', clone, {}, []],
    ['not for records of another noun', 'clone.stop', 'MYSQL_LIVE_SERVER-1', {}, ['noun']],
    ['not for records of a noun that nobody knows', 'clone.stop', 'MYSQL_THING-1', {}, ['noun']],
    ['not for a physical clone, where it is for virtual ones', 'clone.stop', clone, { isPhysical: true }, ['kind']],
    ['for a physical clone, where it is for both', 'database.delete', clone, { isPhysical: true }, []],
    ['not in a state in which it changes nothing', 'clone.start', clone, { state: running }, ['state']],
    [
      'in a state that only says that all is well',
      'clone.start',
      clone,
      { state: { class: 'ok', word: 'Available', isVague: true } },
      [],
    ],
    ['in any other state', 'clone.start', clone, { state: stopped }, []],
    [
      'where others stand in another word of that meaning, which makes this one doubtful',
      'clone.start',
      clone,
      { state: running, others: [{ id: idOf('MYSQL_CLONE_SERVER-2'), state: { class: 'ok', word: 'UP' } }] },
      [],
    ],
    [
      'not where only the record itself stands in another word',
      'clone.start',
      clone,
      { state: running, others: [{ id: idOf(clone), state: { class: 'ok', word: 'UP' } }] },
      ['state'],
    ],
    [
      'not on a disabled environment',
      'clone.start',
      clone,
      { place: { id: idOf(host), state: disabled } },
      ['environment'],
    ],
    [
      'not on a disabled environment, of the environment itself',
      'environment.refresh',
      host,
      { place: { id: idOf(host), state: disabled } },
      ['environment'],
    ],
    [
      'to enable a disabled environment again',
      'environment.enable',
      host,
      { place: { id: idOf(host), state: disabled } },
      [],
    ],
    [
      'to delete a disabled environment, of which no rule is stated',
      'environment.delete',
      host,
      { place: { id: idOf(host), state: disabled } },
      [],
    ],
    ['not to delete a record on which clones depend', 'database.delete', clone, { dependents: [{}] }, ['dependents']],
    [
      'not to delete a record of which one dependent has not failed',
      'database.delete',
      clone,
      { dependents: [failed, {}] },
      ['dependents'],
    ],
    [
      'to delete a record of which all dependents have failed',
      'database.delete',
      clone,
      { dependents: [failed, failed] },
      [],
    ],
    [
      'to delete a snapshot of which all dependents have failed',
      'snapshot.delete',
      snapshot,
      { dependents: [failed], snapshots: 2 },
      [],
    ],
    ['to delete a snapshot on which none depends', 'snapshot.delete', snapshot, { dependents: [], snapshots: 2 }, []],
    ['not to delete the last snapshot', 'snapshot.delete', snapshot, { snapshots: 1 }, ['snapshot']],
    ['to delete an environment, of which no rule is stated', 'environment.delete', host, { dependents: [{}, {}] }, []],
    ['to do anything else to a record on which clones depend', 'database.refresh', clone, { dependents: [{}] }, []],
  ])('an operation is available unless something known stands against it: %s', (_, name, id, known, expected) => {
    expect(against(name, id, known)).toEqual(expected);
  });
});
