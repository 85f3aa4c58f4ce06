import { type Beginning, fail, removeRecord } from '../change.ts';
import { type Endpoint, get, write } from '../endpoint.ts';
import type { Found } from '../engine.ts';
import { type Environment, environmentRestStates, nextIdentifier } from '../estate.ts';
import { installKinds, liveKinds } from '../identifiers.ts';
import { inputQuery, plainString } from '../input.ts';
import { bookkeeping } from '../jobs.ts';
import { findEnvironment } from '../lookups.ts';
import { environmentRecord } from '../records.ts';
import { Refusal } from '../refusal.ts';
import { checkEnabled } from '../rules.ts';

function checkAtRest({ id, state }: Environment): void {
  if (!environmentRestStates.includes(state)) throw new Refusal('WRONG_STATE', `${id} is ${state}`);
}

/** Starts the job that adds what is new on a host. Resolves when it has ended, well or not. */
export function discover(begun: Beginning & { environment: Environment }): Promise<void> {
  const { context, operation, effects, environment } = begun;
  const { estate, engines, jobs, clock } = context;
  environment.state = 'REFRESHING';
  environment.error = undefined;
  return jobs.start({
    operation,
    target: environment.id,
    effects,
    lasts: 3_000,
    async work(task) {
      const known = [...estate.databases.values()].filter(database => database.environment === environment.id);
      // Two vendors may share an engine, and it shall look once.
      const asked = new Set(environment.installs.map(({ vendor }) => engines[vendor]));
      return Promise.all([...asked].map(engine => engine.discover({ ...task, environment, known })));
    },
    done(discovered) {
      const now = clock.now();
      for (const { found, facts } of discovered) {
        for (const database of found) addFound(begun, database, now);
        environment.facts = { ...environment.facts, ...facts };
      }
      Object.assign(environment, { state: 'ENABLED', refreshedAt: now, updatedAt: now });
    },
    failed: message => fail(environment, message, clock.now()),
  });
}

/** Adds a live database that was found on an environment to the estate. */
function addFound(
  { context: { estate, engines }, environment }: Beginning & { environment: Environment },
  { vendor, contents = {}, facts = {}, ...found }: Found,
  now: number,
): void {
  const id = nextIdentifier(estate, liveKinds[vendor]);
  estate.databases.set(id, {
    ...found,
    id,
    vendor,
    contents,
    facts,
    state: 'RUNNING',
    usable: true,
    environment: environment.id,
    install: found.install ?? environment.installs.find(install => install.id.startsWith(installKinds[vendor]))?.id,
    environmentUser: environment.environmentUsers[0]?.id,
    snapshots: [],
    simulated: engines[vendor].simulated,
    createdAt: now,
    updatedAt: now,
  });
}

const toggle = (action: 'disable' | 'enable') =>
  write({
    method: 'PUT',
    path: `/environment/${action}`,
    input: plainString,
    developer: 'none',
    find: ({ estate }, id) => ({ environment: findEnvironment(estate, id) }),
    check({ environment }) {
      checkAtRest(environment);
      if (environment.enabled === (action === 'enable') && environment.state !== 'FAILED')
        throw new Refusal('WRONG_STATE', `${environment.id} is ${environment.state} already`);
    },
    texts: ({ environment }) => [environment.name],
    begin({ context: { jobs, clock }, operation, effects, environment }) {
      const before = environment.enabled;
      environment.state = action === 'enable' ? 'ENABLING' : 'DISABLING';
      environment.error = undefined;
      // Shut at once, opened at the end: nothing slips in while the job runs.
      environment.enabled = false;
      return jobs.start({
        operation,
        target: environment.id,
        effects,
        lasts: 1_000,
        work: task => bookkeeping(clock, task),
        done() {
          const enabled = action === 'enable';
          Object.assign(environment, { state: enabled ? 'ENABLED' : 'DISABLED', enabled, updatedAt: clock.now() });
        },
        failed(message) {
          environment.enabled = before;
          fail(environment, message, clock.now());
        },
      });
    },
  });

/** Spec §4.7. */
export const environmentEndpoints: readonly Endpoint[] = [
  get('/environment/list', ({ estate }) => [...estate.environments.values()].map(environmentRecord)),

  get('/environment/{id}', ({ estate }, id) => environmentRecord(findEnvironment(estate, id))),

  write({
    method: 'PUT',
    path: '/environment/refresh',
    input: plainString,
    developer: 'any',
    find: ({ estate }, id) => ({ environment: findEnvironment(estate, id) }),
    check({ environment }) {
      checkEnabled(environment);
      checkAtRest(environment);
    },
    texts: ({ environment }) => [environment.name],
    begin: discover,
  }),

  toggle('disable'),
  toggle('enable'),

  write({
    method: 'DELETE',
    path: '/environment/delete',
    input: inputQuery,
    developer: 'none',
    find: ({ estate }, id) => ({ environment: findEnvironment(estate, id) }),
    check({ context, environment }) {
      // A disabled one can be deleted: rule 1 is about the work on it (spec §3).
      checkAtRest(environment);
      const { id } = environment;
      const tenants = [...context.estate.databases.values()].filter(database => database.environment === id);
      const names = tenants.map(database => `${database.id} (${database.name})`).join(', ');
      if (tenants.length > 0) throw new Refusal('IN_USE', `${id} holds ${names}`);
    },
    texts: ({ environment }) => [environment.name],
    begin(accepted) {
      const { context, environment } = accepted;
      return removeRecord(accepted, environment, {
        lasts: 1_000,
        work: task => bookkeeping(context.clock, task),
        done: () => context.estate.environments.delete(environment.id),
      });
    },
  }),
];
