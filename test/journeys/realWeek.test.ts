import { execFile } from 'node:child_process';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect } from 'vitest';
import { day } from '../../src/ground/durations.ts';
import { lacking, openEngine, stateFolder, testOnServers } from '../mariadb.ts';
import type { Someone } from '../person.ts';
import { newPort } from '../sandbox/service/mariadb/newPort.ts';
import { scratchFolder } from '../scratch.ts';
import { type World, world } from '../world.ts';
import { answerTo } from './asking.ts';
import { sleepsUntil } from './calendarTurns.ts';
import { asksForClone } from './clones.ts';

/* A week of a real server: what is scheduled runs by itself on a clock that the test turns, and its data is looked at. */

const folder = scratchFolder('real-week');
let real: ReturnType<typeof stateFolder>;
let earth: World;
let ana: Someone;

beforeAll(async () => {
  if (lacking !== undefined) return;
  real = stateFolder();
  const engines = { MARIADB: await openEngine(real.folder) };
  const policy = join(folder, 'policy.yml');
  writeFileSync(policy, 'rules: [{ operation: clone.renew, schedule: allow }]');
  earth = await world({
    service: { engines, stateDir: real.folder, tokenLifetime: 90 * day },
    environment: { POLICY_FILE: policy },
    // The real servers answer in real time, which an hour of the turned clock does not leave them.
    surroundings: { serviceTimeout: 90 * day },
  });
  ana = await earth.enters('Ana', 'ana');
});
afterAll(async () => {
  await earth?.close();
  real?.remove();
  rmSync(folder, { recursive: true, force: true });
});

/** Waits for something, and lets the real servers take their time whenever they are at work. */
function comes<T>(read: () => T | undefined | false, what: string): Promise<T> {
  return earth.until(async () => {
    while (earth.service.service.jobs().length > 0) await sleep(20);
    return read();
  }, what);
}

const run = promisify(execFile);

/** What a server of the engine answers. `server` is its folder. */
async function sql(server: string, statement: string): Promise<string> {
  const options = `--defaults-file=${join(real.folder, server, 'client.cnf')}`;
  const { stdout } = await run('mariadb', [options, '-BNe', statement]);
  return stdout.trim();
}

const live = join('live', 'webshop');
/** Writes a customer of a day. */
const writes = (server: string, of: string) =>
  sql(
    server,
    `INSERT INTO shop.customers SELECT MAX(id) + 1, '${of}', '${of}@days.example', 'Rome', NOW() FROM shop.customers`,
  );
/** The customers that days have brought. */
const customersIn = (server: string) =>
  sql(server, "SELECT GROUP_CONCAT(name ORDER BY id) FROM shop.customers WHERE email LIKE '%@days.example'");

testOnServers(
  'schedules on a real server back it up each night, and renew its clone on Monday from the last night’s data',
  async () => {
    const says = (words: RegExp, count = 1) => {
      const told = () => earth.cards('#databases').map(card => earth.text(card));
      return comes(() => told().filter(text => words.test(text)).length === count, `${words} ${count} times`);
    };
    const port = await newPort();
    const name = `webshop-${port}`;
    const mount = join(real.folder, 'mounts', 'weekly');
    const fields = { targetEnvironment: 'this-machine', environmentUser: '', install: 'MARIADB' };
    await asksForClone(earth, ana, '#databases', `/clone webshop port=${port} mountBase=${mount}`, fields);
    await says(/is ready/);
    const clone = () => {
      const found = [...earth.service.service.estate.databases.values()].find(one => one.name === name);
      return join('clones', found?.id ?? 'none');
    };
    const first = clone();
    await writes(first, 'Tester');
    expect(await customersIn(first)).toBe('Tester');

    await answerTo(ana, '/db schedule backup webshop every=day at=02:00 zone=Europe/Berlin');
    await answerTo(ana, `/db schedule renew ${name} every=mon at=06:00 zone=Europe/Berlin`);
    await writes(live, 'Saturday');
    await sleepsUntil(earth, Date.parse('2026-11-22T01:00Z'));
    await says(/webshop is backed up/);
    await writes(live, 'Sunday');
    await sleepsUntil(earth, Date.parse('2026-11-23T01:00Z'));
    await says(/webshop is backed up/, 2);
    await writes(live, 'Monday');
    await sleepsUntil(earth, Date.parse('2026-11-23T05:00Z'));
    await says(/is renewed/);

    expect(clone()).not.toBe(first);
    expect(await customersIn(clone())).toBe('Saturday,Sunday');
    expect(await customersIn(live)).toBe('Saturday,Sunday,Monday');
  },
  120_000,
);
