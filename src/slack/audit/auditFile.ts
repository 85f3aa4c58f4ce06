import type { Entry } from '../../store/tables/audit.ts';
import { cut } from '../blocks/limits.ts';

/** How the trail is written into a file: what stands first, a line for each entry, and what it is called. */
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

/** Lines of a file as the texts of messages in code style: the first that fit, each whole or marked as cut. */
export function asMessages(lines: readonly string[], most: number, room: number): { texts: string[]; many: number } {
  const texts: string[] = [];
  let many = 0;
  let text = '';
  for (const line of lines) {
    const shown = cut(escaped(line.trimEnd()), room - 1);
    if (text !== '' && text.length + shown.length + 1 > room) {
      texts.push(text);
      text = '';
      if (texts.length === most) break;
    }
    text = text === '' ? shown : `${text}\n${shown}`;
    many += 1;
  }
  if (text !== '') texts.push(text);
  return { texts: texts.map(body => `\`\`\`\n${body}\n\`\`\``), many };
}

/** Text inside a code block, which it can neither end nor leave. */
function escaped(text: string): string {
  return text
    .toWellFormed()
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('`', 'ˋ');
}
