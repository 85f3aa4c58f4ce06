import { hour } from '../../ground/durations.ts';
import { memoByObject } from '../../ground/remembered.ts';
import { type Content, olderView, type View } from '../blocks/message.ts';
import { kindsIn } from '../blocks/newerBlocks.ts';
import {
  mayRefuseBlocks,
  mayRefuseView,
  meaningOfError,
  platformError,
  refusedKinds,
} from '../connection/slackErrors.ts';
import type { Sender } from './desk.ts';

/** Content in one of its forms, as Slack takes it: with blocks, or the text alone. */
export type Body = Pick<Content, 'text'> & Partial<Pick<Content, 'blocks'>>;

/**
 * Sends content to a workspace by `send`, in the best form that Slack takes: with the newer blocks, then without them,
 * then its text alone. It is called again only after Slack refused a form, so that nothing is said twice. A workspace that
 * refuses a kind of block does not get that kind for a day.
 * @throws the error of `send`, except where Slack refuses the blocks and takes another form
 */
export async function sendContent<T>(
  sender: Sender,
  team: string,
  content: Content,
  send: (body: Body) => Promise<T>,
): Promise<T> {
  const { text, blocks, plain } = content;
  const kinds = kindsIn(blocks);
  if (!plain || (await isRefused(sender, team, kinds))) return sendOlder({ text, blocks: plain ?? blocks }, send);
  try {
    return await send({ text, blocks });
  } catch (error) {
    if (!mayRefuseBlocks(error)) throw error;
    const isSaid = platformError(error) === 'invalid_blocks';
    sender.log.info({ error, team }, 'Slack does not take newer blocks: the message goes without them');
    const refused = refusedKinds(error, kinds);
    // What Slack said is noted at once, so that it counts even if the next form has to wait.
    if (isSaid) await noteRefusal(sender, team, refused);
    const sent = await sendOlder({ text, blocks: plain }, send);
    if (!isSaid && meaningOfError(error) !== 'plainer') await noteRefusal(sender, team, refused);
    return sent;
  }
}

/** Sends blocks that every workspace knows. If Slack calls them ill-formed, which is our defect, the text still says what matters. */
async function sendOlder<T>(body: Body, send: (body: Body) => Promise<T>): Promise<T> {
  try {
    return await send(body);
  } catch (error) {
    if (meaningOfError(error) !== 'plainer') throw error;
    return await send({ text: body.text });
  }
}

/**
 * Sends a view to a workspace by `send`, with the newer blocks or without them. A trigger serves a second time after
 * Slack refused the first form.
 * @throws the error of `send`, except where Slack refuses the newer blocks and takes the older form
 */
export async function sendView<V extends View, T>(
  sender: Sender,
  team: string,
  view: V,
  send: (view: V) => Promise<T>,
): Promise<T> {
  const kinds = kindsIn(view.blocks);
  if (kinds.length === 0) return send(view);
  if (await isRefused(sender, team, kinds)) return send(olderView(view));
  try {
    const sent = await send(view);
    takenIn(sender.olderWorkspaces).set(keyOf(team, kinds), sender.clock.steady());
    return sent;
  } catch (error) {
    if (!mayRefuseView(error)) throw error;
    takenIn(sender.olderWorkspaces).delete(keyOf(team, kinds));
    sender.log.info({ error, team }, 'Slack does not take newer blocks: the view goes without them');
    const sent = await send(olderView(view));
    // Slack has the same word for other faults: only now is it certain that the blocks were the reason.
    await noteRefusal(sender, team, refusedKinds(error, kinds));
    return sent;
  }
}

/**
 * The form of a view for the answer to a submitted form. Slack does not tell Dolly that it refuses such a view, and the
 * form stays open: so it has newer blocks only where this process saw the workspace take them a while ago.
 */
export function viewInAnswer<V extends View>(sender: Sender, team: string, view: V): V {
  const at = takenIn(sender.olderWorkspaces).get(keyOf(team, kindsIn(view.blocks)));
  return at !== undefined && sender.clock.steady() - at < takenFor ? view : olderView(view);
}

/** The time for which it counts that a workspace took newer blocks, in milliseconds. */
const takenFor = hour;
/** When workspaces last took sets of kinds from this process, by {@link keyOf}; steady time. */
const takenIn = memoByObject((_: Sender['olderWorkspaces']) => new Map<string, number>());

function keyOf(team: string, kinds: readonly string[]): string {
  return [team, ...kinds].join(' ');
}

/** Whether the workspace refused such blocks lately; without the store, the form that every workspace takes is right. */
async function isRefused({ olderWorkspaces, clock, log }: Sender, team: string, kinds: readonly string[]) {
  try {
    return await olderWorkspaces.refuses(team, kinds, clock.now());
  } catch (error) {
    log.warn({ error, team }, 'the store does not tell whether a workspace takes newer blocks');
    return true;
  }
}

/** Notes it; a message does not fail because its note does. */
async function noteRefusal({ olderWorkspaces, clock, log }: Sender, team: string, kinds: readonly string[]) {
  try {
    await olderWorkspaces.note(team, kinds, clock.now());
  } catch (error) {
    log.warn({ error, team }, 'the store did not take that a workspace refuses newer blocks');
  }
}
