import { sql } from 'kysely';
import { afterAll, beforeAll, test } from 'vitest';
import { type World, world } from '../world.ts';

let earth: World;
beforeAll(async () => {
  earth = await world({ handsOnStore: true });
});
afterAll(() => earth.close());

test('a sign-in link that the store cannot keep is answered with an error, and is offered once the store can', async () => {
  const ana = await earth.enters('Ana');
  await sql`alter table links rename to lost_links`.execute(earth.store());
  await ana.types('#databases', '/clone shop');
  await ana.reads('#databases', /Something went wrong inside Dolly/);
  await sql`alter table lost_links rename to links`.execute(earth.store());
  await ana.types('#databases', '/clone shop');
  await ana.reads('#databases', /You are not signed in to the service/);
});
