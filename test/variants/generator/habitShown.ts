import type { Dialect, Reports } from './dialect.ts';
import type { Base, Snapshot, Work } from './estate.ts';
import type { Retry } from './habits.ts';
import type { Json } from './json.ts';
import { creates } from './service.ts';

/* What records show of the habits of a service (habits.ts). */

type InTime = (at: number) => string | number;

/** How a job stands of which several tries were made; `undefined` where there is one alone. */
function triesOf(work: Work, now: number) {
  const over = work.attempts.filter(({ endsAt }) => endsAt <= now);
  const last = over.at(-1);
  if (!last || now < work.beginsAt) return undefined;
  const nextAt = nextOf(work, over.length);
  return { over, last, nextAt, of: work.attempts.length + 1, isWaiting: now < nextAt };
}

/** When the try with that index begins. */
const nextOf = ({ attempts, lastFrom }: Work, nth: number): number => attempts[nth]?.beginsAt ?? lastFrom;

/** Whether a job waits for its next try, as far as its service says. */
export const isBetweenTries = (work: Work, now: number): boolean => triesOf(work, now)?.isWaiting === true;

const filled = (text: string, n: number, of: number) => text.replace('{n}', String(n)).replace('{of}', String(of));

/** Whether a record stands as if nothing were done, while its job waits for the next try. */
export function isIdle(work: Work, { habit }: Dialect, now: number): boolean {
  return habit?.retry?.state === 'rest' && isBetweenTries(work, now);
}

/** A word of the state that stands there by habit, before that for work, or where the record is not at work. */
export function habitWord(base: Base, { habit }: Dialect, isAtWork: boolean, now: number): string | undefined {
  const { retry, queue } = habit ?? {};
  const waiting = base.works.find(one => isBetweenTries(one, now));
  if (waiting && typeof retry?.state === 'object')
    return filled(retry.state.word, triesOf(waiting, now)?.over.length ?? 1, waiting.attempts.length + 1);
  const isQueued = base.works.some(one => !creates(one.kind) && one.acceptedAt <= now && now < one.beginsAt);
  return isQueued && !isAtWork ? queue?.state : undefined;
}

/** What a report of a job says by habit, over what it says as others do. */
export function habitReport(work: Work, reports: Reports, { habit }: Dialect, now: number, inTime: InTime): Json {
  if (!habit) return {};
  if (habit.retry && work.attempts.length > 0) return retried(work, reports, habit.retry, now, inTime);
  if (habit.queue && now < work.beginsAt) return queued(work, habit.queue.fields, inTime);
  const { partial } = habit;
  const isNamed = work.ending === 'partial' || (partial?.isWhole && work.ending === 'succeeded');
  if (!partial || !isNamed || now < work.endsAt) return {};
  return { [reports.resultKey ?? reports.statusKey]: partial.word, ...partial.beside };
}

function queued({ beginsAt, acceptedAt }: Work, fields: 'position' | 'scheduledFor' | 'none', inTime: InTime): Json {
  if (fields === 'none') return {};
  return fields === 'position' ? { position: 3, queuedAt: inTime(acceptedAt) } : { scheduledFor: inTime(beginsAt) };
}

function retried(work: Work, reports: Reports, retry: Retry, now: number, inTime: InTime): Json {
  const tries = triesOf(work, now);
  const of = work.attempts.length + 1;
  const isOver = now >= work.endsAt;
  const number = Math.min((tries?.over.length ?? 0) + (tries?.isWaiting ? 0 : 1), of);
  const nextAt = tries?.isWaiting ? inTime(tries.nextAt) : null;
  const history = work.attempts
    .filter(({ endsAt }) => endsAt <= now)
    .map(({ error }, at) => ({ attempt: at + 1, result: 'FAILED', error }));
  const fields: Readonly<Record<Retry['fields'], Json>> = {
    'attempt of': { attempt: number, maxAttempts: of },
    left: { attempt: number, attemptsLeft: isOver ? 0 : of - number },
    next: { nextAttemptAt: nextAt },
    will: { attempt: number, willRetry: nextAt !== null },
    words: { attempts: `${number} of ${of}` },
    history: { attempt: number, maxAttempts: of, earlierAttempts: history },
  };
  if (now < work.beginsAt || isOver || !tries) return fields[retry.fields];
  const error = { [reports.errorKey]: tries.last.error + filled(retry.behind, number, of) };
  if (!tries.isWaiting) return { ...fields[retry.fields], ...(retry.keepsError ? error : {}) };
  return {
    ...fields[retry.fields],
    ...error,
    [reports.statusKey]: retry.word === undefined ? reports.statuses.failed : filled(retry.word, number, of),
    ...(retry.showsEnd && reports.times !== 'none' ? { [reports.endKey]: inTime(tries.last.endsAt) } : {}),
  };
}

/** Whether the service hides a record while it is being deleted. */
export function isHidden({ works }: Base, { habit }: Dialect, now: number): boolean {
  return habit?.hides === true && works.some(one => one.kind === 'delete' && isUnderWay(one, now));
}

const isUnderWay = ({ beginsAt, endsAt }: Work, now: number) => beginsAt <= now && now < endsAt;

/** The snapshots of a record that are shown, each with what stands beside it by habit. */
export function snapshotsOf(base: Base, { habit }: Dialect, now: number): (Snapshot & { beside: Json })[] {
  const { early, hides } = habit ?? {};
  const leaving = base.works.filter(one => hides && one.kind === 'snapshot delete' && isUnderWay(one, now));
  const beside = (state: string | undefined): Json => (early?.making === undefined ? {} : { [early.key]: state });
  const made = base.snapshots
    .filter(({ id }) => !leaving.some(({ asked }) => asked.input === id))
    .map(one => ({ ...one, beside: beside(early?.ready) }));
  const making = base.works.flatMap(({ kind, brings, beginsAt, endsAt, by }) =>
    early && kind === 'backup' && brings !== undefined && beginsAt + early.after <= now && now < endsAt
      ? [
          {
            id: brings,
            name: `${base.name}-${brings.split('-').at(-1)}`,
            at: beginsAt,
            by,
            beside: beside(early.making),
          },
        ]
      : [],
  );
  return [...made, ...making];
}
