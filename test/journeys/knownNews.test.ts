import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { day, hour, minute } from '../../src/ground/durations.ts';
import { textOf } from '../person.ts';
import { type World, world } from '../world.ts';
import { answerTo } from './asking.ts';

/* A database whose runs fail again and again: its owner is rung for what is news where it is told, and for no more. */

let earth: World;
beforeAll(async () => {
  earth = await world({ environment: { APPROVERS: 'U0DEV00001' }, service: { tokenLifetime: 90 * day } });
});
afterAll(() => earth.close());

const bell = '<@U0ANA00001>';
const failing = 'failing_feed';

/** What is told of the database in a channel, from now on: each first message with those in its thread. */
function hears(channel: string) {
  const before = earth.cards(channel).length;
  return () =>
    earth
      .cards(channel)
      .slice(before)
      .map(card => [card, ...earth.replies(card)].map(one => `${one.text}\n${earth.text(one)}`))
      .filter(thread => thread.some(text => text.includes(failing)));
}
const ringsIn = (threads: readonly (readonly string[])[]) => threads.flat().filter(text => text.includes(bell)).length;

/** Goes on to the next run of a schedule with a time of the day, and until it is told. */
async function runsAt(time: number) {
  const now = earth.clock.now();
  const next = Math.floor(now / day) * day + time;
  await earth.clock.leap((next > now ? next : next + day) - now);
  await earth.clock.advance(2 * minute);
}

test('failed runs on an environment in maintenance are told only in the next day’s line about them', async () => {
  const [ana, dba] = [await earth.enters('Ana', 'ana'), await earth.enters('Dev', 'dev')];
  const says = async (text: string, who = ana) => textOf(await answerTo(who, text, '#dev'));
  expect(await says(`/db schedule backup-logs ${failing} every=6h zone=UTC tells=failures`)).toContain('every 6 hours');
  const { environments, databases } = earth.service.service.estate;
  const place = [...databases.values()].find(({ name }) => name === failing)?.environment ?? '';
  const name = environments.get(place)?.name ?? '';
  expect(await says(`/db maintenance ${name} until=34h why="Kernel update"`, dba)).toContain('in maintenance');
  await says('/db alerts on runs');
  await earth.clock.leap(5 * minute);
  await earth.clock.advance(minute);
  const told = hears('#dev');
  for (const time of [6, 12, 18]) await runsAt(time * hour);
  for (let look = 0; look < 40; look++) {
    await earth.clock.leap(5 * minute);
    await earth.clock.advance(10_000);
  }
  expect(earth.cards('#dev').some(card => earth.text(card).includes('is no longer in maintenance'))).toBe(true);
  expect(told()).toEqual([]);
  const lines = () => earth.cards('#dev').map(card => earth.text(card));
  await earth.until(() => lines().find(text => text.includes('failed')), 'the line of the day', day);
});

describe('a run that fails like the one before', () => {
  test('a run that fails again is a line in the first one’s thread on the same day, and a new message on the next', async () => {
    const ana = await earth.enters('Ana', 'ana');
    const says = async (text: string) => textOf(await answerTo(ana, text, '#databases'));
    expect(await says(`/db schedule backup ${failing} every=6h zone=UTC tells=failures`)).toContain('every 6 hours');
    const told = hears('#databases');
    await runsAt(0);
    const first = told();
    expect([first.length, first[0]?.length, ringsIn(first)]).toEqual([1, 2, 1]);
    await runsAt(6 * hour);
    const second = told();
    expect([second.length, second[0]?.length, ringsIn(second)]).toEqual([1, 3, 1]);
    expect(second[0]?.at(-1)).toContain('· Failed');
    await runsAt(0);
    expect(told().filter(thread => thread.join().includes('Run by'))).toHaveLength(2);
  });
});

test('maintenance with “runs=off” that begins later skips the scheduled runs within it, and none before or after', async () => {
  const [ana, dba] = [await earth.enters('Ana', 'ana'), await earth.enters('Dev', 'dev')];
  const says = async (text: string, who = dba) => textOf(await answerTo(who, text, '#dev'));
  const helpdesk = 'helpdesk';
  expect(await says(`/db schedule backup ${helpdesk} every=6h zone=UTC`, ana)).toContain('every 6 hours');
  const { environments, databases } = earth.service.service.estate;
  const found = [...databases.values()].find(({ name }) => name === helpdesk);
  const name = environments.get(found?.environment ?? '')?.name ?? '';
  const declare = `/db maintenance ${name} until=4h why="Kernel update"`;
  expect(await says(`${declare} from=31d`)).toContain('Say from when');
  expect(await says(`${declare} runs=none`)).toContain('Use `runs=off`');
  // Until the run of six o’clock, and over the one of noon.
  await runsAt(0);
  expect(await says(`${declare} from=10h runs=off`)).toContain('scheduled runs are skipped');
  expect(await says('/db maintenance')).toContain('without scheduled runs');
  const backups = () =>
    earth.writes().filter(({ path, body }) => path.endsWith('/sync') && JSON.stringify(body).includes(found?.id ?? ''))
      .length;
  const counts = [];
  for (const time of [6, 12, 18]) {
    const before = backups();
    await runsAt(time * hour);
    counts.push(backups() - before);
  }
  expect(counts).toEqual([1, 0, 1]);
  const said = earth
    .cards('#dev')
    .map(card => earth.text(card))
    .filter(text => text.includes(helpdesk));
  expect(said.filter(text => text.includes('skipped'))).toEqual([]);
});
