import { elementsOf, optionsOf, statefulElements, untouchedState } from '../../src/sandbox/playground/elements.ts';
import { type Json, recordOf, recordsOf, stringOf } from '../../src/sandbox/playground/json.ts';
import type { Message } from '../../src/sandbox/playground/protocol.ts';
import { type Someone, textOf, type Where } from '../person.ts';
import { databases, reason } from './gestures.ts';
import { isOperation } from './inbound.ts';
import type { ActOf } from './plan.ts';
import { oneOfAKind } from './random.ts';

/*
 * People who look around: they type something, then press what they see, whatever it is, and fill in what opens. Each pick
 * is a number from 0 to 1, so that the same world has the same presses.
 */

/** What can be pressed: the text on it, what it does by its `action_id`, and where it stands. */
type Choice = Readonly<{ action: string; text: string; where?: Where }>;

type Pick = ActOf<'wander'>['picks'][number];

/** Messages of a channel that somebody looks at, the newest ones. */
const seenInAChannel = 12;
/** People look at what came of a press for so long, in milliseconds. */
const look = 2_500;
/** They wait for so long for what they want to press, mostly, in milliseconds. */
const usual = 8_000;
/** A day after every world began. */
const tomorrow = '2026-11-22';
/** For so long they leave a form open while others do something. */
const while_ = 20_000;
/** What one form may be sent without being what another act of the plan asks for. */
const ownForms = new Set(['clone.create']);
/** What acts of the plan do about their own things, so that oracles know who did it; and files, which Node sends by chance of its own. */
const left = /^(consent\.(allow|refuse|revoke)|audit\.export)/;

/** Does what an act says. @throws Error where Slack refuses one of its presses */
export async function wanders(
  someone: Someone,
  { words, picks, port, patience = usual }: ActOf<'wander'>,
): Promise<void> {
  if (words !== undefined) await begins(someone, words);
  for (const pick of picks) {
    await new Promise(resolve => setTimeout(resolve, look));
    if (pick === 'wait') await new Promise(resolve => setTimeout(resolve, while_));
    else if (pick === 'submit' || (typeof pick === 'number' && someone.hasModal())) await fillsIn(someone, pick, port);
    else if (String(pick).includes('=')) await fillsOne(someone, String(pick));
    else await pressesOne(someone, pick, patience);
  }
  await new Promise(resolve => setTimeout(resolve, look));
}

/** Types a command or a mention in a channel; a message to Dolly in their direct messages, or changes one; or looks at Home. */
async function begins(someone: Someone, words: string): Promise<void> {
  const [, place = '', rest = ''] = /^(dm|edit|shortcut|ask|home|random)\b ?(.*)$/.exec(words) ?? [];
  if (place === 'home') await someone.opensHome();
  else if (place === 'shortcut') await someone.shortcut(rest);
  else if (place === 'random') await someone.types('#random', rest);
  else if (place === 'edit') {
    const isOwn = ({ user }: Message) => user === someone.id;
    const own = someone.messages('@dolly').findLast(isOwn);
    if (own) await someone.edits(own, rest);
  } else if (place === 'dm') await someone.types('@dolly', rest);
  else if (place === 'ask') {
    const message = someone.messages(databases).findLast(({ onlyFor }) => onlyFor === undefined);
    if (message) await someone.messageShortcut('ask', message);
  } else await someone.types(databases, words);
}

async function pressesOne(someone: Someone, pick: Pick, patience: number): Promise<void> {
  const choice = await someone.until(() => choiceFor(someone, pick), `a button ${pick}`, patience);
  if (choice.text !== '') return someone.presses(choice.text, choice.where);
  const [entry] = await someone.choices(choice.action, '', choice.where);
  if (entry !== undefined) await someone.chooses(choice.action, entry, choice.where);
}

/** What a pick chooses among all that somebody sees now, if anything. */
function choiceFor(someone: Someone, pick: Pick): Choice | undefined {
  const { channels, messages, home, views } = someone.sees();
  const inMessages = channels.flatMap(({ id }) =>
    (messages[id] ?? []).slice(-seenInAChannel).flatMap(message => choicesIn(message.blocks, { message })),
  );
  const inHome = choicesIn(recordOf(home).blocks, { home: true });
  const [top] = views.slice(-1);
  const all = top ? choicesIn(recordOf(top.view).blocks) : [...inMessages, ...inHome];
  if (typeof pick === 'number') return chosen(all, pick);
  const [name, first] = pick.split('#');
  const isNamed = (action: string) => action === name || action.startsWith(`${name}:`);
  const named = all.filter(({ action }) =>
    pick.startsWith('.') ? action.split(':')[0]?.endsWith(pick) : isNamed(action),
  );
  // Of a menu, the first of its entries or the last.
  return first === undefined ? named.at(-1) : named[0];
}

/** Presses a button of a form, or fills in what is missing and submits it. */
async function fillsIn(someone: Someone, pick: Pick, port: number): Promise<void> {
  const { callbackId, blocks, fields } = await someone.modal();
  const choice = pick !== 'submit' && Number(pick) < 0.4 ? chosen(choicesIn(blocks), Number(pick) / 0.4) : undefined;
  if (choice) return someone.presses(choice.text);
  // What is said to be submitted is asked for by this act itself.
  if (pick !== 'submit' && isOperation(callbackId) && !ownForms.has(callbackId)) return someone.cancels(true);
  for (const { block, blockId, actionId, element, key } of statefulElements(blocks)) {
    const state = recordOf(fields[blockId]?.[actionId] ?? untouchedState(element))[key];
    const name = blockId.split(':')[0] ?? blockId;
    if (name === 'port') await someone.fills({ port });
    else if (name === 'mountBase') await someone.fills({ mountBase: `/mnt/c${port}` });
    else if (block.optional === true) continue;
    else if (state === null || state === undefined || (Array.isArray(state) && state.length === 0))
      await fillsField(someone, name, key, element).catch(() => undefined);
  }
  const { open } = await someone.submits();
  // What is refused stays open.
  if (open && Object.keys((await someone.modal()).fields).length > 0) await someone.cancels(true);
}

/** Fills in a field as it stands before the first `=`. */
async function fillsOne(someone: Someone, pick: string): Promise<void> {
  const at = pick.indexOf('=');
  await someone.fills({ [pick.slice(0, at)]: pick.slice(at + 1) });
}

async function fillsField(someone: Someone, name: string, key: string, element: Json): Promise<void> {
  if (key === 'value' && stringOf(element.type) === 'plain_text_input') return someone.fills({ [name]: reason });
  if (key === 'selected_date') return someone.fills({ [name]: tomorrow });
  if (key === 'selected_time') return someone.fills({ [name]: '12:00' });
  if (key.startsWith('selected_user')) return someone.fills({ [name]: 'dev' });
  if (!key.startsWith('selected_option')) return;
  const [first] = await someone.choices(name, '');
  if (first !== undefined) await someone.chooses(name, first);
}

const chosen = (all: readonly Choice[], pick: number) => oneOfAKind(all, ({ action }) => action, pick);

function choicesIn(blocks: unknown, where?: Where): Choice[] {
  return recordsOf(blocks)
    .flatMap(block => elementsOf(block).map(({ element }) => element))
    .flatMap((element): Choice[] => {
      const action = stringOf(element.action_id);
      if (element.url !== undefined || left.test(action)) return [];
      const at = where ? { where } : {};
      if (element.type === 'button') return [{ action, text: textOf(element.text), ...at }];
      // One entry of a menu stands for it.
      if (element.type === 'static_select' && where) return [{ action, text: '', ...at }];
      if (element.type !== 'overflow') return [];
      return optionsOf(element).map(option => ({ action, text: textOf(option.text), ...at }));
    });
}
