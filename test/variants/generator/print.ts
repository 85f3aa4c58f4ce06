import type { Dialect } from './dialect.ts';
import { type Json, restyled } from './json.ts';
import type { Run, Told, Visible } from './run.ts';
import { isEnd } from './verdicts.ts';
import { kinds } from './words.ts';

const after = (start: number, at: number) => `${((at - start) / 1_000).toFixed(1)} s`.padStart(10);

/** One journey with all that was visible and said, for whoever wants to mend what is wrong with it. */
export function printJourney(
  { seed, dialect, start }: Run,
  { journey, work, said, visible, untruths, weakness, misread }: Told,
): string {
  const what = [
    ...untruths.map(({ what, excuse }) => `${what}${excuse ? ` (nobody could know: ${excuse})` : ''}`),
    ...(weakness ? [weakness] : []),
    ...(misread ? [misread] : []),
  ];
  const truth = work
    ? `job ${work.number} of ${work.kind}: accepted ${after(start, work.acceptedAt)}, begins ${after(start, work.beginsAt)}, ends ${after(start, work.endsAt)}, ${work.ending}${work.brings ? `, brings ${work.brings}` : ''} ${work.error}`
    : 'was never sent';
  return [
    `SEED=${seed}  ${journey.kind}: ${[...new Set(what)].join('; ') || 'all true'}`,
    `  asked    ${journey.line}`,
    `  truth    ${truth}`,
    ...journey.others.map(
      ({ kind, after, course }) =>
        `  besides  cem: ${kind}, ${after / 1_000} s later, lasts ${course.lasts / 1_000} s, ${course.ending}`,
    ),
    `  service  ${JSON.stringify(dialect)}`,
    ...changes(visible, dialect).map(({ at, text }) => `  record   ${after(start, at)}  ${text}`),
    ...said.map(
      ({ at, word, text }) =>
        `  Dolly    ${after(start, at)}  ${word}: ${text
          .split('\n')
          .slice(word === 'Not asked' ? 0 : 1)
          .join(' | ')
          .replace(/(?: \||\s+·)\s+Asked by .*/, '')
          .slice(0, 400)}`,
    ),
  ].join('\n');
}

/** What the records showed: all of it at first, then only what is different. */
function changes(visible: readonly Visible[], { keys }: Dialect): { at: number; text: string }[] {
  const before = new Map<string, Json>();
  return visible.flatMap(({ at, id, record }) => {
    const known = before.get(id);
    if (!record) return known && before.delete(id) ? [{ at, text: `${id} is gone` }] : [];
    before.set(id, record);
    const other = Object.entries(record).filter(
      ([key, value]) => !known || JSON.stringify(known[key]) !== JSON.stringify(value),
    );
    if (known && other.every(([key]) => moving.includes(key))) return [];
    return [{ at, text: `${id} ${JSON.stringify(restyled(Object.fromEntries(other), keys))}` }];
  });
}

/** What changes by itself all the time. */
const moving = ['connections', 'sizeInBytes', 'lastSeenAt', 'monitoring'];

/** A table of how the journeys ended, by kind, and sums below it. */
export function printTable(runs: readonly Run[]): string {
  const all = runs.flatMap(({ told }) => told);
  const count = (some: readonly Told[], fits: (one: Told) => boolean) => String(some.filter(fits).length);
  const endsAs = (word: string) => (one: Told) => (one.said.at(-1)?.word ?? '').startsWith(word);
  const columns: readonly (readonly [string, (one: Told) => boolean])[] = [
    ['asked', () => true],
    ['Confirmed', endsAs('Confirmed')],
    ['Finished', endsAs('Finished')],
    ['Failed', endsAs('Failed')],
    ['Unconfirmed', endsAs('Unconfirmed')],
    ['no end', ({ said }) => !isEnd(said.at(-1)?.word ?? '')],
    ['untrue', isUntrue],
    ['excused', one => !isUntrue(one) && one.untruths.length > 0],
    ['avoidable', ({ weakness }) => weakness !== undefined && !weakness.startsWith('late')],
    ['misread', ({ misread }) => misread !== undefined],
    ['late', ({ weakness }) => weakness?.startsWith('late') ?? false],
  ];
  const row = (name: string, some: readonly Told[]) => [name, ...columns.map(([, fits]) => count(some, fits))];
  const table = [
    ['', ...columns.map(([name]) => name)],
    ...kinds.map(kind =>
      row(
        kind,
        all.filter(({ journey }) => journey.kind === kind),
      ),
    ),
    row('all', all),
  ];
  const wide = table[0]?.map((_, at) => Math.max(...table.map(line => line[at]?.length ?? 0))) ?? [];
  return table.map(line => line.map((cell, at) => cell.padEnd(wide[at] ?? 0)).join('  ')).join('\n');
}

/** Whether a journey was told something untrue that could have been known. */
export function isUntrue({ untruths }: Told): boolean {
  return untruths.some(({ excuse }) => excuse === undefined);
}
