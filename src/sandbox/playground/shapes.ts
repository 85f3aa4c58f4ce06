import { z } from 'zod';
import { limits } from './limits.ts';

/*
 * The shapes of Slack's composition objects and elements. Objects are strict: Slack refuses a property that it does not
 * know, and a kind one would hide a typing error until the day of the first real workspace.
 */

export const plainText = (max: number) =>
  z.strictObject({ type: z.literal('plain_text'), text: z.string().min(1).max(max), emoji: z.boolean().optional() });

const mrkdwn = (max: number) =>
  z.strictObject({ type: z.literal('mrkdwn'), text: z.string().min(1).max(max), verbatim: z.boolean().optional() });

export const anyText = (max: number) => z.discriminatedUnion('type', [plainText(max), mrkdwn(max)]);

const confirm = z.strictObject({
  title: plainText(limits.confirmTitle).optional(),
  text: anyText(limits.confirmText),
  confirm: plainText(limits.confirmButton).optional(),
  deny: plainText(limits.confirmButton).optional(),
  style: z.enum(['primary', 'danger']).optional(),
});

const option = z.strictObject({
  text: plainText(limits.optionText),
  value: z.string().min(1).max(limits.optionValue),
  description: plainText(limits.optionDescription).optional(),
});
const overflowOption = option.extend({ url: z.string().max(limits.url).optional() });
const choice = option.extend({
  text: anyText(limits.optionText),
  description: anyText(limits.optionDescription).optional(),
});
const options = z.array(option).min(1).max(limits.options);
const groupOf = (max: number) =>
  z
    .array(
      z.strictObject({
        label: plainText(limits.optionGroupLabel),
        options: z.array(option).max(limits.options),
      }),
    )
    .max(max);

/** The answer to a block_suggestion: options or option_groups, where none at all is a good answer. */
export const optionsAnswer = z.union([
  z.strictObject({ options: z.array(option).max(limits.options) }),
  z.strictObject({ option_groups: groupOf(limits.optionGroups) }),
]);

const action_id = z.string().min(1).max(limits.actionId).optional();
const focus_on_load = z.boolean().optional();
const placeholder = plainText(limits.placeholder).optional();
const dispatch_action_config = z
  .strictObject({ trigger_actions_on: z.array(z.enum(['on_enter_pressed', 'on_character_entered'])).optional() })
  .optional();
const used = { action_id, confirm: confirm.optional() };
const picked = { ...used, focus_on_load, placeholder };
const written = { action_id, focus_on_load, placeholder, dispatch_action_config };
const max_selected_items = z.int().min(1).optional();
const optionSource = { options: options.optional(), option_groups: groupOf(limits.optionGroups).optional() };
const min_query_length = z.int().min(0).optional();
const filter = z
  .strictObject({
    include: z
      .array(z.enum(['im', 'mpim', 'private', 'public']))
      .min(1)
      .optional(),
    exclude_external_shared_channels: z.boolean().optional(),
    exclude_bot_users: z.boolean().optional(),
  })
  .optional();
const conversations = { filter, default_to_current_conversation: z.boolean().optional() };
const ids = z.array(z.string()).optional();
const id = z.string().optional();
const style = z.enum(['primary', 'danger']).optional();
const accessibility_label = z.string().max(limits.accessibilityLabel).optional();
const slackFile = z.union([z.strictObject({ id: z.string() }), z.strictObject({ url: z.string() })]);

export const imageSource = {
  image_url: z.string().max(limits.url).optional(),
  slack_file: slackFile.optional(),
  alt_text: z.string().max(limits.imageAlt),
};

/** One shape for each kind of element; blocks.ts says where each may stand. */
export const elementShapes = {
  button: z.strictObject({
    type: z.literal('button'),
    ...used,
    text: plainText(limits.buttonText),
    value: z.string().max(limits.buttonValue).optional(),
    url: z.string().max(limits.url).optional(),
    style,
    accessibility_label,
  }),
  workflow_button: z.strictObject({
    type: z.literal('workflow_button'),
    ...used,
    text: plainText(limits.buttonText),
    workflow: z.looseObject({}),
    style,
    accessibility_label,
  }),
  overflow: z.strictObject({
    type: z.literal('overflow'),
    ...used,
    options: z.array(overflowOption).min(1).max(limits.overflow),
  }),
  checkboxes: z.strictObject({
    type: z.literal('checkboxes'),
    ...used,
    focus_on_load,
    options: z.array(choice).min(1).max(limits.choices),
    initial_options: z.array(choice).min(1).optional(),
  }),
  radio_buttons: z.strictObject({
    type: z.literal('radio_buttons'),
    ...used,
    focus_on_load,
    options: z.array(choice).min(1).max(limits.choices),
    initial_option: choice.optional(),
  }),
  static_select: z.strictObject({
    type: z.literal('static_select'),
    ...picked,
    ...optionSource,
    initial_option: option.optional(),
  }),
  multi_static_select: z.strictObject({
    type: z.literal('multi_static_select'),
    ...picked,
    ...optionSource,
    initial_options: z.array(option).min(1).optional(),
    max_selected_items,
  }),
  external_select: z.strictObject({
    type: z.literal('external_select'),
    ...picked,
    min_query_length,
    initial_option: option.optional(),
  }),
  multi_external_select: z.strictObject({
    type: z.literal('multi_external_select'),
    ...picked,
    min_query_length,
    initial_options: z.array(option).min(1).optional(),
    max_selected_items,
  }),
  users_select: z.strictObject({ type: z.literal('users_select'), ...picked, initial_user: id }),
  multi_users_select: z.strictObject({
    type: z.literal('multi_users_select'),
    ...picked,
    initial_users: ids,
    max_selected_items,
  }),
  conversations_select: z.strictObject({
    type: z.literal('conversations_select'),
    ...picked,
    ...conversations,
    response_url_enabled: z.boolean().optional(),
    initial_conversation: id,
  }),
  multi_conversations_select: z.strictObject({
    type: z.literal('multi_conversations_select'),
    ...picked,
    ...conversations,
    initial_conversations: ids,
    max_selected_items,
  }),
  channels_select: z.strictObject({
    type: z.literal('channels_select'),
    ...picked,
    response_url_enabled: z.boolean().optional(),
    initial_channel: id,
  }),
  multi_channels_select: z.strictObject({
    type: z.literal('multi_channels_select'),
    ...picked,
    initial_channels: ids,
    max_selected_items,
  }),
  datepicker: z.strictObject({
    type: z.literal('datepicker'),
    ...picked,
    initial_date: z
      .string()
      .regex(/^\d{4}-\d\d-\d\d$/)
      .optional(),
  }),
  timepicker: z.strictObject({
    type: z.literal('timepicker'),
    ...picked,
    initial_time: z
      .string()
      .regex(/^\d\d:\d\d$/)
      .optional(),
    timezone: z.string().optional(),
  }),
  datetimepicker: z.strictObject({
    type: z.literal('datetimepicker'),
    ...used,
    focus_on_load,
    initial_date_time: z.int().min(1_000_000_000).max(9_999_999_999).optional(),
  }),
  plain_text_input: z.strictObject({
    type: z.literal('plain_text_input'),
    ...written,
    initial_value: z.string().max(limits.inputText).optional(),
    multiline: z.boolean().optional(),
    min_length: z.int().min(0).max(limits.inputText).optional(),
    max_length: z.int().min(1).max(limits.inputText).optional(),
  }),
  number_input: z.strictObject({
    type: z.literal('number_input'),
    ...written,
    is_decimal_allowed: z.boolean(),
    initial_value: z.string().optional(),
    min_value: z.string().optional(),
    max_value: z.string().optional(),
  }),
  email_text_input: z.strictObject({
    type: z.literal('email_text_input'),
    ...written,
    initial_value: z.string().optional(),
  }),
  url_text_input: z.strictObject({
    type: z.literal('url_text_input'),
    ...written,
    initial_value: z.string().optional(),
  }),
  rich_text_input: z.strictObject({
    type: z.literal('rich_text_input'),
    ...written,
    initial_value: z.looseObject({ type: z.literal('rich_text') }).optional(),
    min_lines: z.int().optional(),
    max_lines: z.int().optional(),
  }),
  image: z.strictObject({ type: z.literal('image'), ...imageSource }),
} as const;
