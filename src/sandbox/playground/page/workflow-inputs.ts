import type { StepFunction, StepParameter, WorkflowStep } from '../protocol.ts';

/** A step while it is edited: its inputs as texts, as they stand in the fields. */
export type DraftStep = { function: string; texts: Record<string, string> };

/** A choice of a field: the text that stands for it, and its words. */
export type FieldChoice = { value: string; words: string };

type Functions = Readonly<Record<string, StepFunction>>;

const hasVariable = (text: string): boolean => text.includes('{{');

function sentValue(text: string, { type }: StepParameter): unknown {
  if (hasVariable(text)) return text;
  if ((type === 'integer' || type === 'number') && text.trim() !== '' && Number.isFinite(Number(text)))
    return Number(text);
  return type === 'boolean' ? text === 'true' : text;
}

/** The steps as they are sent. Fields that were left empty are left out. */
export function stepsOf(drafts: readonly DraftStep[], functions: Functions): WorkflowStep[] {
  return drafts.map(({ function: name, texts }) => {
    const declared = functions[name]?.input_parameters ?? {};
    const filled = Object.entries(texts).filter(([key, text]) => text !== '' && declared[key] !== undefined);
    const inputs = filled.map(([key, text]) => [key, sentValue(text, declared[key] ?? { type: 'string' })]);
    return { function: name, inputs: Object.fromEntries(inputs) };
  });
}

/** The steps of a workflow as they are edited. */
export const draftsOf = (steps: readonly WorkflowStep[]): DraftStep[] =>
  steps.map(({ function: name, inputs }) => ({
    function: name,
    texts: Object.fromEntries(Object.entries(inputs).map(([key, value]) => [key, String(value)])),
  }));

/** The variables that a step may use: how the workflow was started, and what the steps before it give. */
export function variablesFor(drafts: readonly DraftStep[], at: number, functions: Functions): FieldChoice[] {
  const outputs = drafts.slice(0, at).flatMap(({ function: name }, index) =>
    Object.entries(functions[name]?.output_parameters ?? {}).map(([key, { title }]) => ({
      value: `{{steps.${index}.${key}}}`,
      words: `${title ?? key} of step ${index + 1}`,
    })),
  );
  return [
    { value: '{{person}}', words: 'Whoever starts the workflow' },
    { value: '{{channel}}', words: 'The channel where it is started' },
    ...outputs,
  ];
}

/** A value in words, for the list of runs. */
export const wordsOf = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));
