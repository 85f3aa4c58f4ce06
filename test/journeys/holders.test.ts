import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { MiddlewareHandler } from 'hono';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { day, minute } from '../../src/ground/durations.ts';
import type { StoredMessage } from '../../src/sandbox/playground/messages.ts';
import { type Someone, textOf } from '../person.ts';
import { scratchFolder } from '../scratch.ts';
import { type World, world } from '../world.ts';
import { approvalKeys, asksToDelete, clicks } from './approvals.ts';
import { answerTo, asks } from './asking.ts';
import { forgedClick } from './attacking.ts';
import { ends, quickClone } from './clones.ts';

/* Whoever holds a clone, while somebody else asks for its deletion and a third person decides. */

let earth: World;
let ana: Someone;
let ben: Someone;
let dev: Someone;
/** Whether Slack takes direct messages to Ben. */
let takesBens = true;

beforeAll(async () => {
  const middleware: MiddlewareHandler = async (c, next) => {
    if (takesBens || c.req.path !== '/api/chat.postMessage') return next();
    const asked = await c.req.raw.clone().text();
    return asked.includes('D0BEN00001') ? c.json({ ok: false, error: 'user_disabled' }) : next();
  };
  earth = await world({
    service: { tokenLifetime: 30 * day },
    slack: { middleware },
    environment: approvalKeys,
    handsOnStore: true,
  });
  ana = await earth.enters('Ana', 'ana');
  ben = await earth.enters('Ben', 'ben');
  dev = await earth.enters('Dev', 'dev');
});
afterAll(() => earth.close());

const direct = (someone: Someone) => someone.messages('@dolly');
const heard = (someone: Someone, words: string) => direct(someone).filter(({ text }) => text.includes(words));

/** A clone that Ben has made, and Ana’s request for its deletion. */
async function asksForBens(port: number) {
  await ends(earth, await quickClone(earth, ben, port), 'Confirmed');
  return asksToDelete(earth, ana, `/db delete shop-${port}`, `shop-${port}`);
}

async function objects(someone: Someone, words: string): Promise<string> {
  const message = await someone.until(() => heard(someone, words)[0], 'what waits');
  const before = direct(someone).length;
  await someone.presses('Object', { message });
  const answer = await someone.until(() => direct(someone)[before], 'an answer');
  return JSON.stringify(answer.blocks);
}

const callsIn = (card: StoredMessage) => earth.replies(card).filter(({ text }) => text.includes('objects'));

describe('whoever made a clone', () => {
  test('a clone’s holder is named on the card of its deletion, and hears of it before and after', async () => {
    const { own, card } = await asksForBens(3402);
    expect(earth.text(card)).toMatch(/\*?Holder\*?\s*:?\s*ben/);
    await earth.until(() => heard(ben, 'You hold *shop-3402*').length === 1, 'word to Ben');
    expect(heard(ben, 'You hold')[0]?.text).toContain('not needed any more');
    expect(await clicks(dev, card, 'Approve')).toContain('You approved it');
    await ends(earth, own, 'Confirmed');
    await earth.until(() => heard(ben, '*shop-3402*, which you held, is deleted').length === 1, 'the end to Ben');
    await earth.clock.advance(10 * 60_000);
    expect(heard(ben, 'shop-3402').filter(({ text }) => /hold|held/.test(text))).toHaveLength(2);
    for (const other of [ana, dev]) expect(heard(other, 'You hold')).toEqual([]);
  });

  test('only a clone’s holder can object to its deletion, once, and the objection does not stop it', async () => {
    const { own, card } = await asksForBens(3403);
    expect(await objects(ben, 'You hold *shop-3403*')).toContain('I noted your objection on the card');
    await earth.until(() => earth.text(card).includes(`<@${ben.id}>, who holds it, objected at`), 'the line');
    await earth.until(() => callsIn(card).length === 1, 'the call');
    expect(JSON.stringify(callsIn(card))).toContain('<!subteam^S0DBAS0001>');
    expect(JSON.stringify(callsIn(card))).not.toContain(`<@${ben.id}>`);
    expect(await objects(ben, 'You hold *shop-3403*')).toContain('You have already objected');
    await earth.replays('block_actions approval.object');
    await earth.replays('block_actions approval.object', forgedClick({ person: dev.id }));
    await earth.clock.advance(5 * 60_000);
    const said = earth.store().selectFrom('audit').select(['actor', 'event']);
    expect(await said.where('event', '=', 'holder objected').execute()).toEqual([
      { actor: ben.id, event: 'holder objected' },
    ]);
    const refused = said.where('detail', 'like', 'object: Only people who hold%').execute();
    expect((await refused).map(({ actor }) => actor)).toEqual([dev.id]);
    expect(callsIn(card)).toHaveLength(1);
    expect(earth.text(card).split('who holds it, objected')).toHaveLength(2);
    // It stops nothing: the card is the one that was approved.
    expect(await clicks(dev, card, 'Approve')).toContain('You approved it');
    await ends(earth, own, 'Confirmed');
    expect(await objects(ben, 'You hold *shop-3403*')).toContain('It is too late to object');
  });

  test('an approval of a clone’s deletion stays valid when its lease changes hands', async () => {
    await ends(earth, await quickClone(earth, ben, 3404), 'Confirmed');
    expect(textOf(await answerTo(ben, '/db lease shop-3404 3d'))).toContain('shop-3404');
    const { own, card } = await asksToDelete(earth, ana, '/db delete shop-3404', 'shop-3404');
    const id = earth.service.service.estate.databases.values().find(({ name }) => name === 'shop-3404')?.id ?? '';
    await earth.until(() => heard(ben, 'You hold *shop-3404*').length === 1, 'word to Ben');
    const changed = earth.store().updateTable('things').set({ person: ana.id }).where('subject', '=', id);
    expect((await changed.executeTakeFirst()).numUpdatedRows).toBe(1n);
    expect(await clicks(dev, card, 'Approve')).toContain('You approved it');
    await ends(earth, own, 'Confirmed');
  });

  test('a clone’s deletion is not delayed where its holder takes no direct messages', async () => {
    await ends(earth, await quickClone(earth, ben, 3405), 'Confirmed');
    takesBens = false;
    const { own, card } = await asksToDelete(earth, ana, '/db delete shop-3405', 'shop-3405');
    expect(await clicks(dev, card, 'Approve')).toContain('You approved it');
    await ends(earth, own, 'Confirmed');
    expect(heard(ben, 'shop-3405').filter(({ text }) => /hold|held/.test(text))).toEqual([]);
  });
});

test('a clone’s deletion page says who holds the clone', async () => {
  takesBens = true;
  await ends(earth, await quickClone(earth, ben, 3406), 'Confirmed');
  for (const [someone, words] of [
    [ana, 'ben holds it'],
    [ben, 'You hold it'],
  ] as const) {
    await someone.types('#databases', '/db delete shop-3406');
    await someone.until(async () => (await someone.modal()).text.includes(words), words);
  }
});

test('a clone’s holder is told once that it was deleted without approval', async () => {
  const folder = scratchFolder('holders');
  mkdirSync(folder, { recursive: true });
  const file = join(folder, 'policy.yml');
  writeFileSync(file, 'rules: [{ operation: database.delete, decision: allow, title: anybody }]');
  const free = await world({ service: { tokenLifetime: 30 * day }, environment: { POLICY_FILE: file } });
  try {
    const [maker, other] = [await free.enters('Ben', 'ben'), await free.enters('Ana', 'ana')];
    await ends(free, await quickClone(free, maker, 3402), 'Confirmed');
    await ends(free, await asks(free, other, '/db delete shop-3402', { name: 'shop-3402' }), 'Confirmed');
    await maker.until(() => heard(maker, '*shop-3402*, which you held, is deleted')[0], 'word to Ben');
    await free.clock.advance(minute);
    expect(heard(maker, 'which you held')).toHaveLength(1);
    expect(heard(other, 'which you held')).toEqual([]);
  } finally {
    await free.close();
  }
});
