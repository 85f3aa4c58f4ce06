import { beforeEach, expect, test } from 'vitest';
import { schedules } from '../../src/features/schedules/schedule.ts';
import { thingsIn } from '../../src/store/things/things.ts';
import { clicksWith } from '../journeys/approvals.ts';
import { type Someone, textOf } from '../person.ts';
import { hasPostgres } from '../postgresServer.ts';
import { few, isWhole } from '../whole.ts';
import type { World } from '../world.ts';
import { lacks, type Release, throughReleases } from './releases.ts';
import { sentTo } from './report.ts';
import { onStore } from './stoppedStore.ts';
import { kinds, mayDoAll, plant, type Waiting, waitingEnvironment } from './waiting.ts';

/*
 * What waits for approval while one release takes over from another: each kind is asked for by one, has the first of two
 * decisions by the card as it stands then, which draws it anew, and the second one by that. So each release decides on its
 * own cards and on those of the other one.
 */

const missing = lacks('0.2.0');

/** The releases that are killed in turn on one store. */
const road: readonly Release[] = ['0.2.0', 'present', '0.2.0', 'present'];

/** In which turn something is asked for, and has its first and its second decision. */
const ways = [
  { called: 'after the upgrade', asked: 0, first: 1, second: 1 },
  { called: 'after the way back', asked: 1, first: 2, second: 2 },
  { called: 'there and back again', asked: 0, first: 1, second: 2 },
  { called: 'on both sides of the upgrade', asked: 0, first: 0, second: 1 },
  { called: 'on both sides of the way back', asked: 1, first: 1, second: 2 },
  { called: 'back and there again', asked: 1, first: 2, second: 3 },
] as const;

/** What the two who approve do: one after the other, or a first one alone. */
const decisions = ['approved by both', 'denied by the second', 'denied by the first'] as const;

const all = kinds.flatMap(kind => ways.flatMap(way => decisions.map(decided => ({ kind, way, decided }))));
type Cell = (typeof all)[number];
/** In `npm test` each kind is on one of the first two ways, where every third one is denied. */
const chosen = few(all, ({ kind, way, decided }) => {
  const at = kinds.indexOf(kind);
  return kind !== 'long' && way === ways[at % 2] && decided === decisions[at % 3 === 2 ? 1 : 0];
});
/** What waits in one world: Slack takes no more than a message a second in a channel. */
const worlds = isWhole
  ? ways.map(way => [way.called, chosen.filter(cell => cell.way === way)] as const)
  : [['on two ways', chosen] as const];
const stores = ['embedded', ...(isWhole && hasPostgres ? (['PostgreSQL'] as const) : [])] as const;

const nameOf = ({ kind, way, decided }: Cell) => `${kind} ${way.called}: ${decided}`;
const isApproved = ({ decided }: Cell) => decided === 'approved by both';

beforeEach(({ skip }) => {
  if (missing !== undefined) skip(missing);
});

test.each(worlds.flatMap(([called, cells]) => stores.map(store => [called, store, cells] as const)))(
  'a request that waits for approval is decided under either release, and done once or not at all: %s, %s',
  async (_, store, cells) => {
    const planted = new Map<Cell, ReturnType<typeof plant>>();
    const asked = new Map<Cell, Waiting>();
    const seen = new Map<Cell, unknown>();
    let people: Readonly<Record<'ana' | 'ben' | 'dev', Someone>> | undefined;
    const last = Math.max(...cells.map(({ way }) => way.second));
    const turn = (at: number) => async (earth: World) => {
      if (at === 0) mayDoAll(earth, 'ben');
      for (const [number, cell] of at === 0 ? cells.entries() : [])
        planted.set(cell, plant(earth, cell.kind, 100 + number));
      people ??= {
        ana: await earth.enters('Ana', 'ana'),
        ben: await earth.enters('Ben', 'ben'),
        dev: await earth.enters('Dev', 'dev'),
      };
      for (const [cell, asks] of planted) if (cell.way.asked === at) asked.set(cell, await asks(people.ben));
      await decidesIn(earth, at, asked, people);
      const isOver = ({ way, decided }: Cell) => (decided === 'denied by the first' ? way.first : way.second) <= at;
      for (const one of asked) if (isOver(one[0])) await comesToAnEnd(earth, one, at === last);
      if (at < last) return;
      await runsSchedules(earth);
      const wanted = [...asked].filter(([cell]) => isApproved(cell)).flatMap(([, { writes }]) => writes);
      expect(earth.writes()).toHaveLength(wanted.length);
      for (const [cell, { ends, writes }] of asked)
        seen.set(cell, [await ends(), ...writes.map(([end, names]) => sent(earth, end, names))]);
    };
    const acts = road.slice(0, last + 1).map((release, at) => [release, turn(at)] as const);
    await throughReleases({ store, environment: waitingEnvironment(), service: { tokenLifetime: 1e12 } }, acts);
    const rightOf = (cell: Cell) => {
      const writes = asked.get(cell)?.writes ?? [];
      return isApproved(cell) ? ['done', ...writes.map(() => 1)] : ['denied', ...writes.map(() => 0)];
    };
    const named = (tell: (cell: Cell) => unknown) => Object.fromEntries(cells.map(cell => [nameOf(cell), tell(cell)]));
    expect(named(cell => seen.get(cell))).toEqual(named(rightOf));
  },
  300_000,
);

/** Lets those who approve do what they do in a turn: first by the cards as they are, then by the cards that this draws anew. */
async function decidesIn(
  earth: World,
  at: number,
  asked: ReadonlyMap<Cell, Waiting>,
  { ana, dev }: Readonly<Record<'ana' | 'dev', Someone>>,
): Promise<void> {
  for (const [cell, { card }] of asked)
    if (cell.way.first !== at) continue;
    else if (cell.decided === 'denied by the first') await denies(ana, card);
    else expect(await approves(ana, card), nameOf(cell)).toContain('Your approval counts.');
  for (const [{ way, decided }, { card }] of asked)
    if (way.first === at && decided !== 'denied by the first')
      await earth.until(() => earth.text(card).includes('Approved by'), 'the card to be drawn anew');
  for (const [cell, { card }] of asked)
    if (cell.way.second !== at) continue;
    else if (cell.decided === 'denied by the second') await denies(dev, card);
    else if (isApproved(cell)) expect(await approves(dev, card), nameOf(cell)).toContain('You approved it');
}

type Card = Waiting['card'];

/** Approves on a card, or on the last of the pages to which it leads. Gives what this person alone is told. */
async function approves(someone: Someone, { channel, ts }: Card): Promise<string> {
  const message = await someone.until(() => someone.messages(channel).find(one => one.ts === ts), 'the card');
  const before = someone.messages(channel).length;
  const told = () =>
    someone
      .messages(channel)
      .slice(before)
      .find(({ onlyFor }) => onlyFor === someone.id);
  await someone.presses(someone.canPress('Approve', { message }) ? 'Approve' : 'Read all and decide', { message });
  await someone.until(() => told() ?? someone.hasModal(), 'an answer or a page');
  for (let page = 2; someone.hasModal(); page++)
    if (JSON.stringify(someone.sees().views.at(-1)).includes('"submit":{')) await someone.submits();
    else {
      await someone.presses(`Page ${page} of`);
      await someone.until(() => JSON.stringify(someone.sees().views.at(-1)).includes(`Request, ${page} of`), 'a page');
    }
  return textOf(await someone.until(told, 'an answer'));
}

async function denies(someone: Someone, card: Card): Promise<void> {
  expect(await clicksWith(someone, card, 'Deny', 'It is needed.')).toContain('enied');
}

function sent(earth: World, endpoint: string, names: string): number {
  const all = earth.writes().map(({ path, query, body }) => ({ url: path, body: JSON.stringify([query, body]) }));
  return endpoint.includes('create')
    ? all.filter(({ body }) => body.includes(names)).length
    : sentTo(all, endpoint, names);
}

/**
 * Waits for the end of a request; of a single one that is under way, only in the last turn: the next release ends it. A kill
 * while something is sent may leave it in doubt: that is what other tests are about.
 */
async function comesToAnEnd(earth: World, [cell, { ends, card }]: readonly [Cell, Waiting], isLast: boolean) {
  const isUnderWay = () => /^(deletion|secret)$/.test(cell.kind) && earth.text(card).includes('· Running');
  const turns = async () => {
    await earth.clock.advance(500);
    return (!isLast && isUnderWay()) || (await ends()) !== undefined;
  };
  await earth.until(turns, `the end of ${nameOf(cell)}`).catch(error => {
    throw new Error(earth.text(card), { cause: error });
  });
}

/** Makes each schedule that is on due, and waits for its run. */
async function runsSchedules(earth: World): Promise<void> {
  await earth.kill();
  const now = Date.now() - 1_000;
  const due = await onStore(earth, async store => {
    const on = (await thingsIn(store).list(schedules, {})).filter(({ state }) => state === 'on');
    for (const one of on)
      await thingsIn(store).apply(
        schedules,
        one,
        { changes: { plannedAt: now }, dueAt: now, trail: { event: 'due' } },
        { now },
      );
    return on;
  });
  await earth.start();
  for (const { target } of due)
    await earth.until(async () => {
      await earth.clock.advance(500);
      return sent(earth, 'sync', target) > 0;
    }, `the run for ${target}`);
}
