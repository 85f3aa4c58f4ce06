import { kindOf, sentence } from '../../ground/failure.ts';
import { actorOf } from '../../jobs/actor.ts';
import type { Clerk } from '../../jobs/parts.ts';
import { type Content, said } from '../blocks/blocks.ts';
import { cut } from '../blocks/limits.ts';
import { mustBeAdmitted } from '../desk/admission.ts';
import type { Desk, Greeter } from '../desk/desk.ts';
import type { Reaction } from '../desk/reaction.ts';
import type { Speaker, Use } from '../desk/use.ts';
import { refused } from '../signIn/signIn.ts';

/** The one way in which every use is done. */
export type Doing = Readonly<{
  /** Whether a use changes something by itself. */
  acts(use: Use): boolean;
  /** Does a use, if the person may use Dolly at all. Returns the answer for the person. */
  perform(use: Use): Promise<Content | undefined>;
  /** The answer to a use that failed. */
  refuse(use: Use, error: unknown): Promise<Content>;
}>;

/** Lets people in, and offers a sign-in to whoever needs one. */
type Attendant = Greeter & Desk<'people' | 'log'>;

/** Creates {@link Doing} from all reactions. */
export function doing<Needs>(desk: Needs & Attendant, reactions: readonly Reaction<Needs>[]): Doing {
  const reactionTo = (use: Use) => reactions.find(({ action }) => action === use.action);
  return {
    acts: use => reactionTo(use)?.acts?.(desk, use.value) ?? false,
    async perform(use) {
      const reaction = reactionTo(use);
      return reaction ? perform(desk, reaction, use) : said(ofAnotherRelease);
    },
    refuse: (use, error) => refused(desk, use, reactionTo(use)?.intent?.(use.value) ?? null, error),
  };
}

async function perform<Needs>(
  desk: Needs & Attendant,
  reaction: Reaction<Needs>,
  use: Use,
): Promise<Content | undefined> {
  const { isOpenToAll = false, turnAway, note } = reaction;
  try {
    if (!isOpenToAll)
      await mustBeAdmitted(desk, use, reaction.acts?.(desk, use.value) ? 'acts' : 'asks').catch(
        async (error: unknown) => {
          await turnAway?.(desk, use, sentence(error));
          throw error;
        },
      );
    const content = await reaction.perform(desk, use, use.value);
    note?.(desk, use, content ? 'answered' : 'form');
    return content;
  } catch (error) {
    note?.(desk, use, kindOf(error));
    throw error;
  }
}

/** The answer to a button or a form that this release does not know. */
export const ofAnotherRelease =
  'This button is of another release of Dolly, so I did nothing. Please ask again by a command.';

/** Writes a refused use to the trail that reached no request. Its value is not kept. */
export async function noteTurnedAway(
  desk: Clerk,
  { team, person, channel }: Speaker,
  what: string,
  why: string,
): Promise<void> {
  const by = await actorOf(desk, { team, person }, channel);
  await desk.audit.add({ ...by, team, at: desk.clock.now(), event: 'refused', detail: `${cut(what, 40)}: ${why}` });
}
