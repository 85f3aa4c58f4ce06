import type { FieldValue, WriteOperation } from '../operation.ts';

/*
 * A plan is several requests that are asked for at once. Each step is begun when the one before is confirmed. A job that
 * has steps is a plan; each step becomes a job of its own at its turn (jobs/plans).
 */

/**
 * A value that an earlier step brings: the new snapshot of a backup, or the new record of a clone. `step` is the index
 * of that step, from 0.
 */
export type Brought = Readonly<{ step: number; brings: 'snapshot' | 'record' }>;

/** One step of a plan. */
export type PlanStep = Readonly<{
  /** The name of a write operation. */
  operation: string;
  /** The checked values by field name, with that of the target's field. */
  values: Readonly<Record<string, FieldValue | Brought>>;
  /** The names of the identifiers among the values, as people know them. */
  labels: Readonly<Record<string, string>>;
  /** The value of the operation's target field. */
  target: string | Brought;
  targetName: string | null;
}>;

/** The steps of a plan, or the field that keeps it from being made, with the reason. */
export type PlannedSteps =
  | Readonly<{ ok: true; steps: readonly PlanStep[] }>
  | Readonly<{ ok: false; field: string; sentence: string }>;

/** Says which field keeps a plan from being made, and why. */
export function keptBy(field: string, sentence: string): PlannedSteps {
  return { ok: false, field, sentence };
}

/** Max steps of one plan. */
export const mostSteps = 250;

/** Makes a step of a plan; `names` has names of records by identifier, and may have others than those of the step. */
export function planStep(
  operation: WriteOperation,
  values: PlanStep['values'],
  names: Readonly<Record<string, string>>,
): PlanStep {
  const given = values[operation.target];
  const target = given !== undefined && isBrought(given) ? given : String(given ?? '');
  const targetName = typeof target === 'string' ? (names[target] ?? null) : null;
  return { operation: operation.name, values, labels: namesAmong(values, names), target, targetName };
}

/** The names of the identifiers among some values: a job and a form carry no others. */
export function namesAmong(
  values: Readonly<Record<string, unknown>>,
  names: Readonly<Record<string, string | undefined>>,
): Readonly<Record<string, string>> {
  const named = Object.values(values).flatMap(value => {
    const name = typeof value === 'string' ? names[value] : undefined;
    return typeof value !== 'string' || name === undefined || name === value ? [] : [[value, name] as const];
  });
  return Object.fromEntries(named);
}

export function isBrought(value: FieldValue | Brought): value is Brought {
  return typeof value === 'object' && 'brings' in value;
}
