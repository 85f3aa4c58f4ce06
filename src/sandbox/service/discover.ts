import { fail } from './change.ts';
import type { Context } from './endpoint.ts';
import type { Effects, Found } from './engine.ts';
import { type Environment, nextIdentifier } from './estate.ts';
import { installKinds, liveKinds } from './identifiers.ts';

/** Starts the job that adds what is new on a host (spec §4.7). Resolves when it has ended, well or not. */
export function discover(
  { estate, engines, jobs, clock }: Context,
  environment: Environment,
  effects: Effects,
): Promise<void> {
  environment.state = 'REFRESHING';
  environment.error = undefined;
  const vendors = new Set(environment.installs.map(({ vendor }) => vendor));
  return jobs.start({
    operation: 'environment/refresh',
    target: environment.id,
    effects,
    async work(task) {
      const known = [...estate.databases.values()].filter(database => database.environment === environment.id);
      // Two vendors may share an engine, and it shall look once.
      const asked = new Set([...vendors].map(vendor => engines[vendor]));
      return Promise.all([...asked].map(engine => engine.discover({ ...task, environment, known })));
    },
    done(discovered) {
      const now = clock.now();
      for (const { found, facts } of discovered) {
        for (const database of found) add(database, now);
        environment.facts = { ...environment.facts, ...facts };
      }
      Object.assign(environment, { state: 'ENABLED', refreshedAt: now, updatedAt: now });
    },
    failed: message => fail(environment, message, clock.now()),
  });

  function add({ vendor, contents = {}, facts = {}, ...found }: Found, now: number): void {
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
}
