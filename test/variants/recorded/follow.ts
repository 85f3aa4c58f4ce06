import type { Call } from '../../../src/api/call.ts';
import type { Looked } from '../../../src/store/jobs/queue/looks.ts';
import type { StateAnswer } from '../../../src/store/tables/stateAnswers.ts';
import { jobsInMemory } from './jobsInMemory.ts';
import type { RawAnswer, Recording } from './recording.ts';
import type { Code } from './tree.ts';

/** How one job ended, by the code that followed it up. */
export type Ended = Readonly<{
  seed: number;
  job: string;
  state: string;
  reason: string | null;
  /** Milliseconds since its sending; `null` where it never ended. */
  after: number | null;
}>;

/** So long after the last sending a recording is followed at most, in milliseconds. */
const followed = 26 * 3_600_000;

/** So long nothing must have changed for looks to be left out, in milliseconds: all that settles has settled by then. */
const calm = 30 * 60_000;

/** Follows the jobs of a recording with the code of a revision, on a clock that jumps from look to look; `hears` is told of each GET. */
export async function follow(
  recording: Recording,
  code: Code,
  hears: (path: string, answer: number | undefined) => void = () => undefined,
): Promise<readonly Ended[]> {
  let now = Math.min(...recording.jobs.map(({ row }) => row.sentAt ?? 0));
  const clock = { now: () => now, steady: () => now, wait: () => Promise.resolve() };
  const fetch = answersAt(recording, code, () => now, hears);
  const jobs = jobsInMemory(code);
  const [team = ''] = recording.jobs.map(({ row }) => row.team);
  const said = [...recording.said].toSorted((a, b) => a.at - b.at);
  const vocabulary = code.openVocabulary({ of: async () => [], keep: async () => undefined }, 'recorded', {}, clock);
  const depth = code.openListDepth(clock);
  const session = async (owner: { person: string }, use?: { jobs: number }) => {
    const username = recording.jobs.find(({ row }) => row.person === owner.person)?.row.login ?? '';
    const records = code.recordReader(fetch, {}, use && { depth, isFirst: use.jobs > 5 });
    return { credential: { username, token: 'token', since: 0 }, records, ahead: () => recording.ahead };
  };
  const troubles: unknown[] = [];
  const log = { ...silent, error: (trouble: unknown) => troubles.push(trouble), child: () => log };
  const parts = {
    ...{ clock, jobs, vocabulary, log, records: { session }, memory: code.openLookMemory() },
    ...{ meter: { count: () => undefined, took: () => undefined, reads: () => undefined } },
    policy: code.policyOf(code.PolicyFile.parse({}), []),
    credentials: {
      find: async (owner: { person: string }) => (await session(owner)).credential,
      async *each() {},
    },
    stateAnswers: answersOf(said, () => now),
  };
  const changes = [...new Set(Object.values(recording.paths).flatMap(all => all.map(([at]) => at)))].toSorted(
    (a, b) => a - b,
  );
  /** Where nothing has changed for long, the next look comes at the next change, or at the deadline. */
  const skipped = (one: Looked): Looked => {
    const last = changes.findLast(at => at <= now) ?? now;
    if (now - last < calm) return one;
    const row = jobs.rows().find(({ id }) => id === one.job.id);
    const next = Math.min(changes.find(at => at > now) ?? Number.POSITIVE_INFINITY, row?.deadlineAt ?? 0);
    return { ...one, dueAt: Math.max(one.dueAt, next) };
  };
  const waiting = recording.jobs.toSorted((a, b) => (a.row.sentAt ?? 0) - (b.row.sentAt ?? 0));
  const asked = said.values();
  let answer = asked.next().value;
  const end = Math.max(...recording.jobs.map(({ row }) => row.sentAt ?? 0)) + followed;
  const { followUp, takeBaseline } = code;
  for (;;) {
    const [first] = jobs.running();
    const times = [waiting[0]?.row.sentAt, answer?.at, first?.dueAt].flatMap(at => at ?? []);
    if (times.length === 0) break;
    now = Math.max(now, Math.min(...times));
    if (now > end) break;
    for (; waiting[0] && (waiting[0].row.sentAt ?? 0) <= now; waiting.shift()) {
      const { row } = waiting[0];
      // What was seen of it already when it was recorded is seen again.
      const job = jobs.keep({ ...row, evidence: null, claimed: null, looks: 0, dueAt: (row.sentAt ?? 0) + 1_000 });
      await takeBaseline(parts, team, await session(row), code.requestOf(job)).catch(() => undefined);
    }
    for (; answer && answer.at <= now; answer = asked.next().value) {
      const about = jobs.rows().find(({ id, state }) => id === answer?.job && state === 'running');
      if (about) jobs.keep({ ...about, looks: 0, dueAt: now });
    }
    const due = jobs.running().filter(({ dueAt }) => dueAt !== null && dueAt <= now);
    for (const [person, own] of Map.groupBy(due, job => job.person)) {
      const inVain: Looked[] = [];
      await followUp(parts, { team, person }, { jobs: own, known: [] }, inVain);
      for (const one of inVain) jobs.looked(skipped(one));
    }
    if (troubles.length > 0) throw new Error(`seed ${recording.seed}`, { cause: troubles[0] });
  }
  const { seed } = recording;
  return jobs.rows().map(({ id, state, reason, endedAt, sentAt }) => {
    return { seed, job: id, state, reason, after: endedAt === null ? null : endedAt - (sentAt ?? 0) };
  });
}

const silent = { debug: () => undefined, info: () => undefined, warn: () => undefined };

/** What people said of words until now, and who asks. */
function answersOf(given: readonly StateAnswer[], now: () => number) {
  const own: StateAnswer[] = [];
  const askers = new Map<string, string>();
  return {
    on: async ({ kind, word }: Pick<StateAnswer, 'kind' | 'word'>) =>
      [...given, ...own]
        .filter(one => one.kind === kind && one.word === word && one.at <= now())
        .toSorted((a, b) => b.at - a.at),
    add: async (answer: StateAnswer) => void own.push(answer),
    askerOf: async ({ kind, word }: Pick<StateAnswer, 'kind' | 'word'>, job: string) => {
      const key = `${kind} ${word}`;
      askers.set(key, askers.get(key) ?? job);
      return askers.get(key);
    },
  };
}

/** Answers GETs as the service did at the time. */
function answersAt(
  { answers, paths }: Recording,
  code: Code,
  now: () => number,
  hears: (path: string, answer: number | undefined) => void,
) {
  const parsed = new Map<RawAnswer, unknown>();
  const bodyOf = (answer: RawAnswer) => {
    if (!parsed.has(answer)) parsed.set(answer, parse(answer.text));
    return parsed.get(answer);
  };
  return async ({ path }: Call): Promise<unknown> => {
    const number = paths[path]?.findLast(([at]) => at <= now())?.[1];
    hears(path, number);
    const raw = number === undefined ? undefined : answers[number];
    if (!raw) throw new code.Failure('missing', 'The service does not know it (any more).');
    const headers: Record<string, string> = raw.retryAfter === undefined ? {} : { 'retry-after': raw.retryAfter };
    const answer = { status: raw.status, headers, text: raw.text, body: bodyOf(raw) };
    const { body } = answer;
    if (!code.isGood(answer) || code.refusesRead(body)) throw code.refusalOf(answer, () => false, 'honoured');
    if (!path.endsWith('/list') && (raw.text.trim() === '' || body === null))
      throw new code.Failure('missing', 'The service does not know it (any more).');
    if (typeof body !== 'object' || body === null) throw new code.Failure('unreadable', 'It is no record.');
    return path.endsWith('/list') ? code.withPages(body, code.pagesIn(answer)) : body;
  };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
