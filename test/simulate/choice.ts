import { readFileSync, statSync } from 'node:fs';
import type { z } from 'zod';
import { drawPlan, drawUnfairPlan } from './drawing.ts';
import { keptFiles } from './kept.ts';
import { KeptPlan, Plan } from './plan.ts';

/** What somebody asked for cannot be done. The message says why in one sentence. */
export class Mistake extends Error {}

/** A plan to run, of a seed or a file, and what it must reach if it is a kept one. */
export type Chosen = Readonly<{
  name: string;
  plan: Plan;
  reaches: readonly string[];
  file?: string;
  /** What in the environment chooses it again. */
  again: string;
}>;

export type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Chooses what to run: the plans of a file or of a folder, or so many seeds from one on.
 * @throws Mistake where the environment names none
 */
export function choose({ PLAN, SEED = '1', SEEDS = '1', UNFAIR, DRAWN }: Environment): readonly Chosen[] {
  if (PLAN) return filesOf(PLAN).map(readPlan);
  const [first, many] = [wholeNumber('SEED', SEED), wholeNumber('SEEDS', SEEDS)];
  return Array.from({ length: many }, (_, index) => {
    const seed = String(first + index);
    const [draw, mode] = UNFAIR === '1' ? [drawUnfairPlan, 'UNFAIR=1 '] : [drawPlan, ''];
    const drawn = DRAWN === '1' ? { dialect: seed } : {};
    const again = `${mode}${DRAWN === '1' ? 'DRAWN=1 ' : ''}SEED=${seed}`;
    return { name: seed, plan: { ...draw(seed), ...drawn }, reaches: [], again };
  });
}

/** Reads a number of the environment. @throws Mistake where it is none */
export function wholeNumber(name: string, text: string): number {
  const number = Number(text);
  if (!/^\d+$/.test(text) || !Number.isSafeInteger(number) || number === 0)
    throw new Mistake(`${name} must be a whole number from 1 on, and is ${JSON.stringify(text)}.`);
  return number;
}

function filesOf(path: string): readonly string[] {
  const facts = statSync(path, { throwIfNoEntry: false });
  if (!facts) throw new Mistake(`There is no plan ${path}.`);
  if (!facts.isDirectory()) return [path];
  const files = keptFiles(path);
  if (files.length === 0) throw new Mistake(`No plan is kept in ${path}.`);
  return files;
}

function readPlan(file: string): Chosen {
  const given = parsed(readFileSync(file, 'utf8'));
  const again = `PLAN=${file}`;
  const kept = KeptPlan.safeParse(given);
  if (kept.success) return { name: file, plan: kept.data, reaches: kept.data.reaches, file, again };
  const plan = Plan.safeParse(given);
  if (!plan.success) throw new Mistake(`${file} is no plan: ${firstFault(plan.error)}.`);
  return { name: file, plan: plan.data, reaches: [], file, again };
}

function firstFault({ issues: [first] }: z.ZodError): string {
  return first && first.path.length > 0 ? `${first.path.join('.')} is wrong (${first.message})` : 'it has no fields';
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
