import type { DatabaseParam } from '../../estate.ts';
import { isOwnPath, type Places } from '../places.ts';
import type { Commands } from '../programs/commands.ts';
import type { Tools } from '../programs/tools.ts';
import { type Ask, literal } from './sql.ts';

/** Variables that only the engine sets, as all of `wsrep-`: they decide where files lie, who may connect and what the server loads or runs. */
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

/** The server's variables with what they are when nobody sets them. */
export type Variables = ReadonlyMap<string, string>;

/** The server's variables, as `--help` lists them: the server itself would take any beginning of a name. */
export async function variablesOf(commands: Commands, tools: Tools, signal: AbortSignal): Promise<Variables> {
  const help = await commands.run(tools.server, ['--no-defaults', '--verbose', '--help'], { signal });
  const table = help.slice(help.lastIndexOf('\nVariables (--variable-name=value)'));
  const found = table.matchAll(/^(?<name>[a-z][a-z0-9-]+) +(?<value>.*)$/gm);
  const variables = new Map([...found].map(({ groups: { name = '', value = '' } = {} }) => [name, value.trim()]));
  if (variables.size < 100) throw new Error(`${tools.server} does not list its variables`);
  return variables;
}

/** The name of a variable as the server's options are written. */
const written = (name: string) => name.toLowerCase().replaceAll('_', '-');

/** The options of a server for what people asked for. Some of its switches are numbers, and some are words. */
export function optionsOf(variables: Variables, params: readonly DatabaseParam[]): readonly string[] {
  return params.map(({ name, type, value }) => {
    if (type !== 'BOOLEAN') return `--${name}=${value}`;
    const isNumber = /^-?\d+$/.test(variables.get(written(name)) ?? '');
    const [on, off] = isNumber ? ['1', '0'] : ['ON', 'OFF'];
    return `--${name}=${value === 'true' ? on : off}`;
  });
}

/** Parameters whose value the server changed since it was out of bounds, in words for people. */
export async function changedParams(
  ask: Ask,
  params: readonly DatabaseParam[],
  signal: AbortSignal,
): Promise<readonly string[]> {
  const numbers = params.filter(({ value }) => amountOf(value) !== undefined);
  if (numbers.length === 0) return [];
  const names = numbers.map(({ name }) => literal(written(name).replaceAll('-', '_')));
  const rows = await ask(`SHOW GLOBAL VARIABLES WHERE Variable_name IN (${names.join(', ')})`, signal);
  const now = new Map(rows.map(([name = '', value = '']) => [written(name), value]));
  return numbers.flatMap(({ name, value }) => {
    const actual = now.get(written(name));
    const isAsAsked = actual === undefined || amountOf(actual) === undefined || amountOf(actual) === amountOf(value);
    return isAsAsked ? [] : [`${name} is ${actual}: the server does not take ${value}.`];
  });
}

const sizes = ['K', 'M', 'G', 'T', 'P', 'E'];

/** A number as the server reads one, with a letter for its size; undefined for any other text. */
function amountOf(value: string | number): number | undefined {
  const [, digits, size = ''] = /^(-?\d+(?:\.\d+)?)([KMGTPE]?)$/i.exec(String(value)) ?? [];
  return digits === undefined ? undefined : Number(digits) * 1_024 ** (sizes.indexOf(size.toUpperCase()) + 1);
}

/** Why a parameter cannot be set, for people; undefined where all can. */
export function paramFault(places: Places, variables: Variables, params: readonly DatabaseParam[]): string | undefined {
  for (const { name, value } of params) {
    const variable = written(name);
    if (reserved.has(variable) || variable.startsWith('wsrep-')) return `${name} is set by the service itself`;
    if (!variables.has(variable)) return `${name} is not a variable of this MariaDB server`;
    const text = String(value);
    if (text.includes('\0') || text.includes('\n')) return `the value of ${name} must be one line`;
    if (text.includes('/') && !isOwnPath(places, text))
      return `the value of ${name} leads out of the service's folders`;
  }
  return undefined;
}
