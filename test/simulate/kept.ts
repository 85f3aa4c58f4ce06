import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { z } from 'zod';
import type { KeptPlan } from './plan.ts';
import type { Outcome } from './simulation.ts';

/** Where the plans stand that once found something. */
export const keptFolder = new URL('plans', import.meta.url).pathname;

/** Files of the kept plans in a folder, in their order. */
export function keptFiles(folder: string): readonly string[] {
  return readdirSync(folder)
    .filter(file => file.endsWith('.json'))
    .sort()
    .map(file => join(folder, file));
}

/** The plan of a run that found something, as it is kept: with what it reached until then. */
export function keptOf({ plan, deeds, covered }: Outcome, shows: string): z.output<typeof KeptPlan> {
  const acts = deeds.filter(({ isTaken }) => isTaken).map(({ act }) => act.id);
  const faults = new Set(plan.faults.map(({ fault }) => fault));
  const met = [...faults].flatMap(fault => Array<string>(covered.get(`fault ${fault}`) ?? 0).fill(fault));
  return { ...plan, shows, reaches: [...acts, ...met] };
}

/**
 * What a kept plan must reach, and did not: then the code has changed so that the plan shows nothing any more. A name that
 * stands there twice must be reached twice.
 */
export function missedBy({ reaches }: Readonly<{ reaches: readonly string[] }>, outcome: Outcome): readonly string[] {
  const reached = keptOf(outcome, '').reaches;
  return reaches.filter(name => {
    const at = reached.indexOf(name);
    if (at >= 0) reached.splice(at, 1);
    return at < 0;
  });
}

/** Writes a plan that is to be kept. @returns its file */
export function keep(plan: z.output<typeof KeptPlan>, folder = keptFolder): string {
  mkdirSync(folder, { recursive: true });
  const slug = plan.shows.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-');
  const taken = new Set(keptFiles(folder));
  let number = 1;
  const file = () => join(folder, `${slug}-${number}.json`);
  while (taken.has(file())) number += 1;
  writeFileSync(file(), textOf(plan));
  return file();
}

/** A plan as JSON, an act and a fault a line. */
export function textOf({ acts, faults, ...rest }: Omit<z.output<typeof KeptPlan>, 'shows' | 'reaches'>): string {
  const lines = (parts: readonly unknown[]) => parts.map(part => `\n    ${JSON.stringify(part)}`).join(',');
  const head = Object.entries(rest).map(([name, value]) => `\n  ${JSON.stringify(name)}: ${JSON.stringify(value)},`);
  return `{${head.join('')}\n  "acts": [${lines(acts)}\n  ],\n  "faults": [${lines(faults)}\n  ]\n}\n`;
}
