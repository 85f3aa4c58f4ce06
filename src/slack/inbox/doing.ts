import { kindOf, sentence } from '../../ground/failure.ts';
import { inTurn } from '../../ground/slices.ts';
import { actorOf } from '../../jobs/actor.ts';
import type { Clerk } from '../../jobs/parts.ts';
import { cut } from '../blocks/limits.ts';
import { type Content, said } from '../blocks/message.ts';
import { mustBeAdmitted } from '../desk/admission.ts';
import type { Desk, Greeter } from '../desk/desk.ts';
import type { Interaction, Speaker } from '../desk/interaction.ts';
import type { Reaction } from '../desk/reaction.ts';
import { answerToFailure } from '../signIn/failureAnswer.ts';

/** The one way in which every interaction is done. */
export type Doing = Readonly<{
  /**
   * Does an interaction, if the person may use Dolly at all. One that `isKept` was stored, since it changes something.
   * Gives the answer for the person; `undefined` where they get none.
   * @throws {Failure} what `refuse` makes an answer of
   */
  perform(interaction: Interaction, isKept: boolean): Promise<Content | undefined>;
  /** The answer to an interaction that failed. */
  refuse(interaction: Interaction, error: unknown): Promise<Content>;
  /** Whether an interaction changes something by itself. */
  acts(interaction: Gesture): boolean;
}>;

/** What an interaction asks for. */
type Gesture = Pick<Interaction, 'action' | 'value'>;

/** Lets people in, and offers a sign-in to whoever needs one. */
type Attendant = Greeter & Desk<'people' | 'log'>;

/** Creates {@link Doing} from all reactions. */
export function doing<Needs>(desk: Needs & Attendant, reactions: readonly Reaction<Needs>[]): Doing {
  const reactionTo = (asked: Gesture) => reactions.find(({ action }) => action === asked.action);
  return {
    acts: interaction => reactionTo(interaction)?.acts?.(desk, interaction.value) ?? false,
    async perform(interaction, isKept) {
      const reaction = reactionTo(interaction);
      if (!reaction) return said(ofAnotherRelease);
      const turn = { whose: interaction.person, urgency: 'asked' } as const;
      return inTurn(turn, () => perform(desk, reaction, interaction, isKept));
    },
    refuse: (interaction, error) =>
      answerToFailure(desk, interaction, reactionTo(interaction)?.intent?.(interaction.value) ?? null, error),
  };
}

async function perform<Needs>(
  desk: Needs & Attendant,
  reaction: Reaction<Needs>,
  interaction: Interaction,
  isKept: boolean,
): Promise<Content | undefined> {
  const { isOpenToAll = false, turnAway, note } = reaction;
  try {
    if (!isOpenToAll)
      await mustBeAdmitted(desk, interaction, isKept && reaction.acts ? 'acts' : 'asks').catch(
        async (error: unknown) => {
          await turnAway?.(desk, interaction, sentence(error));
          throw error;
        },
      );
    const content = await reaction.perform(desk, interaction, interaction.value);
    note?.(desk, interaction, content ? 'answered' : 'form');
    return content;
  } catch (error) {
    note?.(desk, interaction, kindOf(error));
    throw error;
  }
}

/** The answer to a button or a form that this release does not know. */
export const ofAnotherRelease =
  'This button is from another version of Dolly, so I did nothing. Run the command instead.';

/** Writes a refused interaction to the trail that reached no request. Its value is not kept. */
export async function noteTurnedAway(desk: Clerk, { team, person, channel }: Speaker, what: string, why: string) {
  const by = await actorOf(desk, { team, person }, channel);
  await desk.audit.add({ ...by, team, at: desk.clock.now(), event: 'refused', detail: `${cut(what, 40)}: ${why}` });
}
