import { execFileSync } from 'node:child_process';
import { resolve } from 'node:path';
import { expect, test } from 'vitest';
import { readDefects } from './defects.ts';

const root = resolve(import.meta.dirname, '../..');

test.each(readDefects())('The planted defect “$name” fits the code of today', ({ file }) => {
  expect(() => execFileSync('git', ['apply', '--check', file], { cwd: root, stdio: 'pipe' })).not.toThrow();
});
