import { closest } from '../../ground/closest.ts';
import type { Parts } from '../../jobs/parts.ts';
import { mentioned, mentionOf } from '../../slack/blocks/mentionPeople.ts';
import { type Content, said } from '../../slack/blocks/message.ts';
import { code } from '../../slack/blocks/mrkdwn.ts';
import { channelFault } from '../../slack/desk/channelFault.ts';
import type { Desk } from '../../slack/desk/desk.ts';
import type { Interaction } from '../../slack/desk/interaction.ts';
import { isChannel } from '../../slack/desk/placeKinds.ts';
import type { CommandAnswer } from '../../slack/house.ts';
import { runCommand } from '../../slack/words/commandActions.ts';
import { isAccount } from '../../store/serviceOwner.ts';
import { type AlertKind, alertKinds, incidents } from '../../store/tables/alerts/alertRows.ts';
import { type Alerter, alertsAreOff, subscriptionOf, testAlerts, turnAlertsOff, turnAlertsOn } from './alertActs.ts';
import { alertActions } from './alertButtons.ts';
import { afterAct } from './alertClicks.ts';
import { standingMessage } from './alertMessages.ts';
import { named } from './alertNotice.ts';
import { kindList } from './troubleKinds.ts';
import { whatStands } from './whatStands.ts';

/** Turns alerts of a channel on and off. */
type AlertKeeper = Alerter & Desk<'names' | 'slack' | 'log'> & Parts<'sights'>;

/**
 * Answers `alerts`: turns them on or off in a channel, or says how they stand.
 * @throws {Failure} `signed-out`
 */
export const alertsCommand: CommandAnswer<AlertKeeper> = async (desk, interaction, { words }) => {
  const [what = '', ...kinds] = words.slice(1).map(word => word.toLowerCase().replace(/,$/, ''));
  if (!isChannel(interaction.channel)) return said('Alerts go to a channel: type this command there.');
  if (what === '') return standing(desk, interaction);
  if (what !== 'on' && what !== 'test' && what !== 'off')
    return said(`I do not know ${code(`alerts ${what}`, 80)}. ${usage(desk)}`);
  if (what !== 'on' && kinds.length > 0)
    return said(`${code(`alerts ${what}`)} takes no other words, so I did nothing. ${usage(desk)}`);
  if (what !== 'on') return afterAct(await (what === 'off' ? turnAlertsOff : testAlerts)(desk, interaction));
  const known = alertKinds.filter(kind => kinds.includes(kind));
  const unknown = kinds.find(kind => !alertKinds.some(one => one === kind));
  if (unknown !== undefined) return said(strange(desk, unknown));
  const closed = await channelFault(desk, interaction.team, interaction.channel);
  if (closed !== undefined) return said(`${closed} Alerts stay as they were.`);
  return afterAct(await turnAlertsOn(desk, interaction, known.length > 0 ? known : alertKinds));
};

function usage({ names }: Desk<'names'>): string {
  return `Use ${code(`${names.db} alerts on`)}, with kinds after it if you want only some (${alertKinds.map(kind => code(kind)).join(', ')}), ${code(`${names.db} alerts test`)} for a sample, or ${code(`${names.db} alerts off`)}.`;
}

function strange(desk: Desk<'names'>, kind: string): string {
  const [near] = closest(kind, alertKinds, (known: AlertKind) => known);
  return `${code(kind, 60)} is not a kind of alert, so I did nothing. ${near === undefined ? usage(desk) : `Did you mean ${code(near)}?`}`;
}

/** Says how the alerts of a channel stand, and names what stands there now. */
async function standing(desk: Desk<'things'> & Parts<'sights'>, { team, channel }: Interaction): Promise<Content> {
  const found = await subscriptionOf(desk, { team, channel });
  if (!found || found.state === 'off')
    return said(
      `${alertsAreOff} If you turn them on, I look every five minutes, and report new problems here: ${kindList(alertKinds)}.`,
      [runCommand.button('Turn alerts on', 'alerts on')],
    );
  const { kinds, person, watcher, state, called } = found;
  const by = isAccount({ team, person: watcher.slice(team.length + 1) })
    ? 'the service account'
    : `the sign-in of ${mentionOf(person)}`;
  const [open, lookedAt] = await Promise.all([
    desk.things.list(incidents, { team, channel }),
    desk.sights.lastLook(watcher),
  ]);
  const told = { ...named(await whatStands(desk, found, open)), lookedAt, isBlind: state === 'blind' };
  return standingMessage(
    { ...told, open },
    `Alerts are on in this channel: ${kindList(kinds)}. ${mentionOf(person)} turned them on. I look every five minutes with ${by}, and notify ${mentioned(called) || 'nobody'} of new problems.`,
    [
      alertActions.choose.button('Choose who is notified…', null),
      runCommand.button('Turn alerts off', 'alerts off', { suffix: 'off' }),
    ],
  );
}
