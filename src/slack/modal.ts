import type { InputBlock, KnownBlock, ModalView, PlainTextOption } from '@slack/types';
import { z } from 'zod';
import { parseIdentifier, type Vendor, vendorNames } from '../api/identifiers.ts';
import { parseJson } from '../api/tree.ts';
import type { Inputs } from '../jobs/submit.ts';
import { type Field, fieldsFor, vendorOf, type WriteOperation } from '../operations/operation.ts';
import { cut, legible, limits, plain } from './limits.ts';

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
  /** What stands above everything else, such as the offer to sign in. */
  lead?: readonly KnownBlock[];
}>;

/** The only action_id of inputs; a field's name is its block_id, with `:n` after the n-th reset. */
export const inputAction = 'value';

/** The form of an operation: pure, from its fields and what is filled in so far. */
export function form(operation: WriteOperation, state: FormState): ModalView {
  const target = parseIdentifier(state.inputs[operation.target] ?? '');
  const fields = fieldsFor(operation, state.inputs);
  const chosen = Object.fromEntries(
    fields.flatMap(field => {
      const value = state.inputs[field.name];
      return isDecisive(operation, field) && value ? [[field.name, value]] : [];
    }),
  );
  const labels = Object.fromEntries(
    fields.flatMap(({ name, widget }) => {
      const value = widget.type === 'record' ? state.inputs[name] : undefined;
      const label = value === undefined ? undefined : state.labels[value];
      return value !== undefined && label !== undefined ? [[value, cut(label, limits.optionText)]] : [];
    }),
  );
  const hasVendors = operation.fields.some(field => field.vendors);
  const lead = !hasVendors
    ? operation.summary
    : target?.vendor
      ? `The form asks what ${vendorNames[target.vendor]} needs. What you leave empty is left to the service.`
      : 'Choose the source first: the form then shows the fields of its vendor.';
  const context = [lead, ...state.notes].map(text => ({ type: 'mrkdwn' as const, text: cut(text, 1000) }));
  const blocks: KnownBlock[] = [
    ...(state.lead ?? []),
    { type: 'context', elements: context.slice(0, 10) },
    ...fields.map(field => input(operation, field, state)),
    ...(state.metadata.asksWhy && !operation.warning
      ? [
          whyInput(
            state.inputs[whyBlock] ?? state.metadata.why,
            'The policy may ask others to approve this; they read it.',
          ),
        ]
      : []),
  ];
  return {
    type: 'modal',
    callback_id: operation.name,
    title: { type: 'plain_text', text: titleOf(operation) },
    submit: { type: 'plain_text', text: operation.warning ? 'Next' : titleOf(operation) },
    close: { type: 'plain_text', text: 'Cancel' },
    private_metadata: JSON.stringify({ ...state.metadata, chosen, labels }),
    blocks,
  };
}

/**
 * The last page of an operation that does harm: says in words what will happen, and asks for the name where the
 * operation wants it typed. `pending` are the checked texts of the form before it.
 */
export function lastPage(
  operation: WriteOperation,
  metadata: Metadata,
  pending: Inputs,
  sentence: string,
  name: string,
): ModalView {
  return {
    type: 'modal',
    callback_id: operation.name,
    title: { type: 'plain_text', text: titleOf(operation) },
    submit: {
      type: 'plain_text',
      text: metadata.asksWhy && operation.guarded ? 'Ask for approval' : titleOf(operation),
    },
    close: { type: 'plain_text', text: 'Cancel' },
    private_metadata: JSON.stringify({ ...metadata, pending }),
    blocks: [
      {
        type: 'section',
        block_id: 'warning',
        text: { type: 'mrkdwn', text: cut(`:warning: ${plain(sentence, 1000)}`, limits.sectionText) },
      },
      ...(metadata.asksWhy
        ? [
            whyInput(
              metadata.why,
              operation.guarded
                ? 'Those who approve read it.'
                : 'The policy may ask others to approve this; they read it.',
            ),
          ]
        : []),
      ...(operation.typed
        ? [
            {
              type: 'input' as const,
              block_id: confirmBlock,
              label: {
                type: 'plain_text' as const,
                text: `Type ${nameToType(name, pending[operation.target] ?? '')} to confirm`,
              },
              element: { type: 'plain_text_input' as const, action_id: inputAction },
            },
          ]
        : []),
    ],
  };
}

/** The block in which a form asks why. */
export const whyBlock = 'reason';
const mostWhy = 500;

function whyInput(text: string | undefined, hint: string): InputBlock {
  return {
    type: 'input',
    block_id: whyBlock,
    label: { type: 'plain_text', text: 'Why' },
    hint: { type: 'plain_text', text: hint },
    element: {
      type: 'plain_text_input',
      action_id: inputAction,
      multiline: true,
      max_length: mostWhy,
      ...(text ? { initial_value: cut(text, mostWhy) } : {}),
    },
  };
}

/** What is typed to confirm: the name as it is shown, or the identifier where the name is too long for that. */
export function nameToType(name: string, id: string): string {
  const shown = legible(name);
  return shown.length > limits.optionText ? id : shown;
}

/** The block in which a last page asks for the name. */
export const confirmBlock = 'confirm';

/** A form that waits for names to be found; the trigger that opens it lives for 3 s only. */
export function waitingForm(operation: WriteOperation, metadata: Metadata, sentence: string): ModalView {
  return {
    type: 'modal',
    callback_id: operation.name,
    title: { type: 'plain_text', text: titleOf(operation) },
    close: { type: 'plain_text', text: 'Cancel' },
    private_metadata: JSON.stringify(metadata),
    blocks: [
      { type: 'section', block_id: 'waiting', text: { type: 'mrkdwn', text: cut(sentence, limits.sectionText) } },
    ],
  };
}

/** A view that only says something, in place of a form. */
export function notice(title: string, text: string): ModalView {
  return {
    type: 'modal',
    title: { type: 'plain_text', text: cut(title, limits.modalTitle) },
    close: { type: 'plain_text', text: 'Close' },
    blocks: [{ type: 'section', text: { type: 'mrkdwn', text: cut(text, limits.sectionText) } }],
  };
}

/** The form after a decisive field changed: what depended on it is emptied, everything else stays. */
export function redrawn(operation: WriteOperation, before: FormState, changed: string, now: FormState): ModalView {
  const otherVendor = vendorOf(operation, before.inputs) !== vendorOf(operation, now.inputs);
  const inputs: Record<string, string> = { ...now.inputs };
  const resets: Record<string, number> = { ...now.resets };
  for (const field of operation.fields) {
    const reason = field.dependsOn?.[changed];
    if (!reason || (reason === 'vendor' && !otherVendor) || before.inputs[changed] === now.inputs[changed]) continue;
    delete inputs[field.name];
    resets[field.name] = (resets[field.name] ?? 0) + 1;
  }
  return form(operation, { ...now, inputs, resets });
}

/** Whether other fields, or which fields there are, depend on this one: its change redraws the form. */
function isDecisive(operation: WriteOperation, field: Field): boolean {
  return (
    field.name === operation.target ||
    operation.fields.some(({ dependsOn = {}, when = {} }) => field.name in dependsOn || field.name in when)
  );
}

function titleOf(operation: WriteOperation): string {
  const words = operation.words.join(' ');
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}`;
}

function input(operation: WriteOperation, field: Field, state: FormState): InputBlock {
  const resets = state.resets[field.name];
  return {
    type: 'input',
    block_id: resets ? `${field.name}:${resets}` : field.name,
    label: { type: 'plain_text', text: field.label },
    ...(field.hint ? { hint: { type: 'plain_text', text: field.hint } } : {}),
    optional: !field.required,
    ...(isDecisive(operation, field) ? { dispatch_action: true } : {}),
    element: element(field, state, vendorOf(operation, state.inputs)),
  };
}

function element(field: Field, { inputs, labels }: FormState, vendor: Vendor | undefined): InputBlock['element'] {
  const { widget } = field;
  const value = inputs[field.name];
  const placeholder = (text: string | undefined) =>
    text ? { placeholder: { type: 'plain_text' as const, text: cut(text, 150) } } : {};
  switch (widget.type) {
    case 'record':
      return {
        type: 'external_select',
        action_id: inputAction,
        min_query_length: 0,
        ...placeholder(field.name === 'snapshot' ? 'Latest snapshot' : 'Choose, or type a name or an identifier'),
        ...(value ? { initial_option: option(value, labels[value] ?? value) } : {}),
      };
    case 'choice': {
      const options = widget.options
        .filter(({ vendors }) => !vendors || (vendor && vendors.includes(vendor)))
        .map(entry => option(entry.value, entry.label, entry.description));
      const chosen = options.find(entry => entry.value === value);
      if (widget.compact) {
        return {
          type: 'static_select',
          action_id: inputAction,
          options,
          ...(chosen ? { initial_option: chosen } : {}),
        };
      }
      const initial = chosen ?? options[0];
      return {
        type: 'radio_buttons',
        action_id: inputAction,
        options,
        ...(initial ? { initial_option: initial } : {}),
      };
    }
    case 'integer':
      return {
        type: 'number_input',
        action_id: inputAction,
        is_decimal_allowed: false,
        ...placeholder(widget.placeholder),
        ...(value && /^\d{1,15}$/.test(value) ? { initial_value: value } : {}),
      };
    case 'text':
      return {
        type: 'plain_text_input',
        action_id: inputAction,
        ...(widget.multiline ? { multiline: true } : {}),
        ...placeholder(widget.placeholder),
        ...(value ? { initial_value: cut(value, 3000) } : {}),
      };
  }
}

/** An option of a picker, within Slack's limits. */
export function option(value: string, label: string, description?: string): PlainTextOption {
  return {
    text: { type: 'plain_text', text: cut(legible(label), limits.optionText) },
    value: cut(value, limits.optionValue),
    ...(description ? { description: { type: 'plain_text', text: cut(legible(description), limits.optionText) } } : {}),
  };
}

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
