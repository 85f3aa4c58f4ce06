import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { writeNew } from '../wall/account.ts';
import type { Ask } from './sql.ts';

/*
 * A clone answers as its source: what the same statement does there hangs on these settings, which are no part of the data. They
 * are noted with each snapshot. None names a path, a plugin, a replica or an event, and none costs memory.
 */

/** Settings by their names, with the option that sets each where that is called otherwise. */
const settings: Readonly<Record<string, string>> = {
  lower_case_table_names: '',
  sql_mode: '',
  old_mode: '',
  time_zone: 'default-time-zone',
  character_set_server: '',
  collation_server: '',
  default_storage_engine: '',
  tx_isolation: 'transaction-isolation',
  explicit_defaults_for_timestamp: '',
  lc_time_names: '',
  default_week_format: '',
  div_precision_increment: '',
  group_concat_max_len: '',
  auto_increment_increment: '',
  auto_increment_offset: '',
  ft_min_word_len: '',
  ft_max_word_len: '',
  innodb_ft_min_token_size: '',
  innodb_ft_max_token_size: '',
  innodb_strict_mode: '',
  innodb_default_row_format: '',
  log_bin_trust_function_creators: '',
  max_allowed_packet: '',
  max_sp_recursion_depth: '',
};
/** What the machine gives a server that is told none. */
const ofMachine = 'system_time_zone';

const file = 'dolly-settings.json';
/** The file that has the settings of the source, in a data directory. */
export const settingsFile = file;

/** A question whose answer has two columns: {@link notedIn} finds them among rows of one. */
export const settingsQuestion = `SHOW GLOBAL VARIABLES WHERE Variable_name IN (${[...Object.keys(settings), ofMachine].map(name => `'${name}'`).join(', ')})`;

type Noted = Readonly<Record<string, string>>;

/** The settings in the answer to {@link settingsQuestion}. */
export function notedIn(rows: readonly (readonly string[])[]): Noted {
  return Object.fromEntries(
    rows.flatMap(([name, value]) => (name === undefined || value === undefined ? [] : [[name, value]])),
  );
}

/** Notes the settings of a live server with the data that was taken from it. */
export async function noteSettings(ask: Ask, data: string, signal: AbortSignal): Promise<void> {
  await writeNew(join(data, file), JSON.stringify(notedIn(await ask(settingsQuestion, signal))));
}

/** The settings of the source of this data; none where they were not noted, or where somebody has changed the file. */
export async function settingsOf(data: string): Promise<Noted> {
  try {
    return z.record(z.string(), z.string()).parse(JSON.parse(await readFile(join(data, file), 'utf8')));
  } catch {
    return {};
  }
}

/** The options with which a server has the settings of its source. A copy that is thrown away needs those of its files alone. */
export async function settingsOptions(data: string, role: 'clone' | 'scratch'): Promise<readonly string[]> {
  const noted = await settingsOf(data);
  return Object.entries(settings).flatMap(([name, option]) => {
    const value = noted[name];
    if (value === undefined || value === 'SYSTEM' || (role === 'scratch' && name !== 'lower_case_table_names'))
      return [];
    return [`--${option === '' ? name : option}=${value}`];
  });
}

/** What a clone has otherwise than its source, in words for people. `asked` are the names of what was asked to be so. */
export function differences(source: Noted, clone: Noted, asked: readonly string[]): readonly string[] {
  const wanted = asked.map(name => name.toLowerCase().replaceAll('-', '_'));
  return Object.entries(source).flatMap(([name, value]) => {
    const own = clone[name];
    if (own === undefined || own === value || wanted.includes(name)) return [];
    if (name === ofMachine)
      return source.time_zone === 'SYSTEM' ? [`Its time zone is that of this machine, ${own}, and not ${value}.`] : [];
    return [`${name} is ${own === '' ? 'empty' : own}, and ${value === '' ? 'empty' : value} at its source.`];
  });
}
