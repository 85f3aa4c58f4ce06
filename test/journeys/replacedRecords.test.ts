import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { day, hour } from '../../src/ground/durations.ts';
import type { Middleware } from '../../src/sandbox/service/application.ts';
import type { Someone } from '../person.ts';
import { scratchFolder } from '../scratch.ts';
import { type World, world } from '../world.ts';
import { answerTo } from './asking.ts';

/* Where nobody has to approve, what is harmed is the record that its person was shown, and no other one of its identifier. */

const archive = 'MARIADB_LIVE_SERVER-5';
let folder: string;
let earth: World;
let ana: Someone;
let isAway = false;

beforeEach(async () => {
  isAway = false;
  folder = scratchFolder('replaced-records');
  const file = join(folder, 'policy.yml');
  writeFileSync(file, 'rules:\n  - operation: "*"\n    decision: allow\n');
  const middleware: Middleware = (_, next) =>
    isAway ? Response.json({ message: 'maintenance' }, { status: 503 }) : next();
  earth = await world({ service: { middleware, tokenLifetime: 30 * day }, environment: { POLICY_FILE: file } });
  ana = await earth.enters('Ana', 'ana');
});
afterEach(async () => {
  await earth.close();
  rmSync(folder, { recursive: true, force: true });
});

async function seesPage(line: string): Promise<void> {
  await ana.types('#databases', line);
  await ana.until(() => JSON.stringify(ana.sees().views).includes('"submit":{'), `the page of ${line}`);
}

/** Puts another record in the place of one. */
function replaces(id: string, name: string): void {
  const found = earth.service.service.estate.databases.get(id);
  if (!found) throw new Error(`${id} is not there`);
  earth.service.service.remove(id);
  earth.service.service.add({ ...found, name, createdAt: earth.clock.now() });
}

function messageNow(): string {
  const all = ['#databases', '@dolly'].flatMap(place => ana.messages(place));
  return all.map(({ text }) => text).join('\n');
}

describe('another record under the identifier', () => {
  test('a record that took the identifier of the one on a deletion’s page is not deleted', async () => {
    await seesPage('/db delete archive_2023');
    replaces(archive, 'payroll');
    await ana.fills({ confirm: 'archive_2023' });
    await ana.submits();
    await earth.clock.advance(20_000);
    expect(earth.writes()).toEqual([]);
    expect(messageNow()).toContain(`Another record now has the identifier ${archive}: it was archive_2023`);
    expect(messageNow()).toContain('and is now payroll');
    expect(messageNow()).toContain('Nothing was sent.');
  });

  test('a record that took the target’s identifier while the service was away is not deleted', async () => {
    await seesPage('/db delete archive_2023');
    await ana.fills({ confirm: 'archive_2023' });
    isAway = true;
    await ana.submits();
    await earth.clock.advance(60_000);
    await earth.clock.leap(2 * hour);
    replaces(archive, 'payroll');
    isAway = false;
    await earth.clock.advance(600_000);
    expect(earth.writes().filter(({ status }) => status === 200)).toEqual([]);
    expect(messageNow()).toContain(`Another record now has the identifier ${archive}`);
  });

  test('a teardown sends nothing where another record took the identifier of one in its tree', async () => {
    await seesPage('/db teardown orders');
    replaces('MYSQL_CLONE_SERVER-1', 'payroll-clone');
    await ana.fills({ confirm: 'orders' });
    await ana.submits();
    await earth.clock.advance(20_000);
    expect(earth.writes()).toEqual([]);
    expect(messageNow()).toContain('Another record now has the identifier MYSQL_CLONE_SERVER-1');
  });

  test('a deletion’s page names the record that has the identifier now, and refuses the former one’s name', async () => {
    await answerTo(ana, '/db list archive');
    replaces(archive, 'payroll');
    await seesPage('/db delete archive_2023');
    expect(JSON.stringify(ana.sees().views)).toContain('Delete payroll?');
    await ana.fills({ confirm: 'archive_2023' });
    expect(JSON.stringify(await ana.submits())).toContain('Type payroll exactly as shown here');
    expect(earth.writes()).toEqual([]);
  });
});

describe('the same record', () => {
  test('a deletion whose target is still the same record is sent', async () => {
    await seesPage('/db delete archive_2023');
    await ana.fills({ confirm: 'archive_2023' });
    await ana.submits();
    await earth.clock.advance(20_000);
    expect(earth.writes()).toMatchObject([{ method: 'DELETE', status: 200 }]);
  });

  test('a database that was renamed after its deletion’s page is not deleted, and both names are told', async () => {
    await seesPage('/db delete archive_2023');
    earth.service.service.rename(archive, 'ledger');
    await ana.fills({ confirm: 'archive_2023' });
    await ana.submits();
    await earth.clock.advance(20_000);
    expect(earth.writes()).toEqual([]);
    expect(messageNow()).toContain(`${archive} was archive_2023`);
    expect(messageNow()).toContain('is now ledger');
  });
});
