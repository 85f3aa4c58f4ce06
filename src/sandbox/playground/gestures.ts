import { optionsFaults } from './blockkit.ts';
import type { Answer, Delivery } from './delivery.ts';
import { findElement } from './elements.ts';
import { sentence } from './fault.ts';
import { inputErrors } from './inputs.ts';
import { type Json, parsed, recordOf, recordsOf } from './json.ts';
import type { StoredMessage } from './messages.ts';
import {
  allBlocks,
  blockActions,
  blockSuggestion,
  globalShortcut,
  messageShortcut,
  viewClosed,
  viewSubmission,
} from './payloads.ts';
import type {
  Channel,
  Container,
  OptionsAnswer,
  Person,
  PlayAnswer,
  PlayRequests,
  Shortcut,
  SubmitAnswer,
} from './protocol.ts';
import { hasApp, isInstalled, type Slack } from './slack.ts';
import { settle, trouble } from './submission.ts';
import { sees } from './workspace.ts';

type Place = { channel: Channel; message: StoredMessage } | { view: Json };

/** The place where an element stands, if it is still there and this person may see it. */
function placeOf(slack: Slack, person: Person, container: Container): Place | undefined {
  switch (container.type) {
    case 'home': {
      const view = slack.views.home(person.id);
      return view && { view };
    }
    case 'view': {
      const modal = slack.views.find(container.viewId);
      return modal?.user === person.id ? { view: modal.view } : undefined;
    }
    default: {
      const channel = slack.workspace.channels.find(candidate => candidate.id === container.channel);
      const message = slack.messages.find(container.channel, container.ts);
      if (channel === undefined || message === undefined || !sees(slack.workspace, channel, person.id))
        return undefined;
      if (message.onlyFor !== undefined && message.onlyFor !== person.id) return undefined;
      return { channel, message };
    }
  }
}

/**
 * The same Slack as the app sees it whose message or view this is: that of one workspace, where several have it.
 * Undefined: another app's, or one that was taken out since.
 */
function appAt(slack: Slack, place: Place): Slack | undefined {
  const bot = 'view' in place ? place.view.bot_id : place.message.user;
  return slack
    .all()
    .find(seen => isInstalled(seen) && [seen.workspace.app.botId, seen.workspace.app.botUser].some(id => id === bot));
}

const foreign = {
  ok: false,
  error: 'Dolly does not hear of this: the app that it belongs to is another one, or gone.',
} as const;

const blocksOf = (place: Place) => ('view' in place ? place.view.blocks : allBlocks(place.message));
const accepted = (answer: Answer) => answer.kind === 'answered' && answer.status >= 200 && answer.status < 300;

/** A button, a choice, a date: anything that is used. */
export async function act(
  slack: Slack,
  delivery: Delivery,
  person: Person,
  { container, action, state }: PlayRequests['/play/action'],
): Promise<PlayAnswer> {
  const place = placeOf(slack, person, container);
  const element = place && findElement(blocksOf(place), action.block_id, action.action_id);
  if (place === undefined || element === undefined) return { ok: false, error: 'This is no longer there.' };
  if (element.type !== action.type) return { ok: false, error: `That element is a ${String(element.type)}.` };
  const app = appAt(slack, place);
  if (app === undefined) return foreign;
  const payload = blockActions(app, person, place, action, state);
  const what = `block_actions ${action.action_id}`;
  const answer = await delivery.send({ kind: 'interactive', what, payload });
  return accepted(answer) ? { ok: true } : { ok: false, error: trouble };
}

/** Asks the bot for the options of an external select that fit a person's words. */
export async function suggest(
  slack: Slack,
  delivery: Delivery,
  person: Person,
  { container, block_id, action_id, value, state }: PlayRequests['/play/options'],
): Promise<OptionsAnswer> {
  const place = placeOf(slack, person, container);
  const element = place && findElement(blocksOf(place), block_id, action_id);
  if (place === undefined || element === undefined) return { ok: false, error: 'This is no longer there.' };
  if (!String(element.type).endsWith('external_select')) return { ok: false, error: 'That has choices of its own.' };
  const shortest = typeof element.min_query_length === 'number' ? element.min_query_length : 3;
  if (value.length < shortest) return { ok: true, options: [], optionGroups: [] };
  const app = appAt(slack, place);
  if (app === undefined) return foreign;
  const payload = blockSuggestion(app, person, place, { block_id, action_id, value }, state);
  const answer = await delivery.send({ kind: 'interactive', what: `block_suggestion ${action_id}`, payload });
  if (answer.kind !== 'answered' || !accepted(answer)) return { ok: false, error: 'The choices could not be loaded.' };
  const offered = parsed(answer.body);
  const faults = optionsFaults(offered);
  if (faults.length > 0) {
    slack.inspector.violation('block_suggestion', faults.map(sentence).join('\n'));
    return { ok: false, error: 'The choices could not be loaded.' };
  }
  const { options, option_groups } = recordOf(offered);
  return { ok: true, options: recordsOf(options), optionGroups: recordsOf(option_groups) };
}

/** A modal is submitted. Required and bounded inputs are checked before the bot hears of it. */
export async function submit(
  slack: Slack,
  delivery: Delivery,
  person: Person,
  { viewId, state }: PlayRequests['/play/submit'],
): Promise<SubmitAnswer> {
  const modal = slack.views.stack(person.id).at(-1);
  if (modal?.view.id !== viewId) return { ok: false, error: 'This form is no longer open.' };
  const errors = inputErrors(modal.view.blocks, state);
  if (Object.keys(errors).length > 0) return { ok: false, errors };
  const app = appAt(slack, modal);
  if (app === undefined) return foreign;
  const payload = viewSubmission(app, person, modal, state);
  const what = `view_submission ${String(modal.view.callback_id)}`;
  const answer = await delivery.send({ kind: 'interactive', what, payload });
  if (answer.kind !== 'answered' || !accepted(answer)) return { ok: false, error: trouble };
  return settle(app, modal, answer.body.trim());
}

/** A modal is cancelled: the top one, or the whole stack if the person or the view asks for it. */
export async function close(
  slack: Slack,
  delivery: Delivery,
  person: Person,
  { viewId, isCleared }: PlayRequests['/play/close'],
): Promise<PlayAnswer> {
  const top = slack.views.stack(person.id).at(-1);
  if (top?.view.id !== viewId) return { ok: false, error: 'This form is no longer open.' };
  const all = isCleared || top.view.clear_on_close === true;
  const told = slack.views.close(person.id, all).filter(({ view }) => view.notify_on_close === true);
  for (const { view } of told) {
    const app = appAt(slack, { view });
    if (app === undefined) continue;
    const payload = viewClosed(app, person, view, all);
    await delivery.send({ kind: 'interactive', what: `view_closed ${String(view.callback_id)}`, payload });
  }
  return { ok: true };
}

/** The shortcuts of one kind that a person has. */
const declares = (slack: Slack, person: Person, kind: Shortcut['type'], callbackId: string) =>
  hasApp(slack, person) &&
  slack.declared.shortcuts.some(({ type, callback_id }) => type === kind && callback_id === callbackId);

const noShortcut = { ok: false, error: 'There is no such shortcut.' } as const;

/** A global shortcut is chosen, from search or the menu of the composer. */
export async function useShortcut(
  slack: Slack,
  delivery: Delivery,
  person: Person,
  { callbackId }: PlayRequests['/play/shortcut'],
): Promise<PlayAnswer> {
  if (!declares(slack, person, 'global', callbackId)) return noShortcut;
  const payload = globalShortcut(slack, person, callbackId);
  const answer = await delivery.send({ kind: 'interactive', what: `shortcut ${callbackId}`, payload });
  return accepted(answer) ? { ok: true } : { ok: false, error: trouble };
}

/** A shortcut of a message is chosen. Slack keeps no copy of an ephemeral message, which has none. */
export async function useMessageShortcut(
  slack: Slack,
  delivery: Delivery,
  person: Person,
  { callbackId, channel: id, ts }: PlayRequests['/play/message-shortcut'],
): Promise<PlayAnswer> {
  if (!declares(slack, person, 'message', callbackId)) return noShortcut;
  const place = placeOf(slack, person, { type: 'message', channel: id, ts });
  if (place === undefined || 'view' in place) return { ok: false, error: 'This is no longer there.' };
  if (place.message.onlyFor !== undefined) return { ok: false, error: 'A message that only you see has no shortcuts.' };
  const payload = messageShortcut(slack, person, place, callbackId);
  const answer = await delivery.send({ kind: 'interactive', what: `message_action ${callbackId}`, payload });
  return accepted(answer) ? { ok: true } : { ok: false, error: trouble };
}
