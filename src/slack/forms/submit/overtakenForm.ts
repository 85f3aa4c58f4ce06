import type { ModalView } from '@slack/types';
import { within } from '../../../ground/remembered.ts';
import { requestKeyOf } from '../../../jobs/newJob.ts';
import type { FactReader } from '../../../jobs/parts.ts';
import type { Field, JobOperation } from '../../../operations/operation.ts';
import type { Neighbour } from '../../../operations/prefill/formFacts.ts';
import { isUnique } from '../../../operations/prefill/prefill.ts';
import type { Owner } from '../../../store/vault.ts';
import { bold, code } from '../../blocks/limits.ts';
import type { Desk } from '../../desk/desk.ts';
import { filledInTime } from '../fill/fillForm.ts';
import { pendingThere } from '../fill/formFacts.ts';
import { form } from '../formModal.ts';
import type { SeenForm } from '../formState.ts';
import { without } from '../redraw.ts';

/** The longest wait for each of two readings while Slack waits for the answer to a submit, in milliseconds. */
const patience = 500;

/**
 * The form anew, where somebody asked meanwhile for the port or the name that was filled in as a free one: with the next
 * free one. `undefined` where nobody did, or where the store does not say so in time.
 */
export async function overtakenForm(
  desk: FactReader & Desk<'fieldRules'>,
  owner: Owner,
  operation: JobOperation,
  seen: SeenForm,
): Promise<ModalView | undefined> {
  const { filled = {}, request } = seen.metadata;
  const unique = operation.fields.filter(field => filled[field.name] && isUnique(field));
  if (unique.length === 0) return undefined;
  const asked = { owner, operation, inputs: seen.inputs };
  const pending = pendingThere(desk, asked, requestKeyOf(owner, request));
  const others = await within(desk.clock, patience, pending).catch((error: unknown) => {
    desk.log.info({ error }, 'a form is taken without a look at what others asked for meanwhile');
    return undefined;
  });
  const taken = unique.filter(field => others?.some(other => takenBy(other, field) === seen.inputs[field.name]));
  if (!others || taken.length === 0) return undefined;
  const empty = without(
    seen,
    unique.map(({ name }) => name),
  );
  const named = taken.map(({ name, label }) => `${bold(label)} ${code(seen.inputs[name] ?? '', 60)}`).join(', ');
  const note = `:warning: Somebody else asked for ${named} meanwhile, so nothing was sent yet. Look at it and send it again.`;
  return form(operation, await filledInTime(desk, { owner, operation }, { ...empty, notes: [note] }, patience));
}

/** What another request takes of the values of a field. A path may be shared. */
function takenBy({ port, name }: Neighbour, { fill }: Field): string | undefined {
  if (fill === 'port') return port?.toString();
  return fill === 'name' ? name : undefined;
}
