import type { Feature } from '../../slack/feature.ts';
import { alertKinds, incidents, subscriptions } from '../../store/tables/alerts/alertRows.ts';
import { alertReactions } from './alertClicks.ts';
import { alertsCommand } from './alertCommand.ts';
import { callSubmission, handSubmission } from './alertForms.ts';
import { alertMessage } from './alertMessages.ts';
import { standingInAlerts } from './incidents/standingInAlerts.ts';
import { type AlertWatcher, workOnAlerts } from './workOnAlerts.ts';

/** What changed for the worse, told to the channels that want to hear of it. */
export const alertFeature = {
  name: 'alerts',
  things: {
    kinds: [incidents, subscriptions],
    work: (worker, desk: AlertWatcher) => workOnAlerts(worker, desk),
    words: { alert: alertMessage },
  },
  commands: {
    own: [
      {
        word: 'alerts',
        subject: 'Protection',
        usage: `alerts on [${alertKinds.join(' ')}] | test | off`,
        summary: 'Report new problems to this channel, and notify people of them',
        acts: () => true,
        answer: alertsCommand,
      },
    ],
  },
  interactions: { reactions: alertReactions, submissions: [handSubmission, callSubmission] },
  about: { standingOf: standingInAlerts },
} satisfies Feature<never>;
