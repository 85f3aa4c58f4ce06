import type { Someone } from '../person.ts';

/**
 * Presses a button that the message at a place has by now: one that is gone would be waited for. A click that meets a dead
 * bot is lost, as in Slack.
 */
export async function clicks(
  person: Someone,
  words: string,
  { channel, ts }: Readonly<Record<'channel' | 'ts', string>>,
): Promise<void> {
  const message = person.messages(channel).find(one => one.ts === ts);
  if (message && person.canPress(words, { message })) await person.presses(words, { message }).catch(() => undefined);
}
