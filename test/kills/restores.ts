import { nextIdentifier } from '../../src/sandbox/service/estate.ts';
import { confirms } from '../journeys/asking.ts';
import { refusalsOf } from '../journeys/clones.ts';
import type { Someone } from '../person.ts';
import type { World } from '../world.ts';
import { type Report, reportCards, sentTo, type Write } from './report.ts';

/** The restore, with a backup first, of a database of its own to the one snapshot that it has. */
export type Restore = { name: string; database: string; snapshot: string; isTaken: boolean };

/** Adds a live database with one snapshot to the service. */
export function plantLive({ service: { service }, clock }: World, name: string): Restore {
  const { estate } = service;
  const source = [...estate.databases.values()].find(database => database.name === 'shop');
  const [snapshot] = source?.snapshots ?? [];
  if (!source || !snapshot) throw new Error('the service has no shop with a snapshot');
  const next = (id: string) => nextIdentifier(estate, id.replace(/-\d+$/, ''));
  const [database, own] = [next(source.id), next(snapshot.id)];
  estate.databases.set(database, {
    ...{ ...source, id: database, name, facts: {}, snapshots: [{ ...snapshot, id: own }] },
    ...{ createdAt: clock.now(), updatedAt: clock.now() },
  });
  return { name, database, snapshot: own, isTaken: false };
}

/** The words that fill the whole form of a restore. */
export function restoreLine({ database, snapshot }: Restore): string {
  return `/restore ${database} objectType=MYSQL_SERVER_RECOVERY_PARAMS snapshot=${snapshot} backUpFirst=true`;
}

/** Submits the form of a restore, and its last page. */
export async function submitsRestore(someone: Someone, { database }: Restore): Promise<void> {
  await someone.submits();
  await someone.until(() => JSON.stringify(someone.sees().views).includes('1. Backup of'), 'the last page', 3_000);
  await confirms(someone, database);
}

/**
 * Reports on restores: one message each, one backup and then one restore at most, to the snapshot that was asked for, and
 * only once there is a way back.
 */
export function reportRestores(
  ana: Someone,
  earth: World,
  result: Report,
  asked: readonly Restore[],
  all: readonly Write[],
): void {
  const { databases } = earth.service.service.estate;
  for (const { name, database, snapshot, isTaken } of asked) {
    const request = `restore of ${name}`;
    const isIn = (text: string) => new RegExp(`\\b(${name}|${database})\\b`).test(text);
    const cards = earth.cards('#databases').filter(card => isIn(earth.text(card)));
    const refused = refusalsOf(ana).filter(({ text }) => isIn(text));
    const [backups, restores] = [sentTo(all, 'sync', database), sentTo(all, 'restore', database)];
    const { snapshots = [], facts = {} } = databases.get(database) ?? {};
    if (isTaken) result.asked += 1;
    if ((isTaken || backups > 0) && cards.length + refused.length === 0) result.lost.push(`${request}: no message`);
    if (cards.length > 1) result.doubled.push(`${request}: ${cards.length} messages`);
    if (backups > 1 || restores > 1)
      result.doubled.push(`${request}: backed up ${backups} times, restored ${restores} times`);
    if (restores > 0 && snapshots.length < 2) result.untrue.push(`${request}: restored without a way back`);
    if (restores !== sentTo(all, 'restore', snapshot)) result.untrue.push(`${request}: restored to another snapshot`);
    reportCards(earth, result, request, cards);
    const text = cards.map(card => earth.text(card)).join('\n');
    if (text.includes('are confirmed') && facts.restoredSnapshot !== snapshot)
      result.untrue.push(`${request}: ${text.split('\n')[0]}`);
  }
}
