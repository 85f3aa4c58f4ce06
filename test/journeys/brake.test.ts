import { afterAll, beforeAll, expect, test } from 'vitest';
import { day, hour, minute } from '../../src/ground/durations.ts';
import { type Someone, textOf } from '../person.ts';
import { type World, world } from '../world.ts';
import { answerTo, asks, comesToAnEnd } from './asking.ts';

/* The emergency brake: nothing is written by itself while it is on, and what people ask for goes on. */

let earth: World;
let ana: Someone;
let dev: Someone;

beforeAll(async () => {
  earth = await world({ environment: { APPROVERS: 'U0DEV00001' }, service: { tokenLifetime: 900 * day } });
  ana = await earth.enters('Ana', 'ana');
  dev = await earth.enters('Dev', 'dev');
});
afterAll(() => earth.close());

const says = async (someone: Someone, line: string) => textOf(await answerTo(someone, line));
const backups = () => earth.writes().filter(({ path }) => path.endsWith('/database/sync')).length;

test('the emergency brake is turned on and off by approvers, and holds what is due in between', async () => {
  expect(await says(ana, '/db schedule backup shop every=1h')).toContain('runs');
  expect(await says(ana, '/db brake no more')).toContain('Only approvers');
  expect(await says(dev, '/db brake the storage is *full*')).toContain('The emergency brake is on');
  const doctor = async (channel: string) => {
    await ana.types(channel, '/db doctor');
    return textOf(await ana.reads(channel, '*The set-up*'));
  };
  expect(await doctor('#databases')).toContain('The emergency brake is on: the storage is');
  expect(await says(ana, '/db brake')).toMatch(/is on.*the storage is ∗full∗/s);
  await ana.opensHome();
  await earth.until(() => JSON.stringify(ana.sees().home).includes('The emergency brake is on'), 'the brake in Home');

  const before = backups();
  await earth.clock.leap(90 * minute);
  await earth.clock.advance(2 * minute);
  expect(backups()).toBe(before);
  await comesToAnEnd(earth, await asks(earth, ana, '/db backup orders'));
  expect(backups()).toBe(before + 1);
  await earth.restart();
  await earth.clock.advance(2 * minute);
  expect(backups()).toBe(before + 1);

  expect(await says(ana, '/db brake off')).toContain('Only approvers');
  expect(await says(dev, '/db brake off')).toContain('is off. What waited goes on');
  expect(await says(dev, '/db brake off')).toContain('is already off');
  expect(await doctor('#dev')).not.toContain('The emergency brake');
  await earth.clock.leap(hour);
  await earth.until(() => backups() > before + 1, 'the next run');
  expect(await says(dev, '/db audit brake')).toMatch(/brake released[\s\S]*brake pulled/);
});
