import { z } from 'zod';
import { machines, reachable } from './coverage.ts';
import { reachableDoors } from './doors.ts';
import type { Outcome } from './simulation.ts';

/** What many seeds came to. `processor` is the processor time that they took, in milliseconds. */
export const Tally = z.object({
  seeds: z.number(),
  events: z.number(),
  kills: z.number(),
  processor: z.number(),
  /** How to run what found something again. */
  findings: z.array(z.string()),
  covered: z.record(z.string(), z.number()),
});
export type Tally = z.output<typeof Tally>;

/** How often a door should be reached, for each 1,000 seeds. */
const enough = 20;

/** A tally of nothing yet. */
export const emptyTally: Tally = { seeds: 0, events: 0, kills: 0, processor: 0, findings: [], covered: {} };

/** The tally of one run. */
export function tallyOf({ events, kills, covered }: Outcome, processor: number, findings: readonly string[]): Tally {
  return { seeds: 1, events, kills, processor, findings: [...findings], covered: Object.fromEntries(covered) };
}

/** Two tallies as one. */
export function added(one: Tally, other: Tally): Tally {
  const covered = { ...one.covered };
  for (const [what, many] of Object.entries(other.covered)) covered[what] = (covered[what] ?? 0) + many;
  return {
    seeds: one.seeds + other.seeds,
    events: one.events + other.events,
    kills: one.kills + other.kills,
    processor: one.processor + other.processor,
    findings: [...one.findings, ...other.findings],
    covered,
  };
}

/** How often the seeds reached what they can reach, for each 1,000 of them, and what they never reached. */
export function coverageText(tally: Tally): string {
  const rows = Object.keys(tally.covered)
    .sort()
    .map(what => `  ${what}: ${perThousand(tally, what)}`);
  const missed = missedIn(tally);
  return [
    `${tally.seeds} seeds reached, per 1,000:`,
    ...rows,
    missed.length === 0 ? 'All was reached.' : `Never reached: ${missed.join(', ')}.`,
    `Doors reached too seldom: ${rareIn(tally).join(', ') || 'none'}.`,
    `${tally.kills} kills, ${tally.findings.length} findings, ${perMinute(tally)} seeds a minute of a core`,
  ].join('\n');
}

/** The table of the page of figures. */
export function tallyTable(tally: Tally): string {
  const rows: readonly (readonly [string, string])[] = [
    ['seeds', count(tally.seeds)],
    ['events', count(tally.events)],
    ['kills', count(tally.kills)],
    ['steps of jobs that were reached', share(tally, 'step ')],
    ...machines.map(({ name }) => [`steps of each ${name}`, share(tally, `${name}: `)] as const),
    ['points of a kill that were reached', share(tally, 'kill ')],
    ['kinds of faults that met something', share(tally, 'fault ')],
    ['doors that people came through', share(tally, 'door ')],
    [`doors that fewer than ${enough} in 1,000 seeds came through`, rareIn(tally).join(', ') || 'none'],
    ['acts that were taken', share(tally, '')],
    ['never reached', missedIn(tally).join(', ') || 'none'],
    ['findings', count(tally.findings.length)],
    ['seeds a minute of a core', count(perMinute(tally))],
  ];
  return ['| | |', '| --- | --- |', ...rows.map(([what, much]) => `| ${what} | ${much} |`)].join('\n');
}

const count = (number: number) => number.toLocaleString('en-GB');

function perThousand({ seeds, covered }: Tally, what: string): string {
  return count(Math.round(((covered[what] ?? 0) / Math.max(1, seeds)) * 1_000));
}

function perMinute({ seeds, processor }: Tally): number {
  return processor === 0 ? 0 : Math.round((seeds * 60_000) / processor);
}

function missedIn({ covered }: Tally): readonly string[] {
  return reachable().filter(what => !covered[what]);
}

/** The doors that were reached too seldom for what lies behind them to be found. */
function rareIn({ seeds, covered }: Tally): readonly string[] {
  return reachableDoors().filter(door => (covered[door] ?? 0) * 1_000 < enough * seeds);
}

/** How many of the things of a kind were reached. Acts have no word of their own before them. */
function share({ covered }: Tally, kind: string): string {
  const kinds = ['step ', 'kill ', 'fault ', 'door ', ...machines.map(({ name }) => `${name}: `)];
  const isOfIt = (what: string) => (kind === '' ? !kinds.some(one => what.startsWith(one)) : what.startsWith(kind));
  const all = reachable().filter(isOfIt);
  return `${all.filter(what => covered[what]).length} of ${all.length}`;
}
