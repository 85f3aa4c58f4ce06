import type { KnownBlock, ModalView } from '@slack/types';
import { z } from 'zod';
import { type Code, inputAction } from './action.ts';
import { limits } from './limits.ts';

const Option = z.object({ value: z.string(), text: z.object({ text: z.string() }).optional() });
/** What an input holds, whatever its kind. The values of options that are ticked together hold no blanks. */
const Held = z.object({
  value: z.string().nullish(),
  selected_option: Option.nullish(),
  selected_options: z.array(Option).nullish(),
  selected_time: z.string().nullish(),
  selected_date: z.string().nullish(),
  selected_conversation: z.string().nullish(),
  selected_user: z.string().nullish(),
  selected_users: z.array(z.string()).nullish(),
});
type Held = z.infer<typeof Held>;
/** The value with which an input was drawn. Only inputs have one `element`. */
const Drawn = z
  .object({
    initial_value: z.string().optional(),
    initial_option: z.object({ value: z.string() }).optional(),
    initial_options: z.array(z.object({ value: z.string() })).optional(),
  })
  .optional()
  .catch(undefined);
const Sent = z.object({
  callback_id: z.string().default(''),
  private_metadata: z.string().default(''),
  blocks: z
    .array(
      z.object({
        block_id: z.string().optional(),
        element: Drawn,
        elements: z
          .array(z.object({ text: z.unknown() }))
          .optional()
          .catch(undefined),
      }),
    )
    .default([]),
  state: z
    .object({ values: z.record(z.string(), z.record(z.string(), Held.catch({}))).default({}) })
    .default({ values: {} }),
});

/** A modal as Slack sends it back. What stands in it was typed by people, or carried through Slack. */
export type SentModal = z.infer<typeof Sent>;

/** Reads a modal that Slack sends; `undefined` for anything else. */
export function readSent(payload: unknown): SentModal | undefined {
  return Sent.safeParse(payload).data;
}

/** What the input of a block holds; nothing where there is no such input. */
export function heldIn({ state }: SentModal, block: string, action: string = inputAction): Held {
  return state.values[block]?.[action] ?? {};
}

/** The blocks of a modal in which somebody can type or choose, in their order. Slack shows faults at these alone. */
export function inputsIn({ blocks, state }: SentModal): readonly string[] {
  const drawn = blocks.flatMap(({ block_id, element }) => (block_id && element ? [block_id] : []));
  return [...new Set([...drawn, ...Object.keys(state.values)])];
}

/** Whether a modal can carry a text: Slack refuses one that carries more. */
export function canCarry(text: string): boolean {
  return text.length <= limits.privateMetadata;
}

/** The place in which a modal was asked for. Every modal carries it (placeOf, threadOf). */
type CarriedPlace = Readonly<{ channel: string }>;

/** The text and the blocks of a modal. One without `submit` only shows something. */
type Drawing = Readonly<{ title: string; submit?: string; close?: string; blocks: KnownBlock[] }>;

/** A kind of modal: its id, what it carries through Slack, and what people fill in. */
export type Modal<C extends CarriedPlace, F> = Readonly<{
  /** The `callback_id`. */
  id: string;
  /** The modal, which brings `carried` back. */
  view(carried: C, drawing: Drawing): ModalView;
  /** Whether a modal can carry the value. Ask this for every value that a person typed. */
  fits(carried: C): boolean;
  /** Reads a modal that came back, submitted or not; `undefined` for one that this release did not draw. */
  read(sent: SentModal | undefined): Readonly<{ carried: C; fields: F }> | undefined;
}>;

/**
 * Defines a kind of modal. Its listener comes from the same definition (`onSubmit`), so a modal and its listener agree on
 * what it carries and what people fill in. `fields` gives `undefined` for what this release did not draw.
 */
export function defineModal<C extends CarriedPlace, F>(
  id: string,
  { write, read }: Code<C>,
  fields: (sent: SentModal, carried: C) => F | undefined,
): Modal<C, F> {
  return {
    id,
    fits: carried => canCarry(write(carried)),
    view: (carried, { title, submit, close = 'Cancel', blocks }) => ({
      type: 'modal',
      callback_id: id,
      title: { type: 'plain_text', text: title },
      ...(submit === undefined ? {} : { submit: { type: 'plain_text', text: submit } }),
      close: { type: 'plain_text', text: close },
      private_metadata: write(carried),
      blocks,
    }),
    read(sent) {
      const carried = sent && read(sent.private_metadata);
      const filled = carried && fields(sent, carried);
      return carried === undefined || filled === undefined ? undefined : { carried, fields: filled };
    },
  };
}
