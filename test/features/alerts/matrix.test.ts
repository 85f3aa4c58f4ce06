import { afterEach, describe, expect, test } from 'vitest';
import { newLease } from '../../../src/features/leases/lease.ts';
import { schedules } from '../../../src/features/schedules/schedule.ts';
import { day, hour, minute } from '../../../src/ground/durations.ts';
import { alertKinds, type TroubleKind } from '../../../src/store/tables/alerts/alertRows.ts';
import { leases } from '../../../src/store/tables/leases.ts';
import { folder, storeIn } from '../../store/folder.ts';
import { few } from '../../whole.ts';
import { aSchedule } from '../schedules/aSchedule.ts';
import { alertBoard, ana, clone } from './alertBoard.ts';

/* Each kind of trouble is told once and mended once in each channel that hears of it, whoever looks. */

const shop = 'MYSQL_LIVE_SERVER-1';
type Board = Awaited<ReturnType<typeof alertBoard>>;
const ends: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0)) await end();
});

/** How trouble begins, and how it ends; the looks after which it is told, and whom it calls at night. */
type Row = Readonly<{
  begins(here: Board): unknown;
  ends(here: Board): unknown;
  looks: 1 | 2 | 3;
  calls?: true;
  /** The name that it is told of; else that of the shop. */
  of?: string;
}>;

/** Whether the service is away. */
let isAway = false;
const kept = new Map<string, ReturnType<Board['database']>>();
const change = (changes: object) => (here: Board) => Object.assign(here.database(shop), changes);
async function scheduled(here: Board, failures: number) {
  const { revision: _, ...as } = aSchedule({ failures, target: shop, plannedAt: here.clock.now() + 20 * hour });
  await here.parts.things.act(schedules, as.id, () => ({ as }), here.clock.now());
}
async function leased(here: Board, state: 'asking' | 'kept') {
  const now = here.clock.now();
  const { name, createdAt: madeAt } = here.database(clone);
  const about = { record: clone, name, madeAt, job: null, operation: null, channel: 'C9', wish: '3d' };
  const fresh = newLease({ team: 'T1', person: 'U0ANA', since: now, ...about });
  const endsAt = state === 'asking' ? now - hour : now + 9 * day;
  await here.parts.things.act(leases, fresh.id, () => ({ as: { ...fresh, state, endsAt }, dueAt: null }), now);
}

const rows: Readonly<Record<TroubleKind, Row>> = {
  failed: {
    begins: change({ state: 'FAILED', error: 'The disk is full.' }),
    ends: change({ state: 'RUNNING', error: undefined }),
    looks: 1,
    calls: true,
  },
  disabled: { begins: change({ state: 'DISABLED' }), ends: change({ state: 'RUNNING' }), looks: 1 },
  late: {
    begins(here) {
      for (const one of here.database(shop).snapshots) one.createdAt -= 3 * day;
    },
    ends(here) {
      for (const one of here.database(shop).snapshots) one.createdAt = here.clock.now();
    },
    looks: 1,
  },
  lost: {
    begins(here) {
      kept.set('shop', { ...here.database(shop) });
      here.database(shop).snapshots = [];
    },
    ends: here => Object.assign(here.database(shop), { snapshots: kept.get('shop')?.snapshots ?? [] }),
    looks: 2,
    calls: true,
  },
  vanished: {
    begins(here) {
      kept.set('shop', here.database(shop));
      here.service.estate.databases.delete(shop);
    },
    ends(here) {
      const record = kept.get('shop');
      if (record) here.service.estate.databases.set(shop, record);
    },
    looks: 1,
    calls: true,
  },
  never: {
    async begins(here) {
      const bare = { ...here.database(shop), id: 'MYSQL_LIVE_SERVER-700', name: 'bare', snapshots: [], facts: {} };
      here.service.estate.databases.set(bare.id, bare);
      await here.passes();
      await here.clock.leap(2 * day + minute);
      // Nothing else is late there.
      for (const { snapshots } of here.service.estate.databases.values())
        for (const one of snapshots) one.createdAt = here.clock.now();
    },
    ends(here) {
      here.database('MYSQL_LIVE_SERVER-700').snapshots = here.database(shop).snapshots;
    },
    looks: 2,
    of: 'bare',
  },
  lease: { begins: here => leased(here, 'asking'), ends: here => leased(here, 'kept'), looks: 1 },
  runs: { begins: here => scheduled(here, 3), ends: here => scheduled(here, 0), looks: 1, calls: true },
  slow: {
    async begins(here) {
      const endedAt = here.clock.now() - day;
      const change = { endedAt, sentAt: endedAt - minute };
      for (let count = 0; count < 3; count++)
        await here.hasJob('database.refresh', 'succeeded', { target: shop, change });
      const sentAt = here.clock.now() - 15 * minute;
      const running = { endedAt: null, sentAt, shown: 0 };
      await here.hasJob('database.refresh', 'running', { target: shop, change: running });
    },
    ends: here =>
      here.store
        .updateTable('jobs')
        .set({ state: 'succeeded', endedAt: here.clock.now(), place: 'C8' })
        .where('state', '=', 'running')
        .execute(),
    looks: 1,
  },
  away: {
    begins() {
      isAway = true;
    },
    ends() {
      isAway = false;
    },
    ...{ looks: 3, calls: true, of: 'service' },
  },
  signIn: { begins: here => here.loses(), ends: here => here.signsIn('U0ANA', 'ana'), looks: 1, of: 'U0ANA' },
};

/** Where it is heard, and how many processes look at once. */
const places: readonly (readonly [string, readonly string[], number])[] = [
  ['in one channel', ['C1'], 1],
  ['in two channels', ['C1', 'C2'], 1],
  ['in a private channel', ['G7'], 1],
  ['by two replicas', ['C1'], 2],
];

/** In `npm test` each kind in one channel, and at one of the other places in turn. */
const kinds = Object.entries(rows).map(([kind, row], turn) => [kind, row, turn % (places.length - 1)] as const);

describe.each(kinds)('%s', (kind, row, turn) => {
  test.each(few(places, (_, at) => at === 0 || at === turn + 1))(
    'each kind of trouble is told once, and its end once, %s',
    async (_, channels, replicas) => {
      const closed = () => Response.json({ message: 'Closed.' }, { status: 503 });
      const here = await alertBoard(await storeIn(folder()), (_, next) => (isAway ? closed() : next()), '2d');
      ends.push(here.end);
      for (const channel of channels) await here.on({ ...ana, channel }, alertKinds);
      const name = row.of ?? here.database(kind === 'lease' ? clone : shop).name;
      // Each look is that of a process which has just started.
      const looks = async (many: number) => {
        const told: string[] = [];
        for (let look = 0; look < many; look++) {
          await here.passes(...Array.from({ length: replicas }, () => ({ ...here.parts })));
          const isAbout = (line: string) => / (incident|news|mended) /.test(line) && line.includes(` ${kind} ${name}`);
          told.push(...(await here.told()).filter(isAbout));
        }
        return told;
      };
      await looks(2);
      await row.begins(here);
      const called = row.calls ? ' @U0ANA' : '';
      expect(await looks(row.looks - 1)).toEqual([]);
      expect(await looks(1)).toEqual(channels.map(channel => `${channel}: incident ${kind} ${name}${called}`));
      expect(await looks(2)).toEqual([]);
      await row.ends(here);
      expect(await looks(2)).toEqual(channels.map(() => `thread: mended ${kind} ${name}, 0 left`));
      expect(await looks(1)).toEqual([]);
    },
  );
});
