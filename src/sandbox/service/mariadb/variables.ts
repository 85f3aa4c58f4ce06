import type { DatabaseParam } from '../estate.ts';
import type { Commands } from './commands.ts';
import { isOwnPath, type Places } from './places.ts';
import type { Tools } from './tools.ts';

/** What decides where the server's files lie, who gets in and what it loads or runs: the engine's to say, with all of `wsrep-`. */
const reserved = new Set([
  'aria-log-dir-path',
  'basedir',
  'bind-address',
  'character-sets-dir',
  'chroot',
  'console',
  'datadir',
  'des-key-file',
  'extra-port',
  'feedback-url',
  'general-log-file',
  'help',
  'init-file',
  'init-slave',
  'innodb-data-file-path',
  'innodb-data-home-dir',
  'innodb-log-group-home-dir',
  'innodb-temp-data-file-path',
  'innodb-tmpdir',
  'innodb-undo-directory',
  'lc-messages-dir',
  'log-basename',
  'log-bin',
  'log-bin-index',
  'log-error',
  'log-slow-query-file',
  'master-info-file',
  'pid-file',
  'plugin-dir',
  'plugin-load',
  'plugin-load-add',
  'port',
  'relay-log',
  'relay-log-index',
  'relay-log-info-file',
  'secure-file-priv',
  'skip-grant-tables',
  'skip-networking',
  'slave-load-tmpdir',
  'slow-query-log-file',
  'socket',
  'tmpdir',
  'user',
]);

/** The names of the server's variables, as `--help` lists them: the server itself would take any beginning of one. */
export async function variablesOf(commands: Commands, tools: Tools, signal: AbortSignal): Promise<ReadonlySet<string>> {
  const help = await commands.run(tools.server, ['--no-defaults', '--verbose', '--help'], { signal });
  const table = help.slice(help.lastIndexOf('\nVariables (--variable-name=value)'));
  const names = table.split('\n').flatMap(line => /^[a-z][a-z0-9-]+(?= )/.exec(line) ?? []);
  if (names.length < 100) throw new Error(`${tools.server} does not list its variables`);
  return new Set(names);
}

/** Why a parameter cannot be set, for people; undefined where all can. */
export function paramFault(
  places: Places,
  variables: ReadonlySet<string>,
  params: readonly DatabaseParam[],
): string | undefined {
  for (const { name, value } of params) {
    const variable = name.toLowerCase().replaceAll('_', '-');
    if (reserved.has(variable) || variable.startsWith('wsrep-')) return `${name} is set by the service itself`;
    if (!variables.has(variable)) return `${name} is not a variable of this MariaDB server`;
    const text = String(value);
    if (text.includes('\0') || text.includes('\n')) return `the value of ${name} must be one line`;
    if (text.includes('/') && !isOwnPath(places, text))
      return `the value of ${name} leads out of the service's folders`;
  }
  return undefined;
}
