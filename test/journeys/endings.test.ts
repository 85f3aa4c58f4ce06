import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Someone } from '../person.ts';
import { type World, world } from '../world.ts';
import { asksForClone, ends, opensForm, quickClone, quickLine, refusedClone } from './clones.ts';

let earth: World;
let ana: Someone;
let ben: Someone;

beforeAll(async () => {
  earth = await world();
  ana = await earth.enters('Ana', 'ana');
  ben = await earth.enters('Ben', 'ben');
});
afterAll(() => earth.close());

describe('a clone that fails', () => {
  test('a failed clone is told in the service’s words, in the message and in a reply that mentions the requester', async () => {
    const card = await quickClone(earth, ana, 3401, '/mnt/failing');
    const told = await ends(earth, card, 'Failed');
    expect(told).toContain('no space left on device');
    const [reply] = earth.replies(card);
    expect(earth.text(reply ?? card)).toContain(`<@${ana.id}>`);
    expect(earth.text(reply ?? card)).toContain('no space left on device');
    expect(earth.replies(card)).toHaveLength(1);
  });

  test('a failed Oracle clone shows all lines of the service’s error', async () => {
    const card = await asksForClone(earth, ana, '#databases', '/clone payroll', {
      targetEnvironment: 'dev',
      install: 'ORACLE',
      environmentUser: 'oracle',
      mountBase: '/mnt/ora',
      databaseName: 'FAILPAY',
    });
    const told = await ends(earth, card, 'Failed');
    for (const line of ['ORA-19504', 'ORA-27040', 'No space left']) expect(told).toContain(line);
  });

  test('“Change and ask again” on a failed clone opens its form with its values, and what is changed is sent', async () => {
    const card = await quickClone(earth, ana, 3402, '/mnt/fail-again');
    await ends(earth, card, 'Failed');
    const before = earth.cards('#databases').length;
    await ana.presses('Change and ask again', { message: card });
    await ana.until(() => JSON.stringify(ana.sees().views).includes('/mnt/fail-again'), 'the form with its values');
    const { fields } = await ana.modal();
    for (const value of ['MYSQL_LIVE_SERVER-2', '3402', 'HOST_ENVIRONMENT-4', 'MYSQL_INSTALL-2', 'ENVIRONMENT_USER-8'])
      expect(JSON.stringify(fields)).toContain(value);

    await ana.fills({ mountBase: '/mnt/better', port: 3403 });
    expect(await ana.submits()).toEqual({ errors: {}, error: '', open: false });
    const second = await earth.until(() => earth.cards('#databases')[before], 'a second message');
    expect(await ends(earth, second, 'Confirmed')).toContain('shop-3403');
    expect(earth.text(card)).toContain('Failed');
  });

  test('somebody else can ask again for a failed clone, and gets a job of their own', async () => {
    const card = await quickClone(earth, ana, 3404, '/mnt/fail-for-ana');
    await ends(earth, card, 'Failed');
    const before = earth.cards('#databases').length;
    await ben.presses('Change and ask again', { message: card });
    await ben.until(() => JSON.stringify(ben.sees().views).includes('/mnt/fail-for-ana'), 'the form');
    await ben.fills({ mountBase: '/mnt/works-for-ben', port: 3405 });
    await ben.submits();
    const second = await earth.until(() => earth.cards('#databases')[before], 'a second message');
    expect(await ends(earth, second, 'Confirmed')).toContain('Asked by *ben*');
  });

  test('a clone that the service refuses is told to its requester alone, in the service’s words', async () => {
    const cards = earth.cards('#databases').length;
    const told = await refusedClone(earth, ana, quickLine(3406, '/mnt/refuse'));
    expect(told.text).toContain('as the word “refuse” asks');
    expect([told.onlyFor, earth.cards('#databases').length]).toEqual([ana.id, cards]);
  });
});

describe('a clone of which nothing is seen', () => {
  test('a clone of which nothing is seen ends as unconfirmed, also after a second look on demand', async () => {
    const card = await quickClone(earth, ana, 3411, '/mnt/vanish');
    const told = await ends(earth, card, 'Unconfirmed');
    expect(told).not.toContain('Confirmed');
    expect(earth.writes().filter(({ body }) => JSON.stringify(body).includes('/mnt/vanish'))).toHaveLength(1);

    await ana.presses('Check now', { message: card });
    await earth.until(() => earth.text(card).includes('Running'), 'a second look');
    await earth.until(() => earth.text(card).includes('Unconfirmed'), 'unconfirmed again');
    await earth.until(() => earth.replies(card).length === 2, 'a second reply');
  });

  test('an unconfirmed clone is confirmed after all when a second look finds its record', async () => {
    const card = await quickClone(earth, ana, 3412, '/mnt/vanish-for-a-while');
    await ends(earth, card, 'Unconfirmed');
    const [model] = [...earth.service.service.estate.databases.values()].filter(({ name }) => name === 'shop-3322');
    if (!model) throw new Error('the example has changed');
    earth.service.service.add({
      ...model,
      id: 'MYSQL_CLONE_SERVER-900',
      name: 'late',
      environment: 'HOST_ENVIRONMENT-4',
      port: 3412,
      mountBase: '/mnt/vanish-for-a-while',
      owner: 'ana',
      cloneType: 'VIRTUALCLONE',
      install: 'MYSQL_INSTALL-2',
      environmentUser: 'ENVIRONMENT_USER-8',
    });
    await ana.presses('Check now', { message: card });
    expect(await earth.until(() => earth.text(card).includes('Confirmed') && earth.text(card), 'confirmed')).toContain(
      'late',
    );
    earth.service.service.remove('MYSQL_CLONE_SERVER-900');
  });

  test('“Stop checking” ends a job as unconfirmed', async () => {
    const card = await quickClone(earth, ana, 3413, '/mnt/vanish-stop');
    await earth.until(() => earth.text(card).includes('Running'), 'running');
    await ana.presses('Stop checking', { message: card });
    const told = await ends(earth, card, 'Unconfirmed');
    expect(told).toContain('stop looking');
  });
});

describe('a clone that never ends', () => {
  test('a clone that never gets ready says which state its record is in', async () => {
    const card = await quickClone(earth, ana, 3421, '/mnt/stuck');
    await earth.until(() => earth.text(card).includes('CREATING'), 'its state');
    expect(earth.text(card)).toContain('Running');
    const told = await ends(earth, card, 'Unconfirmed');
    expect(told).toContain('CREATING');
  });

  test('a clone whose record disappears again is told as failed', async () => {
    const card = await quickClone(earth, ana, 3422, '/mnt/stuck-then-gone');
    await earth.until(() => earth.text(card).includes('CREATING'), 'its state');
    const made = [...earth.service.service.estate.databases.values()].find(({ port }) => port === 3422);
    earth.service.service.remove(made?.id ?? '');
    expect(await ends(earth, card, 'Failed')).toContain('gone');
  });
});

test('a form that is cancelled asks for nothing', async () => {
  const before = earth.writes().length;
  const cards = earth.cards('#databases').length;
  await opensForm(ana, '#databases', quickLine(3431));
  await ana.cancels();
  await earth.clock.advance(60_000);
  expect(earth.writes()).toHaveLength(before);
  expect(earth.cards('#databases')).toHaveLength(cards);
});
