import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { StoredMessage } from '../../src/sandbox/playground/messages.ts';
import type { Someone } from '../person.ts';
import { type World, world } from '../world.ts';
import { confirms } from './asking.ts';
import { opensForm, quickClone } from './clones.ts';

/* Renewals: the same clone from newer data, as people ask for it. */

let earth: World;
let ana: Someone;

beforeAll(async () => {
  earth = await world({ service: { tokenLifetime: 30 * 24 * 3_600_000 } });
  ana = await earth.enters('Ana', 'ana');
});
afterAll(() => earth.close());

/** The writes that the service received since, each in a few words. */
const writesSince = (from: number) =>
  earth
    .writes()
    .slice(from)
    .map(({ method, path, query, body }) => `${method} ${path} ${JSON.stringify(body ?? query)}`);

async function says(card: StoredMessage, words: RegExp): Promise<string> {
  await earth.until(() => words.test(earth.text(card)), `${words}; the message says: ${earth.text(card)}`);
  return earth.text(card);
}

describe('a clone is renewed by whoever made it', () => {
  test('alone, with what its record and Dolly\u2019s own job show', async () => {
    await says(await quickClone(earth, ana, 3401), /is ready/);
    const before = earth.writes().length;
    const cards = earth.cards('#databases').length;
    await opensForm(ana, '#databases', '/db renew shop-3401');
    console.log((await ana.modal()).text, JSON.stringify((await ana.modal()).fields));
    await ana.submits();
    console.log((await ana.modal()).text, JSON.stringify((await ana.modal()).fields));
    await confirms(ana);
    const card = await earth.until(() => earth.cards('#databases')[cards], 'the message of the plan');
    console.log(await says(card, /is renewed/));
    console.log(writesSince(before));
    expect(earth.replies(card)).toHaveLength(1);
  });
});
