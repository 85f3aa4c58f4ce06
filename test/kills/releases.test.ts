import { setTimeout as sleep } from 'node:timers/promises';
import { beforeEach, expect, test } from 'vitest';
import { approvalKeys, asksToDelete, clicks, type Request } from '../journeys/approvals.ts';
import { quickClone, quickLine, submitsClone } from '../journeys/clones.ts';
import { crossing } from '../journeys/crossing.ts';
import type { Someone } from '../person.ts';
import { hasPostgres } from '../postgresServer.ts';
import type { World } from '../world.ts';
import { killAgainAndAgain } from './kills.ts';
import { besideEachOther, type Handed, inTurns, lacks, throughReleases } from './releases.ts';
import { endsIn, sentTo } from './report.ts';
import { plantLive } from './restores.ts';

/** None in `npm test`. */
const kills = Number(process.env.KILLS ?? 0);
const missing = kills > 0 ? lacks('0.2.0') : 'by npm run kills alone';
/** Each is under way as one release takes over from the other, each way. */
const everyKind = [
  ...['clone.create running', 'database.backup sending', 'database.delete awaiting'],
  ...['database.teardown', 'database.restore.afterBackup', 'database.backup.batch'].map(
    plan => `${plan} running after its first step`,
  ),
  ...['lease kept', 'schedule on', 'subscription on', 'incident open', 'consent given', 'execution running'],
  ...['kept: command', 'untold: job'],
];
const nothing = { lost: [], doubled: [], stuck: [], untrue: [] };

beforeEach(({ skip }) => {
  if (missing !== undefined) skip(missing);
});

test('what one release leaves under way is ended once by the other one, after the upgrade and the way back', async () => {
  const road = crossing();
  const asked: Request[] = [];
  let approved = 0;
  const deleted: string[] = [];
  let ports: readonly number[] = [];
  let ana: Someone | undefined;
  let dev: Someone | undefined;
  const writes = (earth: World) =>
    earth.writes().map(({ path, query, body }) => ({ url: path, body: JSON.stringify([query, body]) }));
  const made = (earth: World, port: number) =>
    writes(earth).filter(({ body }) => body.includes(`"port":${port}`)).length;
  const deletions = (earth: World) => deleted.map(record => sentTo(writes(earth), 'delete', record));

  /** Leaves a clone that runs, a deletion that waits for approval, and a request whose answer is under way. */
  const leaves = async (earth: World, port: number) => {
    ana ??= await earth.enters('Ana', 'ana');
    dev ??= await earth.enters('Dev', 'dev');
    const card = await quickClone(earth, ana, port);
    await earth.until(() => earth.text(card).includes('CREATING'), 'a clone that runs');
    const { database } = plantLive(earth, `gone${port}`);
    deleted.push(database);
    asked.push(await asksToDelete(earth, ana, `/db delete ${database}`, database));
    const held = road.holds('/database/clone/create', 'after');
    await submitsClone(ana, '#databases', quickLine(port + 1), {});
    await held.arrived;
    ports = [...ports, port, port + 1];
  };
  const ends = async (earth: World, count: number) => {
    const open = () =>
      ports.slice(0, count).flatMap(port => {
        const cards = earth.cards('#databases').filter(card => earth.text(card).includes(`/mnt/c${port}`));
        return cards.length === 1 && cards.every(card => endsIn(earth, card).length === 1) ? [] : [port];
      });
    const turn = async () => {
      expect(ports.map(port => made(earth, port))).toEqual(ports.map(() => 1));
      await earth.clock.advance(2_000);
      return open().length === 0;
    };
    await earth.until(turn, `the ends of ${ports.slice(0, count)}`);
  };
  /** Approves what was asked for first. The answer to its deletion is under way then, until the gate is opened. */
  const approves = async () => {
    const request = asked[approved++];
    if (!request || !dev) throw new Error('nothing waits');
    const held = road.holds('/database/delete', 'after');
    expect(await clicks(dev, request.card, 'Approve')).toContain('You approved it');
    await held.arrived;
    return held;
  };

  await throughReleases({ environment: { ...approvalKeys }, service: { middleware: road.middleware } }, [
    ['0.2.0', earth => leaves(earth, 3_401)],
    [
      'present',
      async earth => {
        await ends(earth, 2);
        await leaves(earth, 3_403);
        expect(deletions(earth)).toEqual([0, 0]);
        await approves();
      },
    ],
    [
      '0.2.0',
      async earth => {
        await ends(earth, 4);
        await leaves(earth, 3_405);
        expect(deletions(earth)).toEqual([1, 0, 0]);
        await approves();
      },
    ],
    [
      'present',
      async earth => {
        await ends(earth, 6);
        expect(deletions(earth)).toEqual([1, 1, 0]);
        (await approves()).lets();
        const turn = async () => {
          await earth.clock.advance(2_000);
          return asked.every(({ own }) => endsIn(earth, own).length > 0);
        };
        await earth.until(turn, 'the ends of the deletions');
        expect(asked.map(({ own }) => endsIn(earth, own).length)).toEqual([1, 1, 1]);
        expect(deletions(earth)).toEqual([1, 1, 1]);
      },
    ],
  ]);
});

test.each([
  ['0.2.0', 'present'],
  ['present', '0.2.0'],
] as const)('a reply that %s posted as it was killed is not posted again by %s', async (first, second) => {
  await throughReleases({}, [
    [
      first,
      async earth => {
        const card = await quickClone(earth, await earth.enters('Ana', 'ana'), 3_401);
        await earth.until(() => earth.text(card).includes('CREATING'), 'a clone that runs');
        earth.playground.slack.faults.add({ method: 'chat.postMessage', kind: 'lose-answer' });
        await earth.clock.advance(60_000);
        await earth.until(() => earth.cards('#databases').flatMap(earth.replies)[0], 'the reply');
      },
    ],
    [
      second,
      async earth => {
        // For longer than what the killed one had in hand is its own.
        await sleep(30_000);
        expect(earth.cards('#databases').flatMap(earth.replies)).toHaveLength(1);
      },
    ],
  ]);
});

test(
  'release 0.2.0 and the present one take over from each other again and again, and lose or double nothing',
  async () => {
    const handed: Handed = { '0.2.0': new Map(), present: new Map() };
    const report = await killAgainAndAgain(kills, inTurns(handed), Math.random, line =>
      process.stdout.write(`in turns: ${line}\n`),
    );
    for (const [release, counts] of Object.entries(handed))
      process.stdout.write(`handed to ${release}: ${JSON.stringify(Object.fromEntries([...counts].toSorted()))}\n`);
    process.stdout.write(`in turns: ${report.kills} kills, ${report.asked} requests taken\n`);
    expect(report).toMatchObject(nothing);
    // Fewer kills do not meet all of them.
    for (const counts of kills < 100 ? [] : Object.values(handed))
      expect([...counts.keys()]).toEqual(expect.arrayContaining(everyKind));
  },
  kills * 10_000 + 180_000,
);

test.runIf(hasPostgres)(
  'release 0.2.0 and the present one work beside each other on PostgreSQL, and lose nothing when one is killed',
  async () => {
    const report = await killAgainAndAgain(kills, besideEachOther(Math.random), Math.random, line =>
      process.stdout.write(`beside: ${line}\n`),
    );
    process.stdout.write(`beside: ${report.kills} kills, ${report.asked} requests taken\n`);
    expect(report).toMatchObject(nothing);
  },
  kills * 10_000 + 180_000,
);
