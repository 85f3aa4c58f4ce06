import type { KnownBlock } from '@slack/types';
import { z } from 'zod';
import { parseJson } from '../../api/reading/jsonTree.ts';
import type { Inputs } from '../../jobs/newJob.ts';
import type { JobOperation, Values } from '../../operations/operation.ts';
import type { Owner } from '../../store/vault.ts';
import { inputAction } from '../blocks/action.ts';

/** The data that a form carries through Slack and back in `private_metadata`. */
const Metadata = z.object({
  /** New for each form, so that Dolly recognizes a second submit of the same form. */
  request: z.string(),
  /** The channel in which the person asked. The job's message goes there. */
  channel: z.string(),
  /** Choices on which the pickers depend: identifiers by field name. */
  chosen: z.record(z.string(), z.string()).default({}),
  /** Names of the chosen records, by identifier. */
  labels: z.record(z.string(), z.string()).default({}),
  /** On the last page, which only confirms: the inputs of the form before it. */
  pending: z.record(z.string(), z.string()).optional(),
  /** Fields that the service refused to do without, when the same was asked before. */
  needed: z.array(z.string()).optional(),
  /** Whether the policy may ask for a reason. */
  asksWhy: z.boolean().optional(),
  /** The reason, if the person gave it before the page that asks for it. */
  why: z.string().optional(),
});
export type Metadata = z.infer<typeof Metadata>;

/** A form with checked fields: the person, the place, and its content as texts and as values. */
export type CheckedForm = Readonly<{
  owner: Owner;
  operation: JobOperation;
  metadata: Pick<Metadata, 'request' | 'channel' | 'labels'>;
  inputs: Inputs;
  values: Values;
}>;

/**
 * A form's content: the texts by field, labels for the identifiers among them, and how often each field was emptied.
 */
export type FormState = Readonly<{
  metadata: Metadata;
  inputs: Inputs;
  /** Names by identifier, as far as they are known. */
  labels: Readonly<Record<string, string>>;
  /**
   * Number of times that each field was emptied. An emptied field needs a new block_id, since Slack keeps the input of
   * an old one (views.update).
   */
  resets: Readonly<Record<string, number>>;
  /** Sentences above the fields. */
  notes: readonly string[];
  /** Whether a person is filling the form while it is redrawn: the cursor must not move. */
  isRedrawn?: boolean;
  /** Blocks above everything else, such as the offer to sign in. */
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

/** Reads a view that Slack sends back; `undefined` if it carries none of our metadata. */
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
