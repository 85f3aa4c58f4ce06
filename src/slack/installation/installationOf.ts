import type { Installation as BoltInstallation } from '@slack/oauth';
import type { Clock } from '../../ground/clock.ts';
import type { BotToken, Installation } from '../../store/tables/installations.ts';

/**
 * Reads what Slack's installer made of the answer of oauth.v2.access (docs.slack.dev/reference/methods/oauth.v2.access).
 * An organisation stands in place of a workspace where the app is installed for all of it.
 * @throws where Slack named no bot or no team
 */
export function installationOf(
  made: BoltInstallation,
  clock: Clock,
): Readonly<{ installation: Installation; token: BotToken }> {
  const { bot, user, appId } = made;
  const team = made.isEnterpriseInstall ? made.enterprise : made.team;
  if (!bot || !team) throw new Error('Slack named no bot or no team for an installation');
  return {
    installation: {
      ...{ team: team.id, name: team.name ?? null, app: appId ?? null },
      ...{ bot: bot.id, botUser: bot.userId, person: user.id, createdAt: clock.now() },
    },
    token: {
      token: bot.token,
      renewal: bot.refreshToken,
      // The installer counts from the machine's own time.
      expiresAt: bot.expiresAt === undefined ? undefined : clock.now() + bot.expiresAt * 1_000 - Date.now(),
    },
  };
}
