import { describe, expect, test } from 'vitest';
import { afterPattern, firstPortNotIn, nextFreeName } from '../../../src/operations/prefill/nextFree.ts';

describe('the next free', () => {
  test.each([
    [3310, [], 3310],
    [3310, [3310, 3311], 3312],
    [3310, [3309, 3311], 3310],
    [0, [1], 2],
    [65_535, [65_535], undefined],
  ])('the next free port from %i on, of which %j are taken, is %s', (from, taken, free) => {
    expect(firstPortNotIn(from, new Set(taken))).toBe(free);
  });

  test.each([
    ['QA06', [], '', 'QA06'],
    ['QA06', ['qa06', 'QA07'], '', 'QA08'],
    ['QA99', ['QA99'], '', 'QA100'],
    ['PAYDEV', ['PAYDEV'], '', 'PAYDEV2'],
    ['PAYDEV', ['PAYDEV', 'PAYDEV2'], '', 'PAYDEV3'],
    ['/mnt/ben', ['/mnt/ben'], '-', '/mnt/ben-2'],
  ])('the next free name after %s, of which %j are taken, with the gap %j, is %s', (name, taken, gap, free) => {
    expect(nextFreeName(name, taken, gap)).toBe(free);
  });
});

describe('a text after the pattern of another', () => {
  test.each([
    ['/mnt/shop-3310', { port: '3310' }, { port: '3311' }, '/mnt/shop-3311'],
    ['/mnt/33101/3310', { port: '3310' }, { port: '7' }, '/mnt/33101/7'],
    ['/mnt/33101', { port: '3310' }, { port: '7' }, '/mnt/33101'],
    ['/mnt/orders-3310', { port: '3310', source: 'orders' }, { port: '3311', source: 'shop' }, '/mnt/shop-3311'],
    ['/mnt/reorders', { source: 'orders' }, { source: 'shop' }, '/mnt/reorders'],
    ['/mnt/QAPAY1', { name: 'QAPAY1' }, { name: 'QAPAY2' }, '/mnt/QAPAY2'],
    ['qapay1', { name: 'QAPAY1' }, { name: 'QAPAY2' }, 'qapay2'],
    ['QAPAY1_DEV', { name: 'QAPAY1' }, { name: 'QAPAY2' }, 'QAPAY2_DEV'],
    ['/mnt/clones', { port: '3310', name: 'x' }, { port: '3311' }, '/mnt/clones'],
    ['/mnt/shop-3310', { port: '3310' }, {}, undefined],
    ['/mnt/shop-3310', { port: '' }, { port: '3311' }, '/mnt/shop-3310'],
  ])('a text after the pattern of %s, where %j becomes %j, is %s', (text, was, is, made) => {
    expect(afterPattern(text, was, is)).toBe(made);
  });
});
