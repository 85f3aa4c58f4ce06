import { nextIdentifier } from '../../src/sandbox/service/estate.ts';
import { confirms } from '../journeys/asking.ts';
import type { Someone } from '../person.ts';
import type { World } from '../world.ts';
import { type Report, reportCards, sentTo, type Write } from './report.ts';

/** The renewal of a clone that only the service knows of. */
export type Renewal = { name: string; port: number; record: string; isTaken: boolean };

/** Adds a clone of shop to the service. */
export function plantClone({ service: { service }, clock }: World, port: number): Renewal {
  const { estate } = service;
  const all = [...estate.databases.values()];
  const source = all.find(database => database.name === 'shop');
  const clone = all.find(database => database.name === 'orders-3320');
  if (!source || !clone) throw new Error('the service has no shop, or no clone that is like one of it');
  const times = { createdAt: clock.now(), updatedAt: clock.now() };
  const record = nextIdentifier(estate, 'MYSQL_CLONE_SERVER');
  const name = `shop-${port}`;
  estate.databases.set(record, {
    ...clone,
    ...times,
    id: record,
    name,
    port,
    ...{ sourceDatabase: source.id, snapshot: source.snapshots[0]?.id, facts: {} },
    mountBase: `/mnt/c${port}`,
    snapshots: [],
  });
  return { name, port, record, isTaken: false };
}

/** The words that fill the whole form of a renewal. */
export function renewalLine({ name, port }: Renewal): string {
  return `/db renew ${name} port=${port} mountBase=/mnt/c${port} targetEnvironment=HOST_ENVIRONMENT-4 install=MYSQL_INSTALL-2 environmentUser=ENVIRONMENT_USER-8`;
}

/** Submits the form of a renewal, and its last page. */
export async function submitsRenewal(someone: Someone): Promise<void> {
  await someone.submits();
  const isLast = () => JSON.stringify(someone.sees().views).includes('after the one before is confirmed');
  await someone.until(isLast, 'the last page', 3_000);
  await confirms(someone);
}

/** Reports on renewals: one message each, one deletion and then one new clone at most, and none confirmed without it. */
export function reportRenewals(earth: World, result: Report, asked: readonly Renewal[], all: readonly Write[]): void {
  const databases = [...earth.service.service.estate.databases.values()];
  for (const { name, port, record, isTaken } of asked) {
    const request = `renewal of ${name}`;
    const cards = earth.cards('#databases').filter(card => new RegExp(`\\b${name}\\b`).test(earth.text(card)));
    const isGone = databases.every(({ id }) => id !== record);
    const isMade = databases.some(database => database.port === port && database.id !== record);
    const deletions = sentTo(all, 'delete', record);
    const made = all.filter(({ body }) => body.includes(`"port":${port}`)).length;
    if (isTaken) result.asked += 1;
    if ((isTaken || deletions > 0) && cards.length === 0) result.lost.push(`${request}: no message`);
    if (cards.length > 1) result.doubled.push(`${request}: ${cards.length} messages`);
    if (deletions > 1 || made > 1) result.doubled.push(`${request}: deleted ${deletions} times, made ${made} times`);
    if (made > 0 && !isGone) result.untrue.push(`${request}: made before the old one was gone`);
    reportCards(earth, result, request, cards);
    const text = cards.map(card => earth.text(card)).join('\n');
    // Nobody changes the source meanwhile: other clones of it are no reason to leave this one deleted.
    if (deletions > 0 && text.includes('changed since the approval')) result.untrue.push(`${request}: ${text}`);
    if (text.includes('is renewed') && !(isGone && isMade)) result.untrue.push(`${request}: ${text.split('\n')[0]}`);
  }
}
