import type { KnownBlock } from '@slack/types';
import { z } from 'zod';
import { parseJson } from '../../ground/json.ts';
import { memoByObject } from '../../ground/remembered.ts';
import type { Inputs } from '../../jobs/newJob.ts';
import type { JobOperation, Values } from '../../operations/operation.ts';
import { fillOrigins } from '../../operations/prefill/prefill.ts';
import { ShownMarks } from '../../store/jobs/rows/data.ts';
import type { Owner } from '../../store/vault.ts';
import { cut } from '../blocks/limits.ts';
import { canCarry, defineModal, heldIn, readSent, type SentModal } from '../blocks/modal.ts';

/** The data that a form carries through Slack and back in `private_metadata`. */
const Metadata = z.object({
  /** New for each form, so that Dolly recognizes a second submit of the same form. */
  request: z.string(),
  /** The channel in which the person asked. The job's message goes there. */
  channel: z.string(),
  /** The thread in which the person asked. */
  thread: z.string().optional(),
  /** Choices on which the pickers depend: identifiers by field name. */
  chosen: z.record(z.string(), z.string()).default({}),
  /** Names of the chosen records, by identifier. */
  labels: z.record(z.string(), z.string()).default({}),
  /** On the last page, which only confirms: the inputs of the form before it. */
  pending: z.record(z.string(), z.string()).optional(),
  /** Fields that the service refused to do without. The form asks for them. */
  needed: z.array(z.string()).optional(),
  /** Sentences at the fields of which the service complained when the same was asked before. */
  faults: z.record(z.string(), z.string()).optional(),
  /** The fields that still hold what Dolly filled in, with the reason for each. */
  filled: z.record(z.string(), z.enum(fillOrigins)).optional().catch(undefined),
  /** Whether the facts to fill in are still being read: the fields that they may fill are not there yet. */
  isFilling: z.boolean().optional(),
  /** Whether the form says from where each field was filled in. */
  explains: z.boolean().optional(),
  /** Whether the form shows all of its fields. */
  all: z.boolean().optional(),
  /** Whether the person wants nothing filled in. */
  plain: z.boolean().optional(),
  /** How often each field was emptied or filled in anew. */
  resets: z.record(z.string(), z.number()).optional(),
  /** On the last page of a teardown: the digest of the steps that it shows. */
  seen: z.string().optional(),
  /** On the last page: what tells the target that it shows from other records that have its identifier later. */
  asShown: ShownMarks.optional().catch(undefined),
  /** Whether the policy may ask for a reason. */
  asksWhy: z.boolean().optional(),
  /** The reason, if the person gave it before the page that asks for it. */
  why: z.string().optional(),
  /** Whether the form offers presets. */
  presets: z.boolean().optional(),
  /** Whether the form offers to put its values on a schedule. */
  schedules: z.boolean().optional(),
  /** The preset that filled the form, by its id and its name. */
  preset: z.object({ i: z.string(), n: z.string() }).optional(),
  /** The fields that stay empty until the person fills them: the record that was named for each is gone, or none is so called. */
  left: z.array(z.string()).optional(),
  /** The fields that were typed beside the command: a preset chosen later leaves them alone. */
  typed: z.array(z.string()).optional(),
});
export type Metadata = z.infer<typeof Metadata>;

/** What metadata can do without where it is too long for Slack, the least loss first. Identifiers stand in for names. */
const shorter: readonly ((metadata: Metadata) => Metadata)[] = [
  metadata => ({
    ...metadata,
    faults: Object.fromEntries(Object.entries(metadata.faults ?? {}).map(([name, says]) => [name, cut(says, 40)])),
  }),
  ({ typed: _, ...rest }) => rest,
  ({ faults: _, ...rest }) => rest,
  metadata => ({ ...metadata, labels: {} }),
];

/** Metadata as the text that a view carries: whole, or as much of it as Slack takes. */
export function writeMetadata(metadata: Metadata): string {
  let [carried, text] = [metadata, JSON.stringify(metadata)];
  for (const shorten of shorter) {
    if (canCarry(text)) break;
    carried = shorten(carried);
    text = JSON.stringify(carried);
  }
  return text;
}

/** A form with checked fields: the person, the place, and its content as texts and as values. */
export type CheckedForm = Readonly<{
  owner: Owner;
  operation: JobOperation;
  metadata: Pick<Metadata, 'request' | 'channel' | 'thread' | 'labels'>;
  inputs: Inputs;
  values: Values;
}>;

/** A form's content: the texts by field, labels for the identifiers among them, and what else it shows. */
export type FormState = Readonly<{
  metadata: Metadata;
  inputs: Inputs;
  /** The fields that the person sees already. */
  shown?: readonly string[];
  /** Names by identifier, as far as they are known. */
  labels: Readonly<Record<string, string>>;
  /**
   * Number of times that each field was emptied or filled in anew. Such a field needs a new block_id, since Slack keeps
   * the input of an old one (views.update).
   */
  resets: Readonly<Record<string, number>>;
  /** Sentences above the fields. */
  notes: readonly string[];
  /** Whether a person is filling the form while it is redrawn: the cursor must not move. */
  isRedrawn?: boolean;
  /** Blocks above everything else, such as the offer to sign in. */
  lead?: readonly KnownBlock[];
  /** The targets that the person used last, which a click takes. */
  recent?: readonly RecentTarget[];
}>;

/** A target that a person used before, with its name. */
export type RecentTarget = Readonly<{ id: string; label: string }>;

/** A form that came back from Slack. */
export type SeenForm = FormState &
  Readonly<{
    operation: string;
    blockIds: Readonly<Record<string, string>>;
    /** The sentences that stand above its fields. Most uses of a form settle them, and draw it without. */
    seenNotes: readonly string[];
  }>;

/** One more reset for each of some fields. */
export function withResets(resets: FormState['resets'], names: readonly string[]): Record<string, number> {
  return { ...resets, ...Object.fromEntries(names.map(name => [name, (resets[name] ?? 0) + 1])) };
}

/** The block above the fields: what the form asks, and the notes. */
export const notesBlock = 'notes';

/** The modal of an operation’s form. */
export const formModal = memoByObject(({ name }: Pick<JobOperation, 'name'>) =>
  defineModal(name, { write: writeMetadata, read: readMetadata }, seenIn),
);

function readMetadata(text: string): Metadata | undefined {
  return Metadata.safeParse(parseJson(text)).data;
}

/** Reads a view that Slack sends back; `undefined` if it carries none of our metadata. */
export function readView(payload: unknown): SeenForm | undefined {
  const view = readSent(payload);
  const metadata = view && readMetadata(view.private_metadata);
  return metadata && seenIn(view, metadata);
}

function seenIn(view: SentModal, { filled, ...carried }: Metadata): SeenForm {
  const { inputs, labels } = readInputs(view);
  const blockIds: Record<string, string> = {};
  const resets: Record<string, number> = { ...carried.resets };
  for (const blockId of [...view.blocks.map(block => block.block_id ?? ''), ...Object.keys(view.state.values)]) {
    const [name = '', count] = blockId.split(':');
    blockIds[name] = blockId;
    if (count && Number.isInteger(Number(count))) resets[name] = Number(count);
  }
  const inputBlocks = view.blocks.filter(({ element }) => element);
  const isUntouched = (name: string) => {
    const drawn = inputBlocks.find(({ block_id }) => block_id === blockIds[name])?.element;
    const ticked = drawn?.initial_options?.map(({ value }) => value).join(' ');
    return (
      inputs[name] !== undefined && inputs[name] === (drawn?.initial_option?.value ?? ticked ?? drawn?.initial_value)
    );
  };
  const stillFilled = Object.fromEntries(Object.entries(filled ?? {}).filter(([name]) => isUntouched(name)));
  return {
    operation: view.callback_id,
    metadata: { ...carried, ...(Object.keys(stillFilled).length > 0 ? { filled: stillFilled } : {}) },
    inputs,
    shown: inputBlocks.flatMap(({ block_id }) => block_id?.split(':')[0] ?? []),
    labels: { ...carried.labels, ...labels },
    resets,
    blockIds,
    notes: [],
    seenNotes: view.blocks
      .flatMap(({ block_id, elements = [] }) => (block_id === notesBlock ? elements : []))
      .flatMap(({ text }) => (typeof text === 'string' ? text : []))
      .slice(1),
  };
}

/** The texts in a view's fields, and the labels of those that were chosen. */
function readInputs(view: SentModal) {
  const inputs: Record<string, string> = {};
  const labels: Record<string, string> = {};
  for (const block of Object.keys(view.state.values)) {
    const { selected_option: chosen, selected_options, value: typed } = heldIn(view, block);
    const several = selected_options?.map(({ value: one }) => one).join(' ');
    const value = chosen?.value ?? several ?? typed;
    if (value) inputs[block.split(':')[0] ?? ''] = value;
    if (chosen?.text) labels[chosen.value] = chosen.text.text;
  }
  return { inputs, labels };
}
