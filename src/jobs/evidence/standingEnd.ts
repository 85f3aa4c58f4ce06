import { announcesMore } from '../../api/reading/moreToCome.ts';
import { isNumbered, type Report } from '../../api/reading/reports.ts';
import { minute } from '../../ground/durations.ts';
import type { RunningJob } from '../../store/jobs/rows/job.ts';
import { cameSince } from './baseline.ts';
import { isPassing } from './goingOn.ts';
import type { Judgement, LookResult, Sighting } from './judgement.ts';
import { settles } from './settles.ts';
import { askedIn, isNamed, whoseReport } from './whose.ts';

/*
 * What one look shows as the end of a job need not be it: a service tries again, takes a snapshot away whose backup failed,
 * or has a node that lags behind. So an end counts once it has stood, and no work that may be the job's goes on.
 */

/** The time for which an end must stand, in milliseconds, and the number of looks at which what is gone must be absent. */
export const stands = { for: settles.soon, absent: 3 } as const;

/** The times after an end at which Dolly looks again, in milliseconds, and how many ends of one job it takes back. */
export const looksAfterEnd = { times: [minute, 5 * minute], mostTakenBack: 3 } as const;

/** A look whose judgement may be an end that does not count yet. */
export type ShownEnd = LookResult & Readonly<{ look: Sighting | undefined }>;

/** Whether an end is told by the job's own report, with a number of its own or by name, of a record at rest: it stands at once. */
function isTold({ type }: Judgement, look: Sighting): boolean {
  const { report, work } = look;
  const isOwn = report?.outcome === 'done' && (isNumbered(report.identity) || isNamed(report, work));
  return type === 'proved' && isOwn && !isPassing(look);
}

/**
 * Whether work goes on, or is announced, that may be the job's: it was not told of before the call, and nothing says that it is
 * another person's or another kind's, whatever it is called.
 */
function mayGoOn({ type }: Judgement, look: Sighting): boolean {
  const { record, before, report } = look;
  if (!record) return false;
  const isOwn = (one: Report) => cameSince(before, one) && whoseReport(one, askedIn(look)) !== 'another';
  const isOn = (one: Report) => one.outcome === 'busy' && (one.identity === report?.identity || isOwn(one));
  // A record keeps the number of its tries when they are over.
  const own = record.values.filter(({ path }) => /^(retr\w*|[^.]*$)/i.test(path));
  const facts = type === 'failed' ? [...own, { path: 'state', value: record.state?.word }] : [];
  return record.reports.some(isOn) || announcesMore(facts);
}

/**
 * Lets an end count once it has stood: until then the job waits, and its evidence keeps which end is seen, and since when. An
 * end stands by its deadline; one that is seen there first gets its time.
 */
export function letStand(
  { evidence: last, deadlineAt }: Pick<RunningJob, 'evidence' | 'deadlineAt'>,
  { look, ...result }: ShownEnd,
  now: number,
): LookResult {
  const { judgement, seen } = result;
  if (judgement.type === 'waiting' || !seen) return result;
  const shownSince = (time: number) => ({ ...result, basis: result.basis && { ...result.basis, since: time } });
  if (judgement.isSaid) return shownSince(now);
  const goesOn = look !== undefined && mayGoOn(judgement, look);
  if (look && !goesOn && isTold(judgement, look)) return shownSince(now);
  const end = markOf(judgement, result.claimed);
  const since = restsOnState(judgement, look, result.claimed) ? Math.min(seen.since, now) : now;
  // By a clock that was set back since, it would stand for none of the time that it stood.
  const kept = last?.pending;
  const known = kept?.end === end && kept.since <= now ? kept : { end, since };
  const absent = seen.gone ? (known.absent ?? 0) + 1 : undefined;
  const hasStood = now - known.since >= stands.for && (absent ?? stands.absent) >= stands.absent;
  if ((hasStood && !goesOn) || now >= deadlineAt + stands.for) return shownSince(known.since);
  return {
    ...result,
    judgement: judgement.type === 'finished' ? { type: 'waiting', atLast: judgement.by } : { type: 'waiting' },
    seen: { ...seen, pending: { ...known, ...(absent === undefined ? {} : { absent }) } },
  };
}

/** Whether an end rests on the state and the error of its record alone: the evidence knows since when these stand. */
export function restsOnState(judgement: Judgement, look: Sighting | undefined, claimed: string | undefined): boolean {
  const { report, record } = look ?? {};
  const isOfReport = report !== undefined && report.outcome !== 'unknown' && report.outcome !== 'busy';
  const isOfSign =
    judgement.type === 'proved' && (judgement.sign !== undefined || (claimed ?? record?.id.text) !== record?.id.text);
  return record !== undefined && !isOfReport && !isOfSign;
}

/** What makes an end the same one at the next look: its kind, and the sign that it rests on. */
function markOf(judgement: Exclude<Judgement, { type: 'waiting' }>, claimed = ''): string {
  return `${judgement.type} ${claimed} ${judgement.type === 'failed' ? judgement.reason : judgement.by}`;
}
