import type { KnownBlock } from '@slack/types';
import { z } from 'zod';
import { parseJson } from '../../api/reading/jsonTree.ts';
import type { Inputs } from '../../jobs/newJob.ts';
import type { Values, WriteOperation } from '../../operations/operation.ts';
import type { Owner } from '../../store/vault.ts';
import { inputAction } from '../blocks/action.ts';

/** What a form carries through Slack and back in `private_metadata`. */
const Metadata = z.object({
  /** Made anew with each form, so that a second submit of it is known as such. */
  request: z.string(),
  /** Where the person asked, and where the job's message goes. */
  channel: z.string(),
  /** What the pickers depend on: identifiers by field name. */
  chosen: z.record(z.string(), z.string()).default({}),
  /** What the chosen ones are called, by identifier. */
  labels: z.record(z.string(), z.string()).default({}),
  /** On the last page, which only confirms: what the form before it held. */
  pending: z.record(z.string(), z.string()).optional(),
  /** Whether the policy may want to hear why. */
  asksWhy: z.boolean().optional(),
  /** Why, as far as it was said before the page that asks for it. */
  why: z.string().optional(),
});
export type Metadata = z.infer<typeof Metadata>;

/** A form whose fields are checked: who asks, where, and what it holds, as texts and as values. */
export type CheckedForm = Readonly<{
  owner: Owner;
  operation: WriteOperation;
  metadata: Pick<Metadata, 'request' | 'channel' | 'labels'>;
  inputs: Inputs;
  values: Values;
}>;

/** A form's content: the texts by field, labels for the identifiers among them, and how often a field was emptied. */
export type FormState = Readonly<{
  metadata: Metadata;
  inputs: Inputs;
  /** What an identifier is called, as far as it is known. */
  labels: Readonly<Record<string, string>>;
  /** A field that was emptied needs a new block_id, since Slack keeps the input of an old one (views.update). */
  resets: Readonly<Record<string, number>>;
  /** Sentences that stand above the fields. */
  notes: readonly string[];
  /** Whether it is drawn anew while a person fills it, whose place in it must not move. */
  isRedrawn?: boolean;
  /** What stands above everything else, such as the offer to sign in. */
  lead?: readonly KnownBlock[];
}>;

const Element = z.object({
  value: z.string().nullish(),
  selected_option: z.object({ value: z.string(), text: z.object({ text: z.string() }).optional() }).nullish(),
});
const View = z.object({
  callback_id: z.string().default(''),
  private_metadata: z.string().default(''),
  blocks: z.array(z.object({ block_id: z.string().optional() })).default([]),
  state: z.object({ values: z.record(z.string(), z.record(z.string(), z.unknown())).default({}) }).optional(),
});

/** Reads a view as Slack sends it back. `undefined` where it carries no metadata of ours. */
export function readView(
  payload: unknown,
): (FormState & { operation: string; blockIds: Readonly<Record<string, string>> }) | undefined {
  const view = View.safeParse(payload);
  const metadata = view.success ? Metadata.safeParse(parseJson(view.data.private_metadata)) : undefined;
  if (!view.success || !metadata?.success) return undefined;
  const inputs: Record<string, string> = {};
  const labels: Record<string, string> = {};
  const blockIds: Record<string, string> = {};
  const resets: Record<string, number> = {};
  const values = view.data.state?.values ?? {};
  for (const blockId of [...view.data.blocks.map(block => block.block_id ?? ''), ...Object.keys(values)]) {
    const [name = '', count] = blockId.split(':');
    blockIds[name] = blockId;
    if (count && Number.isInteger(Number(count))) resets[name] = Number(count);
  }
  for (const [blockId, actions] of Object.entries(values)) {
    const element = Element.safeParse(actions[inputAction]);
    if (!element.success) continue;
    const chosen = element.data.selected_option;
    const value = chosen?.value ?? element.data.value;
    if (value) inputs[blockId.split(':')[0] ?? ''] = value;
    if (chosen?.text) labels[chosen.value] = chosen.text.text;
  }
  return {
    operation: view.data.callback_id,
    metadata: metadata.data,
    inputs,
    labels: { ...metadata.data.labels, ...labels },
    resets,
    blockIds,
    notes: [],
  };
}
