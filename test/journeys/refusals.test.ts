import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { Someone } from '../person.ts';
import { type World, world } from '../world.ts';
import { asks, comesToAnEnd } from './asking.ts';
import { type Crossing, crossing } from './crossing.ts';

/* What the service refuses (spec §3, rules 1 to 3), in its words, with what stands in the way. */

const folder = mkdtempSync(join(tmpdir(), 'dolly-refusals-'));
let earth: World;
let road: Crossing;
let ana: Someone;

beforeAll(async () => {
  road = crossing();
  // Nobody is asked to approve what the records show to be refused; here it is sent, to hear the service's own words.
  const file = join(folder, 'policy.yml');
  writeFileSync(file, 'rules: [{operation: "*.delete", decision: allow}]');
  earth = await world({ service: { middleware: road.middleware }, environment: { POLICY_FILE: file } });
  ana = await earth.enters('Ana', 'ana');
  earth.approver = await earth.enters('Dev', 'dev');
});
afterAll(async () => {
  await earth.close();
  rmSync(folder, { recursive: true });
});

/** Asks for something that is refused, and gives the sentence that people read. */
async function isRefused(line: string, name?: string): Promise<string> {
  const card = await asks(earth, ana, line, name === undefined ? {} : { name });
  const told = await comesToAnEnd(earth, card);
  expect(told).toMatch(/· Failed/);
  expect(told).toContain('Change and ask again');
  return told.split('\n')[1] ?? '';
}

test.each([
  [
    'a database with clones',
    '/db delete orders',
    'orders',
    'The service refused: “MYSQL_LIVE_SERVER-1 has dependent clones: MYSQL_CLONE_SERVER-1 (orders-3320), MYSQL_CLONE_SERVER-2 (orders-3321)”.',
  ],
  [
    'a snapshot with clones',
    '/db snapshot delete MARIADB_SNAPSHOT-2',
    'MARIADB_SNAPSHOT-2',
    'The service refused: “MARIADB_SNAPSHOT-2 is referenced by clones: MARIADB_CLONE_SERVER-1 (billing-3330)”.',
  ],
  [
    'the last snapshot',
    '/db snapshot delete MARIADB_SNAPSHOT-9',
    'MARIADB_SNAPSHOT-9',
    'The service refused: “MARIADB_SNAPSHOT-9 is the last remaining snapshot of MARIADB_LIVE_SERVER-3”.',
  ],
  [
    'an environment with a database on it',
    '/db env delete perf-lab',
    'perf-lab',
    'The service refused: “HOST_ENVIRONMENT-6 holds MYSQL_LIVE_SERVER-4 (loadtest)”.',
  ],
  [
    'a database on an environment that is disabled',
    '/db delete loadtest',
    'loadtest',
    'The service refused: “HOST_ENVIRONMENT-6 (perf-lab) is DISABLED; operations on it wait until it is enabled”.',
  ],
])('the deletion of %s is refused in one sentence, with the service’s words', async (_, line, name, sentence) => {
  expect(await isRefused(line, name)).toBe(sentence);
  expect(earth.writes().at(-1)?.status).toBe(409);
});

test.each<[line: string, words: string, changed?: Parameters<World['service']['service']['change']>]>([
  ['/db backup loadtest', 'perf-lab) is DISABLED'],
  ['/db refresh loadtest', 'perf-lab) is DISABLED'],
  ['/db env refresh perf-lab', 'perf-lab) is DISABLED'],
  [
    '/db stop orders-3321',
    'MYSQL_CLONE_SERVER-2 is STARTING; database/stop needs RUNNING or FAILED',
    ['MYSQL_CLONE_SERVER-2', { state: 'STARTING' }],
  ],
  [
    '/db start CRMTEST',
    'ORACLE_CLONE_DATABASE-2 is a physical clone; database/start is for virtual ones',
    ['ORACLE_CLONE_DATABASE-2', { state: 'STOPPED' }],
  ],
  [
    '/db enable orders',
    'MYSQL_LIVE_SERVER-1 is BACKING_UP; database/enable needs DISABLED or FAILED',
    ['MYSQL_LIVE_SERVER-1', { state: 'BACKING_UP' }],
  ],
])(
  'a request that a record’s state does not allow is refused with the service’s words (%s)',
  async (line, words, changed) => {
    if (changed) earth.service.service.change(...changed);
    const sentence = await isRefused(line);
    expect(sentence).toContain(words);
    expect(sentence).not.toContain('In the records');
  },
);

describe('where the service does not say why', () => {
  const answers: readonly [string, () => Response][] = [
    ['409 without a word', () => new Response(null, { status: 409 })],
    ['400 with a code', () => Response.json({ code: 4711 }, { status: 400 })],
    ['200 with an error', () => Response.json({ objectType: 'ERROR_RESULT', status: 'FAILED' })],
  ];
  const met: { leave(): void }[] = [];
  afterEach(() => {
    for (const meeting of met.splice(0)) meeting.leave();
  });

  test.each(answers)(
    'a refusal that gives no reason (%s) names the dependents that the records show',
    async (_, answer) => {
      met.push(road.meets('/delete', answer));
      expect(await isRefused('/db delete orders', 'orders')).toBe(
        'The service refused. In the records, these depend on it: orders-3320 (MYSQL_CLONE_SERVER-1), orders-3321 (MYSQL_CLONE_SERVER-2).',
      );
      expect(await isRefused('/db snapshot delete ORACLE_SNAPSHOT-2', 'ORACLE_SNAPSHOT-2')).toBe(
        'The service refused. In the records, these depend on it: PAYDEV (ORACLE_CLONE_DATABASE-1).',
      );
      expect(await isRefused('/db env delete retired', 'retired')).toBe('The service refused.');
    },
  );

  test('a refusal is told even where the records cannot be read', async () => {
    met.push(road.meets('/delete', () => new Response(null, { status: 409 })));
    met.push(road.meets('/database/list', () => Response.json({ message: 'no list today' }, { status: 500 })));
    expect(await isRefused('/db env delete HOST_ENVIRONMENT-4', 'HOST_ENVIRONMENT-4')).toBe('The service refused.');
  });
});

test('a deletion that is accepted and then fails in the background tells the reason', async () => {
  const card = await asks(earth, ana, '/db delete failing_feed-3332', { name: 'failing_feed-3332' });
  expect(await comesToAnEnd(earth, card)).toMatch(/Failed[\s\S]*no space left on device/i);
});

test('a person whom the service does not allow an operation is told so in its words', async () => {
  const eve = await earth.enters('Eve', 'eve');
  const card = await asks(earth, eve, '/db project delete finance', { name: 'finance' });
  expect(await comesToAnEnd(earth, card)).toContain(
    'The service does not allow you to do this: “eve (AUDITOR) may not ask for project/delete”.',
  );
});
