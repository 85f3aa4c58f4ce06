import { z } from 'zod';
import { optionsOf } from '../src/sandbox/playground/elements.ts';
import { type Json, recordOf, recordsOf, stringOf } from '../src/sandbox/playground/json.ts';
import type {
  Channel,
  Container,
  Message,
  OpenView,
  PlayRequests,
  Snapshot,
  StateValues,
} from '../src/sandbox/playground/protocol.ts';
import type { Playground } from '../src/sandbox/playground/server.ts';
import { type NewerGestures, newerGestures } from './newerGestures.ts';
import { textOf } from './sandbox/playground/blockText.ts';
import { dispatches, type Filling, fieldsOf, findField, findPressable, valueFor } from './sandbox/playground/form.ts';
import { type Standstill, type Watch, watch, watchInside } from './sandbox/playground/watch.ts';

/** An open modal as a person sees it. */
export type SeenModal = {
  id: string;
  callbackId: string;
  title: string;
  text: string;
  blocks: Json[];
  fields: StateValues;
};

/** What came of a submission. `errors` (by block_id) and `error` are empty where it was taken. */
export type Submitted = { errors: Record<string, string>; error: string; open: boolean };

/** Where something is used: a message, or Home. Absent: the open modal, else the newest message that has it, else Home. */
export type Where = { message?: Message; home?: true };

/** A person without a browser: types, fills, presses and reads through the playground's HTTP alone. */
export type Someone = NewerGestures & {
  id: string;
  name: string;
  /** All that this person sees now. */
  sees(): Snapshot;
  /** Types a command or a message. `channel` is `#name`, an id, or `@dolly`. @throws Error with Slack's sentence if refused */
  types(channel: string, text: string, thread?: Message): Promise<void>;
  /** Types what Slack refuses. @returns Slack's sentence */
  isRefused(channel: string, text: string, thread?: Message): Promise<string>;
  messages(channel: string): Message[];
  lastMessage(channel: string): Message;
  /** Waits for a message (newest first) whose text fits. */
  reads(channel: string, words: string | RegExp): Promise<Message>;
  thread(message: Message): Message[];
  /** The text of the first file in a message. @throws Error where there is none */
  downloads(message: Message): Promise<string>;
  /** The modal on top; waits for one to open. */
  modal(): Promise<SeenModal>;
  hasModal(): boolean;
  /**
   * Fills fields, in this order, by block_id, action_id or label; sends what tells the bot at once. Presses “More
   * options” for a field that the form does not show.
   */
  fills(fields: Record<string, Filling>, where?: Where): Promise<void>;
  chooses(field: string, words: Filling, where?: Where): Promise<void>;
  /** The texts that an external or static select offers for some typed words. */
  choices(field: string, words: string, where?: Where): Promise<string[]>;
  /** The same, each with its description in a list behind it. */
  described(field: string, words: string, where?: Where): Promise<(readonly [string, string])[]>;
  submits(): Promise<Submitted>;
  /** Cancels the top modal, or with `all` the whole stack. */
  cancels(all?: boolean): Promise<void>;
  /** Presses a button, or an entry of an overflow menu, by the text on it. */
  presses(words: string, where?: Where): Promise<void>;
  /** Whether it is there by now. */
  canPress(words: string, where?: Where): boolean;
  /** Opens App Home. @returns its text, once the bot has published one */
  opensHome(): Promise<string>;
  until<T>(read: () => T | undefined | false, what: string, limit?: number): Promise<T>;
  /** Goes offline. Every person of a test must, or the test does not end. */
  leaves(): void;
};

const answerShape = z.looseObject({
  ok: z.boolean(),
  error: z.string().optional(),
  errors: z.record(z.string(), z.string()).optional(),
});
type Answer = z.output<typeof answerShape>;
/**
 * Longest wait for Slack's answer to a gesture, in milliseconds of real time. Slack gives a bot up by the clock of its
 * world: where a bot hangs and nobody turns that clock, this ends the test.
 */
const patience = 120_000;

const contains = (text: string, words: string | RegExp) =>
  typeof words === 'string' ? text.toLowerCase().includes(words.toLowerCase()) : words.test(text);

/** The way from people to a playground. */
export type Line = Readonly<{
  /** Asks the playground, by the path and in the shape of its own page's requests. */
  ask(path: string, init?: RequestInit): Promise<Response>;
  /** What one person sees, by their id. */
  watch(id: string): Promise<Watch>;
}>;

/**
 * Logs a person on to a playground over HTTP.
 * @param url the playground's
 * @param name a person's name (`Ana`)
 * @param standstill ends waits that are in vain; without it they last two minutes
 */
export function person(url: string, name: string, standstill?: Standstill): Promise<Someone> {
  return personOn({ ask: (path, init) => fetch(url + path, init), watch: id => watch(url, id, standstill) }, name);
}

/** The same for a playground of this process: what the person does goes over HTTP, what they see is looked up. */
export function personIn({ url, slack }: Playground, name: string, standstill?: Standstill): Promise<Someone> {
  const line: Line = {
    ask: (path, init) => fetch(url + path, init),
    watch: async id => watchInside(slack, id, standstill),
  };
  return personOn(line, name);
}

/** Logs a person on to a playground. @param name a person's name (`Ana`) */
export async function personOn({ ask: askPlayground, watch: watchAs }: Line, name: string): Promise<Someone> {
  const { people } = z
    .object({ people: z.array(z.object({ id: z.string(), name: z.string() })) })
    .parse(await (await askPlayground('/play/state')).json());
  const id = people.find(someone => someone.name === name.toLowerCase())?.id;
  if (id === undefined) throw new Error(`nobody is called ${name}`);
  const watcher = await watchAs(id);
  const drafts = new Map<string, StateValues>();

  async function post<P extends keyof PlayRequests>(path: P, body: Omit<PlayRequests[P], 'as'>): Promise<Answer> {
    const response = await askPlayground(path, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ as: id, ...body }),
      signal: AbortSignal.timeout(patience),
    }).catch((error: unknown) => {
      throw new Error(`${name} waited in vain for Slack's answer to ${path}`, { cause: error });
    });
    const answer = answerShape.parse(await response.json());
    await watcher.refreshed();
    return answer;
  }
  const demand = (answer: Answer) => {
    if (!answer.ok) throw new Error(answer.error ?? JSON.stringify(answer.errors));
  };

  function channelId(channel: string): string {
    const { channels } = watcher.now();
    const fits = (one: Channel) =>
      one.id === channel || (one.kind === 'dm' ? channel === '@dolly' : `#${one.name}` === channel);
    const found = channels.find(fits);
    if (found === undefined) throw new Error(`${name} sees no channel ${channel}`);
    return found.id;
  }
  const messages = (channel: string) => watcher.now().messages[channelId(channel)] ?? [];
  const top = (): OpenView | undefined => watcher.now().views.at(-1);

  /** The key of what is filled in there, and its blocks as they are now. */
  type Spot = { key: string; container: Container; blocks: unknown };
  const atView = ({ id: viewId, view }: OpenView): Spot => ({
    key: viewId,
    container: { type: 'view', viewId },
    blocks: recordOf(view).blocks,
  });
  const atHome = (): Spot => ({
    key: 'home',
    container: { type: 'home' },
    blocks: recordOf(watcher.now().home).blocks,
  });
  const atMessage = ({ channel, ts }: Message): Spot => {
    const current = watcher.now().messages[channel]?.find(message => message.ts === ts);
    const attached = recordsOf(current?.attachments).flatMap(attachment => recordsOf(attachment.blocks));
    return { key: ts, container: { type: 'message', channel, ts }, blocks: [...(current?.blocks ?? []), ...attached] };
  };

  /** Where to look, in the order of {@link Where}. */
  function spots({ message, home }: Where = {}): Spot[] {
    if (message !== undefined) return [atMessage(message)];
    if (home === true) return [atHome()];
    const open = top();
    if (open !== undefined) return [atView(open)];
    const all = Object.values(watcher.now().messages).flat();
    const newestFirst = all.sort((a, b) => Number(b.ts) - Number(a.ts));
    return [...newestFirst.map(atMessage), atHome()];
  }

  /** Opens the rest of a form whose short page does not have a field. */
  async function unfolds(name_: string): Promise<void> {
    const open = top();
    const { view } = open ?? {};
    const blocks = recordOf(view).blocks;
    const more = findPressable(blocks, 'More options');
    if (open === undefined || more === undefined || findField(blocks, name_) !== undefined) return;
    const { blockId, element } = more;
    const { text, value } = element;
    const action = { type: 'button', block_id: blockId, action_id: stringOf(element.action_id), text, value };
    const before = await interaction(atView(open), action);
    await watcher.until(() => top()?.hash !== before, 'the other options');
  }

  /** Waits until one of the places has what `find` looks for. */
  const located = <T>(where: Where | undefined, find: (blocks: unknown) => T | undefined, what: string) =>
    watcher.until(() => {
      for (const spot of spots(where)) {
        const found = find(spot.blocks);
        if (found !== undefined) return { spot, found };
      }
      return undefined;
    }, what);

  function draft({ key, blocks }: Spot): StateValues {
    const state = fieldsOf(blocks, drafts.get(key) ?? {});
    drafts.set(key, state);
    return state;
  }

  async function offered(spot: Spot, field: NonNullable<ReturnType<typeof findField>>, words: string): Promise<Json[]> {
    const { element, blockId: block_id, actionId: action_id } = field;
    if (!stringOf(element.type).endsWith('external_select')) return optionsOf(element);
    const { container } = spot;
    const ask = async (value: string) => {
      const answer = await post('/play/options', { container, block_id, action_id, value, state: draft(spot) });
      demand(answer);
      const groups = recordsOf(answer.optionGroups).flatMap(group => recordsOf(group.options));
      return [...recordsOf(answer.options), ...groups];
    };
    const fit = await ask(words);
    // The bot may search otherwise than by the words that stand in the choice: then the person looks at all of them.
    return fit.length === 0 && words !== '' ? ask('') : fit;
  }

  /** Sends an action. @returns the hash of the form before, which changes when the bot redraws it */
  async function interaction(spot: Spot, action: PlayRequests['/play/action']['action']) {
    const before = top()?.hash;
    demand(await post('/play/action', { container: spot.container, action, state: draft(spot) }));
    return before;
  }

  async function fill(name_: string, filling: Filling, where?: Where) {
    await unfolds(name_);
    const { spot, found: field } = await located(where, blocks => findField(blocks, name_), `a field ${name_}`);
    const { blockId, actionId, element, key } = field;
    const value = await valueFor(field, filling, watcher.now(), words => offered(spot, field, words));
    const state = { type: element.type, [key]: value };
    const all = draft(spot);
    drafts.set(spot.key, { ...all, [blockId]: { ...all[blockId], [actionId]: state } });
    if (!dispatches(field)) return;
    const type = stringOf(element.type);
    const before = await interaction(spot, { ...state, type, block_id: blockId, action_id: actionId });
    if (spot.container.type !== 'view') return;
    await watcher.until(() => top()?.hash !== before, 'a redrawn form');
  }

  const someone: Someone = {
    id,
    name,
    sees: watcher.now,
    async types(channel, text, thread) {
      const threadTs = thread === undefined ? {} : { threadTs: thread.threadTs ?? thread.ts };
      demand(await post('/play/say', { channel: channelId(channel), text, ...threadTs }));
    },
    async isRefused(channel, text, thread) {
      const threadTs = thread === undefined ? {} : { threadTs: thread.threadTs ?? thread.ts };
      const answer = await post('/play/say', { channel: channelId(channel), text, ...threadTs });
      if (answer.ok) throw new Error(`"${text}" was not refused`);
      return answer.error ?? '';
    },
    ...newerGestures(async (path, body) => {
      const answer = await post(path, body);
      demand(answer);
      return answer;
    }, channelId),
    messages,
    lastMessage(channel) {
      const last = messages(channel).at(-1);
      if (last === undefined) throw new Error(`${name} sees nothing in ${channel}`);
      return last;
    },
    reads: (channel, words) =>
      watcher.until(
        () => messages(channel).findLast(message => contains(`${textOf(message)}\n${message.text}`, words)),
        `"${words}" in ${channel}; last: ${textOf(messages(channel).at(-1))}`,
      ),
    thread: ({ channel, ts }) => messages(channel).filter(message => message.threadTs === ts),
    async downloads({ files: [file] = [] }) {
      if (file === undefined) throw new Error('there is no file in that message');
      const response = await askPlayground(file.url);
      const text = await response.text();
      if (!response.ok) throw new Error(`${file.name}: ${text}`);
      return text;
    },
    async modal() {
      const open = await watcher.until(top, 'a modal');
      const view = recordOf(open.view);
      return {
        id: open.id,
        callbackId: stringOf(view.callback_id),
        title: textOf(view.title),
        text: textOf(view),
        blocks: recordsOf(view.blocks),
        fields: draft(atView(open)),
      };
    },
    hasModal: () => top() !== undefined,
    async fills(fields, where) {
      if (where === undefined) await someone.modal();
      for (const [field, filling] of Object.entries(fields)) await fill(field, filling, where);
    },
    chooses: fill,
    async choices(field, words, where) {
      return (await someone.described(field, words, where)).map(([text]) => text);
    },
    async described(field, words, where) {
      await unfolds(field);
      const { spot, found } = await located(where, blocks => findField(blocks, field), `a field ${field}`);
      const options = await offered(spot, found, words);
      return options.map(({ text, description }) => [textOf(text), textOf(description)] as const);
    },
    async submits() {
      const open = await watcher.until(top, 'a modal');
      const answer = await post('/play/submit', { viewId: open.id, state: draft(atView(open)) });
      return { errors: answer.errors ?? {}, error: answer.error ?? '', open: top() !== undefined };
    },
    async cancels(all = false) {
      const open = await watcher.until(top, 'a modal');
      demand(await post('/play/close', { viewId: open.id, isCleared: all }));
    },
    async presses(words, where) {
      const { spot, found } = await located(where, blocks => findPressable(blocks, words), `a button "${words}"`);
      const { blockId, element, option } = found;
      const base = { type: stringOf(element.type), block_id: blockId, action_id: stringOf(element.action_id) };
      const { text, value } = element;
      await interaction(spot, option === undefined ? { ...base, text, value } : { ...base, selected_option: option });
    },
    canPress: (words, where) => spots(where).some(({ blocks }) => findPressable(blocks, words)),
    async opensHome() {
      demand(await post('/play/home', {}));
      return watcher.until(() => textOf(recordOf(watcher.now().home).blocks) || undefined, 'a published Home');
    },
    until: watcher.until,
    leaves: watcher.stop,
  };
  return someone;
}

export { textOf };
