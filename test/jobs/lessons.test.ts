import { pino } from 'pino';
import { describe, expect, test } from 'vitest';
import { typedIdentifier } from '../../src/api/identifiers.ts';
import { Failure } from '../../src/ground/failure.ts';
import { learnFromAcceptance, learnFromRefusal } from '../../src/jobs/lessons.ts';
import type { JobRequest } from '../../src/jobs/request.ts';
import { createClone } from '../../src/operations/clones.ts';
import { proofOf, type Values } from '../../src/operations/operation.ts';
import { neededFields } from '../../src/slack/forms/fill/needed.ts';
import type { Store } from '../../src/store/database.ts';
import { requiredFieldsIn } from '../../src/store/tables/requiredFields.ts';
import { testClock } from '../clock.ts';
import { folder, storeIn, stores } from '../store/folder.ts';

const log = pino({ level: 'silent' });
const source = 'MYSQL_LIVE_SERVER-1';

/** The lessons about clones of MySQL, as the processes for one service have them. */
function teacherOf(store: Store, service = 'http://here') {
  const requiredFields = requiredFieldsIn(store, service);
  return {
    ...{ requiredFields, clock: testClock(), log },
    learned: () => requiredFields.of({ operation: 'clone.create', vendor: 'MYSQL' }),
  };
}

/** The request of a clone with these values. */
function cloneOf(given: Values = {}, target = source): JobRequest {
  const id = typedIdentifier(target);
  if (!id) throw new Error(`${target} is no identifier`);
  const values = {
    sourceDatabase: target,
    cloneType: 'VIRTUALCLONE',
    targetEnvironment: 'HOST_ENVIRONMENT-4',
    ...given,
  };
  return { operation: createClone, values, target: id, proof: proofOf(createClone, id, values) };
}

const refused = (words: string) => new Failure('refused', `The service refused: “${words}”.`);

describe.each(stores)('in %s', (_, open) => {
  test('two people’s refused requests teach which fields are needed, and an accepted one forgets for both', async () => {
    const store = await open();
    const [one, other, elsewhere] = [teacherOf(store), teacherOf(store), teacherOf(store, 'http://there')];
    await Promise.all([
      learnFromRefusal(one, cloneOf(), refused('port: is required; install: is required')),
      learnFromRefusal(other, cloneOf(), refused('port: is required; mountBase: is required')),
      learnFromRefusal(elsewhere, cloneOf(), refused('port: is required')),
    ]);
    expect(await other.learned()).toEqual(['install', 'mountBase', 'port']);
    await learnFromAcceptance(other, cloneOf({ port: 3310, install: 'MYSQL_INSTALL-1' }));
    expect(await one.learned()).toEqual(['install', 'port']);
    // A request of another vendor says nothing of this one.
    await learnFromAcceptance(one, cloneOf({}, 'MARIADB_LIVE_SERVER-3'));
    await Promise.all([
      learnFromAcceptance(one, cloneOf({ install: 'MYSQL_INSTALL-1' })),
      learnFromAcceptance(other, cloneOf({ install: 'MYSQL_INSTALL-1' })),
    ]);
    expect([await one.learned(), await elsewhere.learned()]).toEqual([['install'], ['port']]);
  });
});

test.each<[string, Failure]>([
  [
    'a right that is lacking',
    new Failure('forbidden', 'The service does not allow you to do this: “port is required”.'),
  ],
  [
    'an error of the service',
    new Failure('unreadable', 'The service answered with an error (HTTP 500): “port is required”.'),
  ],
  ['a refusal without words', new Failure('refused', 'The service refused.')],
  ['a condition', refused('if the clone is physical, port is required')],
  ['a field that was given', refused('mountBase is required')],
  ['a field that the form always asks for', refused('cloneType is required; targetEnvironment is required')],
  ['a field that the form does not have', refused('retention is required; pdb is required; keepFor is required')],
])('%s teaches Dolly no needed field', async (_, failure) => {
  const teacher = teacherOf(await storeIn(folder()));
  await learnFromRefusal(teacher, cloneOf({ mountBase: '/mnt/c1' }), failure);
  expect(await teacher.learned()).toEqual([]);
});

test('a form asks for the learned fields that it has, and opens though the store does not answer', async () => {
  const teacher = teacherOf(await storeIn(folder()));
  await teacher.requiredFields.learn({ operation: 'clone.create', vendor: 'MYSQL' }, ['port', 'retention'], 1);
  expect(await neededFields(teacher, createClone, { sourceDatabase: source })).toEqual(['port']);
  expect(await neededFields(teacher, createClone, { sourceDatabase: 'ORACLE_LIVE_DATABASE-1' })).toEqual([]);
  const of = async () => Promise.reject(new Error('the store is away'));
  const away = { ...teacher, requiredFields: { ...teacher.requiredFields, of } };
  expect(await neededFields(away, createClone, { sourceDatabase: source })).toEqual([]);
  await expect(learnFromAcceptance(away, cloneOf())).resolves.toBeUndefined();
});
