import type { Entry } from '../../store/tables/audit/auditSearch.ts';
import { cut, escaped } from '../blocks/limits.ts';

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

/**
 * Lines of a file as texts of messages in code style: as many lines as fit, each whole or marked as cut. `room` is the
 * max length of a text, in characters.
 */
export function asMessages(lines: readonly string[], max: number, room: number): { texts: string[]; many: number } {
  const texts: string[] = [];
  let many = 0;
  let text = '';
  for (const line of lines) {
    const shown = cut(inCode(line.trimEnd()), room - 1);
    if (text !== '' && text.length + shown.length + 1 > room) {
      texts.push(text);
      text = '';
      if (texts.length === max) break;
    }
    text = text === '' ? shown : `${text}\n${shown}`;
    many += 1;
  }
  if (text !== '') texts.push(text);
  return { texts: texts.map(body => `\`\`\`\n${body}\n\`\`\``), many };
}

/** Text for a code block. It can neither end the block nor mention or link. */
function inCode(text: string): string {
  return escaped(text.toWellFormed()).replaceAll('`', 'ˋ');
}
