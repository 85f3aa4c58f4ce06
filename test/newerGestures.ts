import { z } from 'zod';
import type { Json } from '../src/sandbox/playground/json.ts';
import type { Message, PlayRequests, Workflow, WorkflowRun } from '../src/sandbox/playground/protocol.ts';

/** The gestures of a person beside typing and clicking. Each throws Slack's sentence where Slack refuses it. */
export type NewerGestures = {
  /** Edits, or deletes, a message of their own. */
  edits(message: Message, text: string): Promise<void>;
  deletes(message: Message): Promise<void>;
  /** Chooses a global shortcut, by its callback id. */
  shortcut(callbackId: string): Promise<void>;
  /** Chooses a shortcut of a message. */
  messageShortcut(callbackId: string, message: Message): Promise<void>;
  /** Builds a workflow, or changes one of theirs. */
  buildsWorkflow(workflow: Omit<PlayRequests['/play/workflow'], 'as'>): Promise<Workflow>;
  /** Starts a workflow, in a channel by id or `#name`. */
  runsWorkflow(workflow: Workflow, started?: { channel?: string; values?: Json }): Promise<WorkflowRun>;
};

/** A request of a person's that must be taken. */
type Demand = <P extends keyof PlayRequests>(path: P, body: Omit<PlayRequests[P], 'as'>) => Promise<Json>;

const hasId = z.looseObject({ id: z.string() });
const workflowShape = z.custom<Workflow>(value => hasId.safeParse(value).success);
const runShape = z.custom<WorkflowRun>(value => hasId.safeParse(value).success);

/** @param channelId the id of a channel that the person sees, by `#name` */
export const newerGestures = (demand: Demand, channelId: (name: string) => string): NewerGestures => ({
  async edits({ channel, ts }, text) {
    await demand('/play/edit', { channel, ts, text });
  },
  async deletes({ channel, ts }) {
    await demand('/play/delete', { channel, ts });
  },
  async shortcut(callbackId) {
    await demand('/play/shortcut', { callbackId });
  },
  async messageShortcut(callbackId, { channel, ts }) {
    await demand('/play/message-shortcut', { callbackId, channel, ts });
  },
  async buildsWorkflow(asked) {
    return workflowShape.parse((await demand('/play/workflow', asked)).workflow);
  },
  async runsWorkflow({ id: workflow }, { channel, values = {} } = {}) {
    const place = channel === undefined ? {} : { channel: channelId(channel) };
    return runShape.parse((await demand('/play/run', { workflow, values, ...place })).run);
  },
});
