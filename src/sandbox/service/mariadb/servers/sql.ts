import type { Commands } from '../programs/commands.ts';
import type { Tools } from '../programs/tools.ts';

/** A session with a server, as its option file says: asks, and gives rows of text. `limit` in milliseconds. */
export type Ask = (statement: string, signal: AbortSignal, limit?: number) => Promise<readonly (readonly string[])[]>;

/** Milliseconds that one statement of the engine's own may take. */
const usualLimit = 60_000;

/** Seconds that a server may take to open a session: one that has just been started may recover first. */
const longest = 180;

/** Asks the server of an option file. Rejects with the client's own words. */
export function askOf(commands: Commands, { client }: Tools, options: string): Ask {
  return async (statement, signal, limit = usualLimit) => {
    const timeout = `--connect-timeout=${Math.min(Math.ceil(limit / 1_000), longest)}`;
    // A server could ask the client for any file that the service can read.
    const args = [`--defaults-file=${options}`, '--batch', '--skip-column-names', timeout, '--local-infile=0'];
    const output = await commands.run(client, args, { signal, input: statement, limit });
    return output.split('\n').flatMap(line => (line === '' ? [] : [line.split('\t').map(unescaped)]));
  };
}

/** A name as SQL writes it. */
export function identifier(name: string): string {
  return `\`${name.replaceAll('`', '``')}\``;
}

/** A text as SQL writes it, whatever is in it and whatever the server's mode. */
export function literal(text: string): string {
  return text === '' ? "''" : `CONVERT(0x${Buffer.from(text, 'utf8').toString('hex')} USING utf8mb4)`;
}

/** The client writes line ends, tabs and backslashes of a value as two characters. */
function unescaped(value: string): string {
  return value.replace(/\\([nt0\\])/g, (_, letter: string) => ({ n: '\n', t: '\t', 0: '\0' })[letter] ?? '\\');
}
