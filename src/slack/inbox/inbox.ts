import { type Moment, thisMoment } from '../../ground/clock.ts';
import { day, minute } from '../../ground/durations.ts';
import { mayHaveStored, outcomeUnknown, sentence } from '../../ground/failure.ts';
import { type Loop, lockTime } from '../../ground/loop.ts';
import { within } from '../../ground/within.ts';
import { pauseBefore } from '../../jobs/pauseAfterFailure.ts';
import { type QueueLoop, workOnQueue } from '../../jobs/workOnQueue.ts';
import type { Due } from '../../store/dueQueue.ts';
import { holdOn, Overtaken } from '../../store/overtaken.ts';
import { asText, defineAction } from '../blocks/action.ts';
import { type Content, said } from '../blocks/message.ts';
import { plain } from '../blocks/mrkdwn.ts';
import { ackPatience } from '../connection/eventAck.ts';
import { whisper } from '../desk/answer.ts';
import type { Desk, Voice } from '../desk/desk.ts';
import { type Ack, type Interaction, isPress, newInteraction, type Speaker, type Tell } from '../desk/interaction.ts';
import { reactTo } from '../desk/reaction.ts';
import { FormNeeded } from '../desk/views.ts';
import { runCommand } from '../words/commandActions.ts';
import type { Doing } from './doing.ts';

/** Stores and does the interactions that change something by themselves. */
export type Taker = Readonly<{
  /**
   * Stores an interaction before Slack hears that it was taken, then does it, and tells the person. If this process is killed,
   * another one finishes it. `patience` is the time that is left for an ack, in milliseconds.
   */
  takeOn(interaction: Interaction, ack: Ack, tell: Tell, patience?: number): Promise<void>;
  /** Does at once what somebody wanted before they signed in; `undefined` where it changes something or needs a form. */
  goOn(speaker: Speaker, intent: string): Promise<Content | undefined>;
  /** Takes up stored interactions that nobody has finished. */
  watch(): Loop;
}>;

/** Max age of an interaction that could not be done, in milliseconds. After that nobody wants it any more. */
const keptFor = day;
const unstored = 'My store has a problem: I could not save this, so nothing was sent. Please try again later.';
const storedLate = `My store is slow or does not answer, ${outcomeUnknown}`;
const pressedBefore = 'You already pressed this, and I am still working on it.';
/** What a failure tells people to do. Whoever did that while Dolly tries again by itself would ask twice. */
const advice = / (?:Please try again|If nothing happens within a minute, please ask again)[^.]*\.$/;
const tooOld = 'I could not do this for a day, so I gave up. Nothing was sent.';

/** The button that gives up what is kept: its value is the id of the interaction. */
const forget = defineAction('kept.forget', asText);
export const forgetReaction = reactTo(forget, {
  acts: () => true,
  async perform({ inbox, clock }: Desk<'inbox' | 'clock'>, { team, person }, id) {
    const isForgotten = await inbox.forget({ id, team, person }, clock.now());
    return said(
      isForgotten ? 'I dropped it, and will not try it again.' : 'It is already done, or under way at this moment.',
    );
  },
});

/** Keeps interactions, and does them once. */
type InteractionKeeper = Voice & Desk<'isUninstalled' | 'inbox' | 'run'>;

/** Creates a {@link Taker}. */
export function takesInteractions(desk: InteractionKeeper, { acts, perform, refuse }: Doing): Taker {
  const { clock, log, inbox } = desk;
  const queue = inbox.queue();
  let keep: QueueLoop['keep'] = (_, work) => work();

  /**
   * Does a stored interaction, and answers it. An interaction that cannot be done now stays stored. Whoever took it over
   * while this process stood still answers it. `since` is when it was taken.
   */
  const carryOut = async (interaction: Interaction, due: Due, tell: Tell, createdAt: number, since?: Moment) => {
    const { mustHold } = holdOn<never>(clock, until => queue.keep(due, until), since);
    const isOver = clock.now() - createdAt >= keptFor;
    const result = isOver ? { content: said(tooOld) } : await attempt(interaction, due.tries);
    await mustHold();
    if ('pause' in result) {
      const now = clock.now();
      await queue.rest(due, now + result.pause, { now, failed: true });
    }
    if (result.content) await tell(result.content).catch((error: unknown) => lost(interaction, error));
    if (!('pause' in result)) await inbox.done(due);
  };
  /**
   * Tries an interaction: gives the answer, and the pause before the next try if one may help. The person hears of the tries
   * once.
   */
  const attempt = async (
    interaction: Interaction,
    tries: number,
  ): Promise<{ content: Content | undefined; pause?: number }> => {
    try {
      return { content: await perform(interaction, true) };
    } catch (error) {
      const pause = pauseBefore(error, tries);
      log.warn(
        { error, action: interaction.action, person: interaction.person, pause },
        'an interaction could not be done',
      );
      if (pause === undefined) return { content: await refuse(interaction, error) };
      const why = sentence(error).replace(advice, '');
      const text = `:hourglass: ${plain(why, 1_000)} I keep your request, and will try again by myself.`;
      return { pause, content: tries === 0 ? said(text, [forget.button('Forget it', interaction.id)]) : undefined };
    }
  };
  const lost = ({ action, person }: Interaction, error: unknown) =>
    log.error({ error, action, person }, 'an answer reached nobody');

  return {
    async takeOn(interaction, ack, tell, patience = ackPatience) {
      const since = thisMoment(clock);
      const createdAt = since.now;
      const { id, team, person, channel, thread = null, action, value } = interaction;
      const keeping = inbox
        .keep({ id, team, person, channel, thread, action, value, createdAt }, lockTime, interaction.heard)
        // An interaction that was stored before is in flight, or was left by a process that is gone.
        .then(due => due ?? ('known' as const))
        .catch((error: unknown) => {
          log.error({ error, action, person, team }, 'an interaction could not be kept');
          return mayHaveStored(error) ? ('open' as const) : ('unstored' as const);
        });
      const kept = await within(clock, patience, keeping);
      await ack(kept === undefined || kept === 'open' ? storedLate : kept === 'unstored' ? unstored : undefined);
      const work = keeping.then(async due => {
        if (due === 'known' && isPress(interaction))
          await tell(said(pressedBefore)).catch((error: unknown) => lost(interaction, error));
        if (due === 'known' || due === 'open' || due === 'unstored') return;
        await keep(due, () => carryOut({ ...interaction, takenAt: createdAt }, due, tell, createdAt, since)).catch(
          (error: unknown) => {
            const how = error instanceof Overtaken ? 'info' : 'error';
            log[how]({ error, action, person }, 'an interaction stays as it is, to be taken up again');
          },
        );
      });
      desk.run('do what was asked', work);
    },
    async goOn(speaker, intent) {
      const pressed = newInteraction({ ...speaker, action: runCommand.id, value: intent, trigger: '' });
      if (acts(pressed)) return undefined;
      return perform(pressed, false).catch((error: unknown) =>
        error instanceof FormNeeded ? undefined : refuse(pressed, error),
      );
    },
    watch() {
      const looping = workOnQueue(desk, {
        name: 'inbox',
        queue,
        ...{ maxAtOnce: 50, groupsAtOnce: 50 },
        groupOf: ({ id }) => id,
        shared: () => undefined,
        step({ due, row }) {
          const interaction = { ...row, thread: row.thread ?? undefined, trigger: '', takenAt: row.createdAt };
          return carryOut(interaction, due, content => whisper(desk, interaction, content), row.createdAt);
        },
        pauseAfter: (error, tries) => pauseBefore(error, tries) ?? minute,
      });
      ({ keep } = looping);
      return looping;
    },
  };
}
