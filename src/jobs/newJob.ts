import { randomUUID } from 'node:crypto';
import { parseIdentifier, type Vendor, vendorNames } from '../api/identifiers.ts';
import { vendorFault } from '../operations/fields.ts';
import {
  type Field,
  type FieldValue,
  fieldsFor,
  type JobOperation,
  type Values,
  vendorOf,
} from '../operations/operation.ts';
import { isOfEnvironment, manyTargets } from '../operations/plans/batch.ts';
import { mostSteps, namesAmong } from '../operations/plans/plan.ts';
import { takenBy } from '../operations/prefill/prefill.ts';
import type { NewJob } from '../store/jobs/rows/job.ts';
import type { Owner } from '../store/vault.ts';
import { requestKeyOf } from './requestKey.ts';

/** The contents of a form: texts by field name. */
export type Inputs = Readonly<Record<string, string>>;

/** A checked form, or the sentence for each field that is wrong. */
type Checked = { ok: true; values: Values } | { ok: false; faults: Readonly<Record<string, string>> };

/**
 * Checks a form's texts against the fields that the target's vendor has. Empty optional fields and fields of another
 * vendor are left out, so that no request carries them. `needed` are optional fields that the service is known to need.
 */
export function check(operation: JobOperation, inputs: Inputs, needed: readonly string[] = []): Checked {
  const vendor = vendorOf(operation, inputs);
  const values: Record<string, FieldValue> = {};
  const faults: Record<string, string> = {};
  for (const field of fieldsFor(operation, inputs)) {
    const read = readField(field, inputs[field.name] ?? '', { vendor, needed });
    if (read && 'fault' in read) faults[field.name] = read.fault;
    else if (read) values[field.name] = read.value;
  }
  // A record of one vendor cannot serve a database of another.
  for (const [name, value] of Object.entries(values)) {
    const other = typeof value === 'string' ? parseIdentifier(value)?.vendor : undefined;
    if (vendor && other && other !== vendor)
      faults[name] = `${value} belongs to ${other}, but the source is ${vendor}.`;
  }
  return Object.keys(faults).length > 0 ? { ok: false, faults } : { ok: true, values };
}

/** The value or the fault of a field's text; `undefined` where it has neither, and nothing is sent. */
function readField(
  field: Field,
  text: string,
  { vendor, needed }: Readonly<{ vendor: Vendor | undefined; needed: readonly string[] }>,
): Readonly<{ value: FieldValue } | { fault: string }> | undefined {
  if (text.trim() === '') {
    if (field.required) return { fault: `${field.label} is needed.` };
    return needed.includes(field.name)
      ? { fault: `${field.label} is needed: the service refused without it.` }
      : undefined;
  }
  const read = field.schema.safeParse(text);
  if (!read.success) return { fault: read.error.issues[0]?.message ?? 'This cannot be used.' };
  if (vendor && isOfOther(field, text, vendor)) return { fault: `Choose something that ${vendorNames[vendor]} has.` };
  return Array.isArray(read.data) && read.data.length === 0 ? undefined : { value: read.data };
}

/** Whether a text is a choice that only other vendors have. */
function isOfOther({ widget }: Field, text: string, vendor: Vendor): boolean {
  const chosen = widget.type === 'choice' ? widget.options.find(({ value }) => value === text) : undefined;
  return chosen?.vendors !== undefined && !chosen.vendors.includes(vendor);
}

/** Gives a sentence for each given field that the target's vendor does not have; those fields are not sent. */
export function leftOut(operation: JobOperation, inputs: Inputs): readonly string[] {
  const target = inputs[operation.target] ?? '';
  return operation.fields.flatMap(field => (inputs[field.name] ? (vendorFault(field, target) ?? []) : []));
}

/**
 * The row of a new job. `request` identifies the form that was submitted, so that a second submit adds nothing.
 * @throws Error where a plan has no list of steps or too many, or another job has one
 */
export function newJob(
  operation: JobOperation,
  values: Values,
  asked: Owner &
    Pick<NewJob, 'channel' | 'labels' | 'purpose' | 'steps' | 'asShown'> & {
      request: string;
      thread?: string | undefined;
      now: number;
    },
): NewJob {
  const { team, person, channel, thread, purpose, labels, steps, asShown } = asked;
  if ((operation.type === 'plan') !== (steps !== undefined) || (steps && steps.length > mostSteps))
    throw new Error(`${operation.name} cannot be asked for with ${steps?.length ?? 'no'} steps`);
  const target = String(values[operation.target] ?? '');
  return {
    ...{ id: randomUUID(), requestKey: requestKeyOf(asked, asked.request), team, person, channel, purpose },
    ...{ operation: operation.name, values, labels: namesAmong(values, labels), target, createdAt: asked.now },
    targetName:
      steps && operation.type === 'plan' && operation.isBatch
        ? `${manyTargets(operation, steps.length)}${isOfEnvironment(operation) ? ` on ${labels[target] ?? target}` : ''}`
        : (labels[target] ?? null),
    ...(thread === undefined ? {} : { thread }),
    takes: takenBy(operation, values),
    ...(steps ? { steps } : {}),
    ...(asShown ? { asShown } : {}),
  };
}
