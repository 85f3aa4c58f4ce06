import { afterEach, describe, expect, test } from 'vitest';
import type { AllParts } from '../../../src/app/wholeDesk.ts';
import { takeAlertsOver, turnAlertsOff } from '../../../src/features/alerts/alertActs.ts';
import { alertMessage } from '../../../src/features/alerts/alertMessages.ts';
import { snoozeIncident } from '../../../src/features/alerts/incidents/incidentActs.ts';
import { day } from '../../../src/ground/durations.ts';
import type { Store } from '../../../src/store/database.ts';
import { freeLocks } from '../../../src/store/dueQueue.ts';
import { lastLooks } from '../../../src/store/tables/alerts/sights.ts';
import { folder, storeIn, stores } from '../../store/folder.ts';
import { withoutSnapshots } from '../protection/estate.ts';
import { alertBoard, ana, clone } from './alertBoard.ts';

let ends: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const end of ends) await end();
  ends = [];
});

async function boardOn(store: Store, ...rest: [Parameters<typeof alertBoard>[1]?, string?]) {
  const here = await alertBoard(store, ...rest);
  ends.push(here.end);
  return here;
}
const begun = async (store: Store, ...rest: [Parameters<typeof alertBoard>[1]?, string?]) => {
  const here = await boardOn(store, ...rest);
  await here.on();
  await here.looks();
  expect(await here.told()).toEqual(['C1: on']);
  return here;
};

describe.each(stores)('a channel with alerts in %s', (_, open) => {
  test('a channel with alerts hears nothing old, then each failure, end and vanishing once', async () => {
    const store = await open();
    const here = await begun(store);
    const orders = here.database(clone);
    orders.state = 'FAILED';
    orders.error = 'The disk is full.';
    await here.looks();
    expect(await here.told()).toEqual([`C1: incident failed ${orders.name} @U0ANA`]);
    await here.looks();
    expect(await here.told()).toEqual([]);
    orders.state = 'RUNNING';
    await here.looks();
    expect(await here.told()).toEqual([`thread: mended failed ${orders.name}, 0 left`]);
    await here.waits(70);
    await here.looks();
    expect(await here.open()).toEqual([]);
    here.service.estate.databases.delete(clone);
    await here.looks();
    expect(await here.told()).toEqual([`C1: incident vanished ${orders.name} @U0ANA`]);
    await here.looks();
    await here.looks();
    expect(await here.told()).toEqual([]);
  });

  test('channels that look with one sign-in share one reading, and each hears only of its kinds', async () => {
    const here = await begun(await open());
    await here.on({ ...ana, channel: 'C2' }, ['late', 'lease']);
    await here.on({ ...ana, channel: 'C3' }, ['failed']);
    await here.looks();
    await here.told();
    const before = here.reads();
    here.database(clone).state = 'FAILED';
    await here.looks();
    expect(here.reads()).toBe(before + 1);
    const { name } = here.database(clone);
    expect(await here.told()).toEqual([`C1: incident failed ${name} @U0ANA`, `C3: incident failed ${name} @U0ANA`]);
  });

  test('two replicas read once and tell a channel once of a failure', async () => {
    const here = await begun(await open());
    const before = here.reads();
    here.database(clone).state = 'FAILED';
    await here.looks(here.parts, { ...here.parts });
    expect(here.reads()).toBe(before + 1);
    expect(await here.told()).toHaveLength(1);
  });

  test('a channel hears no new failure of a snoozed alert until its time is over, then what still stands', async () => {
    const store = await open();
    const here = await begun(store);
    const { name } = here.database(clone);
    here.database(clone).state = 'FAILED';
    await here.looks();
    await here.told();
    const [alert] = await here.open();
    const [once, twice] = await Promise.all([1, 2].map(() => snoozeIncident(here.parts, ana, alert?.id ?? '', 'hour')));
    expect([once?.type, twice?.type]).toEqual(['changed', 'changed']);
    here.database(clone).state = 'RUNNING';
    await here.looks();
    expect(await here.told()).toEqual([`thread: mended failed ${name}, 0 left`]);
    await here.waits(70);
    here.database(clone).state = 'FAILED';
    await here.looks();
    // The snooze was over when it failed again.
    expect(await here.told()).toEqual([`C1: incident failed ${name} @U0ANA`]);
    const [second] = await here.open();
    await snoozeIncident(here.parts, ana, second?.id ?? '', 'week');
    here.database(clone).state = 'RUNNING';
    await here.looks();
    await here.waits(70);
    here.database(clone).state = 'FAILED';
    await here.looks();
    expect(await here.told()).toEqual([`thread: mended failed ${name}, 0 left`]);
    await here.clock.leap(7 * day);
    await here.looks();
    expect(await here.told()).toEqual([`thread: still failed ${name}`]);
  });

  test('a channel hears once that its subscriber is signed out, and one other person can take its alerts over', async () => {
    const here = await begun(await open());
    await here.loses();
    await here.passes();
    await here.passes();
    expect(await here.told()).toEqual(['C1: incident signIn U0ANA']);
    await here.clock.leap(day);
    await here.passes();
    expect(await here.told()).toEqual(['C1: morning signIn U0ANA @U0ANA']);
    const ben = { ...ana, person: 'U0BEN' };
    expect(await takeAlertsOver(here.parts, ben)).toMatchObject({ type: 'on' });
    expect(await takeAlertsOver(here.parts, ana)).toMatchObject({ type: 'refused' });
    expect(await here.told()).toEqual(['C1: on']);
    expect(await here.subscription()).toMatchObject({ state: 'on', person: 'U0BEN' });
    expect(await turnAlertsOff(here.parts, ben)).toEqual({ type: 'off' });
    expect(await turnAlertsOff(here.parts, ben)).toMatchObject({ type: 'refused' });
    await here.works(async () => (await here.watcher()) === undefined && (await here.watcher('U0BEN')) === undefined);
  });
});

test('the figures give the time of the last look that went well, and keep it where one fails', async () => {
  let isDown = false;
  const here = await begun(await storeIn(folder()), async (_, next) =>
    isDown ? Response.json({ message: 'Down.' }, { status: 503 }) : next(),
  );
  const [look] = await lastLooks(here.store);
  expect(look).toEqual({ reader: 'person', at: (await here.watcher())?.lookedAt });
  isDown = true;
  await here.passes();
  expect(await lastLooks(here.store)).toEqual([look]);
  isDown = false;
  await here.looks();
  expect((await lastLooks(here.store))[0]?.at).toBeGreaterThan(look?.at ?? Number.POSITIVE_INFINITY);
});

test('no record is told as vanished because the list fails, is cut or is suddenly empty', async () => {
  let trouble: 'none' | 'fails' | 'empty' | 'cut' = 'none';
  const here = await begun(await storeIn(folder()), async (request, next) => {
    if (!new URL(request.url).pathname.endsWith('/database/list') || trouble === 'none') return next();
    if (trouble === 'fails') return Response.json({ message: 'down' }, { status: 503 });
    return Response.json(trouble === 'empty' ? [] : { items: [], total: 40 });
  });
  for (const one of ['empty', 'cut'] as const) {
    trouble = one;
    await here.looks();
  }
  trouble = 'fails';
  const turn = (await here.watcher())?.turn;
  for (let count = 1; count < 8; count++) {
    await here.waits(5);
    await here.works(async () => ((await here.watcher())?.dueAt ?? 0) > here.clock.now());
  }
  expect((await here.watcher())?.turn).toBe(turn);
  trouble = 'none';
  await here.looks();
  const asked = 'thread: call away service @U0ANA';
  const over = 'thread: mended away service, 0 left';
  expect(await here.told()).toEqual(['C1: incident away service @U0ANA', asked, asked, over]);
});

describe('a process that is killed at any write of a look', () => {
  /** AllParts whose process dies after so many writes. */
  function dying(parts: AllParts, after: number) {
    let left = after;
    const mortal = <Part extends object>(part: Part, names: readonly string[]): Part =>
      new Proxy(part, {
        get(of, key) {
          const does: unknown = Reflect.get(of, key);
          if (typeof does !== 'function' || !names.includes(String(key))) return does;
          return async (...given: unknown[]) => {
            if (left <= 0) throw new Error('killed');
            const result: unknown = await Reflect.apply(does, of, given);
            left -= 1;
            if (left <= 0) throw new Error('killed');
            return result;
          };
        },
      });
    const isDead = () => left <= 0;
    return {
      isDead,
      parts: {
        ...parts,
        sights: mortal(parts.sights, ['take', 'write', 'putOff']),
        alerts: mortal(parts.alerts, ['finish']),
      },
    };
  }

  test('a process killed at any write of a look loses no alert and tells none twice', async () => {
    for (let after = 1; after <= 4; after++) {
      const store = await storeIn(folder());
      const here = await begun(store);
      const { name } = here.database(clone);
      here.database(clone).state = 'FAILED';
      await here.waits(5);
      const death = dying(here.parts, after);
      await here.works(async () => death.isDead() || (await here.watcher())?.turn === 2, death.parts);
      await freeLocks(store);
      if ((await here.watcher())?.turn === 1) await here.looks();
      expect([after, await here.told()]).toEqual([after, [`C1: incident failed ${name} @U0ANA`]]);
      here.database(clone).state = 'RUNNING';
      await here.looks();
      expect([after, await here.told()]).toEqual([after, [`thread: mended failed ${name}, 0 left`]]);
    }
  });
});

test('the service account looks for alerts only of an approver, and stops once they are none', async () => {
  const here = await boardOn(await storeIn(folder()));
  await here.signsIn('service', 'eve');
  const parts = { ...here.parts, account: { username: 'eve' } };
  expect(await here.on({ ...ana, person: 'U0STRANGER' }, ['failed'], parts).catch(error => error.kind)).toBe(
    'signed-out',
  );
  expect(await here.on(ana, ['failed'], parts)).toMatchObject({ type: 'on', isAccount: true });
  const turn = async () => (await here.watcher('service'))?.turn ?? 0;
  await here.works(async () => (await turn()) === 1, parts);
  here.group.set('U0ANA', false);
  await here.waits(5);
  const reads = here.reads();
  await here.works(async () => (await here.subscription())?.state === 'blind', parts);
  expect(here.reads()).toBe(reads);
  expect(await here.told()).toEqual(['C1: on', 'C1: incident signIn U0ANA']);
});

describe('a database without backups', () => {
  const live = 'MYSQL_LIVE_SERVER-1';

  test('a database has lost its backups once two looks show its record without any', async () => {
    const here = await begun(await storeIn(folder()));
    const { name, snapshots } = here.database(live);
    here.database(live).snapshots = [];
    await here.looks();
    expect(await here.told()).toEqual([]);
    await here.looks();
    expect(await here.told()).toEqual([`C1: incident lost ${name} @U0ANA`]);
    here.database(live).snapshots = snapshots;
    await here.looks();
    expect(await here.told()).toEqual([`thread: mended lost ${name}, 0 left`]);
  });

  test('a database has not lost its backups where single answers show none', async () => {
    const here = await begun(await storeIn(folder()));
    const { snapshots } = here.database(live);
    here.database(live).snapshots = [];
    await here.looks();
    here.database(live).snapshots = snapshots;
    await here.looks();
    here.database(live).snapshots = [];
    await here.looks();
    expect(await here.told()).toEqual([]);
  });

  test('a database is told as never backed up once it is known for longer than its backup may be old', async () => {
    const here = await boardOn(await storeIn(folder()), undefined, '6d');
    const { name } = here.database(live);
    here.database(live).snapshots = [];
    await here.on();
    await here.looks();
    await here.looks();
    await here.looks();
    expect(await here.told()).toEqual(['C1: on']);
    await here.clock.leap(6 * day);
    await here.looks();
    await here.looks();
    expect((await here.told()).join()).toContain(`never ${name}`);
  });

  test('a database whose record stops showing its backups is told to nobody', async () => {
    let isHidden = false;
    const here = await begun(
      await storeIn(folder()),
      withoutSnapshots(() => isHidden),
    );
    isHidden = true;
    for (let look = 0; look < 3; look++) await here.looks();
    expect(await here.told()).toEqual([]);
  });
});

test('the message that alerts are on names the problems of the first look, which nothing else tells', async () => {
  const here = await boardOn(await storeIn(folder()));
  const { name } = here.database(clone);
  here.database(clone).state = 'FAILED';
  await here.on();
  const said = async () => {
    const row = await here.store.selectFrom('outbox').select('data').where('id', 'like', '% on %').executeTakeFirst();
    return alertMessage(JSON.parse(row?.data ?? ''), null)?.text ?? '';
  };
  expect(await said()).not.toContain('existing');
  await here.looks();
  expect(await said()).toMatch(new RegExp(`existing problems?: .*${name}\\*? failed`));
  expect(await said()).not.toContain(' and 0 more');
  const first = await said();
  here.database(clone).state = 'RUNNING';
  await here.looks();
  expect(await said()).toBe(first);
  expect(await here.told()).toEqual(['C1: on']);
});

describe('alerts that are turned on anew', () => {
  const ben = { ...ana, person: 'U0BEN' };
  const failing = async () => {
    const here = await begun(await storeIn(folder()));
    here.database(clone).state = 'FAILED';
    await here.looks();
    await here.told();
    const looksAs = async (person: string) => {
      const turn = (await here.watcher(person))?.turn ?? 0;
      const dueAt = (await here.watcher(person))?.dueAt ?? here.clock.now();
      await here.clock.leap(Math.max(0, dueAt - here.clock.now()));
      await here.works(async () => ((await here.watcher(person))?.turn ?? 0) > turn);
      return here.told();
    };
    return { ...here, looksAs, name: here.database(clone).name };
  };

  test.each([
    ['the same person', ana],
    ['another person', ben],
  ])('alerts turned off and on by %s keep the open incident, and tell its end', async (_, act) => {
    const { parts, on, told, looksAs, open, database, name } = await failing();
    await turnAlertsOff(parts, ana);
    await on(act);
    expect(await told()).toEqual(['C1: off', 'C1: on']);
    const notices = await open();
    expect(notices).toMatchObject([{ state: 'open', counts: { failed: { all: 1, left: 1 } } }]);
    expect(await looksAs(act.person)).toEqual([]);
    database(clone).state = 'RUNNING';
    expect(await looksAs(act.person)).toEqual([`thread: mended failed ${name}, 0 left`]);
    expect(await looksAs(act.person)).toEqual([]);
  });

  test('alerts turned on anew tell what was mended while nobody looked', async () => {
    const { parts, on, told, looksAs, database, name } = await failing();
    await turnAlertsOff(parts, ana);
    database(clone).state = 'RUNNING';
    await on(ben);
    await told();
    expect(await looksAs('U0BEN')).toEqual([`thread: mended failed ${name}, 0 left`]);
  });
});
