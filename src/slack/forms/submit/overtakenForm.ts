import type { ModalView } from '@slack/types';
import { within } from '../../../ground/remembered.ts';
import type { FactReader } from '../../../jobs/parts.ts';
import type { JobOperation } from '../../../operations/operation.ts';
import { isUnique, nameField } from '../../../operations/prefill/prefill.ts';
import type { MustBeFree } from '../../../store/jobs/adding.ts';
import type { Owner } from '../../../store/vault.ts';
import { bold, code } from '../../blocks/limits.ts';
import type { Desk } from '../../desk/desk.ts';
import { filledInTime } from '../fill/fillForm.ts';
import { pendingThere, unlistedSince } from '../fill/formFacts.ts';
import { form } from '../formModal.ts';
import type { SeenForm } from '../formState.ts';
import { without } from '../redraw.ts';

/** The longest wait for each of two readings while Slack waits for the answer to a submit, in milliseconds. */
const patience = 500;

/** The port and the name that were filled in as free ones; `undefined` where neither was. */
export function filledAsFree(operation: JobOperation, seen: SeenForm, now: number): MustBeFree | undefined {
  const { inputs, metadata } = seen;
  const { filled = {} } = metadata;
  const name = nameField({ operation, texts: inputs })?.name ?? '';
  const port = filled.port && inputs.port ? Number(inputs.port) : null;
  const called = (filled[name] && inputs[name]) || null;
  return port === null && called === null ? undefined : { port, name: called, since: unlistedSince(now) };
}

/**
 * The form anew, where somebody asked meanwhile for the port or the name that was filled in as a free one: with the next
 * free one.
 */
export async function overtakenForm(
  desk: FactReader & Desk<'fieldRules'>,
  owner: Owner,
  operation: JobOperation,
  seen: SeenForm,
  { port, name }: MustBeFree,
): Promise<ModalView> {
  const { filled = {} } = seen.metadata;
  const unique = operation.fields.filter(field => filled[field.name] && isUnique(field));
  const reading = pendingThere(desk, { owner, operation, inputs: seen.inputs });
  const others = (await within(desk.clock, patience, reading).catch(() => undefined)) ?? [];
  const isTaken = ({ fill }: (typeof unique)[number]) =>
    (fill === 'port' && others.some(other => other.port === port)) ||
    (fill === 'name' && others.some(other => other.name === name));
  const empty = without(
    seen,
    unique.map(field => field.name),
  );
  const taken = unique.filter(isTaken).map(field => `${bold(field.label)} ${code(seen.inputs[field.name] ?? '', 60)}`);
  const note = `:warning: Somebody else asked for ${taken.join(', ') || 'the same'} meanwhile, so nothing was sent yet. Look at it and send it again.`;
  return form(operation, await filledInTime(desk, { owner, operation }, { ...empty, notes: [note] }, patience));
}
