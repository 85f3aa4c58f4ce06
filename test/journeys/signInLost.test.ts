import { sql } from 'kysely';
import { afterAll, beforeAll, test } from 'vitest';
import { type World, world } from '../world.ts';

let earth: World;
beforeAll(async () => {
  earth = await world({ handsOnStore: true });
});
afterAll(() => earth.close());

test('whoever needs a sign-in that cannot be stored hears so, and gets one once it can be', async () => {
  const ana = await earth.enters('Ana');
  await sql`alter table links rename to lost_links`.execute(earth.store());
  await ana.types('#databases', '/clone shop');
  await ana.reads('#databases', /Something went wrong inside Dolly/);
  await sql`alter table lost_links rename to links`.execute(earth.store());
  await ana.types('#databases', '/clone shop');
  await ana.reads('#databases', /You are not signed in to the service/);
});
