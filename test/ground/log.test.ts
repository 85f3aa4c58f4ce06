import { spawnSync } from 'node:child_process';
import { expect, test } from 'vitest';

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
