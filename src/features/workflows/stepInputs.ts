import { plain } from '../../slack/blocks/mrkdwn.ts';
import type { Execution } from './execution.ts';
import { workflowFunctions } from './functions.ts';

/** The inputs of an execution by their meaning. `typed` are those of its work, as texts. */
export type StepInputs = Readonly<{
  title: string;
  workflow: string;
  person: string;
  /** The channel of the message; the person’s id where none is named, which stands for their direct messages. */
  channel: string;
  why: string | null;
  runsAs: 'service' | null;
  typed: Readonly<Record<string, string>>;
}>;

/**
 * Max characters of one input, as they were sent and as they are shown, and of all: their person is asked about all of it
 * in one message.
 */
const [longest, longestShown, longestWhole] = [1_000, 2_800, 4_000];
const longestName = 80;
const controls = /\p{Cc}/u;

/** The inputs that are no part of the work. */
const own = ['workflow', 'person', 'channel', 'why', 'account'];

/** The person whom the inputs of a step name; empty where they name none. */
export function personIn(inputs: Execution['inputs']): string {
  return typeof inputs.person === 'string' && /^[UW][A-Z0-9]{1,30}$/.test(inputs.person) ? inputs.person : '';
}

/** Reads the inputs of an execution, or gives the sentence that says what is wrong with them. */
export function readStepInputs({ step, inputs }: Pick<Execution, 'step' | 'inputs'>): StepInputs | string {
  const known = Object.hasOwn(workflowFunctions, step) ? workflowFunctions[step] : undefined;
  if (!known) return 'This version of Dolly does not know this step.';
  const texts: Record<string, string> = {};
  for (const parameter of Object.values(known.input_parameters)) {
    const text = textOf(inputs[parameter.name]);
    if (text === undefined) return `The input “${parameter.title}” is not text. Choose a text for it.`;
    if (text.length > longest || plain(text, 6_000).length > longestShown)
      return `The input “${parameter.title}” is too long.`;
    if (text !== '') texts[parameter.name] = text;
  }
  if (Object.values(texts).join('').length > longestWhole) return 'The inputs are too long.';
  const missing = Object.values(known.input_parameters).find(one => one.is_required && texts[one.name] === undefined);
  if (missing) return `The input “${missing.title}” is needed.`;
  const { workflow = '', channel, why = null, account } = texts;
  if (workflow.length > longestName || controls.test(workflow))
    return `Give the workflow a name on one line, with at most ${longestName} characters.`;
  const person = personIn(inputs);
  if (person === '') return 'Choose a person in whose name the step should run.';
  // Somebody else’s direct messages would look like those of the person who is asked.
  if (channel !== undefined && !/^[CG][A-Z0-9]{1,30}$/.test(channel)) return 'Choose a channel.';
  if (account !== undefined && account !== 'true' && account !== 'false')
    return 'Choose Yes or No for “Run with the service account”.';
  const about = { title: known.title, workflow, person, channel: channel ?? person, why };
  const values = Object.entries(texts).filter(([name]) => !own.includes(name));
  return { ...about, runsAs: account === 'true' ? 'service' : null, typed: Object.fromEntries(values) };
}

/** The text of an input; empty where it is left out, `undefined` where it is something else than a plain value. */
function textOf(value: unknown): string | undefined {
  if (value === undefined || value === null) return '';
  // PostgreSQL stores no NUL.
  if (typeof value === 'string') return value.replaceAll('\0', '').trim();
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : undefined;
}
