import { expect, test } from 'vitest';
import { systemClock } from '../../src/ground/clock.ts';
import { moveStore } from '../../src/store/moveStore.ts';
import { freshDatabase } from '../postgres.ts';
import { hasPostgres } from '../postgresServer.ts';
import { world } from '../world.ts';
import { ends, quickClone } from './clones.ts';

test.runIf(hasPostgres)(
  'a team moves to PostgreSQL: jobs go on where they were, and nobody has to sign in again',
  async () => {
    const earth = await world();
    try {
      const ana = await earth.enters('Ana', 'ana');
      const card = await quickClone(earth, ana, 3401, '/mnt/slow');
      await earth.until(() => earth.text(card).includes('CREATING'), 'running');
      await earth.stop();
      const url = await freshDatabase();
      await moveStore(earth.environment.DATA_DIR ?? '', url, systemClock);
      await earth.start({ DATABASE_URL: url });
      expect(await ends(earth, card, 'Confirmed')).toContain('shop-3401');
      expect(earth.replies(card)).toHaveLength(1);
      expect(earth.writes()).toHaveLength(1);
      await ana.types('#databases', '/db whoami');
      await ana.reads('#databases', 'signed in');
    } finally {
      await earth.close();
    }
  },
);
