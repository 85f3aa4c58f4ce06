import type { Clock } from './clock.ts';
import type { Context } from './endpoint.ts';
import type { Engine, Engines } from './engine.ts';
import { estateFile, readEstate, writeEstate } from './estateFile.ts';
import { exampleEstate } from './example.ts';
import { firstLook, leaveToHosts, mismatchedVendors, showHosts } from './hosts.ts';
import type { Vendor } from './identifiers.ts';
import { createJobs, type Keep, type Log } from './jobs.ts';
import type { Kept } from './keptEstate.ts';
import { recoverEstate } from './recover.ts';
import { simulatedEngine } from './simulated.ts';
import { StartFault } from './startFault.ts';
import { createTokens } from './tokens.ts';

type Options = {
  clock: Clock;
  log: Log;
  /** Milliseconds. */
  tokenLifetime: number;
  /** Where the estate is kept; in memory alone when undefined. */
  stateDir: string | undefined;
  /** Engines that replace the simulated one. */
  engines: Partial<Record<Vendor, Engine>>;
};

/** The state of a service, at rest and ready for requests. `close` leaves nothing running, and nothing is kept after it. */
export type Opened = { context: Context; close(): Promise<void> };

/**
 * Reads the kept estate, or makes the example's, and brings it in line with its engines. Rejects with a sentence for
 * people when what was kept cannot be read, fits other engines, or cannot be kept further.
 */
export async function openEstate({ clock, log, tokenLifetime, stateDir, engines: given }: Options): Promise<Opened> {
  const file = stateDir === undefined ? undefined : estateFile(stateDir);
  const before = file === undefined ? undefined : readEstate(file);
  const kept = before ?? exampleEstate(clock.now());
  const { estate, undiscovered } = kept;
  const hostOf = (id: string) => estate.environments.get(id)?.host ?? 'localhost';
  const simulated = simulatedEngine({ clock, undiscovered, hostOf });
  const engines: Engines = { ORACLE: simulated, MYSQL: simulated, MARIADB: simulated, ...given };
  if (before === undefined) leaveToHosts(kept, engines);
  else checkEngines(before, engines, `${file}`);

  const keeper = createKeeper(kept, file, log);
  const jobs = createJobs(clock, log, keeper.keep);
  const context = { estate, engines, jobs, clock, tokens: createTokens(clock, tokenLifetime), keep: keeper.keep };
  const close = async () => {
    keeper.close();
    await jobs.close();
  };
  try {
    await recoverEstate(context);
    showHosts(context);
    if (!keeper.keep()) throw new StartFault(`The estate cannot be kept in ${file}: the log says why.`);
    await firstLook(context, log);
  } catch (error) {
    await close();
    throw error;
  }
  return { context, close };
}

/** Other engines would call real databases simulated, or the other way round, and a real engine would remove databases that it does not know. */
function checkEngines({ estate }: Kept, engines: Engines, file: string): void {
  const [vendor] = mismatchedVendors(estate, engines);
  if (vendor === undefined) return;
  const [was, is] = engines[vendor].simulated ? ['real', 'simulated'] : ['simulated', 'real'];
  throw new StartFault(
    `The estate kept in ${file} has ${vendor} ${was}, and now it is ${is}. Start with the engine that it was made with, or delete the file to begin with the example estate; the service has not touched it.`,
  );
}

function createKeeper(kept: Kept, file: string | undefined, log: Log): { keep: Keep; close(): void } {
  if (file === undefined) return { keep: () => true, close: () => undefined };
  let closed = false;
  return {
    keep() {
      if (closed) return false;
      try {
        writeEstate(file, kept);
        return true;
      } catch (error) {
        log(`the estate was not kept: ${error}`);
        return false;
      }
    },
    close() {
      closed = true;
    },
  };
}
