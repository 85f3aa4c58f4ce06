import { describe, expect, it } from 'vitest';
import type { Aim, Figure } from './part.ts';
import { machineLine, resultOf, section, table } from './report.ts';

const figure = (aim?: Aim): Figure => ({
  name: 'ack',
  unit: 'ms',
  rounds: [
    { bare: 1, dolly: 1.1 },
    { bare: 2, dolly: 2.6 },
    { bare: 10, dolly: 12 },
  ],
  ...(aim ? { aim } : {}),
});

describe('resultOf', () => {
  it('a benchmark’s result takes the median of the rounds’ ratios', () => {
    const { bare, dolly, ratio } = resultOf(figure());
    expect({ bare, dolly }).toEqual({ bare: 2, dolly: 2.6 });
    expect(ratio?.median).toBeCloseTo(1.2);
    expect(ratio?.lowest).toBeCloseTo(1.1);
    expect(ratio?.highest).toBeCloseTo(1.3);
  });
  it('a benchmark’s result compares a ratio with its aim, from below or from above', () => {
    expect(resultOf(figure({ of: 'ratio', bound: 'at most', value: 1.25 })).met).toBe(true);
    expect(resultOf(figure({ of: 'ratio', bound: 'at most', value: 1.15 })).met).toBe(false);
    expect(resultOf(figure({ of: 'ratio', bound: 'at least', value: 1.15 })).met).toBe(true);
    expect(resultOf(figure({ of: 'ratio', bound: 'at least', value: 1.25 })).met).toBe(false);
  });
  it('a benchmark’s result compares Dolly’s own median with an aim of its own', () => {
    expect(resultOf(figure({ of: 'dolly', bound: 'at most', value: 2.6 })).met).toBe(true);
    expect(resultOf(figure({ of: 'dolly', bound: 'at most', value: 2.5 })).met).toBe(false);
  });
  it('a benchmark’s result has no verdict without an aim, and no ratio without a bare app', () => {
    const alone = resultOf({ name: 'lag', unit: 's', rounds: [{ dolly: 3 }, { dolly: 4 }] });
    expect(alone).toMatchObject({ name: 'lag', dolly: 3.5 });
    expect(alone).not.toHaveProperty('met');
    expect(alone).not.toHaveProperty('ratio');
  });
  it('a benchmark’s result keeps the rounds', () => {
    expect(resultOf(figure()).rounds).toEqual(figure().rounds);
  });
});

describe('table', () => {
  const results = [
    resultOf({
      ...figure({ of: 'ratio', bound: 'at most', value: 1.15 }),
      p95: { bare: 3, dolly: 4 },
      cost: 'Dolly writes more.',
    }),
    resultOf({ name: 'start', unit: 's', rounds: [{ dolly: 0.5 }], aim: { of: 'dolly', bound: 'at most', value: 1 } }),
  ];
  const cellsOf = (text: string) => text.split('\n').map(line => line.split('|').map(cell => cell.trim()));
  it('the benchmark’s table has a line for each figure, with its p95, ratio, aim and verdict', () => {
    const cells = cellsOf(table(results));
    const ack = ['', 'ack', '2.00 ms', '3.00 ms', '2.60 ms', '4.00 ms', '1.20 (1.10–1.30)', '≤ 1.15 ×', 'missed', ''];
    expect(cells[2]).toEqual(ack);
    expect(cells[3]).toEqual(['', 'start', '', '', '0.500 s', '', '', '≤ 1 s', 'met', '']);
  });
  it('the benchmark’s table is as wide in every line', () => {
    expect(
      new Set(
        table(results)
          .split('\n')
          .map(line => line.length),
      ).size,
    ).toBe(1);
  });
  it('the documentation of the benchmark says why an aim is missed, and nothing of those met', () => {
    const [shown = '', reasons] = section(results).split('\n\n');
    expect(cellsOf(shown).map(([, name]) => name)).toEqual(['', '---', 'ack', 'start']);
    expect(reasons).toBe('- Missed: ack. Dolly writes more.');
  });
});

it('the benchmark’s line on its machine names the machine and the day', () => {
  const machine = { cpu: 'Chip', cores: 2, memory: 8, system: 'linux 6 x64', node: '24.0.0', load: 0.1 };
  expect(machineLine(machine, new Date('2026-11-21T09:00:00Z'))).toBe(
    'Chip, 2 cores, 8 GB, linux 6 x64, Node 24.0.0, load 0.1, 2026-11-21',
  );
});
