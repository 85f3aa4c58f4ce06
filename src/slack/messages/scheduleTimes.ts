import { Rhythm } from '../../ground/calendar.ts';
import { parseJson } from '../../ground/json.ts';
import { sayCalendar } from '../../ground/rhythmWords.ts';
import { code, plain } from '../blocks/mrkdwn.ts';

/** The times of a schedule as the store keeps them. */
type KeptTimes = Readonly<{ rhythm: string; zone: string }>;

/** The times of a schedule in words: “every day at 02:00 (Europe/Berlin)”. Plain text. */
export function scheduleTimes({ rhythm, zone }: KeptTimes): string {
  const read = Rhythm.safeParse(parseJson(rhythm)).data;
  return read ? sayCalendar({ rhythm: read, zone }) : 'at times that another version of Dolly knows';
}

/** The same as mrkdwn: a cron line stands there as it can be typed. */
export function timesToType({ rhythm, zone }: KeptTimes): string {
  const read = Rhythm.safeParse(parseJson(rhythm)).data;
  if (read?.every !== 'cron') return plain(scheduleTimes({ rhythm, zone }), 120);
  return `by the cron line ${code(read.cron, 100)} (${plain(zone, 80)})`;
}
