import { type Loop, together } from '../../../ground/loop.ts';
import type { Parts } from '../../../jobs/parts.ts';
import { type ThingWorker, workOnThings } from '../../../jobs/workOnThings.ts';
import { incidents, subscriptionId, subscriptions } from '../../../store/tables/alerts/alertRows.ts';
import { maintainedIn } from '../../protection/maintenance/maintenance.ts';
import { dayThreadIn } from '../../schedules/dayThread.ts';
import { nextOfSubscription } from '../nextOfSubscription.ts';
import { nextOfIncident } from './nextOfIncident.ts';

/** Does what follows for incidents and for the mornings of their channels as time goes by. Neither asks the service. */
export function workOnIncidents(worker: ThingWorker, { things, outbox }: Parts<'things' | 'outbox'>): Loop {
  return together([
    workOnThings(worker, {
      kind: incidents,
      look: async ({ team, channel }, { now }) => ({
        subscription: await things.find(subscriptions, subscriptionId(team, channel)),
        maintained: await maintainedIn({ things }, team, now),
      }),
      next: (incident, { now, sight }) => (sight ? nextOfIncident(incident, { now, ...sight }) : 'look'),
    }),
    workOnThings(worker, {
      kind: subscriptions,
      look: async ({ team, channel }, { now }) => ({
        open: await things.list(incidents, { team, channel }),
        maintained: await maintainedIn({ things }, team, now),
        opened: (await dayThreadIn({ things, outbox }, { team, channel }, { now, isFor: 'openers' }))?.id,
      }),
      next: (subscription, { now, sight }) => nextOfSubscription(subscription, { now, open: undefined, ...sight }),
    }),
  ]);
}
