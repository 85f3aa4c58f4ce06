import { beforeEach, expect, test } from 'vitest';
import { secondLooks } from '../../src/features/secondLooks/secondLook.ts';
import type { StoredMessage } from '../../src/sandbox/playground/messages.ts';
import { asks } from '../journeys/asking.ts';
import { type Someone, textOf } from '../person.ts';
import { hasPostgres } from '../postgresServer.ts';
import { isWhole } from '../whole.ts';
import type { World } from '../world.ts';
import { lacks, type Release, throughReleases } from './releases.ts';
import { plantLive } from './restores.ts';
import { onStore } from './stoppedStore.ts';
import { mayDoAll } from './waiting.ts';

/* Between an end and the look after it the bot is killed, and another release takes over. */

const missing = lacks('0.2.0');
beforeEach(({ skip }) => {
  if (missing !== undefined) skip(missing);
});

const ways = [
  { called: 'nobody', road: ['present', 'present'] },
  { called: '0.2.0', road: ['present', '0.2.0', 'present'] },
] as const satisfies readonly Readonly<{ called: string; road: readonly Release[] }>[];
const stores = ['embedded', ...(hasPostgres ? (['PostgreSQL'] as const) : [])] as const;

/** Waits in real time, while the service’s own goes on. */
function turns(earth: World, isSo: () => boolean, what: string): Promise<unknown> {
  const look = async () => {
    await earth.clock.advance(500);
    return isSo();
  };
  return earth.until(look, what, 60_000);
}

/** Makes the look that is due in a minute due now. The bot does not run meanwhile. */
async function hastens(earth: World): Promise<void> {
  await earth.kill();
  await onStore(earth, async store => {
    const { numUpdatedRows } = await store
      .updateTable('due')
      .set({ dueAt: Date.now() })
      .where('kind', '=', secondLooks.name)
      .executeTakeFirst();
    expect(numUpdatedRows).toBe(1n);
  });
  await earth.start();
}

// It waits half a minute in real time for each.
test.skipIf(!isWhole).each(stores.flatMap(store => ways.map(({ called, road }) => [called, store, road] as const)))(
  'An end is taken back once, though the bot was killed and %s had the store meanwhile, which is %s',
  async (_, store, road) => {
    let ben: Someone | undefined;
    let card: StoredMessage | undefined;
    const says = (earth: World, words: string) =>
      card ? earth.replies(card).filter(one => textOf(one).includes(words)).length : 0;
    const begins = async (earth: World) => {
      mayDoAll(earth, 'ben');
      const { name, database } = plantLive(earth, 'looked-at');
      ben = await earth.enters('Ben', 'ben');
      const own = await asks(earth, ben, `/db backup ${name}`);
      card = own;
      await turns(earth, () => earth.text(own).includes('· Confirmed'), 'the end');
      earth.service.service.estate.databases.get(database)?.snapshots.pop();
    };
    const rests = async (earth: World) => {
      const now = Date.now();
      await earth.until(() => Date.now() > now + 2_000, 'two seconds of the other release', 10_000);
      expect(says(earth, 'no longer holds')).toBe(0);
    };
    const looks = async (earth: World) => {
      await hastens(earth);
      const own = card;
      if (!own) throw new Error('nothing was asked for');
      await turns(earth, () => says(earth, 'no longer holds') > 0, 'the word that it is taken back');
      await earth.kill();
      await earth.start();
      const now = Date.now();
      // Whether it ends anew within its next five minutes hangs on what was seen of its work.
      await turns(earth, () => Date.now() > now + 3_000 && !earth.text(own).includes('· Confirmed'), 'its new status');
      expect(says(earth, 'no longer holds')).toBe(1);
      expect(earth.writes()).toHaveLength(1);
    };
    const acts = road.map((release, at) => {
      const act = at === 0 ? begins : at === road.length - 1 ? looks : rests;
      return [release, act] as const;
    });
    await throughReleases({ store, environment: {}, service: { tokenLifetime: 1e12 } }, acts);
  },
  240_000,
);
