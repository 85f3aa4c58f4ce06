import { type Identifier, nounNames } from '../../api/identifiers.ts';
import { day, hour, minute } from '../../ground/durations.ts';
import { counted, inRow } from '../../ground/wording.ts';
import { keyOf } from '../../jobs/approval/facts/fact.ts';
import type { JobOperation } from '../../operations/operation.ts';
import type { Fact, Impact } from '../../store/jobs/rows/data.ts';
import { moment, momentAfter } from '../blocks/moments.ts';
import { bold, plain } from '../blocks/mrkdwn.ts';

/** A fact of a target as people name it: without the identifier behind a name. Plain text. */
export function factIn(facts: readonly Fact[], key: string): string | undefined {
  const fact = facts.find(one => keyOf(one) === key);
  return fact?.value.replace(` (${fact.compared})`, '');
}

/** What a target is, by its facts: "physical clone of crm on *test*, RUNNING". Mrkdwn. */
export function describeTarget(facts: readonly Fact[], { noun }: Pick<Identifier, 'noun'>): string {
  const [type, source, of, place, state] = ['type', 'source', 'of', 'environment', 'state'].map(key =>
    factIn(facts, key),
  );
  const one = noun ? nounNames[noun].one.replace(/^an? /, '') : 'record';
  const from = source ?? of;
  return [
    `${noun === 'clone' && type !== undefined ? `${plain(type, 20)} ` : ''}${one}`,
    from === undefined ? '' : ` of ${plain(from, 80)}`,
    place === undefined ? '' : ` on ${bold(place, 80)}`,
    state === undefined ? '' : `, ${plain(state, 60)}`,
  ].join('');
}

/**
 * The loss by a restore in a sentence, as mrkdwn: "*Up to 6 hours 12 minutes of changes will be lost*: …". `undefined`
 * where the records do not show when the snapshot was taken. As long as the restore is only `asked` for, the loss grows.
 */
export function lossSentence({ at, snapshot, unfit }: Impact, stage: 'asked' | 'sent' | 'done'): string | undefined {
  const { takenAt, isLatest } = snapshot ?? {};
  if (takenAt === undefined || takenAt > at) return undefined;
  const latest = unfit ? 'the latest snapshot that can be used' : 'the latest snapshot';
  const which = isLatest ? latest : 'the snapshot';
  const [verb, be] = stage === 'done' ? ['are', 'was'] : ['will be', 'is'];
  const later = stage === 'asked' ? ', and all later ones,' : '';
  const when = momentAfter('of', takenAt);
  const unless = stage === 'done' && isLatest && unfit ? ', unless the service took an older one' : '';
  return `*Up to ${lengthOf(at - takenAt)} of changes${later} ${verb} lost*: ${which} ${be} ${when}${unless}.`;
}

/**
 * The caution about a snapshot of no use, as mrkdwn: a person chose it, or it is the newest one and the service chooses.
 * No rule says what the service takes then (spec §3, rule 4).
 */
export function cautionOf({ name, why, isChosen }: NonNullable<Impact['unfit']>): string {
  const called = plain(name, 80);
  return isChosen
    ? `:warning: The snapshot ${called} ${why}. The service may refuse it.`
    : `:warning: The service chooses the snapshot, perhaps an older one: ${called}, the newest one shown, ${why}.`;
}

/** A line about a doubtful value, as mrkdwn. */
export function doubtLine(doubt: string): string {
  return `:warning: ${plain(doubt, 300)}`;
}

/** What is lost by a restore after a backup, which can be taken back. */
export const lossAfterBackup =
  'The backup made first keeps everything up to its own moment. Whatever is written between that backup and the restore is lost. If you take the restore back, you lose what was written after it.';

/** Says how far a restore goes back, as mrkdwn; `undefined` where the records do not show when the snapshot was taken. */
function goesBackTo({ at, snapshot }: Impact): string | undefined {
  const { takenAt } = snapshot ?? {};
  if (takenAt === undefined || takenAt > at) return undefined;
  return `*It goes back ${lengthOf(at - takenAt)}*, to the snapshot ${momentAfter('of', takenAt)}.`;
}

/** The loss by an operation that is only asked for; `undefined` where it takes nothing back. */
export function lossAsked(
  { rewinds }: Pick<JobOperation, 'rewinds'>,
  impact: Impact | undefined,
  hasWayBack: boolean,
): string | undefined {
  if (rewinds === undefined) return undefined;
  if (!hasWayBack) return (impact && lossSentence(impact, 'asked')) ?? rewinds;
  return [impact && goesBackTo(impact), lossAfterBackup].filter(Boolean).join(' ');
}

/** A line for each thing that a restore meets, as mrkdwn; none about what the records do not show. */
export function meetingLines({ unfit, newer, clones, jobs, backup }: Impact): readonly string[] {
  return [
    unfit && cautionOf(unfit),
    newer && `${count(newer, 'snapshot is', 'snapshots are')} newer than it: ${namesIn(newer)}.`,
    clones && `${count(clones, 'clone depends', 'clones depend')} on it: ${namesIn(clones)}.`,
    jobs.length > 0 &&
      `Under way on it: ${jobs.map(({ title, by }) => `${plain(title, 40)} (asked by ${plain(by, 40)})`).join(', ')}.`,
    backup &&
      `${plain(backup.by, 40)} asked for the last backup that I saw finish${moment(backup.at, ', {date_short_pretty} {time}')}.`,
  ].flatMap(line => line || []);
}

type Some = NonNullable<Impact['newer']>;

function count({ names, more }: Some, one: string, many: string): string {
  return counted(names.length + more, one, many);
}

function namesIn({ names, more }: Some): string {
  return inRow(
    names.map(name => plain(name, 40)),
    names.length,
    names.length + more,
  );
}

const units = [
  ['day', day],
  ['hour', hour],
  ['minute', minute],
] as const;

/** A length of time in its two greatest units, rounded up: "6 hours 12 minutes". */
export function lengthOf(milliseconds: number): string {
  const greatest = units.findIndex(([, unit]) => milliseconds >= unit);
  if (greatest < 0) return 'a minute';
  const [, step] = units[greatest + 1] ?? ['minute', minute];
  const whole = Math.ceil(milliseconds / step) * step;
  const first = units.findIndex(([, unit]) => whole >= unit);
  let rest = whole;
  const parts = units.slice(first, first + 2).flatMap(([name, unit]) => {
    const many = Math.floor(rest / unit);
    rest -= many * unit;
    return many === 0 ? [] : [counted(many, name)];
  });
  return parts.join(' ');
}
