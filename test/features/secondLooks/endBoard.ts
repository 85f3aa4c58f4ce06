import type { AllParts } from '../../../src/app/wholeDesk.ts';
import { leaseReopenHook } from '../../../src/features/leases/run/afterJob.ts';
import { reopenHook, secondLookHook, secondLooks } from '../../../src/features/secondLooks/secondLook.ts';
import { workOnSecondLooks } from '../../../src/features/secondLooks/workOnSecondLooks.ts';
import { knowsRequest } from '../../../src/jobs/request.ts';
import { workOnDueJobs } from '../../../src/jobs/workOnJobs.ts';
import type { Store } from '../../../src/store/database.ts';
import { jobsIn } from '../../../src/store/jobs/jobs.ts';
import type { NewJob } from '../../../src/store/jobs/rows/job.ts';
import { planBoard } from '../../jobs/plans/board.ts';

type Fields = Readonly<Record<string, unknown>>;
/** What the service shows of a record in place of what it is: other fields, or `undefined` where it hides it. */
type Edit = (record: Fields) => Fields | undefined;

/** A service that shows some records otherwise than they are, and the loops that follow jobs up and look at their ends. */
export async function endBoard(store: Store, change: Partial<NewJob>) {
  const edits = new Map<string, Edit>();
  const added: Fields[] = [];
  const shown = (body: unknown): unknown => {
    const edit = (record: Fields) => {
      const done = edits.get(String(record.id));
      return done ? done(record) : record;
    };
    if (Array.isArray(body)) return [...body, ...added].flatMap(one => edit(one) ?? []);
    return isFields(body) ? edit(body) : body;
  };
  const here = await planBoard(store, change, {}, async (request, next) => {
    const answer = await next();
    if (request.method !== 'GET') return answer;
    const about = added.find(({ id }) => request.url.endsWith(`/${id}`));
    const body = shown(answer.ok || !about ? await answer.json() : about);
    const isHidden = body === undefined || (Array.isArray(body) && body.length === 0);
    if (isHidden) return Response.json({ status: 'FAILED', error: { code: 'NOT_FOUND' } }, { status: 404 });
    return Response.json(body, { status: about ? 200 : answer.status });
  });
  const { clock } = here;
  const jobs = jobsIn(store, {
    knows: knowsRequest,
    ends: [
      { ended: secondLookHook, reopened: reopenHook },
      { ended: () => [], reopened: leaseReopenHook },
    ],
  });
  const parts: AllParts = { ...here.parts, jobs };
  const loopsOf = (at: AllParts) => [
    workOnDueJobs(at, at),
    workOnSecondLooks({ ...at, changed: async () => undefined }, at),
  ];
  return {
    ...here,
    parts,
    edits,
    added,
    /** Lets the loops work for some time, in this many processes. */
    async passes(milliseconds: number, processes = 1) {
      const loops = Array.from({ length: processes }, () => loopsOf(parts)).flat();
      for (let left = milliseconds; left > 0; left -= 1_000) await clock.advance(Math.min(left, 1_000));
      await Promise.all(loops.map(loop => loop.stop()));
    },
    /** Lets them work until a job has ended, and gives how. */
    async ends(about = 'plan-1') {
      await here.works(async () => (await here.read(about)).endedAt !== null, parts);
      return (await here.read(about)).state;
    },
    look: (about = 'plan-1') => parts.things.find(secondLooks, about),
    /** What was told of ends that were taken back, the oldest first. */
    async told() {
      const rows = await store.selectFrom('outbox').selectAll().orderBy('createdAt').execute();
      return rows.filter(({ kind }) => kind === 'taken back').map(({ data }) => String(JSON.parse(data).reason));
    },
  };
}

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null;
}
