import { fail } from './change.ts';
import type { Context } from './endpoint.ts';
import { type Database, environmentRestStates, restStates } from './estate.ts';

const interrupted = 'The service stopped before this was done, and it may be half done: ask for it again.';
const unfinished = 'The service stopped before this clone was complete: delete it and ask for a new one.';

/**
 * Brings a kept estate to rest: no job of the last run goes on, so no record may say that one does. Engines are asked
 * first, also when there are no records, since what belongs to none is theirs to remove. Rejects as an engine does.
 */
export async function recoverEstate(context: Pick<Context, 'estate' | 'engines' | 'clock'>): Promise<void> {
  await askEngines(context);
  const { estate, clock } = context;
  const now = clock.now();
  for (const database of estate.databases.values()) {
    if (!restStates.includes(database.state)) fail(database, database.usable ? interrupted : unfinished, now);
    for (const snapshot of database.snapshots)
      if (snapshot.state === 'DELETING') Object.assign(snapshot, { state: 'AVAILABLE', error: interrupted });
  }
  // An environment that was being disabled or enabled stays disabled until a person has looked at it.
  for (const environment of estate.environments.values())
    if (!environmentRestStates.includes(environment.state)) fail(environment, interrupted, now);
  for (const record of [...estate.users.values(), ...estate.projects.values()])
    if (record.state === 'DELETING') Object.assign(record, { state: 'FAILED', error: interrupted });
}

async function askEngines({ estate, engines }: Pick<Context, 'estate' | 'engines'>): Promise<void> {
  for (const engine of new Set(Object.values(engines))) {
    const own: readonly Database[] = [...estate.databases.values()].filter(({ vendor }) => engines[vendor] === engine);
    const recovered = await engine.recover(own);
    for (const database of own) {
      const found = recovered.get(database.id);
      if (found === 'gone') estate.databases.delete(database.id);
      else Object.assign(database, found);
    }
  }
}
