import { expect, it } from 'vitest';
import { waitsIn } from './strace.ts';

it('the count of waits for the disk adds up fsync and fdatasync', () => {
  const summary = [
    '% time     seconds  usecs/call     calls    errors syscall',
    '------ ----------- ----------- --------- --------- ----------------',
    ' 98.20    0.004361         335        13           fdatasync',
    '  1.80    0.000080          80         1         1 fsync',
    '------ ----------- ----------- --------- --------- ----------------',
    '100.00    0.004441         317        14         1 total',
  ].join('\n');
  expect(waitsIn(summary)).toBe(14);
  expect(waitsIn('')).toBe(0);
});
