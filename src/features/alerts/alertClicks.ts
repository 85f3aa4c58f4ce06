import { type Content, said } from '../../slack/blocks/blocks.ts';
import { momentAfter, plain } from '../../slack/blocks/limits.ts';
import type { Desk } from '../../slack/desk/desk.ts';
import { reactTo } from '../../slack/desk/reaction.ts';
import { type Alerter, type AlertOutcome, snoozeAlert, takeAlert, takeAlertsOver } from './alertActs.ts';
import { alertActions } from './alertButtons.ts';
import { kindList } from './alertMessages.ts';

/** Reacts to the buttons of alerts. */
export const alertReactions = [
  reactTo(alertActions.take, {
    acts: () => true,
    perform: async (desk: Alerter & Desk<'tell' | 'wake'>, interaction, alert) =>
      afterAct(desk, await takeAlert(desk, interaction, alert), () => 'It is yours: the message says so.'),
  }),
  reactTo(alertActions.snooze, {
    acts: () => true,
    perform: async (desk: Alerter & Desk<'tell' | 'wake'>, interaction, { a, s }) =>
      afterAct(desk, await snoozeAlert(desk, interaction, a, s), ({ alert: { snoozedUntil } }) =>
        snoozedUntil === null ? 'Done.' : `This channel hears nothing of it ${momentAfter('until', snoozedUntil)}.`,
      ),
  }),
  reactTo(alertActions.takeOver, {
    acts: () => true,
    intent: () => 'alerts on',
    perform: async (desk: Alerter & Desk<'tell' | 'wake'>, interaction, revision) =>
      afterAct(desk, await takeAlertsOver(desk, interaction, revision), () => 'Done.'),
  }),
];

/** Tells the outcome of an act, and starts the work that follows from it. */
export function afterAct(
  desk: Desk<'tell' | 'wake'>,
  outcome: AlertOutcome,
  changed: (outcome: Extract<AlertOutcome, { type: 'changed' }>) => string = () => 'Done.',
): Content {
  if (outcome.type === 'refused') return said(plain(outcome.sentence, 500));
  desk.wake();
  desk.tell();
  switch (outcome.type) {
    case 'changed':
      return said(changed(outcome));
    case 'tested':
      return said('A sample is on its way to where alerts of this channel go.');
    case 'off':
      return said('Alerts are off in this channel.');
    case 'on': {
      const watcher = outcome.isAccount ? 'the service account' : 'your sign-in';
      const lead = outcome.isNew ? 'Alerts are on in this channel' : 'They are on already';
      return said(
        `${lead}: ${kindList(outcome.kinds)}. I look with ${watcher}, so the channel hears of what ${outcome.isAccount ? 'it' : 'you'} may see.`,
      );
    }
  }
}
