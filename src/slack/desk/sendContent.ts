import type { Content } from '../blocks/blocks.ts';
import { mayRefuseBlocks, platformError, verdictOn } from '../connection/slackErrors.ts';
import type { Desk } from './desk.ts';

/** Content in one of its forms, as Slack takes it: with blocks, or the text alone. */
export type Body = Pick<Content, 'text'> & Partial<Pick<Content, 'blocks'>>;

/** The parts of the desk that a sender needs. */
export type Sender = Pick<Desk, 'olderWorkspaces' | 'clock' | 'log'>;

/**
 * Sends content to a workspace by `send`, in the best form that Slack takes: with the newer blocks, then without them,
 * then its text alone. It is called again only after Slack refused a form, so that nothing is said twice. A workspace that
 * refuses the newer blocks does not get them for a day.
 * @throws the error of `send`, except where Slack refuses the blocks and takes another form
 */
export async function sendContent<T>(
  sender: Sender,
  team: string,
  content: Content,
  send: (body: Body) => Promise<T>,
): Promise<T> {
  const { text, blocks, plain } = content;
  if (!plain || (await isOlder(sender, team))) return sendOlder({ text, blocks: plain ?? blocks }, send);
  try {
    return await send({ text, blocks });
  } catch (error) {
    if (!mayRefuseBlocks(error)) throw error;
    const isSaid = platformError(error) === 'invalid_blocks';
    sender.log.info({ error, team }, 'Slack does not take newer blocks: the message goes without them');
    // What Slack said is noted at once, so that it counts even if the next form has to wait.
    if (isSaid) await noteOlder(sender, team);
    const sent = await sendOlder({ text, blocks: plain }, send);
    if (!isSaid && verdictOn(error) !== 'plainer') await noteOlder(sender, team);
    return sent;
  }
}

/** Sends blocks that every workspace knows. If Slack calls them ill-formed, which is our defect, the text still says what matters. */
async function sendOlder<T>(body: Body, send: (body: Body) => Promise<T>): Promise<T> {
  try {
    return await send(body);
  } catch (error) {
    if (verdictOn(error) !== 'plainer') throw error;
    return await send({ text: body.text });
  }
}

/** Whether the workspace refused newer blocks lately; without the store, the form that every workspace takes is right. */
async function isOlder({ olderWorkspaces, clock, log }: Sender, team: string): Promise<boolean> {
  try {
    return await olderWorkspaces.has(team, clock.now());
  } catch (error) {
    log.warn({ error, team }, 'the store does not tell whether a workspace takes newer blocks');
    return true;
  }
}

/** Notes it; a message does not fail because its note does. */
async function noteOlder({ olderWorkspaces, clock, log }: Sender, team: string): Promise<void> {
  try {
    await olderWorkspaces.note(team, clock.now());
  } catch (error) {
    log.warn({ error, team }, 'the store did not take that a workspace refuses newer blocks');
  }
}
