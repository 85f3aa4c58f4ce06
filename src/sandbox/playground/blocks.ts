import { z } from 'zod';
import { limits } from './limits.ts';
import { anyText, elementShapes, imageSource, plainText } from './shapes.ts';

const shape = elementShapes;
const selects = [
  shape.static_select,
  shape.external_select,
  shape.users_select,
  shape.conversations_select,
  shape.channels_select,
  shape.multi_static_select,
  shape.multi_external_select,
  shape.multi_users_select,
  shape.multi_conversations_select,
  shape.multi_channels_select,
] as const;
const pickers = [shape.checkboxes, shape.radio_buttons, shape.datepicker, shape.timepicker] as const;

const accessory = z.discriminatedUnion('type', [
  shape.button,
  shape.workflow_button,
  shape.overflow,
  shape.image,
  ...pickers,
  ...selects,
]);
const actionsElement = z.discriminatedUnion('type', [
  shape.button,
  shape.workflow_button,
  shape.overflow,
  shape.datetimepicker,
  shape.rich_text_input,
  ...pickers,
  ...selects,
]);
const inputElement = z.discriminatedUnion('type', [
  shape.plain_text_input,
  shape.number_input,
  shape.email_text_input,
  shape.url_text_input,
  shape.rich_text_input,
  shape.datetimepicker,
  ...pickers,
  ...selects,
]);
const contextElement = z.discriminatedUnion('type', [shape.image, ...anyText(limits.text).options]);

const block_id = z.string().min(1).max(limits.blockId).optional();

/** Rich text is Slack's own editor format: its frame is checked, the styling inside is passed on. */
const richPart: z.ZodType = z.looseObject({
  type: z.enum(['rich_text_section', 'rich_text_list', 'rich_text_quote', 'rich_text_preformatted']),
  elements: z.array(z.looseObject({ type: z.string() })),
});
const richText = z.strictObject({ type: z.literal('rich_text'), block_id, elements: z.array(richPart) });

const cell = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('raw_text'), text: z.string() }),
  z.strictObject({ type: z.literal('raw_number'), value: z.number(), text: z.string() }),
  richText,
]);

/** A data table takes no empty text; its first row, which is the header, takes no rich text (see blockkit.ts). */
const dataCell = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('raw_text'), text: z.string().min(1) }),
  z.strictObject({ type: z.literal('raw_number'), value: z.number(), text: z.string().min(1) }),
  richText,
]);

const chartPoint = z.strictObject({ label: z.string().min(1).max(limits.chartLabel), value: z.number() });
const chartWithAxes = <T extends string>(type: T) =>
  z.strictObject({
    type: z.literal(type),
    series: z
      .array(
        z.strictObject({
          name: z.string().min(1).max(limits.chartLabel),
          data: z.array(chartPoint).min(1).max(limits.chartCategories),
        }),
      )
      .min(1)
      .max(limits.chartSeries),
    axis_config: z.strictObject({
      categories: z.array(z.string().min(1).max(limits.chartLabel)).min(1).max(limits.chartCategories),
      x_label: z.string().max(limits.chartAxisLabel).optional(),
      y_label: z.string().max(limits.chartAxisLabel).optional(),
    }),
  });

/** What a task says: one section of rich text, by Slack's page "a single rich_text entity". */
const oneRichText = richText.extend({ elements: z.array(richPart).min(1).max(1) });
const taskCard = z.strictObject({
  type: z.literal('task_card'),
  block_id,
  task_id: z.string().min(1),
  title: z.string().min(1).max(limits.taskTitle),
  status: z.enum(['pending', 'in_progress', 'complete', 'error']).optional(),
  details: oneRichText.optional(),
  output: oneRichText.optional(),
  sources: z.array(z.looseObject({ type: z.literal('url'), url: z.string(), text: z.string() })).optional(),
});

const blockShapes = {
  section: z.strictObject({
    type: z.literal('section'),
    block_id,
    text: anyText(limits.text).optional(),
    fields: z.array(anyText(limits.field)).min(1).max(limits.fields).optional(),
    accessory: accessory.optional(),
    expand: z.boolean().optional(),
  }),
  header: z.strictObject({ type: z.literal('header'), block_id, text: plainText(limits.header) }),
  divider: z.strictObject({ type: z.literal('divider'), block_id }),
  context: z.strictObject({
    type: z.literal('context'),
    block_id,
    elements: z.array(contextElement).min(1).max(limits.contextElements),
  }),
  actions: z.strictObject({
    type: z.literal('actions'),
    block_id,
    elements: z.array(actionsElement).min(1).max(limits.actionsElements),
  }),
  image: z.strictObject({
    type: z.literal('image'),
    block_id,
    ...imageSource,
    title: plainText(limits.imageTitle).optional(),
  }),
  input: z.strictObject({
    type: z.literal('input'),
    block_id,
    label: plainText(limits.label),
    hint: plainText(limits.hint).optional(),
    optional: z.boolean().optional(),
    dispatch_action: z.boolean().optional(),
    element: inputElement,
  }),
  rich_text: richText,
  markdown: z.strictObject({ type: z.literal('markdown'), block_id, text: z.string().min(1).max(limits.markdown) }),
  table: z.strictObject({
    type: z.literal('table'),
    block_id,
    rows: z.array(z.array(cell).min(1).max(limits.tableColumns)).min(1).max(limits.tableRows),
    column_settings: z
      .array(
        z
          .strictObject({
            align: z.enum(['left', 'center', 'right']).optional(),
            is_wrapped: z.boolean().optional(),
          })
          .nullable(),
      )
      .max(limits.tableColumns)
      .optional(),
  }),
  data_table: z.strictObject({
    type: z.literal('data_table'),
    block_id,
    caption: z.string().min(1),
    rows: z
      .array(z.array(dataCell).min(1).max(limits.tableColumns))
      .min(2)
      .max(limits.dataTableRows + 1),
    page_size: z.int().min(1).max(limits.dataTablePage).optional(),
    row_header_column_index: z.int().min(0).optional(),
  }),
  data_visualization: z.strictObject({
    type: z.literal('data_visualization'),
    block_id,
    title: z.string().min(1).max(limits.chartTitle),
    chart: z.discriminatedUnion('type', [
      z.strictObject({
        type: z.literal('pie'),
        segments: z
          .array(chartPoint.extend({ value: z.number().positive() }))
          .min(1)
          .max(limits.chartSegments),
      }),
      chartWithAxes('bar'),
      chartWithAxes('line'),
      chartWithAxes('area'),
    ]),
  }),
  alert: z.strictObject({
    type: z.literal('alert'),
    block_id,
    text: anyText(limits.alert),
    level: z.enum(['default', 'info', 'warning', 'error', 'success']).optional(),
  }),
  card: z.strictObject({
    type: z.literal('card'),
    block_id,
    hero_image: shape.image.optional(),
    icon: shape.image.optional(),
    title: anyText(limits.cardTitle).optional(),
    subtitle: anyText(limits.cardTitle).optional(),
    body: anyText(limits.cardBody).optional(),
    actions: z.array(shape.button).min(1).max(limits.cardActions).optional(),
  }),
  task_card: taskCard,
  plan: z.strictObject({
    type: z.literal('plan'),
    block_id,
    title: z.string().min(1).max(limits.planTitle),
    tasks: z
      .array(taskCard.extend({ type: z.literal('task_card').optional() }))
      .max(limits.planTasks)
      .optional(),
  }),
  video: z.looseObject({
    type: z.literal('video'),
    block_id,
    title: plainText(limits.videoTitle),
    video_url: z.string(),
    thumbnail_url: z.string(),
    alt_text: z.string(),
    author_name: z.string().max(limits.authorName).optional(),
  }),
} as const;

const everywhere = [
  blockShapes.section,
  blockShapes.header,
  blockShapes.divider,
  blockShapes.context,
  blockShapes.actions,
  blockShapes.image,
  blockShapes.input,
  blockShapes.rich_text,
  blockShapes.video,
] as const;

/**
 * A container, in messages only. Slack's page names more kinds of children than its Web API takes: these are the ones
 * that both name (docs.rs/slack-morphism, SlackContainerBlock).
 */
const container = z.strictObject({
  type: z.literal('container'),
  block_id,
  title: plainText(limits.containerTitle),
  subtitle: anyText(limits.containerTitle).optional(),
  child_blocks: z
    .array(
      z.discriminatedUnion('type', [
        blockShapes.section,
        blockShapes.header,
        blockShapes.divider,
        blockShapes.context,
        blockShapes.actions,
        blockShapes.image,
        blockShapes.table,
      ]),
    )
    .min(1)
    .max(limits.containerBlocks),
  width: z.enum(['narrow', 'standard', 'wide', 'full']).optional(),
  icon: shape.image.optional(),
  is_collapsible: z.boolean().optional(),
  default_collapsed: z.boolean().optional(),
  has_header_divider: z.boolean().optional(),
});

/** The blocks of a message. */
export const messageBlocks = z
  .array(
    z.discriminatedUnion('type', [
      ...everywhere,
      blockShapes.markdown,
      blockShapes.table,
      blockShapes.data_table,
      blockShapes.data_visualization,
      blockShapes.card,
      blockShapes.plan,
      blockShapes.task_card,
      container,
    ]),
  )
  .max(limits.messageBlocks);

const viewFields = {
  private_metadata: z.string().max(limits.privateMetadata).optional(),
  callback_id: z.string().max(limits.callbackId).optional(),
  external_id: z.string().max(limits.externalId).optional(),
};

/** A modal as the bot sends it. */
export const modalView = z.strictObject({
  type: z.literal('modal'),
  ...viewFields,
  blocks: z
    .array(z.discriminatedUnion('type', [...everywhere, blockShapes.card, blockShapes.alert]))
    .max(limits.viewBlocks),
  title: plainText(limits.viewTitle),
  submit: plainText(limits.viewTitle).optional(),
  close: plainText(limits.viewTitle).optional(),
  clear_on_close: z.boolean().optional(),
  notify_on_close: z.boolean().optional(),
  submit_disabled: z.boolean().optional(),
});

/** An App Home as the bot sends it. */
export const homeView = z.strictObject({
  type: z.literal('home'),
  ...viewFields,
  blocks: z.array(z.discriminatedUnion('type', [...everywhere, blockShapes.card])).max(limits.viewBlocks),
});
