import { mentioned, mentionOf } from '../../slack/blocks/mentionPeople.ts';
import { type Content, said } from '../../slack/blocks/message.ts';
import { momentAfter } from '../../slack/blocks/moments.ts';
import { plain } from '../../slack/blocks/mrkdwn.ts';
import type { Voice } from '../../slack/desk/desk.ts';
import type { Interaction } from '../../slack/desk/interaction.ts';
import { reactTo, reactToForm } from '../../slack/desk/reaction.ts';
import { openView } from '../../slack/desk/views.ts';
import type { Incident } from '../../store/tables/alerts/alertRows.ts';
import {
  type Alerter,
  type AlertOutcome,
  alertsAreOff,
  chooseCalled,
  subscriptionOf,
  takeAlertsOver,
} from './alertActs.ts';
import { alertActions, callByForm, handByForm } from './alertButtons.ts';
import { callForm, handForm, userGroups } from './alertForms.ts';
import { closeIncident, handOver, snoozeIncident, takeIncident } from './incidents/incidentActs.ts';

/** Reacts to the buttons of alerts. */
export const alertReactions = [
  reactTo(alertActions.take, {
    acts: () => true,
    perform: async (desk: Alerter, interaction, incident) =>
      afterAct(await takeIncident(desk, interaction, incident), ({ takenUntil }) =>
        takenUntil === null ? 'Done.' : `You are on it ${momentAfter('until', takenUntil)}. I’ll ask you then.`,
      ),
  }),
  reactTo(alertActions.rest, {
    acts: () => true,
    perform: async (desk: Alerter, interaction, { does, incident }) =>
      does === 'close'
        ? afterAct(await closeIncident(desk, interaction, incident), () => 'It is closed.')
        : afterAct(await snoozeIncident(desk, interaction, incident, does), ({ snoozedUntil }) =>
            snoozedUntil === null
              ? 'Done.'
              : `I say nothing more about these ${momentAfter('until', snoozedUntil)}. I still report new problems.`,
          ),
  }),
  reactTo(alertActions.handOver, {
    async perform(desk: Voice, interaction, incident) {
      await openView(desk, interaction, handForm(incident, interaction.channel));
      return undefined;
    },
  }),
  reactToForm(handByForm, {
    perform: async (desk: Alerter, interaction, { incident, to }) =>
      afterAct(await handOver(desk, interaction, incident, to), () => `I told ${mentionOf(to)}.`),
  }),
  reactTo(alertActions.takeOver, {
    acts: () => true,
    intent: () => 'alerts on',
    perform: async (desk: Alerter, interaction) => afterAct(await takeAlertsOver(desk, interaction)),
  }),
  reactTo(alertActions.choose, { perform: openCallForm }),
  reactToForm(callByForm, {
    perform: async (desk: Alerter, interaction, called) => afterAct(await chooseCalled(desk, interaction, called)),
  }),
];

/** Opens the form that chooses whom the alerts of a channel call. */
async function openCallForm(desk: Voice & Alerter, interaction: Interaction): Promise<Content | undefined> {
  const { team, channel } = interaction;
  const [seen, groups] = await Promise.all([subscriptionOf(desk, { team, channel }), userGroups(desk, team)]);
  if (!seen || seen.state === 'off') return said(alertsAreOff);
  await openView(desk, interaction, callForm(channel, seen.called, groups));
  return undefined;
}

/** Tells the outcome of an act. */
export function afterAct(outcome: AlertOutcome, changed: (incident: Incident) => string = () => 'Done.'): Content {
  if (outcome.type === 'refused') return said(plain(outcome.sentence, 500));
  switch (outcome.type) {
    case 'changed':
      return said(changed(outcome.incident));
    case 'tested':
      return said('A sample is on its way to where the alerts of this channel go.');
    case 'called':
      return said(`Alerts of this channel notify ${mentioned(outcome.called) || 'nobody'} from now on.`, [
        alertActions.choose.button('Choose again…', null),
      ]);
    case 'off':
      return said(alertsAreOff);
    case 'on': {
      const watcher = outcome.isAccount ? 'the service account' : 'your sign-in';
      const lead = outcome.isNew ? 'Alerts are on in this channel' : 'They are already on';
      return said(
        `${lead}. I look with ${watcher}, so the channel hears of what ${outcome.isAccount ? 'it' : 'you'} may see. *Next*: choose whom I notify of a failure, even at night.`,
        [alertActions.choose.button('Choose who is notified…', null)],
      );
    }
  }
}
