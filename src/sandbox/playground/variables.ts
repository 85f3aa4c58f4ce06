import type { Json } from './json.ts';
import type { WorkflowRun } from './protocol.ts';

/** A variable in an input of a step: `{{person}}`, `{{channel}}`, `{{values.name}}`, `{{steps.0.name}}`. */
const variable = /\{\{\s*([\w.]+)\s*\}\}/g;

/** The names of the variables in an input. */
export const variablesIn = (input: unknown): string[] =>
  typeof input === 'string' ? [...input.matchAll(variable)].map(([, name = '']) => name) : [];

function variableValue(run: WorkflowRun, name: string): unknown {
  const [first = '', second = '', third = ''] = name.split('.');
  if (first === 'person') return run.by === '' ? undefined : run.by;
  if (first === 'channel') return run.channel === '' ? undefined : run.channel;
  if (first === 'values') return run.values[second];
  return run.steps[Number(second)]?.outputs[third];
}

/** The inputs of a step as its app gets them. A variable without a value leaves its input out. */
export function resolved(inputs: Json, run: WorkflowRun): Json {
  const whole = /^\{\{\s*([\w.]+)\s*\}\}$/;
  const entries = Object.entries(inputs).map(([name, input]): [string, unknown] => {
    if (typeof input !== 'string') return [name, input];
    const only = whole.exec(input)?.[1];
    if (only !== undefined) return [name, variableValue(run, only)];
    return [name, input.replace(variable, (_, inner: string) => String(variableValue(run, inner) ?? ''))];
  });
  return Object.fromEntries(entries.filter(([, value]) => value !== undefined && value !== ''));
}
