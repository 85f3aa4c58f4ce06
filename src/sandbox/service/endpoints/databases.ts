import { changeDatabase, removeRecord } from '../change.ts';
import { databaseWrite } from '../databaseWrite.ts';
import { type Endpoint, get } from '../endpoint.ts';
import { restStates } from '../estate.ts';
import { cloneKinds, liveKinds } from '../identifiers.ts';
import { inputQuery, plainString } from '../input.ts';
import { bookkeeping } from '../jobs.ts';
import { find, findDatabase, findLive } from '../lookups.ts';
import { databaseRecord } from '../records.ts';
import { checkNoDependents } from '../rules.ts';

const kinds = [...Object.values(liveKinds), ...Object.values(cloneKinds)];

/** Disabling and enabling touch no database: the service only remembers it. */
const toggle = (action: 'disable' | 'enable') =>
  databaseWrite({
    method: 'PUT',
    path: `/database/${action}`,
    input: plainString,
    developer: 'none',
    states: action === 'disable' ? ['RUNNING', 'FAILED'] : ['DISABLED', 'FAILED'],
    find: ({ estate }, id) => ({ database: findLive(estate, id) }),
    begin: accepted =>
      changeDatabase(accepted, {
        during: action === 'disable' ? 'DISABLING' : 'ENABLING',
        lasts: 1_000,
        async work(task) {
          await bookkeeping(accepted.context.clock, task);
          return {};
        },
        becomes: { state: action === 'disable' ? 'DISABLED' : 'RUNNING' },
      }),
  });

/** Spec §4.1: databases as such. */
export const databaseEndpoints: readonly Endpoint[] = [
  get('/database/list', ({ estate }) => [...estate.databases.values()].map(one => databaseRecord(estate, one))),

  get('/database/{id}', ({ estate }, id) => databaseRecord(estate, find(estate.databases, id, kinds))),

  databaseWrite({
    method: 'PUT',
    path: '/database/refresh',
    input: plainString,
    developer: 'any',
    states: ['RUNNING', 'STOPPED', 'FAILED'],
    find: ({ estate }, id) => ({ database: findDatabase(estate, id) }),
    begin(accepted) {
      const { context, database } = accepted;
      return changeDatabase(accepted, {
        during: 'REFRESHING',
        lasts: 2_000,
        work: task => context.engines[database.vendor].refresh({ ...task, database }),
        becomes: { state: database.state === 'STOPPED' ? 'STOPPED' : 'RUNNING' },
        shows: time => ({ refreshedAt: time }),
      });
    },
  }),

  toggle('disable'),
  toggle('enable'),

  databaseWrite({
    method: 'DELETE',
    path: '/database/delete',
    input: inputQuery,
    developer: 'own',
    states: restStates,
    isForUnusable: true,
    find: ({ estate }, id) => ({ database: findDatabase(estate, id) }),
    check: ({ context, database }) => checkNoDependents(context.estate, database),
    // A clone that failed as its name asked can still be tidied away.
    texts: ({ database }) => (database.usable ? [database.name] : []),
    begin(accepted) {
      const { context, database } = accepted;
      return removeRecord(accepted, database, {
        lasts: 2_000,
        work: task => context.engines[database.vendor].remove({ ...task, database }),
        done: () => context.estate.databases.delete(database.id),
      });
    },
  }),
];
