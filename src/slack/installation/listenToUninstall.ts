import type { App } from '@slack/bolt';
import type { Installations } from '../../store/tables/installations.ts';
import { endInstallation } from '../connection/botTokens.ts';
import { meaningOfError, platformError } from '../connection/slackErrors.ts';
import type { Desk } from '../desk/desk.ts';
import { type EventEnvelope, teamInEvent } from '../desk/who.ts';

type EndingInstallation = Readonly<{
  installations: Pick<Installations, 'find' | 'leave' | 'end'>;
  ended(team: string): void;
  isConfigured: boolean;
}>;

/**
 * Drops the token of a team when Slack says that the app was uninstalled there, or that its bot token was revoked. Slack
 * sends an event late, or twice: so Dolly asks with the token whether it is over, and keeps one that works. One that the
 * configuration names (`isConfigured`) cannot be dropped: that the app is gone is noted until the token works again.
 */
export function listenToUninstall(
  app: App,
  desk: Desk<'clock' | 'log' | 'slack' | 'run'>,
  { installations, ended, isConfigured }: EndingInstallation,
): void {
  const look = (envelope: EventEnvelope, why: string) => {
    const teams = new Set([teamInEvent(envelope), envelope.enterprise_id ?? '']);
    for (const team of teams) if (team !== '') desk.run('look after an installation', lookAfter(team, why));
  };
  const lookAfter = async (team: string, why: string) => {
    const found = await installations.find(team);
    if (!(found || isConfigured) || !(await isOver(desk, team))) return;
    if (found) await endInstallation({ ...desk, installations, ended }, found, why);
    else if (await installations.leave(team, why, desk.clock.now())) ended(team);
  };
  app.event('app_uninstalled', async ({ body }) => look(body, 'The app was uninstalled in Slack.'));
  app.event('tokens_revoked', async ({ body, event }) => {
    if ((event.tokens.bot ?? []).length > 0) look(body, 'Slack revoked its token.');
  });
}

/** Whether Slack refuses a token. Where Slack does not say, the installation stays: its next call shows it. */
async function isOver({ slack, log }: Desk<'log' | 'slack'>, team: string): Promise<boolean> {
  try {
    await slack.of(team).auth.test();
    log.info({ team }, 'an installation works, although Slack said that it is over');
    return false;
  } catch (error) {
    return platformError(error) !== undefined && meaningOfError(error) === 'operator';
  }
}
