import { expect, test } from 'vitest';
import { opensForm, quickLine } from '../journeys/clones.ts';
import { type Crossing, crossing } from '../journeys/crossing.ts';
import { type World, world } from '../world.ts';

test('a second signal ends a hanging bot at once, echoes of the first do not, and the next bot goes on', async () => {
  const road: Crossing = crossing();
  const earth: World = await world({ ownProcess: true, service: { middleware: road.middleware } });
  try {
    const ana = await earth.enters('Ana', 'ana');
    await opensForm(ana, '#databases', quickLine(3401));
    const create = road.holds('/database/clone/create', 'after');
    await ana.submits();
    await create.arrived;
    const { signal, exit, output } = earth.dolly();
    if (!signal || !exit || !output) throw new Error('it is no process');
    let hasEnded = false;
    const code = exit().finally(() => {
      hasEnded = true;
    });
    // As at a Ctrl-C, which comes from the terminal, from npm and from the Slack CLI; and then from an impatient person.
    const from = performance.now();
    const isOver = () => {
      signal('SIGINT');
      return hasEnded;
    };
    await earth.until(isOver, 'the end');
    expect(performance.now() - from).toBeGreaterThan(500);
    expect(output().match(/finishing what was begun/g)).toHaveLength(1);
    expect(await code).toBe(1);
    create.lets();
    earth.forgets();
    await earth.start({ LOG_LEVEL: 'info' });
    // Lines of the log come a moment later.
    const found = () => /"sending":1.*takes up what the store holds/.test(earth.dolly().output?.() ?? '');
    await earth.until(found, 'the line that says so');
    await earth.clock.advance(60_000);
    const card = await earth.until(() => earth.cards('#databases')[0], 'the message');
    await earth.until(() => earth.text(card).includes('Confirmed'), 'the end');
    expect(earth.writes()).toHaveLength(1);
  } finally {
    await earth.close();
  }
});
