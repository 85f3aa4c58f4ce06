import type { SectionBlock } from '@slack/types';
import { vendorNames } from '../../../api/identifiers.ts';
import { type JobOperation, vendorOf } from '../../../operations/operation.ts';
import { type FillOrigin, fillOrigins } from '../../../operations/prefill/prefill.ts';
import { asNothing, defineAction } from '../../blocks/action.ts';
import { section } from '../../blocks/blocks.ts';
import { bold, plain } from '../../blocks/mrkdwn.ts';
import type { FormState } from '../formState.ts';

/** The button that takes out of a form what was filled in. */
export const emptyForm = defineAction('form.empty', asNothing);

/** The button that says from where each field was filled in. */
export const explainForm = defineAction('form.explain', asNothing);

/** Whether a form shows fields that were filled in, and does not say from where. */
export function isUnexplained({ inputs, metadata }: FormState): boolean {
  return !metadata.explains && Object.keys(metadata.filled ?? {}).some(name => inputs[name]);
}

/** The line that says which fields were filled in, and from where once somebody asks, with the button that empties them. */
export function filledLine(operation: JobOperation, { inputs, labels, metadata }: FormState): SectionBlock[] {
  const filled = Object.entries(metadata.filled ?? {}).filter(([name]) => inputs[name]);
  if (filled.length === 0) return [];
  const target = inputs[operation.target] ?? '';
  const vendor = vendorOf(operation, inputs);
  const words: Readonly<Record<FillOrigin, string>> = {
    last: `as you chose last for ${plain(labels[target] ?? target, 60)}`,
    vendor: `as you chose last for ${vendor ? `${vendorNames[vendor]} elsewhere` : 'another one'}`,
    only: 'the only one that records show',
    others: 'as other clones there show it',
    free: 'the next free one there, as far as records show',
    pattern: 'following the pattern of the last one',
    sibling: 'following the pattern of another clone',
    policy: 'as the policy says',
    latest: 'the latest one that can be used',
    safe: 'set, so that this can be taken back',
    record: 'as its record shows it now',
    job: 'as I was asked when I made it',
  };
  const accessory = emptyForm.button('Start empty', null);
  if (!metadata.explains) {
    const fields = operation.fields.filter(({ name }) => filled.some(([one]) => one === name));
    const names = fields.map(({ label }) => bold(label, 48)).join(', ');
    return [{ ...section(`Filled in for you: ${names}.`), block_id: 'filled', accessory }];
  }
  const parts = fillOrigins.flatMap(origin => {
    const fields = operation.fields.filter(({ name }) => filled.some(([one, why]) => one === name && why === origin));
    return fields.length === 0 ? [] : [`${fields.map(({ label }) => bold(label, 48)).join(', ')}: ${words[origin]}`];
  });
  const text = `Filled in for you: ${parts.join('; ')}.`;
  return [{ ...section(text), block_id: 'filled', accessory }];
}
