import { thisMoment, wasSetSince } from '../../ground/clock.ts';
import { day } from '../../ground/durations.ts';
import { sentence } from '../../ground/failure.ts';
import { type Loop, lockRenewal, lockTime, startLoop } from '../../ground/loop.ts';
import { within } from '../../ground/remembered.ts';
import { pauseBefore } from '../../jobs/backOff.ts';
import type { UseRow } from '../../store/database.ts';
import { type Content, said } from '../blocks/blocks.ts';
import { plain } from '../blocks/limits.ts';
import { whisper } from '../desk/answer.ts';
import type { Desk } from '../desk/desk.ts';
import type { Ack, Tell, Use } from '../desk/use.ts';
import type { Doing } from './doing.ts';

/** Stores and does the uses that change something by themselves. */
export type Taker = Readonly<{
  /**
   * Stores a use before Slack hears that it was taken, then does it, and tells the person. If this process is killed,
   * another one finishes it.
   */
  takeOn(use: Use, ack: Ack, tell: Tell): Promise<void>;
  /** Takes up stored uses that nobody has finished. */
  watch(): Loop;
}>;

/**
 * Slack waits 3 s for an ack. A use that takes longer than this to store, in milliseconds, gets its ack, which says so,
 * before it is stored.
 */
const ackPatience = 2_500;
/** Max age of a use that could not be done, in milliseconds. After that nobody wants it any more. */
const keptFor = day;
const maxAtOnce = 50;
/**
 * Longest pause between two looks for uses that another process left, in milliseconds. Uses that this process puts off
 * wake it in time.
 */
const maxSleep = 10_000;

const unstored = 'My store is in trouble, so I could not take this and nothing was sent. Please try again in a while.';
const storedLate =
  'My store is slow, so I do not know yet whether I have this. If nothing has come of it in a minute, please ask again.';
const tooOld = 'I could not do this for a day, so I gave it up. Nothing was sent.';

/** Creates a {@link Taker}. */
export function takesUses(desk: Desk, { perform, refuse }: Pick<Doing, 'perform' | 'refuse'>): Taker {
  const { clock, log, uses } = desk;
  const inHand = new Set<string>();
  let wake = () => {};

  /** Does a stored use, and answers it. Never fails: a use that cannot be done now stays stored. */
  const carryOut = async (use: Use, { tries, createdAt }: Pick<UseRow, 'tries' | 'createdAt'>, tell: Tell) => {
    inHand.add(use.id);
    try {
      const isOver = clock.now() - createdAt >= keptFor;
      const result = isOver ? { content: said(tooOld) } : await attempt(use, tries);
      if ('pause' in result) {
        await uses.putOff(use.id, clock.now() + result.pause);
        wake();
      }
      if (result.content) await tell(result.content).catch((error: unknown) => lost(use, error));
      if (!('pause' in result)) await uses.done(use.id);
    } catch (error) {
      log.error({ error, action: use.action, person: use.person }, 'a use stays as it is, to be taken up again');
    } finally {
      inHand.delete(use.id);
    }
  };
  /**
   * Tries a use: gives the answer, and the pause before the next try if one may help. The person hears of the tries
   * once.
   */
  const attempt = async (use: Use, tries: number): Promise<{ content: Content | undefined; pause?: number }> => {
    try {
      return { content: await perform(use) };
    } catch (error) {
      const pause = pauseBefore(error, tries);
      log.warn({ error, action: use.action, person: use.person, pause }, 'a use could not be done');
      if (pause === undefined) return { content: await refuse(use, error) };
      const text = `:hourglass: ${plain(sentence(error), 1_000)} I keep what you asked for, and try again by myself.`;
      return { pause, content: tries === 0 ? said(text) : undefined };
    }
  };
  const lost = ({ action, person }: Use, error: unknown) =>
    log.error({ error, action, person }, 'an answer reached nobody');

  return {
    async takeOn(use, ack, tell) {
      const createdAt = clock.now();
      const { id, team, person, channel, thread = null, action, value } = use;
      const keeping = uses
        .keep({ id, team, person, channel, thread, action, value, createdAt }, lockTime, use.heard)
        .catch((error: unknown) => {
          log.error({ error, action, person, team }, 'a use could not be kept');
          return 'unstored' as const;
        });
      const kept = await within(clock, ackPatience, keeping);
      await ack(kept === undefined ? storedLate : kept === 'unstored' ? unstored : undefined);
      // A use that was stored before is in flight, or was left by a process that is gone.
      const work = keeping.then(isNew => (isNew === true ? carryOut(use, { tries: 0, createdAt }, tell) : undefined));
      desk.run('do what was asked', work);
    },
    watch() {
      const keep = lockRenewal(clock, until => uses.renew([...inHand], until));
      let before = thisMoment(clock);
      const looping = startLoop(clock, {
        async turn(run, isPoll) {
          const now = clock.now();
          if (wasSetSince(clock, before)) await uses.recall(now);
          before = thisMoment(clock);
          await keep();
          if (isPoll) {
            const next = await uses.nextTime(now);
            if (next === undefined || next > now) return next;
          }
          for (const row of await uses.take(now, lockTime, maxAtOnce)) {
            const use = { ...row, thread: row.thread ?? undefined, trigger: '' };
            if (!inHand.has(row.id)) run(carryOut(use, row, content => whisper(desk, use, content)));
          }
          return uses.nextTime(now);
        },
        failed: (error, times) => log.error({ error, times }, 'the list of kept uses could not be read'),
        maxSleep,
      });
      wake = looping.wake;
      return looping;
    },
  };
}
