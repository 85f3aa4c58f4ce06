import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { day, hour, minute } from '../../src/ground/durations.ts';
import { isRecord, type Json, parsed } from '../../src/sandbox/playground/json.ts';
import { type Someone, textOf } from '../person.ts';
import { scratchFolder } from '../scratch.ts';
import { type World, world } from '../world.ts';
import { answerTo } from './asking.ts';
import { sleepsUntil } from './calendarTurns.ts';
import { opensForm, quickClone } from './clones.ts';

/* Snapshots that failed, are being made, have expired, or have a time that is still to come: nobody goes back to them by accident. */

const policy = join(scratchFolder('unfit-snapshots'), 'policy.yml');
let earth: World;
let ana: Someone;
/** What the service shows in each of its live MySQL databases beside the snapshots that it has. */
let others: readonly Json[] = [];
/** The number of its own snapshots that it shows, the newest ones. */
let own = 9;

beforeAll(async () => {
  writeFileSync(policy, 'rules: [{ operation: clone.renew, schedule: allow }]');
  earth = await world({
    environment: { POLICY_FILE: policy },
    service: {
      tokenLifetime: 900 * day,
      async middleware(request, next) {
        const answer = await next();
        if (request.method !== 'GET' || !request.url.includes('/database/')) return answer;
        return Response.json(withOthers(parsed(await answer.text())), { status: answer.status });
      },
    },
  });
  ana = await earth.enters('Ana', 'ana');
});
afterEach(async () => {
  others = [];
  own = 9;
  if (ana.hasModal()) await ana.cancels(true);
  await earth.clock.advance(20_000);
});
afterAll(() => earth.close());

function withOthers(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(withOthers);
  if (!isRecord(node)) return node;
  const inner = Object.fromEntries(Object.entries(node).map(([key, value]) => [key, withOthers(value)]));
  if (!String(node.id).startsWith('MYSQL_LIVE_SERVER-') || !Array.isArray(node.snapshots)) return inner;
  return { ...inner, snapshots: [...others, ...node.snapshots.slice(Math.max(0, node.snapshots.length - own))] };
}

const time = (ago: number) => new Date(earth.clock.now() - ago).toISOString();
const failed = () => ({ id: 'MYSQL_SNAPSHOT-91', name: 'bad', state: 'FAILED', createdAt: time(hour) });
const making = () => ({ id: 'MYSQL_SNAPSHOT-92', name: 'new', state: 'CREATING', createdAt: time(7 * minute) });
const expired = () => ({
  ...{ id: 'MYSQL_SNAPSHOT-93', name: 'old', state: 'AVAILABLE', createdAt: time(2 * hour) },
  expiresAt: time(minute),
});
const toCome = () => ({ id: 'MYSQL_SNAPSHOT-94', name: 'odd', state: 'AVAILABLE', createdAt: '2099-01-01T00:00:00Z' });
const unknown = () => ({ id: 'MYSQL_SNAPSHOT-95', name: 'queer', state: 'MARINATED', createdAt: time(hour) });

const kinds: readonly (readonly [string, () => Json, string, string])[] = [
  ['failed', failed, 'Failed', 'bad, the newest one shown, failed'],
  ['is being made', making, 'Being made', 'new, the newest one shown, is being made'],
  ['has expired', expired, 'Expired', 'old, the newest one shown, has expired'],
  ['is still to come', toCome, 'Its time is in the future', 'odd, the newest one shown, has a time in the future'],
];

/** The form of the restore of orders, and its last page. */
async function restores(line: string): Promise<Readonly<{ form: string; page: string }>> {
  await opensForm(ana, '#databases', line);
  await ana.fills({ objectType: 'The whole server' });
  const form = JSON.stringify(await ana.modal());
  expect(await ana.submits()).toMatchObject({ errors: {}, error: '', open: true });
  await ana.until(async () => (await ana.modal()).text.includes('will be replaced with'), 'the last page');
  return { form, page: (await ana.modal()).text };
}

describe.each(kinds)('a newest snapshot that %s', (_, shown, mark, says) => {
  test('a newest snapshot that cannot be used is not filled into a restore', async () => {
    others = [shown()];
    const { form, page } = await restores('/restore orders');
    expect(form).toContain('MYSQL_SNAPSHOT-4');
    expect(form).not.toContain(String(shown().id));
    expect(page).toContain('will be replaced with orders-2026-11-21T02:00 (MYSQL_SNAPSHOT-4).');
  });

  test('a restore that leaves the snapshot to the service says that the newest one cannot be used', async () => {
    others = [shown()];
    const { form, page } = await restores('/restore orders backUpFirst=false');
    const left = `The service chooses the snapshot, perhaps an older one: ${says}`;
    expect(form).toContain(left);
    expect(page).toContain(left);
    expect(page).toMatch(/\*Up to 7 hours .*: the latest snapshot that can be used is <!date[^|]*\^of /);
  });

  test('a restore from a chosen snapshot that cannot be used is warned of, and not stopped', async () => {
    others = [shown()];
    const { page } = await restores(`/restore orders ${shown().id} backUpFirst=false`);
    expect(page).toMatch(/The snapshot \w+ (failed|is being made|has .*)\. The service may refuse it\./);
    expect(page).not.toContain('Up to');
    expect(page).toContain('What was changed since then will be lost.');
  });

  test('a snapshot that cannot be used stands last in a picker with a mark, and “/db why” names it', async () => {
    others = [shown()];
    await opensForm(ana, '#databases', '/db mount orders');
    expect(JSON.stringify(await ana.modal())).toContain(says);
    const options = await ana.described('snapshot', '');
    expect(options.length).toBe(5);
    expect(options.at(-1)?.[0]).toBe(shown().name);
    expect(options.map(([, about]) => about.startsWith(mark))).toEqual([false, false, false, false, true]);
    await ana.cancels();
    expect(textOf(await answerTo(ana, '/db show orders'))).toMatch(new RegExp(`${shown().id}.*${mark}`, 'i'));
    expect(textOf(await answerTo(ana, '/db why mount orders'))).toContain(says);
    expect(textOf(await answerTo(ana, `/db why mount orders ${shown().id}`))).toContain('the service may refuse it');
  });
});

test('snapshots that can be used come first in a picker, and one in an unknown state word is among them', async () => {
  others = [failed(), making(), expired(), toCome(), unknown()];
  await opensForm(ana, '#databases', '/clone orders targetEnvironment=dev');
  await ana.fills({ snapshot: 'queer' });
  const options = await ana.choices('snapshot', '');
  const at = (name: string) => options.findIndex(text => text.includes(name));
  expect(at('queer')).toBe(0);
  expect(['odd', 'new', 'bad', 'old'].map(at)).toEqual([5, 6, 7, 8]);
});

test('a renewal from the latest snapshot says before any deletion that the newest one is still being made', async () => {
  const card = await quickClone(earth, ana, 3401);
  await earth.until(() => earth.text(card).includes('is ready'), 'the clone');
  others = [making()];
  await earth.clock.advance(20_000);
  await opensForm(ana, '#databases', '/db renew shop-3401');
  expect((await ana.modal()).text).toContain('new, the newest one shown, is being made');
  await ana.submits();
  await ana.until(async () => /after the one before is confirmed/.test((await ana.modal()).text), 'the last page');
  const { text } = await ana.modal();
  expect(text).toContain('from the latest snapshot');
  expect(text).toContain('new, the newest one shown, is being made');
});

test('a renewal may name a failed snapshot, and is refused a deleted one', async () => {
  others = [failed(), { ...unknown(), state: 'DELETED' }];
  const why = async (snapshot: string) => textOf(await answerTo(ana, `/db why renew shop-3401 snapshot=${snapshot}`));
  expect(await why('MYSQL_SNAPSHOT-91')).not.toContain('would be refused');
  expect(await why('MYSQL_SNAPSHOT-95')).toMatch(/no longer shows the snapshot MYSQL_SNAPSHOT-95/);
});

describe('why a renewal names the snapshot that its clone would be made of', () => {
  const why = async (line = '') => {
    await earth.clock.advance(20_000);
    return textOf(await answerTo(ana, `/db why renew shop-3401${line}`));
  };
  const shop = String.raw`shop \(MYSQL_LIVE_SERVER-2\)`;

  test.each<readonly [string, readonly (() => Json)[], number, string, string]>([
    [
      'the latest one',
      [],
      9,
      '',
      String.raw`${shop} has \d+; the latest is used \(none was named\): shop-\S+ \(MYSQL_SNAPSHOT-`,
    ],
    ['the chosen one', [unknown], 9, ' snapshot=MYSQL_SNAPSHOT-95', `${shop} has .*MYSQL_SNAPSHOT-95 is one of them`],
    [
      'the one of its own backup',
      [],
      9,
      ' backUpFirst=true',
      'The backup made first provides the snapshot that is used',
    ],
    ['a newer one of no use', [failed], 9, '', `${shop} has .*perhaps an older one: bad, the newest one shown, failed`],
    [
      'none, since none can be used',
      [failed, expired],
      0,
      '',
      `${shop} has 2, and none can be used now: bad failed, old has expired`,
    ],
    ['none, since there is none', [], 0, '', `${shop} shows none`],
  ])('“/db why” says which snapshot a renewal would use (%s)', async (_, shown, many, line, says) => {
    [others, own] = [shown.map(one => one()), many];
    const answer = await why(line);
    expect(answer).toMatch(new RegExp(String.raw`\*Snapshots\* {2}${says}`));
    expect(answer).not.toContain('The form asks for');
    expect(answer).toMatch(/Environment\* {2}dev \(HOST_ENVIRONMENT-4\) is ENABLED/);
  });
});

test('the only snapshot that can be used is filled into a form', async () => {
  own = 1;
  others = [failed()];
  await opensForm(ana, '#databases', '/db mount orders');
  const form = JSON.stringify(await ana.modal());
  expect(form).toContain('MYSQL_SNAPSHOT-4');
  expect(form).not.toContain('MYSQL_SNAPSHOT-91');
});

test('“/db status” counts only snapshots that can be used, and says “not visible” where there is none', async () => {
  const rowOf = async () => {
    await earth.clock.advance(20_000);
    return textOf(await answerTo(ana, '/db status')).match(/^orders\t.*$/m)?.[0];
  };
  own = 1;
  others = [failed(), making(), expired(), toCome()];
  expect(await rowOf()).toMatch(/\tprotected\t7 h .*ago\t/);
  own = 0;
  expect(await rowOf()).toMatch(/\tnot visible\t/);
});

test('a scheduled renewal names no snapshot where the newest ones cannot be used', async () => {
  others = [making(), failed()];
  const made = await answerTo(ana, '/db schedule renew shop-3401 every=sun at=06:00');
  expect(textOf(made)).toContain('runs every Sunday');
  const writes = earth.writes().length;
  await sleepsUntil(earth, Date.UTC(2026, 10, 22, 6));
  const request = await earth.until(
    () =>
      earth
        .writes()
        .slice(writes)
        .find(({ path }) => path.endsWith('/clone/create')),
    'the clone',
  );
  expect(JSON.stringify(request.body)).not.toContain('SNAPSHOT');
});
