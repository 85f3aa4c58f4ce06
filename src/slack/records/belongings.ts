import type { SectionBlock } from '@slack/types';
import { type Noun, vendorNames } from '../../api/identifiers.ts';
import type { DatabasePartType } from '../../api/reading/databaseParts.ts';
import { bestOf, type Mention } from '../../api/reading/mentions.ts';
import type { RecordView } from '../../api/reading/recordView.ts';
import { byName } from '../../records/find.ts';
import { newestFirst, ownSnapshots, unfitAt, unfitWords } from '../../records/snapshots.ts';
import { section } from '../blocks/blocks.ts';
import { moment } from '../blocks/moments.ts';
import { bold, code, plain } from '../blocks/mrkdwn.ts';

/** Limits of each list of things that belong to a record: lines, names, characters. */
const max = { lines: 15, names: 40, text: 1_500 } as const;

/** Titles for the parts of a database. */
const partNames = {
  database: 'Databases',
  pdb: 'Pluggable databases',
  tablespace: 'Tablespaces',
  table: 'Tables',
} as const satisfies Record<DatabasePartType, string>;

/**
 * The things that belong to a record. Database: its clones, its snapshots, the snapshot that it was made from, and its
 * parts. Environment or project: the databases and clones on or in it, its installations and its users. `others` are
 * the databases that the person may see; `at` is the time of the reading.
 */
export function belongings(record: RecordView, others: readonly RecordView[], at?: number): SectionBlock[] {
  const { mentions } = record;
  const mentioned = (noun: Noun) => mentions.filter(({ id }) => id.noun === noun);
  const listed = mentioned('clone').flatMap(({ id, inList }) => (inList ? [id.text] : []));
  const isHere = (other: RecordView) =>
    [other.environment, other.project].some(place => place?.id.text === record.id.text);
  const clones = others.filter(
    other => other.id.noun === 'clone' && (other.source?.id.text === record.id.text || listed.includes(other.id.text)),
  );
  const isPlace = record.id.noun === 'environment' || record.id.noun === 'project';
  const own = ownSnapshots(record);
  const ownIds = new Set(own.map(({ id }) => id.text));
  const origins = bestOf(mentioned('snapshot').filter(({ id }) => !ownIds.has(id.text)));
  const snapshotLine = (mention: Mention) => lineOfSnapshot(mention, at);
  return [
    ...list('Clones', clones.toSorted(byName).map(line)),
    ...(isPlace ? list('Databases and clones', others.filter(isHere).toSorted(byName).map(line)) : []),
    ...list('Snapshots', own.map(snapshotLine), 'older'),
    // A live database may name the snapshot to which it was restored: it is not made from it.
    ...(record.id.noun === 'clone' ? list('Made from', newestFirst(origins).map(snapshotLine)) : []),
    ...list('Installations', mentioned('install').map(installLine)),
    ...(isPlace
      ? list(
          'Users',
          mentioned('environmentUser').map(mention => `• ${called(mention)}`),
        )
      : []),
    ...Object.entries(partNames).flatMap(([type, title]) =>
      inLine(
        title,
        record.parts.flatMap(part => (part.type === type ? [part.name] : [])),
      ),
    ),
  ];
}

/** Another record by its name and its identifier. */
export function called({ id, label }: Mention): string {
  return label === undefined ? code(id.text) : `${plain(label, 80)} ${code(id.text)}`;
}

/** The state of a record, with a sign for Dolly's reading of it. */
export function stateText(record: RecordView): string | undefined {
  if (!record.state) return undefined;
  const signs = {
    ok: ':large_green_circle:',
    busy: ':hourglass_flowing_sand:',
    failed: ':red_circle:',
    stopped: ':white_circle:',
    disabled: ':no_entry_sign:',
    unknown: '',
  };
  return `${signs[record.state.class]} ${plain(record.state.word, 60)}`.trim();
}

function line(record: RecordView): string {
  const { id, name, environment } = record;
  const where = environment && `on ${plain(environment.label ?? environment.id.text, 60)}`;
  return [`• ${bold(name ?? id.text, 60)} ${code(id.text)}`, stateText(record), where].filter(Boolean).join('  ·  ');
}

function lineOfSnapshot(mention: Mention, at: number | undefined): string {
  const { id, label, time, local } = mention;
  const taken = time === undefined ? '' : `  ${timeText(time, local)}`;
  const unfit = at === undefined ? undefined : unfitAt(mention, at);
  const mark = unfit ? `  ·  :warning: ${unfitWords[unfit].mark}` : '';
  return `• ${label ? `${plain(label, 60)} ` : ''}${code(id.text)}${taken}${mark}`;
}

/** A time in the reader's zone; `local` is the text of one that names none, and stands as it came. */
export function timeText(at: number, local: string | undefined): string {
  return local === undefined ? moment(at) : plain(local, 40);
}

function installLine(mention: Mention): string {
  const { vendor } = mention.id;
  return `• ${called(mention)}${vendor ? `  ·  ${vendorNames[vendor]}` : ''}`;
}

function list(title: string, lines: readonly string[], rest = 'more'): SectionBlock[] {
  return lines.length === 0 ? [] : [section(`*${title}* (${lines.length})\n${whole(lines, max.lines, '\n', rest)}`)];
}

function inLine(title: string, names: readonly string[]): SectionBlock[] {
  const shown = names.map(name => code(name, 60));
  return names.length === 0 ? [] : [section(`*${title}* (${names.length})\n${whole(shown, max.names, ', ', 'more')}`)];
}

/** As many whole entries as there is room for: half a date or half a code would mislead. */
function whole(entries: readonly string[], count: number, between: string, rest: string): string {
  const some = entries.slice(0, count);
  let many = some.length;
  while (many > 0 && some.slice(0, many).join(between).length > max.text) many--;
  const left = entries.length - many;
  return `${some.slice(0, many).join(between)}${left > 0 ? `\n… and ${left} ${rest}` : ''}`;
}
