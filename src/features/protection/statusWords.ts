import { day, hour, minute } from '../../ground/durations.ts';
import { counted, inRow } from '../../ground/wording.ts';
import { grouped } from '../../slack/blocks/durationWords.ts';
import { mentionOf } from '../../slack/blocks/mentionPeople.ts';
import { momentAfter } from '../../slack/blocks/moments.ts';
import { bold, plain } from '../../slack/blocks/mrkdwn.ts';
import type { Coverage } from './coverage.ts';
import type { CloneRow, DatabaseRow, FailedJob, ProtectionSummary } from './summary.ts';

/* The words of a protection report. They say only what records show. */

/** A duration in the words of a table: `50 min`, `26 h 12 min`, `9 days`. It is never rounded up. */
export function ageWords(milliseconds: number): string {
  const length = Math.max(0, milliseconds);
  if (length < hour) return `${Math.floor(length / minute)} min`;
  if (length >= 2 * day) return `${Math.floor(length / day)} days`;
  const minutes = Math.floor((length % hour) / minute);
  return `${Math.floor(length / hour)} h${minutes > 0 ? ` ${minutes} min` : ''}`;
}

const ageless = {
  never: 'never',
  undated: 'at a time that is not shown',
  unseen: 'not visible in the records',
} as const;

/** The age of a backup at `now`, or the reason why none is told. */
function backupAge(backup: Coverage, now: number): string {
  if (backup.type !== 'at') return ageless[backup.type];
  const doubt = backup.doubt === undefined ? '' : ` (± ${ageWords(backup.doubt)}: shown without a time zone)`;
  return `${ageWords(now - backup.at)} ago${doubt}`;
}

/** The service's word beside a backup: for a later one that did not go well, or for a warning about this one. */
function wordBeside(backup: Coverage): string {
  const isOfLater = backup.type === 'at' && backup.isOfLater;
  return backup.said === undefined
    ? ''
    : `, the service says “${plain(backup.said, 60)}”${isOfLater ? ' of a later one' : ''}`;
}

/** Each standing of a database, in a word, in the cell of a table, and as a sign. */
export const standingWords = {
  never: { word: 'never backed up', cell: 'never', sign: ':red_circle:' },
  late: { word: 'late', cell: 'late', sign: ':large_orange_circle:' },
  unseen: { word: 'not visible in the records', cell: 'not visible', sign: ':white_circle:' },
  excused: { word: 'in maintenance', cell: 'in maintenance', sign: ':construction:' },
  protected: { word: 'protected', cell: 'protected', sign: ':large_green_circle:' },
} as const satisfies Record<DatabaseRow['standing'], Readonly<Record<'word' | 'cell' | 'sign', string>>>;

/** The first lines of a report: the databases; what is failed or disabled; the clones and the jobs. */
export function firstLines(summary: ProtectionSummary): readonly string[] {
  return [databasesLine(summary), troubleLine(summary), clonesLine(summary)];
}

function databasesLine({ counts, weekAgo }: ProtectionSummary): string {
  const { never, late, unseen, excused, protected: good } = counts;
  const all = never + late + unseen + excused + good;
  if (all === 0) return `${standingWords.unseen.sign} *No live databases*`;
  const { sign } = standingWords[never > 0 ? 'never' : late > 0 ? 'late' : unseen > 0 ? 'unseen' : 'protected'];
  const said = (kind: 'late' | 'never' | 'unseen' | 'excused', many: number) =>
    many > 0 ? [`${grouped(many)} ${standingWords[kind].word}`] : [];
  const bad = [...said('late', late), ...said('never', never)].join(', ');
  const then =
    weekAgo && (weekAgo.all === all ? grouped(weekAgo.good) : `${grouped(weekAgo.good)} of ${grouped(weekAgo.all)}`);
  // Nobody knows how those stand.
  const unknown = [...said('unseen', unseen), ...said('excused', excused)].map(words => ` · ${words}`);
  return `${sign} *${grouped(good)} of ${counted(all, 'database')} protected*${then === undefined ? '' : `, a week ago ${then}`}${bad === '' ? '' : `: ${bad}`}${unknown.join('')}`;
}

function troubleLine({ counts, failed, environments }: ProtectionSummary): string {
  const names = failed.map(row => plain(calledAs(row), 40));
  const parts = [
    counts.failed > 0 ? `*${grouped(counts.failed)} failed*: ${inRow(names, 3, counts.failed)}` : '',
    counts.disabled > 0 ? `${grouped(counts.disabled)} disabled` : '',
    placesSaid(counts.environments, environments[0]),
  ].filter(Boolean);
  if (parts.length === 0) return `${standingWords.protected.sign} *Nothing is failed or disabled*`;
  const sign = counts.failed > 0 ? ':x:' : counts.environments === null ? standingWords.unseen.sign : ':no_entry:';
  return `${sign} ${parts.join(' · ')}`;
}

/** The disabled environments: the only one with what it holds up, else how many there are. */
function placesSaid(many: number | null, only: ProtectionSummary['environments'][number] | undefined): string {
  if (many === null) return 'the environments could not be read';
  if (many > 1) return `${many} environments disabled`;
  return many === 1 && only
    ? `environment ${bold(calledAs(only), 60)} is disabled: ${counted(only.many, 'database')} can’t be backed up`
    : '';
}

/** The clones and the jobs in a line. */
export function clonesLine({ counts, at, since }: ProtectionSummary): string {
  const { clones, old, jobs } = counts;
  const told = clones === 0 ? 'No clones' : `*${counted(clones, 'clone')}*`;
  const tooOld = old === 0 ? '' : `, *${grouped(old)} older than wanted*`;
  // Those of which nobody knows the end are among them.
  const failed = jobs === 0 ? 'no jobs failed' : `*${counted(jobs, 'job')} failed or unconfirmed*`;
  return `:hourglass_flowing_sand: ${told}${tooOld} · ${failed} in the last ${spanWords(at - since)}`;
}

function spanWords(milliseconds: number): string {
  const days = Math.round(milliseconds / day);
  return days <= 1 ? '24 hours' : `${days} days`;
}

type MaybeNamed = Readonly<{ id: string; name: string | null }>;

/** The name of a record; its identifier where it shows none. */
export function calledAs({ name, id }: MaybeNamed): string {
  return name ?? id;
}

/** A record with its environment. */
function placed(row: MaybeNamed & Readonly<{ place: string | null }>): string {
  return `${bold(calledAs(row), 80)}${row.place === null ? '' : ` on ${plain(row.place, 60)}`}`;
}

/** A database in a line: its standing, its backup and the age that is wanted. */
export function databaseLine(row: DatabaseRow, now: number): string {
  const { standing, backup, logs, wanted } = row;
  const rule = wanted.rule === null ? '' : ` (${plain(wanted.rule, 80)})`;
  const most = wanted.backup === null ? '' : `, max age ${ageWords(wanted.backup)}`;
  const ofLogs =
    wanted.logs === null ? '' : ` · logs ${backupAge(logs, now)}${wordBeside(logs)}, max age ${ageWords(wanted.logs)}`;
  const { sign } = standingWords[standing];
  const last =
    backup.type === 'never' ? 'never backed up, as the record shows' : `last backup ${backupAge(backup, now)}`;
  return `${sign} ${placed(row)} · ${last}${wordBeside(backup)}${most}${ofLogs}${rule}`;
}

/** A failed record in a line, with the service’s own words. */
export function failedLine(row: ProtectionSummary['failed'][number]): string {
  const why = row.error === null ? '' : `: ${plain(row.error, 200)}`;
  return `:x: ${placed(row)} · ${plain(row.word, 40)}${why}`;
}

/** A disabled environment in a line, with the databases that it holds up. */
export function environmentLine(row: ProtectionSummary['environments'][number]): string {
  const held = row.held.map(name => plain(name, 40));
  const what = row.many === 0 ? 'no visible database' : inRow(held, held.length, row.many);
  return `:no_entry: environment ${bold(calledAs(row), 80)} is disabled · can’t be backed up: ${what}`;
}

/** A clone in a line: its age, its lease or its owner. */
export function cloneLine(row: CloneRow): string {
  const { age, isOld, wanted, lease, owner } = row;
  const stands = age === null ? 'its age is not shown' : `${ageWords(age)} old`;
  const most = isOld && wanted !== null ? `, max age ${ageWords(wanted)}` : '';
  return `${isOld ? ':hourglass:' : ':small_blue_diamond:'} ${placed(row)} · ${stands}${most} · ${keptWords(lease, owner)}`;
}

function keptWords(lease: CloneRow['lease'], owner: string | null): string {
  const owned = owner === null ? '' : ` · owned by ${plain(owner, 60)}`;
  if (!lease) return `no lease${owned}`;
  const until = lease.endsAt === null ? 'kept without an end' : momentAfter('kept until', lease.endsAt);
  return `${until}${lease.isHeld ? ` · owned by ${mentionOf(lease.person)}` : owned}`;
}

/** A failed job in a line. */
export function jobFailedLine({ title, name, person, isFailed, endedAt, place }: FailedJob): string {
  const end = isFailed ? 'failed' : 'not confirmed';
  const where = place === null || place.startsWith('D') ? '' : ` · ${mentionOf(place)}`;
  return `${isFailed ? ':x:' : ':grey_question:'} ${plain(title, 60)} of ${bold(name, 80)} · ${momentAfter(end, endedAt)} · ${mentionOf(person)}${where}`;
}
