import { hoursToMilliseconds } from 'date-fns/hoursToMilliseconds';
import { thisMoment, wasSetSince } from '../../ground/clock.ts';
import { sentence } from '../../ground/failure.ts';
import { type Loop, lockRenewal, lockTime, startLoop } from '../../ground/loop.ts';
import { pauseBefore } from '../../jobs/backOff.ts';
import type { UseRow } from '../../store/database.ts';
import { type Content, said } from '../blocks/blocks.ts';
import { plain } from '../blocks/limits.ts';
import { whisper } from '../desk/answer.ts';
import type { Desk } from '../desk/desk.ts';
import type { Ack, Tell, Use } from '../desk/use.ts';
import type { Doing } from './doing.ts';

/** Takes the uses on that act by themselves. */
export type Taker = Readonly<{
  /**
   * Keeps a use before Slack hears that it was taken, does it then, and tells the person. What is begun is finished by
   * another start if this one is killed.
   */
  takeOn(use: Use, ack: Ack, tell: Tell): Promise<void>;
  /** Takes up what was kept and neither done nor answered. */
  watch(): Loop;
}>;

/** Slack waits for an ack for 3 s: what takes longer than this, in milliseconds, is acknowledged without it. */
const ackPatience = 2_500;
/** A use that could not be done for so long, in milliseconds, is not wanted any more. */
const keptFor = hoursToMilliseconds(24);
const mostAtOnce = 50;
/** What another process left is looked for this often, in milliseconds. What this one puts off wakes it in time. */
const maxSleep = 10_000;

const unstored = 'My store is in trouble, so I could not take this and nothing was sent. Please try again in a while.';
const storedLate =
  'My store is slow, so I do not know yet whether I have this. If nothing has come of it in a minute, please ask again.';
const tooOld = 'I could not do this for a day, so I gave it up. Nothing was sent.';

/** Makes a {@link Taker}. */
export function takesUses(desk: Desk, { perform, refuse }: Pick<Doing, 'perform' | 'refuse'>): Taker {
  const { clock, log, uses } = desk;
  const inHand = new Set<string>();
  let wake = () => {};

  /** Does a use that is kept, and answers it. Never fails: what cannot be done now stays kept. */
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
  /** What the person is told, and after how long the same is tried again if that helps; of that they are told once. */
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
      const { id, team, person, channel, action, value } = use;
      const keeping = uses
        .keep({ id, team, person, channel, action, value, createdAt }, lockTime)
        .catch((error: unknown) => {
          log.error({ error, action, person, team }, 'a use could not be kept');
          return undefined;
        });
      const late = new Promise<'late'>(resolve => setTimeout(resolve, ackPatience, 'late').unref());
      const kept = await Promise.race([keeping, late]);
      await ack(kept === undefined ? unstored : kept === 'late' ? storedLate : undefined);
      // What is kept already is being done, or was left by a process that is gone.
      const work = keeping.then(isNew => (isNew ? carryOut(use, { tries: 0, createdAt }, tell) : undefined));
      desk.run('do what was asked', work);
    },
    watch() {
      const keep = lockRenewal(clock, until => uses.renew([...inHand], until));
      let before = thisMoment(clock);
      const looping = startLoop(clock, {
        async turn(run) {
          const now = clock.now();
          if (wasSetSince(clock, before)) await uses.recall(now);
          before = thisMoment(clock);
          await keep();
          for (const row of await uses.take(now, lockTime, mostAtOnce)) {
            const tell = (content: Content) => whisper(desk, row.person, row.channel, content);
            if (!inHand.has(row.id)) run(carryOut({ ...row, trigger: '' }, row, tell));
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
