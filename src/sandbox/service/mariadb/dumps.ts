import { withFile } from './commands.ts';
import { inOrder, type Part, viewsOf } from './parts.ts';
import { type Ask, literal } from './sql.ts';
import type { Workshop } from './workshop.ts';

/** The way to reach a server. */
export type Session = Readonly<{ options: string; ask: Ask }>;

/** A table that is locked lets nothing be taken from the sequence that a column of it counts with (error 1100). */
const usual = [
  '--single-transaction',
  '--quick',
  '--hex-blob',
  '--triggers',
  '--skip-add-locks',
  '--max-allowed-packet=1G',
];
const ofDatabase = ['--routines', '--events', '--add-drop-database', '--databases'];

/**
 * Writes a part to a file of SQL. Gives the views that had to be left out, since they refer to what is not there. Rejects with the
 * reason where something of the part cannot be written down, such as a history by transactions.
 */
export async function dump(
  { commands, tools }: Workshop,
  { options, ask }: Session,
  { databaseName, tableName }: Part,
  file: string,
  signal: AbortSignal,
): Promise<readonly string[]> {
  const history = (await isVersioned(ask, databaseName, signal)) ? ['--dump-history'] : [];
  const write = (flags: 'w' | 'a', ...what: string[]) => {
    const args = [`--defaults-file=${options}`, ...usual, ...history, ...what];
    return withFile(file, flags, to => commands.run(tools.dump, args, { signal, to, alive: ask }));
  };
  if (tableName !== undefined) {
    await write('w', '--', databaseName, tableName);
    return [];
  }
  const views = await viewsOf(ask, databaseName, signal);
  const ignored = views.map(({ name }) => `--ignore-table=${databaseName}.${name}`);
  await write('w', ...ofDatabase, ...ignored, '--', databaseName);
  // The tool makes views in the order of their names, and one with a check option only on a view that is whole.
  const sound = inOrder(
    views.filter(({ isBroken }) => !isBroken),
    databaseName,
  );
  if (sound.length > 0) await write('a', '--', databaseName, ...sound);
  return views.flatMap(({ name, isBroken }) => (isBroken ? [name] : []));
}

async function isVersioned(ask: Ask, databaseName: string, signal: AbortSignal): Promise<boolean> {
  const [[count] = []] = await ask(
    `SELECT COUNT(*) FROM information_schema.tables WHERE table_type = 'SYSTEM VERSIONED' AND table_schema = ${literal(databaseName)}`,
    signal,
  );
  return count !== '0';
}

/** Comments belong to routines. Line ends and zeros stay what they are. */
const faithful = ['--comments', '--binary-mode', '--max-allowed-packet=1G'];
/** Seconds that the restore waits for a table that another session uses. After that the restore fails. */
const waiting = 60;

/** Carries out what {@link dump} wrote. */
export async function load(
  { commands, tools }: Workshop,
  { options, ask }: Session,
  { databaseName, tableName }: Part,
  file: string,
  signal: AbortSignal,
): Promise<void> {
  const into = tableName === undefined ? [] : [`--database=${databaseName}`];
  const args = [
    `--defaults-file=${options}`,
    ...faithful,
    `--init-command=SET SESSION lock_wait_timeout = ${waiting}`,
    ...into,
  ];
  await withFile(file, 'r', from => commands.run(tools.client, args, { signal, from, alive: ask }));
}
