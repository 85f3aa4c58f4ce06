/** Slack's limits that Dolly can meet, in characters or items (docs.slack.dev/reference/block-kit). */
export const limits = {
  sectionText: 3000,
  inputText: 3000,
  headerText: 150,
  buttonText: 75,
  buttonValue: 2000,
  optionText: 75,
  optionValue: 150,
  options: 100,
  /** Buttons in one row. Slack takes 25; a person reads fewer. */
  choices: 20,
  fields: 10,
  fieldText: 2000,
  overflow: 5,
  errorText: 250,
  modalTitle: 24,
  privateMetadata: 3000,
  messageBlocks: 50,
  modalBlocks: 100,
  homeBlocks: 100,
  /** chat.update refuses a longer text. */
  messageText: 4000,
  /** All `text` of a message's blocks together; Slack names no number, and refuses somewhat more. */
  messageCharacters: 11_000,
  /** Data tables of a message (docs.slack.dev/reference/block-kit/blocks/data-table-block); a header comes beside the rows. */
  tableRows: 100,
  tableColumns: 20,
  tableCharacters: 10_000,
  tablePage: 100,
  /** Charts (docs.slack.dev/reference/block-kit/blocks/data-visualization-block). */
  chartTitle: 50,
  chartLabel: 20,
  chartAxis: 50,
  chartSeries: 6,
  chartCategories: 20,
  /** Slack's page names no number; the Web API refuses a third one (github.com/vercel/chat/pull/696). */
  charts: 2,
  /** Alerts, in modals only (docs.slack.dev/reference/block-kit/blocks/alert-block; github.com/slackapi/java-slack-sdk/pull/1624). */
  alertText: 200,
  /** Cards (docs.slack.dev/reference/block-kit/blocks/card-block); the page names no number of buttons, and shows three at most. */
  cardTitle: 150,
  cardSubtitle: 150,
  cardBody: 200,
  cardActions: 3,
  /** Containers, in messages only (docs.slack.dev/reference/block-kit/blocks/container-block). */
  containerTitle: 150,
  containerBlocks: 10,
  /**
   * Plans, in messages only (docs.slack.dev/reference/block-kit/blocks/plan-block). The page names no number: 256 is that
   * of streamed tasks, and others saw 50 tasks taken, and details count twice (github.com/openclaw/openclaw/pull/143882).
   */
  planTitle: 256,
  planTasks: 50,
  taskTitle: 256,
  taskDetails: 256,
} as const;

/** Cuts text to at most `max` UTF-16 units and marks the cut. Never cuts in the middle of a character. */
export function cut(text: string, max: number): string {
  if (text.length <= max) return text;
  return `${text.slice(0, max - 1).replace(/[\uD800-\uDBFF]$/, '')}…`;
}

/** Cuts text to at most `max` UTF-16 units in its middle: names that are alike often differ at their ends. */
export function cutMiddle(text: string, max: number): string {
  if (text.length <= max) return text;
  const end = text.slice(text.length - Math.floor((max - 1) / 2)).replace(/^[\uDC00-\uDFFF]/, '');
  return `${cut(text, max - end.length)}${end}`;
}

/** Cuts mrkdwn to at most `max` UTF-16 units and marks the cut. Never cuts inside of a mention, a link or a date. */
export function cutMarkup(text: string, max: number): string {
  if (text.length <= max) return text;
  return `${cut(text, max)
    .slice(0, -1)
    .replace(/(?:<[^>]*|&[a-z]*)$/, '')}…`;
}
