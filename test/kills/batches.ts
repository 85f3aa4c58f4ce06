import type { World } from '../world.ts';
import { type Report, reportCards, sentTo, type Write } from './report.ts';
import { plantLive, type Restore } from './restores.ts';

/** The backup of several databases of its own at once. */
export type Batch = { name: string; targets: readonly Restore[]; isTaken: boolean };

/** Adds the databases of a batch to the service. */
export function plantBatch(earth: World, name: string): Batch {
  return { name, targets: ['a', 'b', 'c'].map(end => plantLive(earth, name + end)), isTaken: false };
}

/** The words that name all of them. */
export function batchLine({ targets }: Batch): string {
  return `/db backup ${targets.map(({ name }) => name).join(' ')}`;
}

/** Reports on batches: one message each, each backup sent once at most, and none confirmed that made no snapshot. */
export function reportBatches(earth: World, result: Report, asked: readonly Batch[], all: readonly Write[]): void {
  const { databases } = earth.service.service.estate;
  for (const { name, targets, isTaken } of asked) {
    const request = `batch ${name}`;
    const isIn = (text: string) => targets.some(target => new RegExp(`\\b${target.name}\\b`).test(text));
    const cards = earth.cards('#databases').filter(card => isIn(earth.text(card)));
    const sent = targets.map(({ database }) => sentTo(all, 'sync', database));
    if (isTaken) result.asked += 1;
    if ((isTaken || sent.some(count => count > 0)) && cards.length === 0) result.lost.push(`${request}: no message`);
    if (cards.length > 1) result.doubled.push(`${request}: ${cards.length} messages`);
    if (sent.some(count => count > 1)) result.doubled.push(`${request}: sent ${sent.join(', ')} times`);
    reportCards(earth, result, request, cards);
    const made = targets.filter(({ database }) => (databases.get(database)?.snapshots.length ?? 0) > 1).length;
    const text = cards.map(card => earth.text(card)).join('\n');
    const confirmed = text.includes('all confirmed')
      ? targets.length
      : Number(/(\d+) of \d+ confirmed/.exec(text)?.[1]);
    if (confirmed > made) result.untrue.push(`${request}: ${made} made: ${text.split('\n')[0]}`);
  }
}
