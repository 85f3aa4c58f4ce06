import { inRow } from '../../ground/wording.ts';
import type { Deed, RecordPast } from '../../jobs/memory/past.ts';
import { context, section } from '../blocks/blocks.ts';
import { type Cell, dataTable, timeCell } from '../blocks/dataTable.ts';
import { cut, limits } from '../blocks/limits.ts';
import { isPersonId, mentionOf } from '../blocks/mentionPeople.ts';
import { type Content, message } from '../blocks/message.ts';
import { moment, momentAfter } from '../blocks/moments.ts';
import { bold, code, plain } from '../blocks/mrkdwn.ts';
import { stateShown } from '../messages/jobWords.ts';

/** Max deeds in the lines of a workspace that takes no tables, and max characters of a reason there. */
const inLines = 12;
const longestReason = 200;

type PastFrame = Readonly<{ zone: string; db: string; others: readonly RecordPast[] }>;

/** What became of a record, and who made, held, asked for and decided what. For the eyes of one person, whom it rings not. */
export function pastMessage(past: RecordPast, { zone, db, others }: PastFrame): Content {
  const { deeds, since } = past;
  const lead = section(leadOf(past));
  const table = dataTable({
    caption: `What was done with ${past.name ?? past.record}, latest first`,
    header: ['What', 'State', `When (${zone})`, 'Asked by', 'Decided by', 'Why, and how it came out'],
    rows: deeds.map(deed => deedCells(deed, zone)),
  });
  const lines = deeds.slice(0, inLines).map(deedLine);
  while (lines.join('\n').length > limits.sectionText) lines.pop();
  const notes = [
    ...(since === undefined ? [] : [`I looked back to ${moment(since)}: there may be more.`]),
    ...(others.length === 0 ? [] : [`Other records had the same name: ${othersOf(others, db)}.`]),
  ];
  return message([lead, ...table, ...notes.map(context)], 'equal', [
    lead,
    ...(lines.length > 0 ? [section(lines.join('\n'))] : []),
    ...notes.map(context),
  ]);
}

/** The last chapter: that it was deleted, by whose word, and who had made and held it; else what was done last. */
function leadOf({ record, name, deeds: [last], deletion, maker, holder }: RecordPast): string {
  const called = name === undefined ? code(record) : `${bold(name, 120)} (${code(record)})`;
  const holds = deletion ? 'held' : 'holds';
  const whose =
    maker !== undefined && maker === holder
      ? [`${mentionOf(maker)} made and ${holds} it.`]
      : [
          ...(maker === undefined ? [] : [`${mentionOf(maker)} made it.`]),
          ...(holder === undefined ? [] : [`${mentionOf(holder)} ${holds} it.`]),
        ];
  if (!deletion) {
    const latest = last ? `${plain(last.title)}, ${momentAfter(stateOf(last), last.at)}. ${askedFor(last)}` : '';
    return [`${called}: ${latest}`, ...whose].join(' ');
  }
  const why = deletion.purpose === null ? '' : `\n> ${plain(cut(deletion.purpose, 500).replaceAll('\n', ' '), 500)}`;
  return `:wastebasket: ${called} ${momentAfter('was deleted', deletion.at)}. ${[askedFor(deletion), ...whose].join(' ')}${why}`;
}

function askedFor({ person, decisions }: Deed): string {
  const by = (wanted: Deed['decisions'][number]['type']) =>
    inRow([...new Set(decisions.flatMap(({ person: who, type }) => (type === wanted ? mentionOf(who) : [])))], 5);
  const [approved, denied] = [by('approved'), by('denied')];
  const asked = person === null ? '' : `${mentionOf(person)} asked for it`;
  const decided = [approved && `${approved} approved it`, denied && `${denied} denied it`];
  const said = [asked, ...decided].filter(Boolean);
  return said.length === 0 ? '' : `${said.join(', ')}.`;
}

function stateOf({ state }: Deed): string {
  return stateShown[state][1].toLowerCase();
}

function deedCells(deed: Deed, zone: string): Cell[] {
  const { title, state, at, person, decisions, purpose, reason } = deed;
  const decided = decisions.at(-1);
  const people = (who: string | null | undefined, before?: string): Cell =>
    who == null ? '–' : isPersonId(who) ? { user: who, ...(before === undefined ? {} : { before }) } : cut(who, 40);
  return [
    title,
    stateShown[state][1],
    timeCell(zone, at),
    people(person),
    people(decided?.person, decided && (decided.type === 'denied' ? 'Denied:' : 'Approved:')),
    [purpose, reason].flatMap(text => text || []).join(' · ') || '–',
  ];
}

function deedLine(deed: Deed): string {
  const [sign] = stateShown[deed.state];
  const why = deed.reason === null ? '' : ` ${plain(deed.reason, longestReason)}`;
  return `${sign} ${plain(deed.title)} · ${stateOf(deed)} · ${moment(deed.at)} · ${askedFor(deed)}${why}`;
}

function othersOf(others: readonly RecordPast[], db: string): string {
  return others.map(({ record }) => code(`${db} history ${record}`)).join(', ');
}
