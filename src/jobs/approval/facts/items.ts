import { z } from 'zod';
import { jobOperation } from '../../../operations/catalogue.ts';
import type { FieldValue, JobOperation } from '../../../operations/operation.ts';
import type { PlanStep } from '../../../operations/plans/plan.ts';
import { asksForAccount } from '../../../operations/requests/workflowRequest.ts';
import type { Fact } from '../../../store/jobs/rows/data.ts';
import type { Job } from '../../../store/jobs/rows/job.ts';
import { factsOfStep, stepOfFact } from '../../plans/planFacts.ts';
import { asNamedNow, knownValues, nameOfStep } from '../../plans/stepWords.ts';
import { digestOfPermitted } from './digest.ts';
import { keyOf } from './fact.ts';
import { isSecret, isSecretParam } from './secretValues.ts';

/*
 * What an approval binds, as one list: its digest covers the keys and the data of the items, and cards, pages and lists draw
 * what they show. So nothing is bound that nobody could read, and no word of a release changes a digest.
 */

/**
 * A value of a request for people: its label, and its text letter for letter. Of a secret, a third text stands for it: what
 * tells it from another one, or nothing where the request is from before there were salts.
 */
export const ShownValue = z.tuple([z.string(), z.string(), z.string().optional()]).readonly();
export type ShownValue = z.infer<typeof ShownValue>;

/** One thing that an approval binds. */
export type Item = Readonly<{
  kind: 'value' | 'step' | 'fact';
  /** The field of a value, the index of a step, or the key of a fact. */
  key: string;
  /** The index of the step that it belongs to, in a plan. */
  step?: number | undefined;
  /** The data that the digest covers. */
  compared: unknown;
  /** What people read of it: of a step its name with its target, then each value. Empty where other items say it. */
  shown: readonly ShownValue[];
}>;

/** The parts of a request that its approval binds. */
export type Bound = Pick<Job, 'operation' | 'values' | 'labels'> & Partial<Pick<Job, 'steps'>>;

/** Lists what the approval of a request binds: its values, its steps, and the facts that its approvers see. */
export function itemsOf(request: Bound, facts: readonly Fact[], salt?: string): readonly Item[] {
  const { operation: name, values, labels, steps = [] } = request;
  const operation = jobOperation(name);
  const isPermission = asksForAccount(name);
  return [
    ...Object.entries(values).map(([key, value]): Item => {
      const shown = isPermission ? readShown(key, value) : shownValue(operation, [key, value], { labels, salt });
      return { kind: 'value', key, compared: value, shown };
    }),
    ...steps.map((step, at): Item => {
      const named = { ...step, labels: { ...step.labels, ...labels } };
      const shown = shownStep(asNamedNow(named, factsOfStep(facts, at)), at, salt);
      return { kind: 'step', key: String(at), step: at, compared: step, shown };
    }),
    ...facts.map((fact): Item => {
      const step = stepOfFact(fact);
      const label = fact.label.replace(/^\d+\. /, '');
      const shown: ShownValue[] = fact.value === '' ? [] : [[label, fact.value]];
      return { kind: 'fact', key: keyOf(fact), step, compared: fact.compared ?? fact.value, shown };
    }),
  ];
}

/**
 * Digests a request with its items, so that a click can name the card that it was made on. A request with a secret in it
 * has a salt.
 */
export function digestOf(
  { operation, steps }: Pick<Bound, 'operation' | 'steps'>,
  items: readonly Item[],
  salt?: string,
) {
  const of = (kind: Item['kind']) => items.filter(one => one.kind === kind);
  const values = Object.fromEntries(of('value').map(({ key, compared }) => [key, compared]));
  const done = of('step').map(({ compared }) => compared);
  const seen = of('fact').map(({ key, compared }) => [key, compared]);
  return digestOfPermitted([operation, values, ...(steps ? [done] : []), seen], salt);
}

/** Whether a secret stands in an item: among its values, or in a name, which is shown with a mask. */
export function holdsSecret({ shown }: Pick<Item, 'shown'>): boolean {
  return shown.some(([label, text, secret]) => secret !== undefined || isSecret(label) || isSecret(text));
}

/** Lists the values of a request besides its target: each field, and of parameters each one. */
export function shownValues(
  operation: Pick<JobOperation, 'fields' | 'target'> | undefined,
  { values, labels }: Pick<Bound, 'values' | 'labels'>,
  salt?: string,
): readonly ShownValue[] {
  return Object.entries(values).flatMap(value => shownValue(operation, value, { labels, salt }));
}

type Showing = Readonly<{ labels: Readonly<Record<string, string>>; salt: string | undefined }>;

function shownValue(
  operation: Pick<JobOperation, 'fields' | 'target'> | undefined,
  [name, value]: readonly [string, FieldValue],
  { labels, salt }: Showing,
): readonly ShownValue[] {
  if (name === operation?.target) return [];
  const label = operation?.fields.find(field => field.name === name)?.label ?? name;
  if (typeof value === 'object')
    return value.map(param => {
      const { name: called, type, value: given } = param;
      return isSecretParam(param)
        ? [label, `${called}:${type}=`, secretNote(String(given), salt)]
        : [label, `${called}:${type}=${given}`];
    });
  const text = String(value);
  const called = labels[text];
  // Two records may have one name, and only the identifier tells them apart.
  return [shownText(label, called === undefined || called === text ? text : `${called} (${text})`, salt)];
}

function shownStep(step: PlanStep, at: number, salt: string | undefined): readonly ShownValue[] {
  const target = typeof step.target === 'string' ? step.target : '';
  const operation = jobOperation(step.operation);
  const values = shownValues(operation, { ...step, values: knownValues(step) }, salt);
  const brought = Object.entries(step.values).flatMap(([name, value]): ShownValue[] => {
    if (typeof value !== 'object' || !('brings' in value) || name === operation?.target) return [];
    const label = operation?.fields.find(field => field.name === name)?.label ?? name;
    return [[label, `the ${value.brings} of step ${value.step + 1}`]];
  });
  return [[`${at + 1}. ${nameOfStep(step)}`, target], ...values, ...brought];
}

/** A text of a request for people, letter for letter, or what tells a password from another one. */
export function shownText(label: string, text: string, salt?: string): ShownValue {
  return isSecret(text) ? [label, 'all of it', secretNote(text, salt)] : [label, text];
}

/** What tells a secret from another one of its request, for whoever does not know the salt; nothing without a salt. */
function secretNote(text: string, salt: string | undefined): string {
  return salt === undefined ? '' : digestOfPermitted([text], salt).slice(0, 8);
}

/** Reads a value of a request for a standing permission: one of them holds the values of what is to run by itself. */
function readShown(key: string, value: FieldValue): readonly ShownValue[] {
  return key === 'details' && typeof value === 'string' ? z.array(ShownValue).parse(JSON.parse(value)) : [];
}
