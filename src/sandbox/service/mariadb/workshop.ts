import type { Clock } from '../clock.ts';
import type { JsonValue } from '../estate.ts';
import type { Means } from './backup/copying.ts';
import type { Places } from './places.ts';
import type { Commands } from './programs/commands.ts';
import type { Tools } from './programs/tools.ts';
import type { Servers } from './servers/servers.ts';
import type { Variables } from './servers/variables.ts';
import type { Turns } from './turns.ts';
import type { Account } from './wall/account.ts';
import type { Wall } from './wall/wall.ts';

/** The tools that every piece of the engine's work uses. */
export type Workshop = Readonly<{
  tools: Tools;
  account: Account;
  commands: Commands;
  places: Places;
  /** What works on the data of clones is behind it. */
  wall: Wall;
  servers: Servers;
  /** The server's variables, by its own list. */
  variables: Variables;
  /** By the identifier of a clone or what else is changed: nobody stops a server whose files are being shared. */
  inTurn: Turns;
  clock: Clock;
  /** Milliseconds that the script of a request may take. */
  scriptLimit: number;
  /** Told before each step of a restore, once that is written down. */
  onStep?: ((step: string) => Promise<void> | void) | undefined;
  /** The means to duplicate a snapshot to this path, which need not exist yet. */
  meansTo(path: string, signal: AbortSignal): Promise<Means>;
}>;

/** The databases that every server has for itself. */
export const systemDatabases: readonly string[] = ['information_schema', 'mysql', 'performance_schema', 'sys'];

/** The databases that people made, of the rows of SHOW DATABASES. */
export function ofPeople(rows: readonly (readonly string[])[]): readonly string[] {
  return rows.flatMap(([name = '']) => (systemDatabases.includes(name) ? [] : [name]));
}

/** Fields of a record that say in words what was asked and has no meaning here. */
export function notes(lines: readonly (string | undefined)[]): { notes?: JsonValue } {
  const said = lines.filter(line => line !== undefined);
  return said.length === 0 ? {} : { notes: said.join(' ') };
}

/** The size of a folder on disk in megabytes, counting shared blocks each time. `whose`: a live server's or the guest's. */
export async function megabytes(
  { commands }: Workshop,
  path: string,
  signal: AbortSignal,
  whose: { asGuest?: true } = {},
): Promise<number> {
  const [size = ''] = (await commands.run('du', ['-sm', '--', path], { signal, ...whose })).split('\t');
  return Number(size);
}
