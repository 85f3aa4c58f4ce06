import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { nextIdentifier } from '../../src/sandbox/service/estate.ts';
import type { Someone } from '../person.ts';
import { scratchFolder } from '../scratch.ts';
import { type World, world } from '../world.ts';
import { clicks } from './approvals.ts';
import { approvalOf, forgedClick } from './attacking.ts';

/* A request that no message has room for: 250 backups of databases with long names, decided on by pages. */

const folder = scratchFolder('longApproval');
const nameOf = (at: number) => `customer-orders-of-the-european-region-with-a-very-long-name-${at}-eu-west-1`;
let earth: World;
let ana: Someone;
let dev: Someone;

beforeAll(async () => {
  const file = join(folder, 'policy.yml');
  writeFileSync(file, 'rules:\n  - operation: database.backup\n    decision: approve\n');
  earth = await world({ environment: { POLICY_FILE: file } });
  const { estate } = earth.service.service;
  const like = [...estate.databases.values()].find(({ name }) => name === 'shop');
  if (!like) throw new Error('the service has no shop');
  for (let at = 0; at < 250; at++) {
    const id = nextIdentifier(estate, 'MYSQL_LIVE_SERVER');
    estate.databases.set(id, { ...like, id, name: nameOf(at), snapshots: [], facts: {} });
  }
  [ana, dev] = [await earth.enters('Ana', 'ana'), await earth.enters('Dev', 'dev')];
});
afterAll(async () => {
  await earth.close();
  rmSync(folder, { recursive: true, force: true });
});

const page = (who: Someone) => JSON.stringify(who.sees().views.at(-1)?.view ?? {});

test('a request for 250 backups is approved on the last page of one window, which shows all of them', async () => {
  const cards = earth.cards('#databases').length;
  await ana.types('#databases', '/db several customer-orders');
  await ana.until(() => page(ana).includes('"submit":{'), 'the page of the batch');
  const ticked = [...page(ana).matchAll(/"block_id":"(targets-\d+)".*?"options":(\[.*?\])/g)].map(
    ([, block = '', options = '']) =>
      [block, [...options.matchAll(/"text":"(customer[^"]*)"/g)].map(([, text = '']) => text)] as const,
  );
  expect(ticked.flatMap(([, texts]) => texts)).toHaveLength(250);
  await ana.fills({ operation: 'Back up', reason: 'Before the move.', ...Object.fromEntries(ticked) });
  expect(await ana.submits()).toMatchObject({ error: '', errors: {} });
  const card = await earth.until(() => earth.cards('#databases')[cards], 'the card');
  await earth.until(() => earth.text(card).includes('Read all and decide…'), 'the button');
  const text = earth.text(card);
  expect(text).toContain('back up 250 databases* (250 steps)');
  expect(text).toContain('Deny…');
  expect(text).not.toContain('Approve…');
  expect(text).not.toContain('The rest does not fit');

  const writes = earth.writes().length;
  const message = await dev.until(() => dev.messages('#databases').find(({ ts }) => ts === card.ts), 'the card');
  // A card of 0.2.0 still has the button that approves at once: it leads to the pages, too.
  await clicks(dev, card, 'Withdraw');
  const value = approvalOf(earth, card).replace(/,"p":0/, '');
  await earth.replays('block_actions approval', forgedClick({ action: 'approval.approve', value }));
  await dev.until(() => page(dev).includes('Request, 1 of '), 'the first page');
  expect(earth.text(card)).toContain('Read all and decide…');
  await dev.cancels();
  await dev.presses('Read all and decide…', { message });
  await dev.until(() => dev.hasModal(), 'the first page');
  const many = Number(/Request, 1 of (\d)/.exec(page(dev))?.[1]);
  expect(many).toBeGreaterThan(1);
  expect(many).toBeLessThanOrEqual(4);
  const pages = [page(dev)];
  for (let at = 2; at <= many; at++) {
    expect(page(dev)).not.toContain('"submit":{');
    await dev.presses(`Page ${at} of ${many}…`);
    await dev.until(() => page(dev).includes(`Request, ${at} of ${many}`), `page ${at}`);
    pages.push(page(dev));
    expect(dev.sees().views).toHaveLength(1);
  }
  for (let at = 0; at < 250; at++) expect(pages.join()).toContain(`Backup of ${nameOf(at)}`);
  expect(earth.writes()).toHaveLength(writes);
  await dev.submits();
  await earth.until(() => earth.text(card).includes('Approved by'), 'the approval');
  await earth.until(() => earth.writes().length > writes, 'the first backup');
  await ana.presses('Stop the rest', { message: card });
});
