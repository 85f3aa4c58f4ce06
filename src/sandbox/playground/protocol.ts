/**
 * The messages that the playground's page (and the journey tests, which are people without a browser) and its server send each
 * other. Blocks, views and state values are Slack's own JSON, passed through as they are.
 */

/** Slack's `state.values`: block_id → action_id → the element's state (`{type, value}`, `{type, selected_option}`, …). */
export type StateValues = Record<string, Record<string, unknown>>;

export type Person = {
  id: string;
  name: string;
  realName: string;
  title: string;
  isBot: boolean;
  /** A guest of this workspace, or a member of another one, met in a shared channel. Absent: a full member. */
  kind?: 'guest' | 'outsider';
};
export type Channel = {
  id: string;
  name: string;
  topic: string;
  kind: 'public' | 'private' | 'dm';
  members: string[];
  /** Shared with another workspace (Slack Connect). */
  isShared?: boolean;
  /** Can be read, and takes nothing new. */
  isArchived?: boolean;
};
/** A group of people that can be mentioned. Slack has them on paid plans only. */
export type UserGroup = { id: string; handle: string; name: string; users: string[] };
/** A slash command as the page completes it. */
export type CommandHint = {
  command: string;
  description: string;
  usageHint: string;
};

/** A shortcut as the app's manifest declares it (features.shortcuts). */
export type Shortcut = { name: string; type: 'global' | 'message'; callback_id: string; description: string };

/** An input or output of a step, as the app's manifest declares it. `type` is a primitive or `slack#/types/…`. */
export type StepParameter = {
  type: string;
  title?: string;
  description?: string;
  hint?: string;
  is_required?: boolean;
  /** The values that are allowed, for a text. */
  enum?: readonly string[];
  choices?: readonly { value: string; title: string }[];
};
/** A step that the app offers to Workflow Builder: one entry of `functions` in its manifest. */
export type StepFunction = {
  title: string;
  description: string;
  input_parameters: Readonly<Record<string, StepParameter>>;
  output_parameters: Readonly<Record<string, StepParameter>>;
};

/** A step in a workflow. Inputs are values, or texts with variables (see variables.ts). */
export type WorkflowStep = { function: string; inputs: Record<string, unknown> };
/** A workflow that a person has built, in a workspace. Each change is a new version of it. */
export type Workflow = {
  id: string;
  team: string;
  name: string;
  owner: string;
  version: number;
  steps: WorkflowStep[];
};
/** One execution of a step. */
export type StepRun = {
  execution: string;
  function: string;
  inputs: Record<string, unknown>;
  state: 'running' | 'completed' | 'failed';
  outputs: Record<string, unknown>;
  error: string;
};
/** One run of a workflow, with the steps that have begun. `by` and `channel` are empty where a schedule started it. */
export type WorkflowRun = {
  id: string;
  workflow: string;
  team: string;
  name: string;
  version: number;
  by: string;
  channel: string;
  values: Record<string, unknown>;
  at: number;
  steps: StepRun[];
};

/** A file in a message; `url` is the path at which the playground gives it out. Sizes are in bytes. */
export type SharedFile = {
  id: string;
  name: string;
  title: string;
  size: number;
  mimetype: string;
  url: string;
};

export type Message = {
  channel: string;
  ts: string;
  user: string;
  text: string;
  blocks: unknown[];
  attachments: unknown[];
  threadTs?: string;
  replyCount: number;
  edited: boolean;
  files?: SharedFile[];
  /** Set on an ephemeral message: the only person who sees it. */
  onlyFor?: string;
};

/** An open modal. `stack` counts the views below it (0 for the root). `view` is Slack's view object with id and hash. */
export type OpenView = {
  id: string;
  hash: string;
  rootId: string;
  stack: number;
  view: unknown;
};

/** One exchange between the playground and the bot, for the inspector. Bodies are decoded JSON or text. */
export type Traffic = {
  at: number;
  direction: 'to bot' | 'from bot';
  /** e.g. `slash command /clone`, `chat.postMessage`, `view_submission`. */
  what: string;
  milliseconds: number;
  status: number;
  request: unknown;
  response: unknown;
};

/** A rule of Slack that the bot broke (3 s ack, `invalid_blocks`, used-up response URL, …). Shown in red. */
export type Violation = { at: number; what: string; detail: string };

/** GET /play/state?as=U… : everything one person sees. */
export type Snapshot = {
  team: { id: string; name: string };
  me: Person;
  people: Person[];
  groups: UserGroup[];
  channels: Channel[];
  commands: CommandHint[];
  shortcuts: Shortcut[];
  /** The steps that the app offers, by callback id; the workflows, and their latest runs. */
  functions: Record<string, StepFunction>;
  workflows: Workflow[];
  runs: WorkflowRun[];
  /** Messages (and ephemeral ones for `me`) by channel id, oldest first; replies stand here too, with `threadTs`. */
  messages: Record<string, Message[]>;
  /** The modals that are open for `me`, root first. */
  views: OpenView[];
  /** The App Home view of `me`, if the bot published one. */
  home: unknown;
  violations: Violation[];
};

/** GET /play/events?as=U… : server-sent events, each one JSON object of this type in `data`. */
export type PlayEvent =
  | { type: 'message'; message: Message }
  | { type: 'message_changed'; message: Message }
  | { type: 'message_deleted'; channel: string; ts: string }
  | { type: 'channel'; channel: Channel }
  | { type: 'views'; views: OpenView[] }
  | { type: 'home'; view: unknown }
  | { type: 'workflow'; workflow: Workflow }
  | { type: 'run'; run: WorkflowRun }
  | { type: 'violation'; violation: Violation }
  | { type: 'traffic'; traffic: Traffic };

/** Where an element that was used stands. */
export type Container =
  | { type: 'message'; channel: string; ts: string }
  | { type: 'view'; viewId: string }
  | { type: 'home' };

/**
 * The acts of a person. Each is a POST to the path named, with this JSON as its body; each answer is JSON.
 * An answer `{ok: false, error}` carries the sentence that Slack would show to the person
 * (e.g. "dispatch_failed: /clone failed because the app did not respond").
 */
export type PlayRequests = {
  /** A line typed into the composer: a slash command if it begins with `/`, else a plain message. */
  '/play/say': { as: string; channel: string; text: string; threadTs?: string };
  /** A person's own message is edited, or deleted. */
  '/play/edit': { as: string; channel: string; ts: string; text: string };
  '/play/delete': { as: string; channel: string; ts: string };
  /** A global shortcut is chosen, or one of a message. */
  '/play/shortcut': { as: string; callbackId: string };
  '/play/message-shortcut': { as: string; callbackId: string; channel: string; ts: string };
  /** A workflow is built, or, with its id, changed; the answer holds it. One is started; the answer holds the run. */
  '/play/workflow': { as: string; id?: string; name: string; steps: WorkflowStep[] };
  '/play/run': { as: string; workflow: string; channel?: string; values?: Record<string, unknown> };
  /** A button, select, overflow, … was used: `action` is Slack's action object without action_ts. `state` as in the container now. */
  '/play/action': {
    as: string;
    container: Container;
    action: { type: string; block_id: string; action_id: string } & Record<string, unknown>;
    state: StateValues;
  };
  /** A person types into an external select. The answer is {@link OptionsAnswer}. */
  '/play/options': {
    as: string;
    container: Container;
    block_id: string;
    action_id: string;
    value: string;
    state: StateValues;
  };
  /** Submit of a modal. The answer is {@link SubmitAnswer}. */
  '/play/submit': { as: string; viewId: string; state: StateValues };
  /** Cancel (`isCleared: true` closes the whole stack). */
  '/play/close': { as: string; viewId: string; isCleared: boolean };
  /** App Home was opened. */
  '/play/home': { as: string };
  /** The direct message with the bot (the Messages tab of its App Home) was opened; the answer holds the channel. */
  '/play/dm': { as: string };
};

export type PlayAnswer = { ok: true } | { ok: false; error: string };
export type WorkflowAnswer = { ok: true; workflow: Workflow } | { ok: false; error: string };
export type RunAnswer = { ok: true; run: WorkflowRun } | { ok: false; error: string };
export type OptionsAnswer = { ok: true; options: unknown[]; optionGroups: unknown[] } | { ok: false; error: string };
/** `errors`: block_id → sentence, as the bot's ack gave it or as Slack's own required-input check. */
export type SubmitAnswer = { ok: true } | { ok: false; errors: Record<string, string> } | { ok: false; error: string };

/** GET /play/traffic?since=<ms> : the recent {@link Traffic}, oldest first (bounded). */
export type TrafficAnswer = Traffic[];
