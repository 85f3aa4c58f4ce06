import { afterAll, beforeAll, expect, test } from 'vitest';
import { minute } from '../../src/ground/durations.ts';
import { textOf } from '../person.ts';
import { type World, world } from '../world.ts';
import { answerTo } from './asking.ts';

let earth: World;
beforeAll(async () => {
  earth = await world({ environment: { APPROVERS: 'U0DEV00001' } });
});
afterAll(() => earth.close());

const channel = '#databases';
const cards = () => earth.cards(channel).map(card => earth.text(card));
const looks = async () => {
  await earth.clock.leap(5 * minute);
  await earth.clock.advance(10_000);
};

test('trouble in an environment in maintenance is not told as over when somebody else turns the alerts on', async () => {
  const [ana, dba] = [await earth.enters('Ana', 'ana'), await earth.enters('Dev', 'dev')];
  const says = async (text: string, who = dba) => textOf(await answerTo(who, text, channel));
  await says('/db alerts on', ana);
  await looks();
  const orders = [...earth.service.service.estate.databases.values()].find(({ name }) => name === 'orders');
  Object.assign(orders ?? {}, { state: 'FAILED', error: 'It has no memory.' });
  await earth.until(() => cards().some(text => text.includes('It has no memory')), 'the trouble', 20 * minute);
  await says('/db maintenance mysql-prod until=4h why="More memory"');
  await says('/db alerts on');
  await looks();
  await looks();
  const incident = earth.cards(channel).find(card => earth.text(card).includes('It has no memory'));
  const told = incident ? [incident, ...earth.replies(incident)].map(one => earth.text(one)).join('\n') : '';
  expect(told).toContain('orders');
  expect(told).not.toContain('no longer failed');
});
