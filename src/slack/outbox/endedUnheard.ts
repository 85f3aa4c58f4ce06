import { minute, second } from '../../ground/durations.ts';
import { GatheredItems, type Notice } from '../../store/tables/outbox.ts';
import { context, section, sectionsOf } from '../blocks/blocks.ts';
import { cutMarkup } from '../blocks/limits.ts';
import { type Content, message, wordsFor } from '../blocks/message.ts';
import type { Desk } from '../desk/desk.ts';

/*
 * What began and ended while a channel could not be told: all of it in one message, after an outage as after a message
 * that had to wait.
 */

export const endedKind = 'ended';

/** The time for which such a message gathers more, in milliseconds. */
export const gathersFor = 10 * second;
/** Max lines of the message, and max characters of one. */
const [maxLines, longestLine] = [20, 300];

/** Whether a message that is over before it was told is told with others: one to a channel, which nothing replaced. */
export function isGathered({ channel, outcome, kind }: Notice): boolean {
  return channel !== null && outcome !== null && kind !== endedKind;
}

/** Adds a message that is over to the one for its channel, and for the person beside it, who gets it where that is closed. */
export async function gatherEnded(
  { outbox, clock }: Desk<'outbox' | 'clock'>,
  { id: about, team, channel, person }: Notice,
  { text }: Content,
): Promise<void> {
  if (channel === null) return;
  const now = clock.now();
  const item = { id: about, text: cutMarkup(text, longestLine) };
  const to = person === null ? { channel } : { channel, person };
  // One that was posted meanwhile takes no more.
  for (let at = Math.floor(now / minute); ; at++) {
    const id = JSON.stringify([endedKind, team, channel, person, at]);
    const row = { id, subject: `${endedKind} ${channel}`, team };
    if (await outbox.gather({ ...row, kind: endedKind, createdAt: now, isNews: true, data: {}, to }, item)) return;
  }
}

/** The message about all that began and ended. */
export const endedMessage = wordsFor(GatheredItems, ({ items }) => {
  const more = items.length - maxLines;
  const what = items.length === 1 ? 'This began and ended' : `These ${items.length} began and ended`;
  return message([
    section(`:leftwards_arrow_with_hook: ${what} before I could post it here:`),
    ...sectionsOf(items.slice(0, maxLines).map(({ text }) => `• ${text}`)),
    ...(more > 0 ? [context(`… and ${more} more`)] : []),
  ]);
});
