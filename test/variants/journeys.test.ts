import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { hour } from '../../src/ground/durations.ts';
import type { StoredMessage } from '../../src/sandbox/playground/messages.ts';
import { clicks } from '../journeys/approvals.ts';
import { answerTo, asks, comesToAnEnd } from '../journeys/asking.ts';
import { opensForm } from '../journeys/clones.ts';
import { type Someone, textOf } from '../person.ts';
import { few } from '../whole.ts';
import { type World, world } from '../world.ts';
import { flagged } from './flagged.ts';
import { foreign } from './foreign.ts';
import { nested } from './nested.ts';
import { numbered } from './numbered.ts';
import { soft } from './soft.ts';
import { stateless } from './stateless.ts';
import { terse } from './terse.ts';
import { undying } from './undying.ts';
import { type JobName, jobs, speaking, type Variant } from './variant.ts';

const all: readonly Variant[] = [nested, stateless, numbered, soft, undying(), flagged, terse, foreign];
/** Those that differ most; the generator draws what the others do (generated.test.ts). */
const variants = few(all, variant => [nested, foreign].includes(variant));

/** How each journey ended on each variant, for the table at the end. */
const seen = new Map<string, Map<string, string>>();
const monthLong = 30 * 24 * 3_600_000;

const clone = (port: number, mountBase: string, type = 'VIRTUALCLONE') =>
  `/clone shop port=${port} mountBase=${mountBase} cloneType=${type} targetEnvironment=dev ` +
  'install=MYSQL_INSTALL-2 environmentUser=ENVIRONMENT_USER-8';

/** What a person types and fills in. */
const asked: Readonly<Record<JobName, Parameters<typeof asks> extends [World, Someone, ...infer Rest] ? Rest : never>> =
  {
    'virtual clone': [clone(3401, '/mnt/v1'), { fields: {} }],
    'physical clone': [clone(3402, '/mnt/p1', 'PHYSICAL'), { fields: {} }],
    backup: ['/db backup orders'],
    stop: ['/db stop orders-3320'],
    start: ['/db start orders-3320'],
    disable: ['/db disable billing'],
    enable: ['/db enable billing'],
    restore: [
      '/restore inventory backUpFirst=false',
      { fields: { objectType: 'The whole server' }, name: 'inventory' },
    ],
    delete: ['/db delete orders-3321', { name: 'orders-3321' }],
    'failed clone': [clone(3403, '/mnt/failing'), { fields: {} }],
  };

describe.each(variants)('on a service that is $name,', variant => {
  let earth: World;
  let ana: Someone;

  beforeAll(async () => {
    earth = await world({ service: { middleware: speaking(variant), tokenLifetime: monthLong } });
    ana = await earth.enters('Ana', 'ana');
    earth.approver = await earth.enters('Dev', 'dev');
  });
  afterAll(() => earth.close());

  const told = async (line: string) => textOf(await answerTo(ana, line));
  const notes = (journey: string, ending: string) =>
    seen.set(journey, (seen.get(journey) ?? new Map<string, string>()).set(variant.name, ending));
  const claims = (journey: string, work: () => Promise<string | undefined>) => {
    test(`on a service that is ${variant.name}, the journey “${journey}” ends as its records show`, async () => {
      notes(journey, 'WRONG');
      notes(journey, (await work()) ?? 'ok');
    });
  };

  claims('sign-in', async () => {
    await expect(earth.signsIn(ana, '#dev', 'ana', 'a-guess')).rejects.toThrow(
      'the user name or the password is wrong',
    );
    await earth.signsIn(ana, '#dev', 'ana');
    expect(await told('/db whoami')).toMatch(/ana.*accepts it/);
    return undefined;
  });

  claims('list', async () => {
    const text = await told('/db list orders');
    for (const word of variant.list) expect(text).toContain(word);
    expect(await told('/db list')).toContain('21 databases');
    expect(await told('/db env list')).toContain('perf-lab');
    expect(await told('/db user list')).toContain('ana');
    expect(await told('/db project list')).toContain('finance');
    return undefined;
  });

  claims('show', async () => {
    const text = await told('/db show orders');
    for (const word of variant.show) expect(text).toContain(word);
    expect(await told('/db env show dev')).toContain('HOST_ENVIRONMENT-4');
    expect(await told('/db project show finance')).toContain('PROJECT-2');
    return undefined;
  });

  claims('pickers', async () => {
    await opensForm(ana, '#databases', '/clone');
    expect(await ana.choices('sourceDatabase', 'orders')).toContain('orders');
    await ana.fills({ sourceDatabase: 'orders', targetEnvironment: 'dev' });
    expect(await ana.choices('install', '')).toEqual([variant.install]);
    expect((await ana.choices('environmentUser', '')).toSorted()).toEqual(['backup', 'mariadb', 'mysql', 'oracle']);
    const snapshots = await ana.choices('snapshot', '');
    expect(snapshots).toHaveLength(4);
    expect(snapshots.some(label => label.startsWith(variant.snapshot))).toBe(true);
    expect(await ana.choices('project', 'fin')).toEqual(['finance']);
    await ana.cancels();
    return undefined;
  });

  for (const journey of jobs)
    claims(journey, async () => {
      const card = await asks(earth, ana, ...asked[journey]);
      return endsAs(card, ...variant.endings[journey]);
    });

  async function endsAs(card: StoredMessage, word: string, ...words: readonly string[]): Promise<string> {
    const text = await comesToAnEnd(earth, card);
    expect(text).toContain(`· ${word}`);
    for (const one of words) expect(text).toContain(one);
    return word;
  }

  claims('vanished clone', async () => {
    const lost = await asks(earth, ana, clone(3409, '/mnt/vanish'), { fields: {} });
    // Where two differ in something that is shown, nobody takes the other's record for the one that never came.
    const shown = variant.show.includes('3306');
    const made = shown ? await asks(earth, ana, clone(3410, '/mnt/made'), { fields: {} }) : undefined;
    if (made) await endsAs(made, 'Confirmed', 'shop-3410');
    const word = await endsAs(lost, 'Unconfirmed');
    // What it may still make is its own for as long again.
    await earth.clock.leap(2 * hour);
    return word;
  });

  claims('two clones at once', async () => {
    const first = await asks(earth, ana, clone(3411, '/mnt/one'), { fields: {} });
    const second = await asks(earth, ana, clone(3412, '/mnt/two'), { fields: {} });
    const [word] = variant.endings['virtual clone'];
    await endsAs(first, word, 'shop-3411');
    return endsAs(second, word, 'shop-3412');
  });

  claims('refused request', async () => {
    const card = await asks(earth, ana, clone(3405, '/mnt/refuse'), { fields: {} });
    return endsAs(card, 'Failed', 'as the word “refuse” asks');
  });

  claims('refused deletion', async () => {
    const page = () => JSON.stringify(ana.sees().views);
    await ana.types('#databases', '/db delete warehouse');
    await ana.until(() => /will refuse this|"submit":\{/.test(page()), 'the last page');
    const isShut = !page().includes('"submit":{');
    if (isShut) expect(page()).toContain('WHDEV');
    await ana.cancels();
    if (isShut) return 'Failed';
    // Where no record shows what depends on it, the service says so.
    const card = await asks(earth, ana, '/db delete warehouse', { name: 'warehouse' });
    return endsAs(card, 'Failed', 'WHDEV');
  });

  claims('teardown', async () => {
    const before = earth.writes().length;
    const card = await asks(earth, ana, '/db teardown billing', { name: 'billing' });
    await earth.until(() => earth.text(card).includes('Approve…'), 'the buttons');
    expect(earth.text(card)).toMatch(/1\. Deletion of billing-3330.*\n2\. Deletion of billing \(/);
    if (earth.approver) await clicks(earth.approver, card, 'Approve…');
    await earth.until(() => earth.replies(card).length > 0, 'the end');
    const asked = earth
      .writes()
      .slice(before)
      .map(({ path }) => path);
    // Where the first deletion does not end well, the second one is not begun.
    const [word] = variant.endings.delete;
    const isDone = word === 'Confirmed';
    expect(earth.text(card)).toContain(isDone ? 'billing is torn down' : `· ${word}`);
    expect(asked).toHaveLength(isDone ? 2 : 1);
    return word;
  });

  claims('renewal', async () => {
    const before = earth.writes().length;
    const [made] = variant.endings['virtual clone'];
    const [deleted] = variant.endings.delete;
    // Dolly knows how a clone was made if that was confirmed. Else a person types it, and another one approves.
    const isOwn = made === 'Confirmed';
    const words = clone(3401, '/mnt/v1').replace('/clone shop', 'sourceDatabase=shop');
    const card = await asks(earth, ana, `/db renew shop-3401${isOwn ? '' : ` ${words}`}`, { fields: {} });
    if (!isOwn && earth.approver) {
      await earth.until(() => earth.text(card).includes('Approve…'), 'the buttons');
      await clicks(earth.approver, card, 'Approve…');
    }
    await earth.until(() => earth.replies(card).length > 0, 'the end');
    const asked = earth.writes().slice(before);
    const isGone = deleted === 'Confirmed';
    const word = isGone ? made : deleted;
    expect(earth.text(card)).toContain(word === 'Confirmed' ? 'shop-3401 is renewed' : `· ${word}`);
    expect(earth.text(card)).not.toContain('made again');
    expect(asked.map(({ method }) => method)).toEqual(isGone ? ['DELETE', 'POST'] : ['DELETE']);
    if (isGone) expect(asked[1]?.body).toMatchObject({ port: 3401, mountBase: '/mnt/v1', install: 'MYSQL_INSTALL-2' });
    return word;
  });

  claims('restore with the way back', async () => {
    const before = earth.writes().length;
    const whole = { objectType: 'The whole server' };
    // Where snapshots have no time, nobody knows the latest one, to which the restore would go back.
    if (!/\d{4}-\d\d-\d\d/.test(variant.snapshot)) {
      await opensForm(ana, '#databases', '/restore inventory backUpFirst=true');
      await ana.fills(whole);
      const { errors } = await ana.submits();
      expect(Object.values(errors).join()).toContain('Choose the snapshot to go back to');
      await ana.cancels(true);
      expect(earth.writes()).toHaveLength(before);
      return undefined;
    }
    const { databases } = earth.service.service.estate;
    const latest = databases
      .values()
      .find(({ name }) => name === 'inventory')
      ?.snapshots.at(-1)?.id;
    const card = await asks(earth, ana, '/restore inventory', { fields: whole, name: 'inventory' });
    await earth.until(() => earth.replies(card).length > 0, 'the end');
    const [word] = variant.endings.restore;
    const text = earth.text(card);
    expect(text).toContain(word === 'Confirmed' ? 'both steps are confirmed' : `· ${word}`);
    expect(text.includes('Take it back…')).toBe(word === 'Confirmed');
    const [backup, restore, ...others] = earth.writes().slice(before);
    expect([backup?.path, restore?.body, others]).toEqual([
      '/service/database/sync',
      expect.objectContaining({ snapshot: latest }),
      [],
    ]);
    return word;
  });

  claims('expired token', async () => {
    const card = await asks(earth, ana, '/db backup shop');
    earth.service.service.signOut('ana');
    await earth.until(() => /sign in/i.test(earth.text(card)), 'the wish for a sign-in');
    await earth.signsIn(ana, '#dev', 'ana');
    return endsAs(card, ...variant.endings.backup);
  });
});

afterAll(() => {
  const journeys = [...seen].map(([journey, endings]) => [
    journey,
    ...variants.map(({ name }) => endings.get(name) ?? '–'),
  ]);
  const table = [['', ...variants.map(({ name }) => name)], ...journeys];
  const wide = table[0]?.map((_, column) => Math.max(...table.map(row => row[column]?.length ?? 0))) ?? [];
  const lines = table.map(row => row.map((cell, column) => cell.padEnd(wide[column] ?? 0)).join('  '));
  process.stdout.write(`\n${lines.join('\n')}\n`);
});
