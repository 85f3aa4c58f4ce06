import { z } from 'zod';
import { day } from '../../ground/durations.ts';
import { type EndHook, newsFor } from '../../store/things/endNews.ts';
import { defineKind, type ThingOf } from '../../store/things/kind.ts';
import type { NewOf, StepOf } from '../../store/things/things.ts';

/*
 * An execution is one run of a workflow’s step, from Slack’s event until Slack has its outcome. While it is `asked`, it is
 * prepared, and waits for its consent; while it is `running`, its work is under way; while it is `telling`, Slack is told.
 */

/** The time for which a step waits for its person's consent and sign-in, in milliseconds. */
export const longestWait = 3 * day;

/** The outcome of a step: the values of its outputs, or the sentence that says why there are none. */
const StepResult = z.union([
  z.object({ outputs: z.record(z.string(), z.string()) }).readonly(),
  z.object({ error: z.string() }).readonly(),
]);
export type StepResult = z.infer<typeof StepResult>;

const text = z.string().nullable();

const ExecutionBody = z.object({
  /** Slack’s ids of the execution (`Fx…`), and of the run of its workflow (`Wx…`). */
  execution: z.string(),
  run: z.string(),
  /** The step, by its callback id. */
  step: z.string(),
  /** The inputs as Slack sent them. */
  inputs: z.record(z.string(), z.unknown()),
  /** The names of the outputs that the installed manifest declares. */
  declared: z.array(z.string()).readonly(),
  /** The consent that it needs, once that was asked for. */
  consent: text,
  job: text,
  /** The record for which it waits, once it was seen. */
  record: text,
  /** The outcome that Slack is told. */
  result: StepResult.nullable(),
  /** The time from which on nothing is waited for any more. */
  deadlineAt: z.number(),
});

/** `person` is the one in whose name it is to run; empty where the inputs name none. */
export type Execution = ThingOf<typeof executions>;
export type ExecutionStep = StepOf<typeof executions>;

export const executions = defineKind({
  name: 'execution',
  body: ExecutionBody,
  states: { asked: ['running', 'telling'], running: ['telling'], telling: ['ended'], ended: [] },
  over: ['ended'],
  found: () => ({}),
  about: ({ person, step, run }) => ({ person: person === '' ? null : person, detail: `${step} (${run})` }),
});

/** An execution that begins. `deadlineAt` is the time until which it waits for a consent. */
type NewExecution = Pick<
  Execution,
  'team' | 'execution' | 'run' | 'step' | 'inputs' | 'declared' | 'person' | 'createdAt' | 'deadlineAt'
>;

/** Makes the id of an execution, that of Slack in its team: one thing, however often Slack delivers it. */
export function executionIdOf({ team, execution }: Pick<Execution, 'team' | 'execution'>): string {
  return `${team} ${execution}`;
}

/** Makes an execution that begins. */
export function newExecution(asked: NewExecution): NewOf<typeof executions> {
  return {
    ...{ ...asked, id: executionIdOf(asked), state: 'asked', consent: null, job: null, record: null, result: null },
    ...{ plannedAt: asked.createdAt, waitsFor: null, endedAt: null },
  };
}

/** Makes an execution due at the end of its job. */
export const executionHook: EndHook = ({ execution }) =>
  execution === null
    ? []
    : [
        newsFor(executions, execution, (thing, _, now) =>
          thing?.state === 'running' ? { changes: {}, dueAt: now } : undefined,
        ),
      ];
