import { refusalsOf } from '../journeys/clones.ts';
import type { Someone } from '../person.ts';
import type { World } from '../world.ts';
import { type Report, reportCards, sentTo, type Write } from './report.ts';

/** Backups of one database, which all ask for the same: typed, and acknowledged; and its snapshots before all of them. */
export type Backups = { typed: number; taken: number; snapshots: number };

/** The database that is backed up again and again, which is called orders. */
const orders = 'MYSQL_LIVE_SERVER-1';

/** Before the first backup. */
export function noBackups(earth: World): Backups {
  return { typed: 0, taken: 0, snapshots: snapshotsIn(earth) };
}

function snapshotsIn({ service: { service } }: World): number {
  return service.estate.databases.get(orders)?.snapshots.length ?? 0;
}

/** Asks for a backup, which needs no form; a command that meets a dead bot is lost, as in Slack, which says so. */
export async function typesBackup(dev: Someone, backups: Backups): Promise<void> {
  backups.typed += 1;
  await dev.types('#databases', '/db backup orders').then(
    () => {
      backups.taken += 1;
    },
    () => undefined,
  );
}

/**
 * Reports on backups: each that was acknowledged is told, none is sent more than once, and each that is confirmed made a
 * snapshot.
 */
export function reportBackups(
  dev: Someone,
  earth: World,
  result: Report,
  { typed, taken, snapshots }: Backups,
  all: readonly Write[],
): void {
  const isBackup = (text: string) => text.includes('Backup of orders');
  const cards = earth.cards('#databases').filter(card => isBackup(earth.text(card)));
  const refused = refusalsOf(dev).filter(({ text }) => isBackup(text));
  const whispers = refused.filter(({ onlyFor }) => onlyFor !== undefined).length;
  // A refusal that was told in the channel may have been told by a direct message again.
  const least = cards.length + Math.max(whispers, refused.length - whispers);
  const most = cards.length + refused.length;
  const sent = sentTo(all, 'sync', orders);
  result.asked += taken;
  const told = `${cards.length} messages, ${refused.length} refusals`;
  if (most < taken) result.lost.push(`backups of orders: ${taken} taken, ${told}`);
  if (least > typed) result.doubled.push(`backups of orders: ${typed} typed, ${told}`);
  if (sent > typed) result.doubled.push(`backups of orders: ${typed} typed, sent ${sent} times`);
  else if (sent > most) result.lost.push(`backups of orders: sent ${sent} times, ${told}`);
  const confirmed = cards.filter(card => earth.text(card).includes('· Confirmed')).length;
  const made = snapshotsIn(earth) - snapshots;
  if (confirmed > made) result.untrue.push(`backups of orders: ${confirmed} confirmed, ${made} snapshots made`);
  reportCards(earth, result, 'backup of orders', cards);
}
