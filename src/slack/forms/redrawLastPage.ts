import { check, type Inputs } from '../../jobs/newJob.ts';
import type { JobOperation } from '../../operations/operation.ts';
import { replaceView } from '../desk/views.ts';
import type { FormDrawer } from './formDesk.ts';
import type { SeenForm } from './formState.ts';
import type { OpenedForm } from './redraw.ts';
import { confirmation } from './submit/confirmation.ts';

/** The inputs of a submitted page: those of the form before a last page, and those of the last page itself. */
export function inputsOfPage(
  operation: JobOperation,
  { metadata, inputs }: Pick<SeenForm, 'metadata' | 'inputs'>,
): Inputs {
  const own = Object.entries(inputs).filter(([name]) => operation.fields.some(field => field.name === name));
  return { ...metadata.pending, ...Object.fromEntries(own) };
}

/** Draws a last page anew after one of its own inputs changed: the steps of a teardown follow from them. */
export async function redrawLastPage(desk: FormDrawer, { owner, operation, seen, viewId, hash }: OpenedForm) {
  const inputs = inputsOfPage(operation, seen);
  const checked = check(operation, inputs);
  if (!checked.ok) return;
  const { metadata } = seen;
  const view = await confirmation(desk.pages, { owner, operation, metadata, inputs, values: checked.values });
  await replaceView(desk, { team: owner.team, id: viewId, hash }, view);
}
