import type { Desk } from '../desk/desk.ts';
import type { Ack, Interaction, Tell } from '../desk/interaction.ts';
import type { Doing } from './doing.ts';

/** Takes an interaction that Slack told of, once. */
export type InteractionTaker = Desk<'clock' | 'log' | 'heard' | 'takeOn' | 'run'>;

/**
 * Acknowledges an interaction, does it, and answers the person alone. An interaction that changes something by itself is stored
 * before that. A form needs no storing: it opens or it does not, and nothing was asked for yet. A message that was answered
 * before is not answered again.
 */
export async function takeInteraction(
  desk: InteractionTaker,
  doing: Doing,
  { interaction, ack, tell, patience }: Readonly<{ interaction: Interaction; ack: Ack; tell: Tell; patience?: number }>,
): Promise<void> {
  if (doing.acts(interaction)) return desk.takeOn(interaction, ack, tell, patience);
  await ack();
  const show = () => doing.perform(interaction, false).catch((error: unknown) => doing.refuse(interaction, error));
  const work = isNew(desk, interaction).then(isNewOne => (isNewOne ? show() : undefined));
  desk.run(
    'answer an interaction',
    work.then(content => content && tell(content)),
  );
}

/** Whether an interaction is done for the first time. Without the store nobody knows, and an answer twice is better than none. */
async function isNew({ heard, clock, log }: InteractionTaker, { id, team, heard: kind }: Interaction) {
  if (kind === undefined) return true;
  try {
    return await heard.note({ id, team, kind, at: clock.now() });
  } catch (error) {
    log.warn({ error, team }, 'the store does not tell whether a message was answered before');
    return true;
  }
}
