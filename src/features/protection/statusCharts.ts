import { day, hour, minute } from '../../ground/durations.ts';
import { capital } from '../../ground/wording.ts';
import { jobOperation } from '../../operations/catalogue.ts';
import { renewClone } from '../../operations/plans/teardownAndRenew.ts';
import { type MessageBlock, seriesChart } from '../../slack/blocks/chart.ts';
import { type Cell, dataTable } from '../../slack/blocks/dataTable.ts';
import { grouped } from '../../slack/blocks/durationWords.ts';
import { cut } from '../../slack/blocks/limits.ts';
import { momentIn } from '../../slack/blocks/moments.ts';
import { shortName } from '../../slack/records/recordBlocks.ts';
import type { Coverage } from './coverage.ts';
import { ageWords, calledAs, standingWords } from './statusWords.ts';
import type { CloneRow, DatabaseRow, ProtectionSummary } from './summary.ts';

/** Max rows of each table, and characters of a name in a cell: together they fit into one message. A page is short. */
const tabled = { databases: 20, clones: 25, name: 40, page: 6 } as const;
/** Sorts what has no number behind everything that has one. */
const last = 1e9;
const none = '–';

/** The clones of a report as a table to sort, and charts of both. */
export function cloneFigures(summary: ProtectionSummary): MessageBlock[] {
  return [...cloneTable(summary), ...agesChart(summary), ...ownersChart(summary)];
}

/** The databases of a report as a table to sort. */
export function databaseTable({ at, counts, databases }: ProtectionSummary): MessageBlock[] {
  const all = counts.never + counts.late + counts.unseen + counts.excused + counts.protected;
  const hasLogs = databases.some(({ wanted }) => wanted.logs !== null);
  const logs = hasLogs ? ['Last backup of logs', 'Max age of logs'] : [];
  return dataTable({
    caption: captionOf('live databases, the worst first', tabled.databases, all),
    header: ['Database', 'Environment', 'Protection', 'Last backup', 'Max age', ...logs, 'Fix'],
    rows: databases.slice(0, tabled.databases).map(row => databaseCells(row, at, hasLogs)),
    pageSize: tabled.page,
  });
}

function cloneTable({ counts, clones }: ProtectionSummary): MessageBlock[] {
  return dataTable({
    caption: captionOf('clones, those too old first', tabled.clones, counts.clones),
    header: ['Clone', 'Environment', 'Age', 'Kept until', 'Owner', 'Fix'],
    rows: clones.slice(0, tabled.clones).map(cloneCells),
    pageSize: tabled.page,
  });
}

function captionOf(what: string, most: number, all: number): string {
  return all > most ? `Up to ${most} of ${grouped(all)} ${what}` : capital(what);
}

function databaseCells(row: DatabaseRow, now: number, hasLogs: boolean): Cell[] {
  const { backup, logs, wanted, place } = row;
  const ofBackup = [standingWords[row.standing].cell, backupCell(backup, now), wantedCell(wanted.backup)];
  const ofLogs = hasLogs ? [backupCell(logs, now), wantedCell(wanted.logs)] : [];
  return [short(calledAs(row)), short(place ?? none), ...ofBackup, ...ofLogs, mendCell(row)];
}

function backupCell(backup: Coverage, now: number): Cell {
  const said = backup.said === undefined ? '' : `: ${short(backup.said)}`;
  if (backup.type === 'never') return { text: `never${said}`, value: last + 1 };
  if (backup.type !== 'at') return { text: `not visible${said}`, value: last };
  const age = now - backup.at;
  const doubt = backup.doubt === undefined ? '' : ` ± ${ageWords(backup.doubt)}`;
  const later = backup.isOfLater && said !== '' ? '; later' : '';
  return { text: `${ageWords(age)} ago${doubt}${later}${said}`, value: Math.max(0, Math.floor(age / minute)) };
}

function wantedCell(wanted: number | null): Cell {
  return wanted === null ? { text: none, value: last } : { text: ageWords(wanted), value: Math.floor(wanted / minute) };
}

function mendCell({ standing, mend }: DatabaseRow): string {
  const operation = mend === null ? undefined : jobOperation(mend);
  if (operation) return shortName(operation);
  return standing === 'protected' || standing === 'excused' ? none : 'Check';
}

function cloneCells(row: CloneRow): Cell[] {
  const { place, age, isOld, lease, owner } = row;
  const until = lease?.endsAt ?? null;
  return [
    short(calledAs(row)),
    short(place ?? none),
    age === null ? { text: 'not visible', value: last } : { text: ageWords(age), value: Math.floor(age / minute) },
    lease === null ? 'no lease' : until === null ? 'no end' : momentIn(undefined, until),
    short(owner ?? 'not visible'),
    isOld ? shortName(renewClone) : none,
  ];
}

function short(text: string): string {
  return cut(text, tabled.name);
}

/** The ages of backups against what is wanted. */
function agesChart({ ages }: ProtectionSummary): MessageBlock[] {
  const oldest = Math.max(0, ...ages.flatMap(({ age, wanted }) => [age, wanted]));
  const [unit, words] = oldest > 3 * day ? [day, 'days'] : [hour, 'hours'];
  const inUnits = (time: number) => Math.round((time / unit) * 10) / 10;
  return seriesChart({
    type: 'bar',
    title: 'Age of the last backup, and its max age',
    categories: ages.map(({ name }) => name),
    series: [
      { name: 'Age', values: ages.map(({ age }) => inUnits(age)) },
      { name: 'Max age', values: ages.map(({ wanted }) => inUnits(wanted)) },
    ],
    y: words,
  });
}

function ownersChart({ owners }: ProtectionSummary): MessageBlock[] {
  const categories = owners.map(({ name }) => name);
  const series = [{ name: 'Clones', values: owners.map(({ clones }) => clones) }];
  return seriesChart({ type: 'bar', title: 'Clones by owner', categories, series, y: 'clones' });
}
