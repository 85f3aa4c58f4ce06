import type { Entry } from '../../store/tables/audit/auditSearch.ts';

/** A file format of the trail: its name, its file extension, its first line, and one line for each entry. */
export type Format = Readonly<{ name: string; ending: string; header: string; line(entry: Entry): string }>;

const columns = [
  'time',
  'actor',
  'login',
  'event',
  'operation',
  'target',
  'targetName',
  'detail',
  'person',
  'job',
  'channel',
  'team',
  'id',
] as const;

export const formats = {
  csv: {
    name: 'CSV',
    ending: 'csv',
    header: `${columns.join(',')}\r\n`,
    line: entry => `${columns.map(column => cell(fieldOf(entry, column))).join(',')}\r\n`,
  },
  jsonl: {
    name: 'JSON lines',
    ending: 'jsonl',
    header: '',
    line: entry => `${JSON.stringify(Object.fromEntries(columns.map(column => [column, fieldOf(entry, column)])))}\n`,
  },
} as const satisfies Record<string, Format>;

function fieldOf(entry: Entry, column: (typeof columns)[number]): string | null {
  return column === 'time' ? new Date(entry.at).toISOString() : entry[column];
}

/** A cell by RFC 4180. One that a spreadsheet would take for a formula begins with an apostrophe. */
function cell(value: string | null): string {
  const harmless = /^[=+\-@\t\r\n]/.test(value ?? '') ? `'${value}` : (value ?? '');
  return /[",\r\n]/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless;
}
