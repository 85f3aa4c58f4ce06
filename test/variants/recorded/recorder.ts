import { jobOperation } from '../../../src/operations/catalogue.ts';
import type { JobRow } from '../../../src/store/jobs/rows/jobRow.ts';
import type { World } from '../../world.ts';
import type { Told } from '../generator/run.ts';
import type { RawAnswer, RecordedJob, Recording } from './recording.ts';

/** The service beside that which Dolly asks: asking it changes nothing, whoever asks how often. */
export type Beside = Readonly<{
  seed: number;
  ahead: number;
  /** Answers a GET as the service would now. */
  answer: (request: Request) => Promise<Response>;
  /** The paths of all GETs that may be sent now. */
  paths: () => readonly string[];
}>;

/** Records what a service would have answered to each GET whenever Dolly looked, and in between. */
export function recorder({ seed, ahead, answer, paths }: Beside) {
  const answers: RawAnswer[] = [];
  const known = new Map<string, number>();
  const shown = new Map<string, [at: number, answer: number][]>();
  const jobs = new Map<string, JobRow>();
  let sampledAt = -1;
  const numberOf = (one: RawAnswer): number => {
    const key = JSON.stringify(one);
    const number = known.get(key) ?? answers.push(one) - 1;
    known.set(key, number);
    return number;
  };
  return {
    /** Notes all that is new at the world's time. */
    async samples(earth: World): Promise<void> {
      const at = earth.clock.now();
      const running = await earth.store().selectFrom('jobs').selectAll().where('state', '=', 'running').execute();
      for (const row of running) if (!jobs.has(row.id)) jobs.set(row.id, row);
      if (at === sampledAt) return;
      sampledAt = at;
      for (const path of paths()) {
        const headers = { authorization: 'Bearer token-of-ana-0123456789' };
        const response = await answer(new Request(`http://service.invalid/service${path}`, { headers }));
        const retryAfter = response.headers.get('retry-after');
        const text = await response.text();
        const number = numberOf({ status: response.status, ...(retryAfter === null ? {} : { retryAfter }), text });
        const all = shown.get(path) ?? [];
        if (all.at(-1)?.[1] !== number) shown.set(path, [...all, [at, number]]);
      }
    },
    /** All that was recorded, with what became of the jobs. */
    async recording(earth: World, told: readonly Told[]): Promise<Recording> {
      const said = await earth.store().selectFrom('stateAnswers').selectAll().where('says', '!=', 'asked').execute();
      const columns = ['id', 'state', 'reason', 'endedAt'] as const;
      const ends = await earth.store().selectFrom('jobs').select(columns).execute();
      const left = new Set(told);
      const recorded = [...jobs.values()].map((row): RecordedJob => {
        const own = [...left].find(one => isOf(one, row));
        if (own) left.delete(own);
        const work = own?.work;
        const truth = work && { ending: work.ending, beginsAt: timeOf(work.beginsAt), endsAt: timeOf(work.endsAt) };
        const line = own?.journey.line ?? `${row.operation} ${row.target}`;
        return { row, line, truth, end: ends.find(({ id }) => id === row.id) };
      });
      return { seed, ahead, answers, paths: Object.fromEntries(shown), jobs: recorded, said };
    },
  };
}

/** So far apart are a sending and its acceptance at most, in milliseconds. */
const closely = 2_000;

/** Whether a job is that of a journey: several may be asked for at the same time. */
function isOf({ journey: { line, by, mark }, work }: Told, { operation, login, inputs, sentAt }: JobRow): boolean {
  const known = jobOperation(operation);
  const shortcut = known?.type === 'write' ? known.shortcut : undefined;
  const starts = [`/db ${known?.words.join(' ')} `, `/${shortcut} `];
  const given: Record<string, unknown> = JSON.parse(inputs);
  return (
    work !== undefined &&
    by === login &&
    Math.abs(work.acceptedAt - (sentAt ?? 0)) <= closely &&
    starts.some(start => line.startsWith(start)) &&
    Object.entries(mark).every(([key, value]) => given[key] === value)
  );
}

const timeOf = (at: number) => (Number.isFinite(at) ? at : null);
