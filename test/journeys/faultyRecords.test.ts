import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { day } from '../../src/ground/durations.ts';
import type { Middleware } from '../../src/sandbox/service/application.ts';
import { type Someone, textOf } from '../person.ts';
import { scratchFolder } from '../scratch.ts';
import { type World, world } from '../world.ts';
import { approvalKeys } from './approvals.ts';
import { answerTo } from './asking.ts';
import { crossing } from './crossing.ts';
import { isTold, keepsClone, plain, requestsTo, sleepsUntil } from './keeping.ts';

/*
 * A service that writes a number into the record of one clone which is no JSON. The others are shown; that one is there,
 * and what would destroy anything holds still, until it can be read.
 */

const policy = `leases:
  - title: clones live for days
    longest: 2w
    warn: [1d]
    end: delete
    grace: 1d
`;

const folder = scratchFolder('faulty-records');
const road = crossing();
let earth: World;
let ana: Someone;

beforeAll(async () => {
  const file = join(folder, 'policy.yml');
  writeFileSync(file, policy);
  const environment = { ...approvalKeys, POLICY_FILE: file };
  earth = await world({ environment, service: { tokenLifetime: 900 * day, middleware: road.middleware } });
  ana = await earth.enters('Ana', 'ana');
});
afterAll(async () => {
  await earth.close();
  rmSync(folder, { recursive: true, force: true });
});

/** Writes `Infinity` into each object that has this name. */
const spoils =
  (name: string): Middleware =>
  async (_request, next) => {
    const text = await (await next()).text();
    return new Response(text.replaceAll(`"name":"${name}"`, `"name":"${name}","freeBytes":Infinity`), {
      headers: { 'content-type': 'application/json' },
    });
  };

test('a record that is no valid JSON hides no other, and its clone is not called gone, stopped or deleted', async () => {
  await keepsClone(earth, ana, 3321, 'keepFor=3d');
  const endsAt = earth.clock.now() + 3 * day;
  const { id } = [...earth.service.service.estate.databases.values()].find(one => one.name === 'shop-3321') ?? {
    id: '',
  };
  const places = ['/database/list', `/database/${id}`].map(path => road.meets(path, spoils('shop-3321')));
  await sleepsUntil(earth, endsAt - day);

  const list = plain(textOf(await answerTo(ana, '/db list')));
  expect(list).toContain(id);
  expect(list).not.toContain('shop-3321');
  expect(list).toMatch(/^shop\tRUNNING/m);
  expect(textOf(await answerTo(ana, '/db why delete shop'))).not.toContain('The records show none.');

  await sleepsUntil(earth, endsAt + 2 * day);
  expect(requestsTo(earth, '/service/database/stop')).toBe(0);
  expect(requestsTo(earth, '/service/database/delete')).toBe(0);
  expect(plain(textOf(await answerTo(ana, `/db lease ${id}`)))).not.toMatch(/gone|Nothing is called/);

  for (const place of places) place.leave();
  expect(plain(textOf(await answerTo(ana, '/db list shop-3321')))).toContain('shop-3321');
  await isTold(earth, ana, /shop-3321/);
});
