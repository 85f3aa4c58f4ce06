import { afterEach, describe, expect, test } from 'vitest';
import type { AllParts } from '../../../src/app/wholeDesk.ts';
import { chooseCalled, testAlerts, turnAlertsOff, turnAlertsOn } from '../../../src/features/alerts/alertActs.ts';
import {
  closeIncident,
  handOver,
  snoozeIncident,
  takeIncident,
} from '../../../src/features/alerts/incidents/incidentActs.ts';
import { maintenanceId, maintenances } from '../../../src/features/protection/maintenance/maintenance.ts';
import { endMaintenance } from '../../../src/features/protection/maintenance/workOnMaintenance.ts';
import { day, hour, minute } from '../../../src/ground/durations.ts';
import { Failure } from '../../../src/ground/failure.ts';
import { freeLocks } from '../../../src/store/dueQueue.ts';
import { folder, storeIn } from '../../store/folder.ts';
import { alertBoard, ana } from './alertBoard.ts';

/* Trouble at one place, by a turned clock: whom a channel hears of it, and who is called. */

const ben = { ...ana, person: 'U0BEN' };
let ends: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const end of ends) await end();
  ends = [];
});

/** A channel with alerts whose first look is over; its environment has so many databases, `db-0` and so on. */
async function begun(many = 0, backup?: string) {
  const here = await alertBoard(await storeIn(folder()), undefined, backup);
  ends.push(here.end);
  const model = here.database('MYSQL_LIVE_SERVER-1');
  const databases = Array.from({ length: many }, (_, index) => {
    const own = { ...model, id: `MYSQL_LIVE_SERVER-${500 + index}`, name: `db-${index}` };
    here.service.estate.databases.set(own.id, own);
    return own;
  });
  await here.on();
  await chooseCalled(here.parts, ana, ['S0ONCALL']);
  await here.looks();
  await here.told();
  const fails = async (...indexes: readonly number[]) => {
    for (const index of indexes) Object.assign(databases[index] ?? {}, { state: 'FAILED', error: 'The disk is full.' });
    await here.looks();
    return here.told();
  };
  const mends = async (...indexes: readonly number[]) => {
    for (const index of indexes) Object.assign(databases[index] ?? {}, { state: 'RUNNING', error: undefined });
    await here.looks();
    return here.told();
  };
  const one = async () => {
    const [first] = await here.open();
    if (!first) throw new Error('no incident is open');
    return first;
  };
  /** Lets so much time pass, with the looks in it, and tells what was told. */
  const passes = async (time: number) => {
    for (const until = here.clock.now() + time; here.clock.now() < until; ) await here.looks();
    return here.told();
  };
  return { ...here, model, databases, fails, mends, one, passes };
}

describe('databases of one environment', () => {
  test('databases of one environment that fail in turn make one message and one mention, and share its thread', async () => {
    const { fails, one, parts } = await begun(14);
    expect(await fails(0)).toEqual(['C1: incident failed db-0 @S0ONCALL']);
    await takeIncident(parts, ben, (await one()).id);
    for (let index = 1; index < 12; index++)
      expect(await fails(index)).toEqual([`thread: news failed db-${index} @U0BEN`]);
    expect(await one()).toMatchObject({ counts: { failed: { all: 12, left: 12 } }, takenBy: 'U0BEN' });
    expect(await fails(12)).toEqual(['thread: news failed db-12 @U0BEN']);
    await snoozeIncident(parts, ben, (await one()).id, 'week');
    expect(await fails(13)).toEqual(['thread: news failed db-13 @U0BEN']);
  });

  test('databases that fail in turn, each mended before the next, make one message and one mention', async () => {
    const { fails, mends, one } = await begun(6);
    expect(await fails(0)).toEqual(['C1: incident failed db-0 @S0ONCALL']);
    for (let index = 1; index < 6; index++) {
      expect(await mends(index - 1)).toEqual([`thread: mended failed db-${index - 1}, 0 left`]);
      expect(await fails(index)).toEqual([`thread: news failed db-${index}`]);
    }
    expect(await one()).toMatchObject({ counts: { failed: { all: 6, left: 1 } } });
  });

  test('a database that fails an hour after the last, or 12 hours after the first, makes a new message', async () => {
    const { fails, waits } = await begun(20);
    const begins = (lines: readonly string[]) => lines.filter(line => line.startsWith('C1: incident'));
    await fails(0);
    await waits(61);
    expect(begins(await fails(1))).toEqual(['C1: incident failed db-1 @S0ONCALL']);
    const told: string[] = [];
    for (let index = 2; index < 18; index++) {
      await waits(50);
      told.push(...(await fails(index)));
    }
    // Each joined the one before within the hour, until twelve hours after the first.
    expect(begins(told)).toEqual(['C1: incident failed db-16 @S0ONCALL']);
  });

  test('a database that fails while somebody is on the incident of its environment joins it, however late', async () => {
    const { fails, parts, one, waits } = await begun(3);
    await fails(0);
    await takeIncident(parts, ben, (await one()).id);
    await waits(150);
    expect(await fails(1)).toEqual(['thread: news failed db-1 @U0BEN']);
  });

  test('people are called anew for a new kind of trouble on a taken incident, but not for a disabled database', async () => {
    const { fails, one, parts, databases, service, looks, told } = await begun(4);
    await fails(0);
    await takeIncident(parts, ben, (await one()).id);
    service.estate.databases.delete(databases[1]?.id ?? '');
    await looks();
    expect(await told()).toEqual(['thread: news vanished db-1 @S0ONCALL']);
    Object.assign(databases[2] ?? {}, { state: 'DISABLED' });
    await looks();
    expect(await told()).toEqual(['thread: news disabled db-2 @U0BEN']);
  });
});

test('late backups never join an incident of failures, and call nobody at once', async () => {
  const { fails, model, clock, open, passes } = await begun(2, '1d');
  const late = await passes(5 * minute);
  expect(late).toEqual([]);
  expect(model.snapshots.length).toBeGreaterThan(0);
  await clock.leap(day);
  expect((await fails(0)).filter(line => line.includes('failed'))).toEqual(['C1: incident failed db-0 @S0ONCALL']);
  const families = (await open()).map(({ family, calls }) => [family, calls]);
  expect(families).toContainEqual(['failures', 1]);
  for (const [family, calls] of families) if (family === 'backups') expect(calls).toBe(0);
});

test('only those who may change the alerts of a channel choose whom they call', async () => {
  const { parts, on, group, subscription } = await begun();
  group.set('U0STRANGER', false);
  expect(await chooseCalled(parts, { ...ana, person: 'U0STRANGER' }, ['U0STRANGER'])).toMatchObject({
    type: 'refused',
  });
  expect((await subscription())?.called).toEqual(['S0ONCALL']);
  await on(ana, ['failed']);
  expect((await subscription())?.called).toEqual(['S0ONCALL']);
});

test.each([
  ['a text that names nobody', ['U0ANA', '!channel'], '!channel'],
  ['somebody who is no person of this workspace', ['U0GONE'], 'U0GONE'],
  ['more people than its form takes', Array.from({ length: 11 }, (_, at) => `U0X${at}`), 'at most 10 people'],
  ['more groups than its form takes', Array.from({ length: 11 }, (_, at) => `S0X${at}`), 'at most 10 people'],
])('a forged form does not let alerts call %s', async (_, called, says) => {
  const { parts, strangers, subscription } = await begun();
  strangers.add('U0GONE');
  expect(await chooseCalled(parts, ana, called)).toMatchObject({
    ...{ type: 'refused', sentence: expect.stringContaining(says) },
  });
  expect((await subscription())?.called).toEqual(['S0ONCALL']);
});

test.each([
  ['guest', 'a guest here'],
  ['outsider', 'not, or is no longer, a member of this workspace'],
  ['unknown', 'Slack cannot tell me'],
] as const)(
  'an incident is not handed over to somebody of whom Slack says “%s”, and one sentence says why',
  async (standing, why) => {
    const { parts, fails, one, told } = await begun(1);
    await fails(0);
    const people = { ...parts.people, standingOf: async () => standing };
    const outcome = await handOver({ ...parts, people }, ben, (await one()).id, 'U0DOLLY');
    expect(outcome).toEqual({ type: 'refused', sentence: expect.stringContaining(why) });
    expect(await one()).toMatchObject({ takenBy: null });
    expect(await told()).toEqual([]);
  },
);

test('one person hands an alert over at most ten times an hour, even with two Slack accounts', async () => {
  const { parts, fails, one, signsIn, clock } = await begun(1);
  await signsIn('U0EVE', 'ben');
  await fails(0);
  const hands = async (by: string) => {
    await clock.leap(minute);
    return handOver(parts, { ...ana, person: by }, (await one()).id, 'U0DEV');
  };
  for (let at = 0; at < 10; at++)
    expect(await hands(at % 2 === 0 ? 'U0BEN' : 'U0EVE')).toMatchObject({ type: 'changed' });
  for (const by of ['U0BEN', 'U0EVE']) await expect(hands(by)).rejects.toMatchObject({ kind: 'forbidden' });
  expect(await hands('U0ANA')).toMatchObject({ type: 'changed' });
});

describe('a sample of the alerts of a channel', () => {
  const samples = (told: readonly string[]) => told.filter(line => line.includes(': test'));
  const often = {
    kind: 'forbidden',
    message: expect.stringMatching(/^This is done \d times within 60 minutes at most/),
  };
  /** What comes of some tries, one after the other. */
  async function tries(parts: AllParts, acts: readonly (typeof ana)[]) {
    const all: string[] = [];
    for (const act of acts)
      all.push(
        await testAlerts(parts, act).then(
          ({ type }) => type,
          (error: unknown) => (error instanceof Failure ? error.kind : 'defect'),
        ),
      );
    return all;
  }

  test('a sample of a channel’s alerts rings people at most twice an hour, whoever asks for it', async () => {
    const { parts, told, waits, clock } = await begun();
    expect(await tries(parts, [ana])).toEqual(['tested']);
    await clock.leap(minute);
    const outcomes = await tries(parts, [...Array(9).fill(ana), ...Array(9).fill({ ...ana, person: 'U0DEV' })]);
    expect(outcomes).toEqual(['tested', ...Array(17).fill('forbidden')]);
    expect(samples(await told())).toEqual(Array(2).fill('C1: test @S0ONCALL'));
    await expect(testAlerts(parts, ana)).rejects.toMatchObject(often);
    await waits(61);
    expect(await tries(parts, [ana])).toEqual(['tested']);
  });

  test.each(['ana', 'ANA', 'CORP\\ana', 'ana@example.com'])(
    'one person sends at most three sample alerts an hour, also from an account signed in as %s',
    async login => {
      const { parts, on, signsIn, told } = await begun();
      const places = ['C2', 'C3', 'C4', 'C5'].map(channel => ({ ...ana, channel }));
      for (const place of places) await on(place, ['failed']);
      await signsIn('U0EVE', login, 'a token');
      const asked = places.map((place, at) => (at % 2 === 0 ? place : { ...place, person: 'U0EVE' }));
      expect(await tries(parts, asked)).toEqual(['tested', 'tested', 'tested', 'forbidden']);
      expect(samples(await told())).toHaveLength(3);
    },
  );

  test('nobody who is signed out, or has no say in a channel’s alerts, can send a sample of them', async () => {
    const { parts, group, told, loses } = await begun();
    group.set('U0BEN', false);
    expect(await tries(parts, [ben])).toEqual(['refused']);
    await loses();
    expect(await tries(parts, [ana])).toEqual(['signed-out']);
    expect(samples(await told())).toEqual([]);
  });

  test('turning alerts off and on again and again is refused, since that names those who are called, too', async () => {
    const { parts, on } = await begun();
    const turns = async () => {
      for (let turn = 0; turn < 9; turn++) {
        await turnAlertsOff(parts, ana);
        await on();
      }
    };
    await expect(turns()).rejects.toMatchObject({ kind: 'forbidden' });
  });
});

test.each([
  ['is refused where somebody else takes the alerts over meanwhile', 'U0BEN', 'refused', ['S0ONCALL']],
  ['succeeds where the same person changes their kinds meanwhile', 'U0ANA', 'called', ['U0ANA']],
] as const)(
  'a choice of whom alerts call counts only where the alerts stay the chooser’s: it %s',
  async (_, other, type, called) => {
    const { parts, group, subscription } = await begun();
    group.set('U0ANA', false);
    let isFirst = true;
    const find: typeof parts.credentials.find = async owner => {
      const isMeanwhile = isFirst;
      isFirst = false;
      if (isMeanwhile) await turnAlertsOn(parts, { ...ana, person: other }, ['failed']);
      return parts.credentials.find(owner);
    };
    const racing = { ...parts, credentials: { ...parts.credentials, find } };
    expect(await chooseCalled(racing, ana, ['U0ANA'])).toMatchObject({ type });
    expect(await subscription()).toMatchObject({ person: other, kinds: ['failed'], called });
  },
);

test('databases that fail in many environments at once make one message', async () => {
  const { service, looks, told, open } = await begun();
  const all = [...service.estate.databases.values()];
  expect(new Set(all.map(({ environment }) => environment)).size).toBeGreaterThan(3);
  for (const one of all) Object.assign(one, { state: 'FAILED', error: 'Power.' });
  await looks();
  const lines = await told();
  expect(lines).toHaveLength(1);
  expect(await open()).toMatchObject([{ place: null, counts: { failed: { all: all.length } } }]);
  for (const one of all) Object.assign(one, { state: 'RUNNING', error: undefined });
  await looks();
  expect((await told()).join()).toContain('0 left');
});

test('an incident counts more databases than it names, and ends only when all of them run again', async () => {
  const { databases, looks, told, one } = await begun(130);
  for (const each of databases) Object.assign(each, { state: 'FAILED', error: 'Power.' });
  await looks();
  await told();
  expect((await one()).items).toHaveLength(100);
  expect(await one()).toMatchObject({ counts: { failed: { all: 130, left: 130 } } });
  for (const each of databases.slice(0, 129)) Object.assign(each, { state: 'RUNNING', error: undefined });
  await looks();
  expect((await told()).join()).toContain('1 left');
  for (const each of databases) Object.assign(each, { state: 'RUNNING', error: undefined });
  await looks();
  expect((await told()).join()).toContain('0 left');
});

describe('while nobody is on it', () => {
  test('people are called after 15, 30 and 60 minutes, then each morning, while nobody takes the incident', async () => {
    const { fails, passes, clock, store } = await begun(1);
    await fails(0);
    const call = 'thread: call failed db-0 @S0ONCALL';
    expect(await passes(6 * hour)).toEqual([call, call, call]);
    const rows = await store.selectFrom('outbox').selectAll().where('kind', '=', 'alert').execute();
    const [begins] = rows.filter(({ data }) => data.includes('"what":"incident"'));
    const calls = rows.filter(({ data }) => data.includes('"what":"call"'));
    const minutes = calls.map(({ createdAt }) => Math.floor((createdAt - (begins?.createdAt ?? 0)) / minute));
    expect(minutes.toSorted((one, other) => one - other)).toEqual([15, 30, 60]);
    await clock.leap(19 * hour);
    expect(await passes(5 * minute)).toEqual(['C1: morning failed db-0 @S0ONCALL']);
    await clock.leap(day);
    expect(await passes(5 * minute)).toEqual(['C1: morning failed db-0 @S0ONCALL']);
  });

  test('a disabled database calls nobody until the morning', async () => {
    const { databases, looks, told, passes, clock } = await begun(1);
    Object.assign(databases[0] ?? {}, { state: 'DISABLED' });
    await looks();
    expect(await told()).toEqual(['C1: incident disabled db-0']);
    expect(await passes(2 * hour)).toEqual([]);
    await clock.leap(day);
    expect(await passes(5 * minute)).toEqual(['C1: morning disabled db-0 @S0ONCALL']);
  });
});

describe('while its environment is in maintenance', () => {
  /** An environment with a database, which is declared to be in maintenance for so many hours. */
  async function maintained(hours: number) {
    const here = await begun(1);
    const { things } = here.parts;
    const environment = here.model.environment;
    const id = maintenanceId('T1', environment);
    const declares = async () => {
      const now = here.clock.now();
      const until = now + hours * hour;
      const row = { id, team: 'T1', person: 'U0DEV', state: 'on', plannedAt: until, waitsFor: null } as const;
      const body = { environment, name: 'mysql-prod', channel: 'C1', reason: 'Kernel update', since: now, until };
      const as = { ...row, ...body, createdAt: now, endedAt: null };
      await things.act(maintenances, id, () => ({ as, dueAt: until }), now);
    };
    const ends = () => endMaintenance(here.parts, { id, team: 'T1' }, here.clock.now(), { by: 'U0DEV' });
    return { ...here, declares, ends };
  }

  test('nobody is called during a maintenance for what failed before it, until it is over', async () => {
    const { fails, passes, declares, clock } = await maintained(4);
    await fails(0);
    const until = clock.now() + 4 * hour;
    await declares();
    expect(await passes(3 * hour)).toEqual([]);
    // Look by look: a quarter of an hour later, people would be called again.
    let told: readonly string[] = [];
    while (told.length === 0 && clock.now() < until + hour) told = await passes(1);
    expect(told).toEqual(['thread: call failed db-0 @S0ONCALL']);
    expect(clock.now()).toBeGreaterThanOrEqual(until);
  });

  test('people are called again at once when somebody ends a maintenance before its time', async () => {
    const { fails, passes, declares, ends } = await maintained(48);
    await fails(0);
    await declares();
    expect(await passes(2 * hour)).toEqual([]);
    await ends();
    expect(await passes(10 * minute)).toEqual(['thread: call failed db-0 @S0ONCALL']);
  });
});

describe('whoever is on it', () => {
  test('the figures count an incident by its kind, and its first taker once with the time until then', async () => {
    const { one, clock, databases, looks, parts: own } = await begun(1);
    const counted: unknown[] = [];
    const meter = {
      ...own.meter,
      count: (...given: readonly unknown[]) => counted.push(given),
      took: (...given: readonly unknown[]) => counted.push(given),
    };
    const parts = { ...own, meter };
    Object.assign(databases[0] ?? {}, { state: 'FAILED', error: 'The disk is full.' });
    await looks(parts);
    const { id, at } = await one();
    await clock.leap(3 * minute);
    await takeIncident(parts, ben, id);
    const taken = ['incidentTaken', {}, clock.now() - at];
    await clock.leap(minute);
    await takeIncident(parts, ana, id);
    expect(counted).toEqual([['incidents', { kind: 'failed' }], taken]);
  });

  test('whoever took an incident is asked after 4 hours, and half an hour later the others are called', async () => {
    const { fails, one, parts, passes } = await begun(1);
    await fails(0);
    await takeIncident(parts, ben, (await one()).id);
    expect(await passes(4 * hour - 10 * minute)).toEqual([]);
    expect(await passes(15 * minute)).toEqual(['thread: taker @U0BEN']);
    await takeIncident(parts, ben, (await one()).id);
    expect(await passes(4 * hour)).toEqual(['thread: taker @U0BEN']);
    expect(await passes(30 * minute)).toEqual(['thread: call failed db-0 @S0ONCALL']);
    expect(await one()).toMatchObject({ state: 'open', takenBy: null });
  });

  test('whoever took an incident is asked only after a day where nobody else would be called', async () => {
    const { fails, one, parts, passes } = await begun(1);
    await chooseCalled(parts, ana, ['U0BEN']);
    await fails(0);
    await takeIncident(parts, ben, (await one()).id);
    expect(await passes(day - 10 * minute)).toEqual([]);
    expect(await passes(15 * minute)).toEqual(['thread: taker @U0BEN']);
  });

  test('an incident can be handed over to another person, whom a post mentions', async () => {
    const { fails, one, parts, told } = await begun(1);
    await fails(0);
    await handOver(parts, ben, (await one()).id, 'U0DEV');
    expect(await told()).toEqual(['thread: handed @U0DEV']);
    expect(await one()).toMatchObject({ state: 'taken', takenBy: 'U0DEV' });
  });

  test('an incident can be closed while its trouble stands, and nothing tells of that trouble again', async () => {
    const { fails, one, parts, open, passes, clock } = await begun(1);
    await fails(0);
    const { id } = await one();
    expect(await closeIncident(parts, ben, id)).toMatchObject({ type: 'changed' });
    expect(await takeIncident(parts, ana, id)).toMatchObject({ type: 'refused' });
    await clock.leap(2 * day);
    expect(await passes(10 * minute)).toEqual([]);
    expect(await open()).toEqual([]);
  });
});

describe.each<readonly [string, (here: Awaited<ReturnType<typeof begun>>) => Promise<unknown>, object]>([
  ['failed', async ({ databases: [one] }) => Object.assign(one ?? {}, { state: 'FAILED' }), { state: 'RUNNING' }],
  ['disabled', async ({ databases: [one] }) => Object.assign(one ?? {}, { state: 'DISABLED' }), { state: 'RUNNING' }],
  ['lost', async ({ databases: [one] }) => Object.assign(one ?? {}, { snapshots: [] }), {}],
])('%s', (kind, happens, healed) => {
  const certain = kind !== 'lost';

  test.each(['one channel', 'two channels', 'a restart', 'two replicas'])(
    'trouble of a database is told once, and its end once: %s',
    async how => {
      const here = await begun(1);
      const [first] = here.databases;
      if (!first) throw new Error('it has no database');
      const { snapshots } = first;
      const places = how === 'two channels' ? ['C1', 'C2'] : ['C1'];
      if (how === 'two channels') {
        await here.on({ ...ana, channel: 'C2' });
        await here.looks();
        await here.told();
      }
      const looks = async () => {
        if (how === 'a restart') await freeLocks(here.store);
        await here.looks(...(how === 'two replicas' ? [here.parts, { ...here.parts }] : []));
        return here.told();
      };
      await happens(here);
      if (!certain) expect(await looks()).toEqual([]);
      const told = await looks();
      expect(told.map(line => line.replace(/ @.*/, ''))).toEqual(
        places.map(place => `${place}: incident ${kind} db-0`),
      );
      expect(await looks()).toEqual([]);
      Object.assign(first, { snapshots, ...healed });
      const mended = await looks();
      expect(mended).toEqual(places.map(() => `thread: mended ${kind} db-0, 0 left`));
      expect(await looks()).toEqual([]);
    },
  );
});
