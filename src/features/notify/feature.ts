import { keysOf } from '../../ground/keys.ts';
import { type Content, said } from '../../slack/blocks/message.ts';
import { code } from '../../slack/blocks/mrkdwn.ts';
import type { Desk } from '../../slack/desk/desk.ts';
import type { Interaction } from '../../slack/desk/interaction.ts';
import type { Feature } from '../../slack/feature.ts';
import { commandButton } from '../../slack/words/commandActions.ts';
import type { Command } from '../../slack/words/commandText.ts';
import { ringWayId, ringWays } from '../../store/tables/ringWays.ts';

/** What is said of each way. */
const sentences: Readonly<Record<keyof typeof ringWays.states, string>> = {
  mention: 'When I notify you in a channel, I *mention* you there.',
  direct:
    'When I notify you in a channel, I name you there without a mention, and send you a *direct message* with a link.',
};

/** Answers `notify`: says by which way a person is notified, or changes it. */
async function notify(
  { things, clock, names: { db } }: Desk<'things' | 'clock' | 'names'>,
  { team, person }: Interaction,
  { words: [, ...words] }: Command,
): Promise<Content> {
  const id = ringWayId({ team, person });
  const wanted = keysOf(sentences).find(way => way === words[0]?.toLowerCase());
  if (words.length > 1 || (words.length > 0 && !wanted))
    return said(`Use ${code(`${db} notify mention`)} or ${code(`${db} notify direct`)}. I changed nothing.`);
  if (wanted) {
    const now = clock.now();
    const row = { plannedAt: null, waitsFor: null, createdAt: now, endedAt: null };
    const begun = { as: { ...row, id, team, person, state: wanted, chosenAt: now }, dueAt: null };
    await things.act(
      ringWays,
      id,
      known => (known?.state === wanted ? undefined : known ? { changes: { state: wanted, chosenAt: now } } : begun),
      now,
    );
  }
  const way = (await things.find(ringWays, id))?.state ?? 'mention';
  return said(`${wanted ? ':white_check_mark: ' : ''}${sentences[way]} What notifies you, and when, stays the same.`, [
    commandButton(db, ['notify', way === 'mention' ? 'direct' : 'mention']),
  ]);
}

/** Each person chooses by which way they are notified; whether they are is not theirs to choose. */
export const notifyFeature = {
  name: 'notify',
  things: { kinds: [ringWays] },
  commands: {
    own: [
      {
        word: 'notify',
        subject: 'You and Dolly',
        usage: 'notify [mention | direct]',
        summary: 'Choose how Dolly notifies you: by a mention in the channel, or by a direct message',
        takes: 'any',
        acts: ({ words }) => words.length > 1,
        answer: notify,
      },
    ],
  },
} satisfies Feature<never>;
