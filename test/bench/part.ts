import { fileURLToPath } from 'node:url';
import type { Pair } from './statistics.ts';

/** What a figure should be: at most or at least `value`, by Dolly's own median or by its ratio to the floor. */
export type Aim = Readonly<{ of: 'dolly' | 'ratio'; bound: 'at most' | 'at least'; value: number }>;

/** An aim that holds up to a value. */
export function atMost(of: Aim['of'], value: number): Aim {
  return { of, bound: 'at most', value };
}

/** An aim that holds from a value on. */
export function atLeast(of: Aim['of'], value: number): Aim {
  return { of, bound: 'at least', value };
}

/** A value of Dolly, beside one of the floor where there is a floor. */
export type Value = Pair | Readonly<{ dolly: number }>;

/**
 * One thing that was measured, once a round. `bare` is the floor that it is compared with: the bare app, or what the name
 * says. A figure that has none has no pairs, only Dolly's values.
 */
export type Figure = Readonly<{
  name: string;
  unit: 'ms' | 's' | '/s' | 'MB' | '%' | '';
  rounds: readonly Value[];
  /** The 95th percentile of all that was measured, where the rounds have medians of many values. */
  p95?: Value;
  aim?: Aim;
  /** Why Dolly misses the aim where it does, as a sentence. */
  cost?: string;
}>;

/** The folder of this repository. */
export const own = fileURLToPath(new URL('../..', import.meta.url));

/** Which Dolly is measured, and how its process runs. */
export type Build = Readonly<{
  /** The folder of its sources; that of this benchmark when left out. */
  root?: string;
  /** Options of Node for the measured apps, such as those of its profiler. */
  nodeOptions: readonly string[];
  /** The core on which alone the measured apps run; any when left out. */
  core?: number;
}>;

/** How a part is run. */
export type Run = Readonly<{
  /** A few seconds in all, to see that it works; the figures are rough. */
  quick: boolean;
  /** Tells how far it is. */
  say(line: string): void;
  build: Build;
}>;

/** The tables of the documentation, in their order. */
export const groups = [
  'Acknowledging requests',
  'Jobs that run',
  'A long history, and long lists',
  'Reading what others write',
  'Start and memory',
  'The store, and several processes',
  'Real MariaDB servers',
] as const;

/** A subject of the benchmark. To add one: a file with a part, and a line in `main.ts`. */
export type Part = Readonly<{
  name: string;
  summary: string;
  group: (typeof groups)[number];
  measure(run: Run): Promise<readonly Figure[]>;
}>;
