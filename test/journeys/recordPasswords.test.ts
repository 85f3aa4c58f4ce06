import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Message } from '../../src/sandbox/playground/protocol.ts';
import { type Someone, textOf } from '../person.ts';
import { type World, world } from '../world.ts';
import { answerTo, asks, comesToAnEnd } from './asking.ts';
import { opensForm, quickClone } from './clones.ts';

/** Passwords of databases in every place where a record may show one: each holds `S3crt`. */
const id = 'MYSQL_LIVE_SERVER-2';
/** A clone of that one, which nothing depends on: its deletion may be asked for. */
const clone = 'MYSQL_CLONE_SERVER-3';
const facts = {
  connection: 'jdbc:mysql://db:3306/shop?user=app&password=S3crt-1&ssl=true',
  host: 'mysql://app:S3crt-2@db.example.com/shop',
  connectPassword: 'S3crt-3',
  description: 'Oracle side: scott/S3crt-4@ora-prod',
  comment: 'Server=db;Uid=app;Pwd=S3crt-5;',
};
const error = 'No login with password: S3crt-6';

let earth: World;
let ana: Someone;
let dev: Someone;

beforeAll(async () => {
  earth = await world();
  const { change, rename } = earth.service.service;
  change(id, { facts, error });
  change(clone, { facts, error });
  rename('HOST_ENVIRONMENT-3', 'mysql://root:S3crt-7@mariadb-prod');
  ana = await earth.enters('Ana', 'ana');
  dev = await earth.enters('Dev', 'dev');
  earth.approver = dev;
});
afterAll(() => earth.close());

let shown: Message | undefined;

test('“/db show” shows passwords that stand in a record, to the person alone', async () => {
  shown = await answerTo(ana, `/db show ${id}`);
  for (const value of Object.values(facts)) expect(textOf(shown).replaceAll('&amp;', '&')).toContain(value);
  expect(textOf(shown)).toContain('S3crt-6');
  expect(shown.onlyFor).toBe(ana.id);
});

test('lists, cards, forms and approvals mask the passwords that stand in records', async () => {
  const masked = [
    textOf(await answerTo(ana, '/db list')),
    textOf(await answerTo(ana, '/db env list')),
    textOf(await answerTo(ana, '/db doctor')),
    textOf(await answerTo(ana, `/db why backup ${id}`)),
  ];
  const backup = await asks(earth, ana, `/db backup ${id}`);
  await comesToAnEnd(earth, backup);
  await comesToAnEnd(earth, await quickClone(earth, ana, 3_401));
  await opensForm(ana, '#databases', '/clone');
  masked.push((await ana.choices('targetEnvironment', '')).join(' '));
  await ana.cancels();
  await ana.types('#databases', `/db delete ${clone}`);
  await ana.until(() => JSON.stringify(ana.sees().views).includes('"confirm"'), 'the last page');
  const asked = /Type ([\s\S]*?) to confirm/.exec((await ana.modal()).text)?.[1];
  await ana.fills({ confirm: asked ?? '', reason: 'It is not needed; password=S3crt-8 no longer works.' });
  await ana.submits();
  await earth.until(
    () => earth.cards('#databases').some(card => earth.text(card).includes('asks to *delete')),
    'the approval card',
  );
  await dev.types('#databases', '/db approvals');
  await dev.reads('#databases', 'waits for your approval');
  const everything = [
    ...masked,
    JSON.stringify(ana.sees().views),
    ...earth.playground.slack.workspace.channels.flatMap(channel =>
      earth.playground.slack
        .messages(channel.id)
        .filter(({ ts }) => ts !== shown?.ts)
        .map(textOf),
    ),
  ];
  for (const text of everything) expect(/.{60}S3crt.{10}/.exec(text)?.[0]).toBeUndefined();
  expect(everything.join('')).toContain('•••');
});
