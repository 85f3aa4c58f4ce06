import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { scratchFolder } from './scratch.ts';

/* npm run records:check, as an operator runs it. */

const program = new URL('../src/checkRecords.ts', import.meta.url).pathname;
const folder = scratchFolder('records');
const file = (name: string, text: string | object) => {
  const path = join(folder, name);
  writeFileSync(path, typeof text === 'string' ? text : JSON.stringify(text));
  return path;
};

type Said = Readonly<{ code: number; out: string; fault: string }>;
function checks(args: readonly string[], mapping?: string): Promise<Said> {
  const env = mapping === undefined ? {} : { RECORDS_FILE: file('records.yml', mapping) };
  return new Promise(done => {
    execFile(process.execPath, [program, ...args], { cwd: folder, env }, (error, out, fault) =>
      done({ code: Number(error?.code ?? 0), out, fault }),
    );
  });
}

const at = '2026-11-21T09:00:00Z';
const orders = {
  ...{
    id: 'MYSQL_LIVE_SERVER-1',
    title: 'orders',
    condition: 'TEAL',
    color: 'blue',
    environment: 'HOST_ENVIRONMENT-2',
  },
  lastProblem: 'connect failed: mysql://root:s3cretword@db/orders',
  job: { id: 7, kindOf: 'BKP', who: 'ana', outcome: 'DUN', from: at, attempt: 2, maxAttempts: 3 },
  points: [{ ref: 'MYSQL_SNAPSHOT-4', made: at }],
  proof: at,
};
const answer = { status: 'SUCCESS', object: [orders, { id: 'MYSQL_LIVE_SERVER-2', name: 'shop', state: 'RUNNING' }] };
const mapping = `
database:
  name: title
  state: condition
  error: lastProblem
  source: nowhere
  reports: [{ at: job, kind: kindOf, person: who, number: id, begin: from, outcome: outcome, attempt: attempt, attempts: maxAttempts }]
  snapshots: { at: points, id: ref, time: made }
  times: { backup: proof }
works: { backup: [BKP] }
outcomes: { failed: [DUN] }
`;

describe('the check of a file with records', () => {
  test('records:check tells what it reads by the mapping, what it guesses, and what it does not understand', async () => {
    const { code, out, fault } = await checks([file('list.json', answer)], mapping);
    expect([code, fault]).toEqual([0, '']);
    const lines = out.split('\n').map(line => line.trim());
    expect(lines).toEqual(
      expect.arrayContaining([
        expect.stringMatching(/list\.json: 2 live databases; with RECORDS_FILE\.$/),
        'MYSQL_LIVE_SERVER-1, a live database',
        'name: orders (by RECORDS_FILE, from title)',
        'state: TEAL, which is not understood (by RECORDS_FILE, from condition)',
        'environment: HOST_ENVIRONMENT-2 (guessed, from environment)',
        'source: none; RECORDS_FILE places it at nowhere, where I found nothing that fits',
        'report at job: BKP, meaning backup; DUN, meaning failed, which is busy; by ana; number 7; from 2026-11-21T09:00:00.000Z; try 2 of 3 (by RECORDS_FILE)',
        'snapshot: MYSQL_SNAPSHOT-4 of 2026-11-21T09:00:00.000Z (by RECORDS_FILE)',
        'time: proof, meaning backup, 2026-11-21T09:00:00.000Z, a time of backup (by RECORDS_FILE)',
        'name: none; RECORDS_FILE places it at title, where I found nothing that fits',
        'States that I did not understand (name them under states, or under works): TEAL 1.',
        expect.stringMatching(/^Values from which nothing is read stand at: .*\bcolor 1/),
      ]),
    );
  });
  test('records:check shows no password', async () => {
    const { out } = await checks([file('list.json', answer)], mapping);
    expect(out).toContain('error: connect failed: mysql://root:•••@db/orders');
    expect(out).not.toContain('s3cretword');
  });
  test('records:check shows nothing that a terminal would obey', async () => {
    const { out } = await checks([file('odd.json', { id: 'USER-1', 'a\u001b[2Jb': '1', name: 'x\u001b[31mred' })]);
    expect(out).toContain('name: x [31mred');
    expect(out).not.toContain('\u001b');
  });
  test('records:check says that it guesses everything without a mapping', async () => {
    const { code, out } = await checks([file('one.json', { id: 'HOST_ENVIRONMENT-1', name: 'dev', state: 'ENABLED' })]);
    expect(code).toBe(0);
    expect(out).toContain('1 environment; no RECORDS_FILE, so all of it is guessed.');
    expect(out).toContain('state: ENABLED, which is ok (guessed, from state)');
  });
  test('records:check tells a few of many records, and counts the states of all', async () => {
    const many = Array.from({ length: 30 }, (_, at) => ({
      id: `MYSQL_LIVE_SERVER-${at + 1}`,
      name: `db${at}`,
      state: 'UP',
    }));
    const { out } = await checks([file('many.json', many)]);
    expect(out).toContain('25 more records are not shown one by one.\nStates: UP (ok) 30.');
  });
  test('records:check reads what it can of an answer that is not JSON, and says so', async () => {
    const faulty =
      '[{"id":"MYSQL_LIVE_SERVER-1","name":"orders"},{"id":"MYSQL_LIVE_SERVER-2","name":"sh"op","size":NaN}]';
    const { code, out } = await checks([file('faulty.json', faulty)]);
    expect(code).toBe(0);
    expect(out).toContain('name: orders (guessed, from name)');
    expect(out).toContain('There are more records than were read: the answer says so, or part of it is not JSON.');
  });
  test('records:check takes the identifier of a record that does not repeat it', async () => {
    const path = file('bare.json', { name: 'orders', state: 'RUNNING' });
    expect(await checks([path])).toMatchObject({
      code: 2,
      fault: expect.stringContaining('add that after the file'),
    });
    expect((await checks([path, 'mysql_live_server-1'])).out).toContain('name: orders (guessed, from name)');
    expect(await checks([path, 'orders'])).toMatchObject({
      code: 2,
      fault: 'orders is not an identifier. One looks like MYSQL_LIVE_SERVER-1.\n',
    });
  });
  test.each<[string, readonly string[], string | undefined, string]>([
    ['no file', [], undefined, 'Name a file with the answer to a GET: npm run records:check answer.json\n'],
    ['a file that is not there', ['nowhere.json'], undefined, 'There is no file at nowhere.json.\n'],
    ['a folder', ['.'], undefined, 'The file at . cannot be read (EISDIR).\n'],
    ['no JSON', [program], undefined, `${program} is not JSON, and I cannot read records from it in spite of that.\n`],
    [
      'a wrong mapping',
      ['nowhere.json'],
      'database: { title: x }',
      'RECORDS_FILE: line 1: database.title: is not a key that I know\n',
    ],
  ])('records:check says in a sentence what is wrong: %s', async (_, args, map, fault) => {
    expect(await checks(args, map)).toEqual({ code: 2, out: '', fault });
  });
});
