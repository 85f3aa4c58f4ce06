import { momentAfter } from '../../blocks/moments.ts';
import { code } from '../../blocks/mrkdwn.ts';
import type { Desk } from '../../desk/desk.ts';
import { type Check, fine, unseen } from './policyReport.ts';

/** The kinds of messages, each with its name and the event by which Slack tells of it. */
const kinds = [
  { kind: 'mention', name: 'Mentions', event: 'app_mention' },
  { kind: 'direct', name: 'Direct messages', event: 'message.im' },
] as const;

/**
 * Reports whether messages arrive. Slack does not tell to which events the app is subscribed: only one that came shows
 * it.
 */
export function talkChecks({ heard }: Desk<'heard'>, team: string): Promise<readonly Check[]> {
  return Promise.all(
    kinds.map(async ({ kind, name, event }): Promise<Check> => {
      const last = await heard.last(team, kind);
      if (last !== undefined) return fine(`${name}: the last one ${momentAfter('came', last)}.`);
      return unseen(
        `${name}: none came in the last two days. If you wrote one, the app's manifest is older than this release: it lacks ${code(event)}.`,
      );
    }),
  );
}
