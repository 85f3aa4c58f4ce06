import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { parse } from 'yaml';
import type { Noun } from '../../src/api/identifiers.ts';
import { readList } from '../../src/api/reading/recordList.ts';
import { Mapping } from '../../src/api/reading/recordMapping.ts';
import { comparableFacts } from '../../src/jobs/mapping/draftMapping.ts';
import type { Middleware } from '../../src/sandbox/service/application.ts';
import type { Someone } from '../person.ts';
import { senderTo } from '../sandbox/service/client.ts';
import { scratchFolder } from '../scratch.ts';
import { type World, world } from '../world.ts';

/* The doctor drafts a first RECORDS_FILE out of what the sign-in of whoever approves sees. */

const secret = 's3cretword';
/** Records that tell some more: of work, with a password, under the name of a person, and in a word with marks. */
const tellsMore: Middleware = async (request, next) => {
  const answer = await next(request);
  if (request.method !== 'GET' || !answer.headers.get('content-type')?.includes('json')) return answer;
  const job = JSON.stringify({
    what: 'x',
    kind: 'SNAP_BACKUP',
    status: 'FINE',
    startedAt: '2026-11-21T08:00:00Z',
    user: 'chi',
  });
  const more = `"lastJob":${job},"orders":{"note":"password=${secret}"},"lastBackupAt":"2026-11-21T08:00:00Z",`;
  const text = (await answer.text())
    .replaceAll(/"id":"(MYSQL_LIVE_SERVER-\d+)",/g, (id: string) => `${id}${more}`)
    .replace('"state":"RUNNING"', '"state":"<!channel> ```"');
  return new Response(text, { status: answer.status, headers: { 'content-type': 'application/json' } });
};

let earth: World;
let ben: Someone;
let dev: Someone;

beforeAll(async () => {
  earth = await world({ environment: { APPROVERS: 'U0DEV00001' }, service: { middleware: tellsMore } });
  ben = await earth.enters('Ben', 'ben');
  dev = await earth.enters('Dev', 'dev');
});
afterAll(() => earth.close());

/** What comes newly to somebody, and has the words. */
async function newly(someone: Someone, words: string, act: () => Promise<unknown>) {
  const before = someone.messages('#databases').length;
  await act();
  const found = () =>
    someone
      .messages('#databases')
      .slice(before)
      .find(({ text }) => text.includes(words));
  return earth.until(found, words);
}

const doctor = (someone: Someone) =>
  newly(someone, 'What I understand of', () => someone.types('#databases', '/db doctor'));

/** The text of the draft, as it stands in the message. */
async function drafts(): Promise<string> {
  const offer = await doctor(dev);
  const told = await newly(dev, 'Nothing here takes effect', () =>
    dev.presses('Draft a records file', { message: offer }),
  );
  expect(told.onlyFor).toBe(dev.id);
  return [...told.text.matchAll(/```\n([\s\S]*?)\n```/g)].map(([, page = '']) => page).join('\n');
}

let draft = '';

test('an approver has Dolly draft a records file, with what each line rests on', async () => {
  draft = await drafts();
  expect(draft).toMatch(/^ {2}name: name +# in 21 of 21 records$/m);
  expect(draft).toMatch(/^ {4}- at: lastJob$/m);
  expect(draft).toMatch(/^ {4}backup: lastBackupAt/m);
  expect(draft).toMatch(/^ {2}stopped: \[STOPPED\] +# seen: STOPPED \d+/m);
  expect(draft).toMatch(/^ {2}backup: \[SNAP_BACKUP\] +# seen: SNAP_BACKUP \d+$/m);
});

test('a drafted records file has no password, no name of a record or person, and no mention', () => {
  for (const word of [secret, 'orders', 'chi', '<!channel>', '&lt;!channel']) expect(draft).not.toContain(word);
});

test('a drafted records file that is used as RECORDS_FILE reads the same records alike', async () => {
  const mapping = Mapping.parse(parse(draft));
  const { body } = await senderTo(earth.service.url)('POST /user/user/token', {
    username: 'dev',
    password: 'dev-password',
  });
  const token = /"token":"([^"]+)"/.exec(JSON.stringify(body))?.[1];
  const kinds: readonly (readonly [string, readonly Noun[]])[] = [
    ['database', ['live', 'clone']],
    ['environment', ['environment']],
    ['user', ['user']],
    ['project', ['project']],
  ];
  for (const [path, nouns] of kinds) {
    const { body: list } = await senderTo(earth.service.url, token)(`GET /${path}/list`);
    const [guessed, told] = [readList(list, nouns).records, readList(list, nouns, mapping).records];
    expect(guessed.length).toBeGreaterThan(3);
    expect(told.map(comparableFacts)).toEqual(guessed.map(comparableFacts));
  }
  const file = join(scratchFolder('draft'), 'records.yml');
  writeFileSync(file, draft);
  await earth.restart({ RECORDS_FILE: file });
  expect(parse(await drafts())).toEqual(parse(draft));
});

test('a records file is drafted for approvers alone, and a forged click of somebody else is refused', async () => {
  const told = await doctor(ben);
  expect(JSON.stringify(told)).not.toContain('Draft a records file');
  await drafts();
  const forged = () => earth.replays('block_actions records.draft', payload => payload.replaceAll(dev.id, ben.id));
  await newly(dev, 'Only approvers can have this drafted', forged);
});
