import type { AllParts } from '../../../src/app/wholeDesk.ts';
import { turnAlertsOn } from '../../../src/features/alerts/alertActs.ts';
import { AlertNotice } from '../../../src/features/alerts/alertNotice.ts';
import { workOnAlerts } from '../../../src/features/alerts/workOnAlerts.ts';
import { minute } from '../../../src/ground/durations.ts';
import type { Middleware } from '../../../src/sandbox/service/application.ts';
import type { Store } from '../../../src/store/database.ts';
import { Evidence } from '../../../src/store/jobs/rows/data.ts';
import type { JobRow } from '../../../src/store/jobs/rows/jobRow.ts';
import {
  type AlertItem,
  type AlertKind,
  alertKinds,
  incidents,
  subscriptionId,
  subscriptions,
  watcherId,
} from '../../../src/store/tables/alerts/alertRows.ts';
import { board } from '../../jobs/deciding.ts';
import { quiet } from '../../quiet.ts';

/** Clones of the sandbox’s estate. */
export const clone = 'MYSQL_CLONE_SERVER-1';
export const ana = { team: 'T1', person: 'U0ANA', channel: 'C1' };

/** Nobody hears of what changes here. */
const idle = { changed: () => Promise.resolve() };

/** Channels that want alerts, without Slack, and the loop that looks for them. No backup is late here, unless `backup` says so. */
export async function alertBoard(store: Store, middleware?: Middleware, backup = '3650d') {
  const here = await board(store, { protect: [{ backup }] }, () => undefined, middleware);
  const { clock, parts, service } = here;
  const turnOf = async (person = 'U0ANA') => {
    const [watcher] = await store
      .selectFrom('watchers')
      .innerJoin('due', join => join.onRef('due.id', '=', 'watchers.id').on('due.kind', '=', 'watcher'))
      .selectAll('watchers')
      .select('due.dueAt')
      .where('watchers.id', '=', watcherId({ team: 'T1', person }))
      .execute();
    return watcher;
  };
  /** Lets the loops of these processes work until something is so. */
  const works = async (isDone: () => Promise<boolean>, ...at: readonly AllParts[]) => {
    const loops = (at.length > 0 ? at : [parts]).map(one => workOnAlerts({ ...one, ...idle }, one));
    try {
      // On a busy machine the time must not run ahead of the work: a lock would end, or the next look begin.
      for (let turn = 0; turn < 400; turn++) {
        await quiet();
        if (await isDone()) return;
        await clock.advance(turn < 300 ? 50 : 5_000);
      }
      throw new Error(`it did not come to that: ${JSON.stringify(await turnOf())}`);
    } finally {
      await Promise.all(loops.map(loop => loop.stop()));
    }
  };
  /** Waits for the time of the next look, and lets it happen. */
  const looks = async (...at: readonly AllParts[]) => {
    const before = (await turnOf())?.turn ?? 0;
    const dueAt = (await turnOf())?.dueAt ?? clock.now();
    await clock.leap(Math.max(0, dueAt - clock.now()));
    await works(async () => ((await turnOf())?.turn ?? 0) > before, ...at);
  };
  /** Waits for the next look, and lets it happen, also one that fails or for which nobody’s sign-in is there. */
  const passes = async (...at: readonly AllParts[]) => {
    const before = (await turnOf())?.dueAt ?? 0;
    await clock.leap(Math.max(0, before - clock.now()));
    await works(async () => ((await turnOf())?.dueAt ?? 0) !== before, ...at);
  };
  /** Takes Ana’s sign-in away. */
  const loses = async () => here.credentials.drop(ana, (await here.credentials.find(ana))?.token ?? '', clock.now());
  /** The notices that were written since the last call, as short texts, in order. */
  let heard = new Set<string>();
  const told = async () => {
    const rows = await store
      .selectFrom('outbox')
      .selectAll()
      .where('kind', '=', 'alert')
      .orderBy('createdAt')
      .orderBy('id')
      .execute();
    const fresh = rows.filter(({ id }) => !heard.has(id));
    heard = new Set(rows.map(({ id }) => id));
    return fresh.map(({ data, channel }) => textOf(AlertNotice.parse(JSON.parse(data)), channel ?? 'thread'));
  };
  let jobs = 0;
  /** A job on a record that Ana asked for in `C1` a minute ago and that ended now, told there; `seen` is its evidence. */
  const hasJob = async (
    operation: string,
    state: string,
    { target = clone, seen = {}, change = {} }: { target?: string; seen?: object; change?: Partial<JobRow> } = {},
  ) => {
    const now = clock.now();
    const id = `job-of-${jobs++}`;
    const person = { id, requestKey: id, team: 'T1', person: 'U0ANA', channel: 'C1', purpose: null };
    await parts.jobs.add({
      ...{ ...person, operation, values: { database: target }, labels: {}, target, targetName: null },
      createdAt: now - minute,
    });
    const evidence = JSON.stringify(Evidence.parse({ id: target, since: now, seenAt: now, ...seen }));
    const row = { state, evidence, reason: 'It says so.', dueAt: null, place: 'C1', messageTs: '1.1', shown: 1 };
    await store
      .updateTable('jobs')
      .set({ ...row, sentAt: now - minute, endedAt: now, ...change })
      .where('id', '=', id)
      .execute();
  };
  const openIncidents = () => parts.things.list(incidents, { team: 'T1' });
  return {
    ...here,
    store,
    hasJob,
    ...{ looks, passes, loses },
    /** The incidents that have not ended, the oldest first. */
    open: async () => (await openIncidents()).toSorted((one, other) => one.at - other.at),
    subscription: (channel = 'C1') => parts.things.find(subscriptions, subscriptionId('T1', channel)),
    works,
    told,
    watcher: turnOf,
    on: (act = ana, kinds: readonly AlertKind[] = alertKinds, at = parts) => turnAlertsOn(at, act, kinds),
    database(id: string) {
      const found = service.estate.databases.get(id);
      if (!found) throw new Error(`there is no ${id}`);
      return found;
    },
    reads: () => service.requests.filter(({ path }) => path.endsWith('/database/list')).length,
    waits: (minutes: number) => clock.leap(minutes * minute),
  };
}

/** A notice as a short text: its place, what it tells, whom it mentions. */
function textOf(notice: AlertNotice, place: string): string {
  const lines = (items: readonly AlertItem[]) =>
    items.map(({ kind, name, record }) => ` ${kind} ${name ?? record}`).join('');
  const calls = 'called' in notice && notice.what !== 'on' ? notice.called.map(id => ` @${id}`).join('') : '';
  switch (notice.what) {
    case 'news': {
      const { begun, ended, left } = notice;
      const over = ended.items.length + ended.more === 0 ? '' : ` mended${lines(ended.items)}, ${left} left`;
      return `${place}:${begun.items.length + begun.more === 0 ? '' : ` news${lines(begun.items)}`}${over}${calls}`;
    }
    case 'taker':
      return `${place}: taker @${notice.person}`;
    case 'handed':
      return `${place}: handed @${notice.to}`;
    default:
      return `${place}: ${notice.what}${'items' in notice ? lines(notice.items) : ''}${calls}`;
  }
}
