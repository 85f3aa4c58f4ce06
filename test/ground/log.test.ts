import { spawnSync } from 'node:child_process';
import { expect, test } from 'vitest';

test.each([
  ['exits', 'process.exit(0)'],
  ['comes to its end', ''],
  ['throws', 'throw new Error("a defect")'],
  ['rejects', 'await Promise.reject(new Error("a defect"))'],
])('no line of the log is lost where the program %s at once', (_, end) => {
  const { href } = new URL('../../src/ground/log.ts', import.meta.url);
  const program = `import { openLog } from '${href}'; const log = openLog('info'); log.info('first'); log.info('last'); ${end};`;
  const { stdout } = spawnSync(process.execPath, ['--input-type=module', '--eval', program], { encoding: 'utf8' });
  expect(stdout.match(/(?<="msg":")\w+/g)).toEqual(['first', 'last']);
});
