import { requiringOf } from '../../../jobs/lessons.ts';
import type { Inputs } from '../../../jobs/newJob.ts';
import { isRenewal, type JobOperation, vendorOf } from '../../../operations/operation.ts';
import { fieldOfRenewal, makerOf } from '../../../operations/plans/renew.ts';
import type { Complaint } from '../../../operations/serviceComplaints.ts';
import { cut } from '../../blocks/limits.ts';
import { code, plain } from '../../blocks/mrkdwn.ts';
import type { Desk } from '../../desk/desk.ts';
import type { FormState } from '../formState.ts';

/** Max complaints that a form repeats at its fields, and max characters of each: the form carries them along. */
const maxFaults = 8;
const maxFault = 120;

/**
 * The fields that the service is known to need for a target of this vendor. A field that this release does not have is
 * left out, and so is everything if the store does not answer: the service then says it again.
 */
export async function neededFields(
  desk: Desk<'requiredFields' | 'log'>,
  operation: JobOperation,
  inputs: Inputs,
): Promise<readonly string[]> {
  const optional = operation.fields.filter(({ required, sent }) => !required && sent !== false);
  if (optional.length === 0) return [];
  // A renewal sends what makes a clone of this kind.
  const sent = isRenewal(operation) ? makerOf(inputs.cloneType) : operation;
  try {
    const learned = await desk.requiredFields.of(requiringOf(sent, vendorOf(operation, inputs)));
    const known = isRenewal(operation) ? learned.map(fieldOfRenewal) : learned;
    return optional.flatMap(({ name }) => (known.includes(name) ? [name] : []));
  } catch (error) {
    desk.log.warn({ error, operation: operation.name }, 'a form opens without what was learned of the service');
    return [];
  }
}

/**
 * The content of a form with what the service needs, for the vendor of its target now: fields that were learned, and
 * those of which it complained when the same was asked before. A note says which were learned, if that is to be `said`.
 */
export async function withNeeded<State extends FormState>(
  desk: Desk<'requiredFields' | 'log' | 'names'>,
  operation: JobOperation,
  state: State,
  learning: 'said' | 'unsaid' = 'unsaid',
): Promise<State> {
  const { faults = {} } = state.metadata;
  const known = await neededFields(desk, operation, state.inputs);
  const complained = Object.keys(faults).filter(name => faults[name] === missingSentence);
  const learned = operation.fields.filter(({ name }) => known.includes(name) && !complained.includes(name));
  const labels = plain(learned.map(({ label }) => label).join(', '), 400);
  const isSaid = learning === 'said' && learned.length > 0;
  const note = `Required, because the service refused a request without: ${labels}. ${code(`${desk.names.db} doctor`)} can forget this.`;
  const metadata = { ...state.metadata, needed: [...complained, ...learned.map(({ name }) => name)] };
  return { ...state, metadata, ...(isSaid ? { notes: [...state.notes, note] } : {}) };
}

const missingSentence = 'The service needs this.';

/** The sentence at each field of which a refusal complained. */
export function faultsAt(complaints: readonly Complaint[]): Record<string, string> {
  return Object.fromEntries(
    complaints
      .slice(0, maxFaults)
      .map(({ field, type, says, isConditional }) => [
        field.name,
        type === 'missing' && !isConditional ? missingSentence : cut(`The service says: ${says}`, maxFault),
      ]),
  );
}
