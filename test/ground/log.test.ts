import { spawnSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { Failure } from '../../src/ground/failure.ts';
import { openLog } from '../../src/ground/log.ts';

test('the log has no stack of a failure to be signed in, and has that of a busy service', () => {
  const lines: string[] = [];
  const log = openLog('info', { write: line => lines.push(line) });
  for (const kind of ['signed-out', 'busy'] as const) log.warn({ error: new Failure(kind, 'Sign in first.') }, 'asked');
  const read = lines.map(line => JSON.parse(line).error);
  expect(read).toMatchObject([{ kind: 'signed-out', message: 'Sign in first.' }, { message: 'Sign in first.' }]);
  expect(read.map(error => typeof error.stack)).toEqual(['undefined', 'string']);
});

test.each([
  ['exits', 'process.exit(0)'],
  ['comes to its end', ''],
  ['throws', 'throw new Error("a defect")'],
  ['rejects', 'await Promise.reject(new Error("a defect"))'],
])('no line of the log is lost where the program %s at once', (_, end) => {
  const { href } = new URL('../../src/ground/log.ts', import.meta.url);
  const program = `const log = (await import(process.argv[1])).openLog('info'); log.info('first'); log.info('last'); ${end};`;
  const { stdout } = spawnSync(process.execPath, ['--input-type=module', '--eval', program, href], {
    encoding: 'utf8',
  });
  expect(stdout.match(/(?<="msg":")\w+/g)).toEqual(['first', 'last']);
});
