import { afterAll, beforeAll, expect, test } from 'vitest';
import { day, hour, minute } from '../../src/ground/durations.ts';
import { textOf } from '../person.ts';
import { isWhole } from '../whole.ts';
import { type World, world } from '../world.ts';
import { answerTo } from './asking.ts';

/* Nights in which Dolly does its work and nothing is wrong: the channel that hears of alerts hears nothing. */

let earth: World;
beforeAll(async () => {
  earth = await world({ service: { tokenLifetime: 900 * day } });
});
afterAll(() => earth.close());

const nights = isWhole ? 30 : 8;

test('nights of Dolly’s own backups, in which nothing goes wrong, bring no alert', async () => {
  const ana = await earth.enters('Ana', 'ana');
  const says = async (text: string, channel = '#dev') => textOf(await answerTo(ana, text, channel));
  const { databases } = earth.service.service.estate;
  // What fails, and what is disabled, is no part of a calm night.
  const { environments } = earth.service.service.estate;
  for (const { id, name, state, environment } of databases.values())
    if (/fail|stuck|slow/.test(name) || state !== 'RUNNING' || environments.get(environment)?.state !== 'ENABLED')
      databases.delete(id);
  const live = [...databases.values()].filter(({ cloneType }) => cloneType === undefined);
  for (const { id } of live)
    expect(await says(`/db schedule backup ${id} every=day at=02:00 zone=UTC tells=failures`)).toContain('02:00');
  await earth.clock.advance(minute);
  await says('/db alerts on', '#databases');
  await earth.clock.advance(minute);
  const before = earth.cards('#databases').length;
  const told = () =>
    earth
      .cards('#databases')
      .slice(before)
      .map(card => earth.text(card));
  const clones = [...databases.values()].filter(
    ({ cloneType, state }) => cloneType !== undefined && state === 'RUNNING',
  );
  for (let night = 0; night < nights; night++) {
    const two = Math.ceil((earth.clock.now() - 2 * hour) / day) * day + 2 * hour;
    await earth.clock.leap(two - earth.clock.now());
    await earth.clock.advance(2 * minute);
    for (let look = 0; look < 2; look++) {
      await earth.clock.leap(5 * minute);
      await earth.clock.advance(15_000);
    }
    expect([night, told()]).toEqual([night, []]);
    // By day people stop, start and delete clones, and disable a database, elsewhere.
    const clone = clones[night % clones.length];
    if (night % 3 === 0 && clone)
      await ana.types('#dev', `/db ${clone.state === 'STOPPED' ? 'start' : 'stop'} ${clone.id}`);
    await earth.clock.leap(6 * hour);
    await earth.clock.advance(2 * minute);
  }
  expect(told()).toEqual([]);
  expect(earth.writes().filter(({ path }) => path.endsWith('/sync')).length).toBeGreaterThan(
    (nights - 1) * live.length,
  );
});
