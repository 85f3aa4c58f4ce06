import { afterEach, beforeEach, expect, test } from 'vitest';
import { ends, quickClone } from '../journeys/clones.ts';
import type { Someone } from '../person.ts';
import { jobsOf, sent, wish } from '../store/folder.ts';
import { type World, world } from '../world.ts';

/* More jobs than anybody asks for at once, where nothing gets on: what is in hand stays bounded. */

let earth: World;
let ana: Someone;
let ben: Someone;
let seen: string | null = null;
let hung: string | null = null;
let end = Promise.withResolvers<void>();

beforeEach(async () => {
  hung = null;
  end = Promise.withResolvers();
  earth = await world({
    handsOnStore: true,
    service: {
      middleware(request, next) {
        seen = request.headers.get('authorization');
        return seen !== null && seen === hung ? end.promise.then(() => next()) : next();
      },
    },
    surroundings: { serviceTimeout: 3_600_000 },
  });
  ana = await earth.enters('Ana', 'ana');
  ben = await earth.enters('Ben', 'ben');
});
afterEach(async () => {
  // They would all go on now.
  await earth.store().deleteFrom('jobs').execute();
  end.resolve();
  await earth.close();
});

/** Puts so many jobs of Ana's into the store; they are not told, or are due in an hour. */
async function puts(count: number, what: 'due' | 'to be told'): Promise<void> {
  const jobs = jobsOf(earth.store());
  const later = earth.clock.now() + 3_600_000;
  const of = { team: 'T0PLAYGRND', person: ana.id, channel: 'C0DEV00001' };
  await jobs.add(wish({ ...of, createdAt: later, id: 'flood', requestKey: 'flood' }));
  const row = await earth.store().selectFrom('jobs').selectAll().where('id', '=', 'flood').executeTakeFirstOrThrow();
  // In a few statements: one by one they would hold up all else in this process for long.
  for (let at = 0; at < count; at += 100) {
    const ids = Array.from({ length: 100 }, (_, one) => `flood-${at + one}`);
    // A channel each: in one, they would wait for what Slack takes there.
    const rows = ids.map(id => ({ ...row, id, requestKey: id, channel: what === 'due' ? row.channel : id }));
    await earth.store().insertInto('jobs').values(rows).execute();
  }
  const now = earth.clock.now();
  // The channel hears of a job that the service has accepted.
  const accepted = { state: 'running', ...sent(now) } as const;
  const change = what === 'due' ? { dueAt: now, tellAt: null } : { ...accepted, tellAt: now };
  await earth.store().updateTable('jobs').set(change).where('id', 'like', 'flood-%').execute();
}

async function inHand(column: 'lockedUntil' | 'tellLockedUntil'): Promise<number> {
  const taken = await earth.store().selectFrom('jobs').select('id').where(column, '>', earth.clock.now()).execute();
  return taken.length;
}

test('of a person whose service hangs, fewer than a thousand jobs are in hand, and another’s jobs go on', async () => {
  await ana.types('#dev', '/db whoami');
  await ana.reads('#dev', 'accepts it');
  hung = seen;
  await puts(1_500, 'due');
  const card = await quickClone(earth, ben, 3401);
  expect(await ends(earth, card, 'Confirmed')).toContain('shop-3401');
  const taken = await inHand('lockedUntil');
  expect(taken).toBeGreaterThanOrEqual(500);
  expect(taken).toBeLessThan(1_000);
});

test('of the messages that Slack does not take, 300 are in hand at once, however many there are', async () => {
  earth.playground.slack.faults.add({ method: 'chat.postMessage', kind: 'hang', times: 10_000 });
  await puts(600, 'to be told');
  await earth.clock.advance(6_000);
  await expect.poll(() => inHand('tellLockedUntil')).toBe(300);
  earth.playground.slack.faults.clear();
});
