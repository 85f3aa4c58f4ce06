import { afterAll, expect, test } from 'vitest';
import { realEngine } from '../sandbox/service/realEngine.ts';
import { type World, world } from '../world.ts';
import { asksForClone } from './clones.ts';

/* Real work may be over before anybody looks: its record says when its own job ended, and is believed at the first look. */

let earth: World;
afterAll(() => earth?.close());

/** Milliseconds that a clone takes, and within which its end is told. */
const [takes, told] = [600, 3_000];

test('a clone that is ready after 0.6 s is told as ready within some seconds', async () => {
  const engine = realEngine({
    async createVirtual({ signal }) {
      await earth.clock.wait(takes, signal);
      return {};
    },
  });
  earth = await world({ service: { engines: { MARIADB: engine } } });
  const ana = await earth.enters('Ana', 'ana');
  const fields = { targetEnvironment: 'this-machine', environmentUser: '', install: 'MARIADB' };
  const line = '/clone invoices port=3401 mountBase=/mnt/quick';
  const card = await asksForClone(earth, ana, '#databases', line, fields);
  const asked = earth.clock.now();
  const text = () => earth.text(earth.cards('#databases').find(({ ts }) => ts === card.ts) ?? card);
  await earth.until(() => /is ready/.test(text()), 'its end');
  expect(earth.clock.now() - asked).toBeLessThanOrEqual(takes + told);
  expect(text()).toMatch(/Confirmed/);
});
