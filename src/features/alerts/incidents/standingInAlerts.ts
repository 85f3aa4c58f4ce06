import type { Parts } from '../../../jobs/parts.ts';
import type { BadNews, KnownNews } from '../../../jobs/standing.ts';
import {
  type Incident,
  incidents,
  subscriptionId,
  subscriptions,
  type TroubleKind,
} from '../../../store/tables/alerts/alertRows.ts';
import { isSnoozed } from './incidentStep.ts';

/** The kinds of trouble that the bad end of a run is a part of. */
const ofRuns: readonly TroubleKind[] = ['failed', 'runs', 'late'];

/**
 * How bad news of a record stands by the alerts of its channel: an incident there tells of it, which somebody is on or has
 * snoozed, or the alerts have told that its runs fail again and again.
 */
export async function standingInAlerts(
  { things, sights, outbox }: Parts<'things' | 'sights' | 'outbox'>,
  { team, channel, record, at }: BadNews,
): Promise<KnownNews | undefined> {
  const alerts = await things.find(subscriptions, subscriptionId(team, channel));
  if (alerts?.state !== 'on') return undefined;
  const open = await things.list(incidents, { team, channel });
  const incident = open.find(({ state, items }) => state !== 'ended' && items.some(one => isOpenTrouble(one, record)));
  if (incident) {
    const message = await outbox.threadOf(incident.id);
    return { is: wordFor(incident, at), thread: message?.place === channel ? message.ts : undefined };
  }
  const [sight] = await sights.of(alerts.watcher, [record]);
  const { runs } = sight?.troubles ?? {};
  return runs?.state === 'stands' && runs.told !== null ? { is: 'told' } : undefined;
}

function isOpenTrouble({ record, kind, endedAt }: Incident['items'][number], about: string): boolean {
  return record === about && endedAt === null && ofRuns.includes(kind);
}

function wordFor(incident: Incident, at: number): KnownNews['is'] {
  if (incident.takenBy !== null) return 'taken';
  return isSnoozed(incident, at) ? 'known' : 'told';
}
