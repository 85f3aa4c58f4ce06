import type { Desk } from '../desk/desk.ts';
import type { Ack, Tell, Use } from '../desk/use.ts';
import type { Doing } from './doing.ts';

/** Takes a use that Slack told of, once. */
export type UseTaker = Desk<'clock' | 'log' | 'heard' | 'takeOn' | 'run'>;

/** A use with the ways to acknowledge and to answer it. */
type DeliveredUse = Readonly<{ use: Use; ack: Ack; tell: Tell }>;

/**
 * Acknowledges a use, does it, and answers the person alone. A use that changes something by itself is stored before
 * that. A form needs no storing: it opens or it does not, and nothing was asked for yet. A message that was answered
 * before is not answered again.
 */
export async function takeUse(desk: UseTaker, uses: Doing, { use, ack, tell }: DeliveredUse): Promise<void> {
  if (uses.acts(use)) return desk.takeOn(use, ack, tell);
  await ack();
  const show = () => uses.perform(use).catch((error: unknown) => uses.refuse(use, error));
  const work = isNew(desk, use).then(isNewOne => (isNewOne ? show() : undefined));
  desk.run(
    'answer a use',
    work.then(content => content && tell(content)),
  );
}

/** Whether a use is done for the first time. Without the store nobody knows, and an answer twice is better than none. */
async function isNew({ heard, clock, log }: UseTaker, { id, team, heard: kind }: Use): Promise<boolean> {
  if (kind === undefined) return true;
  try {
    return await heard.note({ id, team, kind, at: clock.now() });
  } catch (error) {
    log.warn({ error, team }, 'the store does not tell whether a message was answered before');
    return true;
  }
}
