import type { Dialect, Reports } from './dialect.ts';
import type { Base, Work } from './estate.ts';
import { habitReport } from './habitShown.ts';
import type { Json } from './json.ts';

/** Adds the reports of its jobs to a record, as they stand at `now`. */
export function report(record: Json, base: Base, reports: Reports, dialect: Dialect, now: number) {
  const ahead = dialect.clock.ahead;
  const begun = [...base.works, ...(dialect.checks ? checksOf(base, now) : [])]
    .filter(({ beginsAt }) => beginsAt <= now || reports.queue)
    .toSorted((a, b) => a.beginsAt - b.beginsAt);
  const told = begun
    .filter(({ endsAt }) => !reports.forgets || now < endsAt)
    .map(work => ({
      ...reportOf(work, reports, now, ahead),
      ...habitReport(work, reports, dialect, now, at => inTime(at + ahead, reports)),
    }));
  const latest = told.at(-1);
  if (reports.form === 'flat') {
    for (const [key, value] of Object.entries(latest ?? {}))
      record[reports.key + key.charAt(0).toUpperCase() + key.slice(1)] = value;
    return;
  }
  const value =
    reports.form === 'the latest' ? (latest ?? null) : reports.form === 'newest first' ? told.toReversed() : told;
  const nested = reports.under.reduceRight<unknown>((inner, key) => ({ [key]: inner }), { [reports.key]: value });
  if (typeof nested !== 'object' || nested === null) return;
  for (const [key, inner] of Object.entries(nested)) {
    const there = record[key];
    record[key] = typeof there === 'object' && there !== null && !Array.isArray(there) ? { ...there, ...inner } : inner;
  }
}

/** The last checks of a record that the service made by itself: one every 90 seconds, of two seconds. */
function checksOf({ id }: Base, now: number): Work[] {
  const every = 90_000;
  const offset = (Number(id.split('-').at(-1)) * 7_000) % every;
  const last = Math.floor((now - offset) / every);
  return [last - 1, last].map(number => {
    const at = number * every + offset;
    return {
      number: number % 100_000,
      kind: 'health check',
      by: 'system',
      on: id,
      acceptedAt: at,
      beginsAt: at,
      endsAt: at + 2_000,
      ending: 'succeeded',
      error: '',
      attempts: [],
      lastFrom: at,
      asked: {},
    };
  });
}

function reportOf(work: Work, reports: Reports, now: number, ahead: number): Json {
  const { statuses, times } = reports;
  const hasBegun = work.beginsAt <= now;
  const isOver = work.endsAt <= now;
  const end = work.ending === 'succeeded' || work.ending === 'partial' ? statuses.succeeded : statuses.failed;
  return {
    ...(reports.numbered ? { number: work.number } : {}),
    ...(reports.types ? { [reports.typeKey]: reports.types[work.kind] } : {}),
    ...(reports.byKey === undefined ? {} : { [reports.byKey]: work.by }),
    [reports.statusKey]: isOver
      ? reports.resultKey === undefined
        ? end
        : reports.overWord
      : hasBegun
        ? statuses.running
        : statuses.waiting,
    ...(reports.resultKey === undefined ? {} : { [reports.resultKey]: isOver ? end : null }),
    ...(reports.progress ? { progress: isOver ? 100 : hasBegun ? 45 : 0 } : {}),
    ...(isOver && (work.ending === 'error' || work.ending === 'broken' || work.ending === 'vanishes')
      ? { [reports.errorKey]: work.error }
      : {}),
    ...(times === 'none'
      ? {}
      : {
          ...(hasBegun ? { [reports.startKey]: inTime(work.beginsAt + ahead, reports) } : {}),
          ...(isOver ? { [reports.endKey]: inTime(work.endsAt + ahead, reports) } : {}),
        }),
  };
}

function inTime(at: number, { times, zone }: Reports): string | number {
  const local = new Date(at + zone * 3_600_000).toISOString();
  switch (times) {
    case 'milliseconds':
      return at;
    case 'seconds':
      return Math.floor(at / 1_000);
    case 'local':
      return local.slice(0, 19).replace('T', ' ');
    case 'German':
      return `${local.slice(8, 10)}.${local.slice(5, 7)}.${local.slice(0, 4)} ${local.slice(11, 19)}`;
    default:
      return new Date(at).toISOString();
  }
}
