import { z } from 'zod';
import type { Part, Place } from '../../store/jobs/rows/data.ts';
import { context, section } from '../blocks/blocks.ts';
import { cutMarkup, limits } from '../blocks/limits.ts';
import { mentionOf } from '../blocks/mentionPeople.ts';
import { message, wordsFor } from '../blocks/message.ts';
import type { Desk } from '../desk/desk.ts';

/* Who wants no mention is rung by a direct message: what a message in a channel says, and a link to it. */

/** The kind of such messages in the outbox. */
export const rungKind = 'rung';

const Rung = z.object({ text: z.string(), channel: z.string(), link: z.string().nullable() });

/** The direct message in place of a mention. */
export const rungMessage = wordsFor(Rung, ({ text, channel, link }) => {
  const where = mentionOf(channel);
  return message([section(text), context(link === null ? `In ${where}.` : `In ${where}: <${link}|show the message>.`)]);
});

/** A message that stands in a channel, and those of the people whom it rings who want a direct message. */
type RungAlone = Readonly<{
  team: string;
  about: string;
  part: Part;
  at: Place;
  text: string;
  people: readonly string[];
}>;

/** Writes to each of them alone, once however often a post is tried. Where Slack tells no link, the channel is named. */
export async function ringAlone(
  { outbox, slack, clock, log }: Desk<'outbox' | 'slack' | 'clock' | 'log'>,
  { team, about, part, at, text, people }: RungAlone,
): Promise<void> {
  if (people.length === 0) return;
  const found = slack.of(team).chat.getPermalink({ channel: at.place, message_ts: at.ts });
  const link = await found.then(
    ({ permalink }) => permalink ?? null,
    (error: unknown) => {
      log.info({ about, error }, 'Slack tells no link to a message');
      return null;
    },
  );
  const data: z.infer<typeof Rung> = { text: cutMarkup(text, limits.sectionText), channel: at.place, link };
  const rung = { subject: about, team, kind: rungKind, createdAt: clock.now(), data, isNews: true };
  await outbox.add(
    people.map(person => ({ ...rung, id: JSON.stringify([rungKind, about, part, person]), to: { person } })),
  );
}
