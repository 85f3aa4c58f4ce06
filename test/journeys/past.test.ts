import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { day } from '../../src/ground/durations.ts';
import { type Someone, textOf } from '../person.ts';
import { type World, world } from '../world.ts';
import { approvalKeys, asksToDelete, clicks } from './approvals.ts';
import { answerTo, asks } from './asking.ts';
import { ends, quickClone } from './clones.ts';

/* What became of a record that is there no more, and who may read it. */

let earth: World;
let ana: Someone;
let ben: Someone;
let dev: Someone;
let eve: Someone;

beforeAll(async () => {
  earth = await world({ service: { tokenLifetime: 30 * day }, environment: approvalKeys, handsOnStore: true });
  ana = await earth.enters('Ana', 'ana');
  ben = await earth.enters('Ben', 'ben');
  dev = await earth.enters('Dev', 'dev');
  eve = await earth.enters('Eve', 'eve');
  await ends(earth, await quickClone(earth, ben, 3402), 'Confirmed');
  const { own, card } = await asksToDelete(earth, ana, '/db delete shop-3402', 'shop-3402');
  await clicks(dev, card, 'Approve');
  await ends(earth, own, 'Confirmed');
});
afterAll(() => earth.close());

const told = async (someone: Someone, line: string, channel = '#databases') =>
  textOf(await answerTo(someone, line, channel));
const wholeChapter = () => [
  /shop-3402\* \(`MYSQL_CLONE_SERVER-\d+`\) .*was deleted/,
  new RegExp(`<@${ana.id}> asked for it, <@${dev.id}> approved it`),
  new RegExp(`<@${ben.id}> made and held it`),
  /not needed any more/,
];

describe('of a clone that is gone', () => {
  test.each(['/db show shop-3402', '/db history SHOP-3402', '/db who deleted shop-3402?', '/db who made shop-3402'])(
    '“%s” tells who made a clone that is gone, and who asked for its deletion and approved it',
    async line => {
      const answer = await told(ben, line);
      for (const words of wholeChapter()) expect(answer).toMatch(words);
    },
  );

  test('the past of a clone that is gone is found by its identifier, and by a mention of Dolly', async () => {
    const id = /MYSQL_CLONE_SERVER-\d+/.exec(await told(ben, '/db history shop-3402'))?.[0] ?? '';
    for (const line of [`/db show ${id}`, `/db history ${id}`, `/db who deleted ${id}`])
      expect(await told(ben, line)).toMatch(/was deleted/);
    expect(await told(ben, '@Dolly who deleted shop-3402')).toMatch(/was deleted/);
  });

  test('a person with no part in a deleted clone’s past reads it only in the channel of its message', async () => {
    expect(await told(eve, '/db history shop-3402')).toMatch(/was deleted/);
    for (const name of ['shop-3402', 'never-there']) {
      const answer = await told(eve, `/db who deleted ${name}`, '#dev');
      expect(answer).toContain(`I know nothing about \`${name}\` that you may see. I show a record’s past to those`);
    }
    expect(await told(eve, '/db show shop-3402', '#dev')).toContain('Nothing is called');
    expect(await told(dev, '/db show shop-3402', '#dev')).toMatch(/was deleted/);
    expect(await told(ben, '/db show shop-3402', '#dev')).toMatch(/was deleted/);
  });

  test('the past of a clone that is gone is told from the audit trail once its jobs are no longer kept', async () => {
    const jobs = await earth.store().selectFrom('jobs').selectAll().execute();
    const claims = await earth.store().selectFrom('claims').selectAll().execute();
    await earth.store().deleteFrom('claims').execute();
    await earth.store().deleteFrom('jobs').execute();
    const answer = await told(ben, '/db history shop-3402');
    for (const words of wholeChapter().slice(0, 2)) expect(answer).toMatch(words);
    expect(answer).toMatch(new RegExp(`<@${ben.id}> made (and held )?it`));
    await earth.store().insertInto('jobs').values(jobs).execute();
    await earth.store().insertInto('claims').values(claims).execute();
  });
});

test('“/db history” tells what was done last with a record that is there, and who asked for it', async () => {
  await ends(earth, await asks(earth, ana, '/db backup orders'), 'Confirmed');
  const answer = await told(ana, '/db history orders');
  expect(answer).toMatch(/orders\* \(`[A-Z_]+-\d+`\): .*confirmed /);
  expect(answer).toContain(`<@${ana.id}> asked for it`);
});

describe('/db jobs', () => {
  test('“/db jobs” lists the jobs of a state, a person, a record or a day', async () => {
    expect(await told(ben, '/db jobs')).toContain('Your latest jobs');
    expect(await told(ana, '/db jobs state=confirmed day=today')).toMatch(/Backup of orders|Deletion of shop-3402/);
    expect(await told(ana, '/db jobs state=failed')).toContain('There are no jobs in the state `failed`');
    const ofRecord = await told(ben, '/db jobs shop-3402');
    expect(ofRecord).toMatch(/Deletion of shop-3402/);
    expect(ofRecord).toMatch(/Virtual clone of shop/);
    expect(ofRecord).toContain(`<@${ana.id}>`);
    expect(await told(dev, `/db jobs by=<@${ben.id}>`)).toMatch(/by <@U0BEN00001>/);
    expect(await told(dev, '/db jobs by=anyone', '#dev')).toMatch(/of the last 30 days[\s\S]*Deletion of shop-3402/);
  });

  test('“/db jobs by=anyone” shows people who do not approve only the jobs of the channel', async () => {
    expect(await told(eve, '/db jobs by=anyone')).toMatch(/this channel[\s\S]*Deletion of shop-3402/);
    expect(await told(eve, '/db jobs by=anyone', '#dev')).toContain('There are no jobs by anyone');
    expect(await told(eve, '/db jobs shop-3402', '#dev')).toContain('There are no jobs of');
    expect(await told(eve, `/db jobs by=<@${ana.id}>`, '#dev')).toContain('There are no jobs by');
  });

  test.each([
    ['state=odd', 'I do not know state=odd. Use one of: open, waiting'],
    ['day=someday', 'I cannot read day=someday'],
    ['day=2026-13-45', 'I cannot read day=2026-13-45'],
    ['by=', 'Say by whom'],
  ])('“/db jobs %s” is answered with a sentence that says what to write', async (words, sentence) => {
    expect(await told(ana, `/db jobs ${words}`)).toContain(sentence);
  });
});
