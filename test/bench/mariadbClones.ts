import { setTimeout as sleep } from 'node:timers/promises';
import { optionFile } from '../../src/sandbox/service/mariadb/servers/sessions.ts';
import { answered, type Bare, changed, newBare } from './mariadbBare.ts';
import {
  type Asked,
  alone,
  cloneAt,
  makeClone,
  newClone,
  newestTree,
  pairs,
  placeFor,
  removeClone,
  type Subject,
  timed,
} from './mariadbSubject.ts';
import type { Figure } from './part.ts';
import { type Pair, percentile } from './statistics.ts';

/** What is made of a snapshot, and what is done with a clone. */
export async function clones(subject: Subject, say: (line: string) => void): Promise<readonly Figure[]> {
  const { place, tools, home, name, counts } = subject;
  const { means, folder } = place;
  const floor = means === 'reflink' ? 'cp --reflink=always' : 'cp --reflink=never';
  const tree = await newestTree(subject);
  const bare = () => newBare(place, tools, home);

  async function bareClone(server: Bare, how = means): Promise<void> {
    await server.copy(tree, how);
    await server.start();
  }

  say(`${name} virtual clones`);
  const untilRecord: { dolly: number }[] = [];
  const once = async (kind: 'bare' | 'dolly') => {
    if (kind === 'bare') {
      const server = await bare();
      const took = await timed(() => bareClone(server));
      await server.remove();
      return took;
    }
    const asked = await placeFor(subject);
    let took = 0;
    const dolly = await timed(async () => {
      took = await timed(() => makeClone(subject, 'VIRTUALCLONE', asked));
      await cloneAt(subject, asked.port);
    });
    untilRecord.push({ dolly });
    await removeClone(subject, asked.port);
    return took;
  };
  await pairs(place, 1, once);
  const virtual = await pairs(place, counts.turns, once);
  const p95 = (values: readonly number[]) => percentile(values, 95);
  const atP95: Pair = { dolly: p95(virtual.map(({ dolly }) => dolly)), bare: p95(virtual.map(pair => pair.bare)) };

  say(`${name} disk of a clone`);
  const disk = await pairs(place, Math.min(counts.rounds, 3), async kind => {
    // What was removed before is given back a little later.
    await sleep(500);
    const server = await bare();
    const asked = await placeFor(subject);
    const trees = means === 'reflink' ? [folder] : [];
    const before = means === 'reflink' ? await place.taken(...trees) : 0;
    if (kind === 'bare') await bareClone(server);
    else {
      await makeClone(subject, 'VIRTUALCLONE', asked);
      await cloneAt(subject, asked.port);
    }
    const taken = (await place.taken(kind === 'bare' ? server.home : asked.home)) - before;
    await server.remove();
    if (kind === 'dolly') await removeClone(subject, asked.port);
    return taken;
  });

  const crowd = counts.crowd > 0 ? await crowded() : [];

  say(`${name} stop, start, reset`);
  const clone = await newClone(subject);
  const server = await bare();
  await bareClone(server);
  const put = async (path: string) => {
    await subject.api.send('PUT', path, clone.id);
    await subject.api.settled(clone.id);
  };
  const stops: Pair[] = [];
  const starts: Pair[] = [];
  for (let round = 0; round < counts.rounds; round++) {
    stops.push(
      ...(await pairs(place, 1, kind => timed(() => (kind === 'bare' ? server.stop() : put('/database/stop'))))),
    );
    starts.push(
      ...(await pairs(place, 1, kind => timed(() => (kind === 'bare' ? server.start() : put('/database/start'))))),
    );
  }
  const again = async (how = means) => {
    await server.stop();
    await server.empty();
    await bareClone(server, how);
  };
  const resets = await pairs(place, counts.rounds, kind =>
    timed(() => (kind === 'bare' ? again() : put('/database/reset'))),
  );

  say(`${name} share`);
  const shares = await alone(place, counts.rounds, async () => {
    const asked = await placeFor(subject);
    const { targetEnvironment: environment, ...body } = asked.body;
    const took = await timed(async () => {
      await subject.api.send('POST', '/database/clone/share', { ...body, environment, sourceDatabase: clone.id });
      await answered(place, tools, asked.port, optionFile(asked.home));
    });
    await removeClone(subject, asked.port);
    return took;
  });

  say(`${name} physical clones`);
  const physicalOnce = async (kind: 'bare' | 'dolly') => {
    if (kind === 'bare') {
      const other = await bare();
      const took = await timed(() => bareClone(other, 'copy'));
      await other.remove();
      return took;
    }
    const asked = await placeFor(subject);
    const took = await timed(() => makeClone(subject, 'PHYSICAL', asked));
    await removeClone(subject, asked.port);
    return took;
  };
  // Whoever is first would read the snapshot from the disk, for all.
  await pairs(place, 1, physicalOnce);
  const physical = await pairs(place, counts.rounds, physicalOnce);
  const conversions = await pairs(place, counts.rounds, async kind => {
    if (kind === 'bare') return timed(() => again('copy'));
    const virtualOne = await newClone(subject);
    const took = await downtime(virtualOne);
    await removeClone(subject, virtualOne.port);
    return took;
  });
  await server.remove();
  await removeClone(subject, clone.port);

  return [
    {
      name: `${name} virtual clone, request to first answer (floor: ${floor}, lean start, same client)`,
      unit: 'ms',
      rounds: virtual,
      ...(means === 'reflink' ? { aim: { of: 'ratio', bound: 'at most', value: 1.2 } } : {}),
    },
    {
      name: `${name} the same, by itself`,
      unit: 'ms',
      rounds: virtual.map(({ dolly }) => ({ dolly })),
      ...(means === 'reflink' ? { aim: { of: 'dolly', bound: 'at most', value: 200 } } : {}),
    },
    { name: `${name} the same, p95 of ${virtual.length}`, unit: 'ms', rounds: [atP95] },
    { name: `${name} the same, until its record says RUNNING`, unit: 'ms', rounds: untilRecord.slice(1) },
    { name: `${name} disk of a fresh virtual clone (floor: of the bare one)`, unit: 'MB', rounds: disk },
    ...crowd,
    { name: `${name} stop (floor: SIGTERM)`, unit: 'ms', rounds: stops },
    { name: `${name} start (floor: lean start)`, unit: 'ms', rounds: starts },
    { name: `${name} reset (floor: stop, ${floor}, start)`, unit: 'ms', rounds: resets },
    { name: `${name} share of a running clone`, unit: 'ms', rounds: shares },
    { name: `${name} physical clone (floor: cp --reflink=never, lean start)`, unit: 'ms', rounds: physical },
    { name: `${name} convert, downtime (floor: stop, cp --reflink=never, start)`, unit: 'ms', rounds: conversions },
  ];

  async function crowded(): Promise<Figure[]> {
    say(`${name} ${counts.crowd} virtual clones at once`);
    const each = { length: counts.crowd };
    const space: Pair[] = [];
    let taken = { bare: 0, dolly: 0 };
    const together = await pairs(place, Math.min(counts.rounds, 3), async kind => {
      await sleep(500);
      const before = means === 'reflink' ? await place.taken(folder) : 0;
      const servers = kind === 'bare' ? await Promise.all(Array.from(each, bare)) : [];
      const asked: Asked[] = [];
      if (kind === 'dolly') for (let count = 0; count < each.length; count++) asked.push(await placeFor(subject));
      const took = await timed(() =>
        Promise.all([
          ...servers.map(one => bareClone(one)),
          ...asked.map(one => makeClone(subject, 'VIRTUALCLONE', one)),
        ]),
      );
      for (const { port } of asked) await cloneAt(subject, port);
      const homes = [...servers, ...asked].map(one => one.home);
      taken = { ...taken, [kind]: (await place.taken(...homes)) - before };
      if (taken.bare > 0 && taken.dolly > 0) {
        space.push(taken);
        taken = { bare: 0, dolly: 0 };
      }
      for (const one of servers) await one.remove();
      for (const { port } of asked) await removeClone(subject, port);
      return took;
    });
    const many = `${counts.crowd} virtual clones at once`;
    return [
      { name: `${name} ${many}, until all answer (floor: as many bare ones)`, unit: 'ms', rounds: together },
      { name: `${name} ${many}, disk of all (floor: of the bare ones)`, unit: 'MB', rounds: space },
    ];
  }

  /** How long a clone takes no connection while it is converted, and answers no query. */
  async function downtime({ id, port }: Asked & { id: string }): Promise<number> {
    const localDirectory = `${subject.state}/mounts/converted-${port}`;
    await subject.api.send('POST', '/database/clone/switch', { database: id, localDirectory });
    await changed(port, false);
    const took = await timed(() => answered(place, tools, port, optionFile(localDirectory)));
    await subject.api.settled(id);
    return took;
  }
}
