import type { Run, Told } from './run.ts';
import { creates } from './service.ts';
import { isDecided, isEnd, somebodySaid } from './verdicts.ts';

/** The figures of docs/figures.md: each with its aim, so that whoever runs the seeds sees at once which is missed. */
export function printFigures(runs: readonly Run[]): string {
  const all = runs.flatMap(({ told }) => told).filter(({ work }) => work !== undefined);
  const excused = all.flatMap(excuseOf);
  const alone = all.filter(({ journey }) => journey.others.length === 0);
  const excusedAlone = alone.flatMap(excuseOf).filter(reason => reason !== somebodySaid).length;
  const byWord = excused.filter(reason => reason === somebodySaid).length;
  const untold = [
    ...Map.groupBy(
      excused.filter(reason => reason !== somebodySaid),
      reason => reason,
    ),
  ];
  const silent = all.filter(({ isShown, answered }) => isShown && answered.length === 0);
  const truly = runs
    .filter(({ answers }) => answers === 'truly')
    .flatMap(({ told }) => told.filter(one => one.isShown));
  const delays = all.flatMap(({ delay }) => delay ?? []);
  const instant = runs
    .filter(({ dialect }) => dialect.states === 'plain' && dialect.listLag === 0)
    .flatMap(({ told }) => told.flatMap(waitOf));
  const rows: readonly (readonly [figure: string, value: string, aim: string])[] = [
    ['services drawn, requests sent', `${runs.length}, ${all.length}`, ''],
    ['untruths that an answer contradicted', String(all.filter(isContradicted).length), '0'],
    ['untruths that no answer told from the truth', share(excused.length - byWord, all.length), '≤ 1 %'],
    ['the same, where nobody else worked on the record', share(excusedAlone, alone.length), ''],
    ['wrong words of people, told as theirs', String(byWord), ''],
    ['ends taken back, and those of them that were true', takenBack(all), '–, 0'],
    ['decided unanswered, of what the record’s own GET shows', rate(silent), '≥ 95 %'],
    ['decided where people answer truly', rate(truly), '≥ 97 %'],
    ['delay beyond settling and one pause, p95', seconds(percentile(delays, 0.95)), '≤ 30 s'],
    [
      'virtual clones on a plain service: in all, p95 and longest',
      `${seconds(percentile(instant, 0.95))}, ${seconds(Math.max(0, ...instant))} of ${instant.length}`,
      '≤ 20 s',
    ],
  ];
  const table = rows.map(([figure, value, aim]) => `| ${figure} | ${value} | ${aim} |`);
  const list = untold.map(([reason, found]) => `- excused, ${found.length}: ${reason}`);
  return ['| | | aim |', '|---|---|---|', ...table, ...list].join('\n');
}

/** The first excuse of what was untrue in one journey, where all of it is excused. */
function excuseOf({ untruths }: Told): readonly string[] {
  const reasons = untruths.flatMap(({ excuse }) => excuse ?? 'none');
  return reasons.length > 0 && !reasons.includes('none') ? reasons.slice(0, 1) : [];
}

/** The numbers of ends on which the job ran on, and of those among them of which nothing was untrue. */
function takenBack(all: readonly Told[]): string {
  const ends = all.flatMap(({ said, untruths, answered }) =>
    said.flatMap((one, at) => {
      const isTakenBack = isEnd(one.word) && said[at + 1]?.word === 'Running' && answered.length === 0;
      return isTakenBack ? [{ isTrue: untruths.every(untruth => untruth.said !== one) }] : [];
    }),
  );
  return `${ends.length}, ${ends.filter(({ isTrue }) => isTrue).length}`;
}

const isContradicted = ({ untruths }: Told) => untruths.some(({ excuse }) => excuse === undefined);
const isToldDecided = ({ said, work }: Told) => work !== undefined && isDecided(said.at(-1)?.word ?? '', work);
const rate = (some: readonly Told[]) => share(some.filter(isToldDecided).length, some.length);
const share = (part: number, whole: number) =>
  `${((100 * part) / Math.max(1, whole)).toFixed(1)} % (${part} of ${whole})`;
const seconds = (milliseconds: number) => `${(milliseconds / 1_000).toFixed(1)} s`;

function percentile(values: readonly number[], part: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(part * sorted.length))] ?? 0;
}

/** How long a person waited for an instant clone that its record shows as theirs, from the sending to its end. */
function waitOf({ journey, work, said, isShown }: Told): number[] {
  const told = said.find(({ word }) => work !== undefined && isDecided(word, work));
  const isPlain =
    isShown &&
    work?.ending === 'succeeded' &&
    creates(work.kind) &&
    journey.kind === 'virtual clone' &&
    !journey.losesAnswer;
  if (!isPlain) return [];
  return [(told?.at ?? said.at(-1)?.at ?? Number.POSITIVE_INFINITY) - work.acceptedAt];
}
