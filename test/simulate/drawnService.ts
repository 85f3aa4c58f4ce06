import type { Middleware } from '../../src/sandbox/service/application.ts';
import type { Context } from '../../src/sandbox/service/endpoint.ts';
import type { Database } from '../../src/sandbox/service/estate.ts';
import { asList, asOne, writes } from '../variants/generator/answers.ts';
import { type Dialect, drawDialect } from '../variants/generator/dialect.ts';
import type { Base, Work } from '../variants/generator/estate.ts';
import { shown, summed } from '../variants/generator/render.ts';
import { creates } from '../variants/generator/service.ts';
import type { Rest } from '../variants/generator/words.ts';
import { randomOf } from './random.ts';

/*
 * The sandbox's service in the dialect of a service that is drawn as in test/variants: records, state words, reports of
 * work. What it does, and what is true, stays the sandbox's.
 */

/** The sandbox's service in another dialect. */
export type InDialect = Readonly<{
  middleware: Middleware;
  /** Hears each line of the service's log, which tells of the ends of its jobs. */
  hears(line: string): void;
}>;

/**
 * Draws how a service speaks. Left out is what nobody could be right about or what would keep people from naming records:
 * work that shows nowhere, hidden names, clocks that are off.
 */
export function dialectOf(seed: string): Dialect {
  const random = randomOf(seed, 'dialect');
  // What is drawn may be nothing.
  const drawn = drawDialect((...of) => random.one(of.map(value => ({ value }))).value);
  return {
    ...drawn,
    ...{ vendor: 'MYSQL', showsWork: true, hasClones: true, tombstones: 'none', reusesNumbers: false, checks: false },
    ...{ bodies: 'both', tokens: 'nothing', outage: undefined, listLag: 0, lists: 'all', physicalIs: 'clone' },
    besideKey: drawn.states === 'blank' ? undefined : drawn.besideKey,
    clock: { ...drawn.clock, ahead: 0 },
    reports: drawn.reports && { ...drawn.reports, byKey: undefined },
    shows: { ...drawn.shows, name: true, port: true, environment: true, source: true },
  };
}

const rests: Readonly<Record<string, Rest>> = {
  RUNNING: 'up',
  STOPPED: 'down',
  DISABLED: 'disabled',
  FAILED: 'broken',
};

/** Lets a service of the sandbox speak a dialect about its databases. */
export function inDialect(dialect: Dialect, { estate, jobs, clock }: Context): InDialect {
  const over: Work[] = [];
  /** How each record stood when nothing was done to it. */
  const stood = new Map<string, Rest>();
  let number = 1_000;

  function workOf(operation: string, target: string, beginsAt: number): Work | undefined {
    const kind = kinds.get(operation);
    if (!kind) return undefined;
    number += 1;
    const brings = creates(kind) ? { brings: target } : {};
    const always = {
      by: 'somebody',
      error: '',
      asked: {},
      attempts: [],
      lastFrom: beginsAt,
      endsAt: Number.POSITIVE_INFINITY,
    };
    return { number, kind, on: target, acceptedAt: beginsAt, beginsAt, ending: 'succeeded', ...always, ...brings };
  }

  /** The jobs under way, each the same object as long as it runs. */
  const underWay = new Map<string, Work>();
  function worksOf(id: string): Work[] {
    const running = jobs.running().flatMap(({ operation, target, startedAt }) => {
      const key = `${operation} ${target} ${startedAt}`;
      const work = underWay.get(key) ?? workOf(operation, target, startedAt);
      if (!work) return [];
      underWay.set(key, work);
      return [work];
    });
    return [...over, ...running].filter(({ on }) => on === id);
  }

  function baseOf(record: Database): Base {
    const rest = rests[record.state];
    if (rest) stood.set(record.id, rest);
    const works = worksOf(record.id);
    const done = works.filter(({ endsAt, ending }) => Number.isFinite(endsAt) && ending === 'succeeded');
    return {
      ...{ id: record.id, name: record.name, isClone: record.cloneType !== undefined, works },
      isPhysical: record.cloneType === undefined || record.cloneType === 'PHYSICAL',
      ...{ rest: stood.get(record.id) ?? 'up', environment: record.environment, port: record.port ?? 0 },
      ...(record.sourceDatabase ? { source: record.sourceDatabase } : {}),
      ...(record.snapshot ? { snapshot: record.snapshot } : {}),
      ...(record.mountBase ? { mountBase: record.mountBase } : {}),
      ...(record.project ? { project: record.project } : {}),
      ...(record.error ? { error: record.error } : {}),
      owner: record.owner ?? 'system',
      snapshots: record.snapshots.map(({ id, name, createdAt }) => ({ id, name, at: createdAt, by: 'somebody' })),
      ...{ createdAt: record.createdAt, updatedAt: record.updatedAt },
      doneAt: Object.fromEntries(done.map(({ kind, endsAt }) => [kind, endsAt])),
      done: Object.fromEntries(done.map(({ kind }) => [kind, done.filter(one => one.kind === kind).length])),
    };
  }

  function records(): ReadonlyMap<string, Base> {
    return new Map([...estate.databases.values()].map(record => [record.id, baseOf(record)]));
  }

  return {
    hears(line) {
      const [, operation = '', target = '', outcome = '', error = ''] =
        /^(.+) (\S+): (done|failed)(?:: (.*))?$/.exec(line) ?? [];
      const [key, running] = [...underWay].find(([, { on }]) => on === target) ?? [];
      const work = running ?? workOf(operation, target, clock.now());
      if (outcome === '' || !work) return;
      if (key !== undefined) underWay.delete(key);
      over.push({ ...work, endsAt: clock.now(), ending: outcome === 'done' ? 'succeeded' : 'error', error });
    },
    async middleware(request, next) {
      const { pathname } = new URL(request.url);
      const answer = await next();
      if (request.method !== 'GET' || !answer.ok || !pathname.includes('/database/')) return answer;
      const all = records();
      const now = clock.now();
      const last = pathname.split('/').at(-1) ?? '';
      if (last === 'list') {
        const listed = [...all.values()].map(one => summed(shown({ records: all }, dialect, one, false, now), dialect));
        return asList(dialect, 'database', listed);
      }
      const record = all.get(last);
      return record ? asOne(dialect, shown({ records: all }, dialect, record, true, now)) : answer;
    },
  };
}

/** The kinds of work by the names that the sandbox gives its operations: `database/sync`. */
const kinds = new Map([
  ...Object.entries(writes).map(([call, kind]) => [call.replace(/^\w+ \//, ''), kind] as const),
  ['database/sync LOG', 'backup logs'] as const,
]);
