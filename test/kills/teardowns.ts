import { nextIdentifier } from '../../src/sandbox/service/estate.ts';
import type { World } from '../world.ts';
import { type Report, reportCards, sentTo, type Write } from './report.ts';
import { plantLive } from './restores.ts';

/** The teardown of a database of its own with two generations of clones: `records` are those from the leaf on. */
export type Teardown = { name: string; records: readonly string[]; isTaken: boolean };

/** Adds a database to the service, a clone of it, and a clone of that clone. */
export function plantTree(earth: World, name: string): Teardown {
  const { estate } = earth.service.service;
  const clone = [...estate.databases.values()].find(database => database.name === 'orders-3320');
  if (!clone) throw new Error('the service has no clone');
  const live = plantLive(earth, name);
  const times = { createdAt: earth.clock.now(), updatedAt: earth.clock.now() };
  const made = { ...clone, ...times, snapshots: [], snapshot: live.snapshot, facts: {} };
  const next = () => nextIdentifier(estate, clone.id.replace(/-\d+$/, ''));
  const branch = { ...made, id: next(), name: `${name}-branch`, sourceDatabase: live.database };
  const leaf = { ...made, id: next(), name: `${name}-leaf`, sourceDatabase: branch.id };
  for (const database of [branch, leaf]) estate.databases.set(database.id, database);
  return { name, records: [leaf.id, branch.id, live.database], isTaken: false };
}

/**
 * Reports on teardowns: one message each, every deletion sent once at most and only once the one before is done, and
 * none confirmed of which something stands.
 */
export function reportTeardowns(earth: World, result: Report, asked: readonly Teardown[], all: readonly Write[]): void {
  const { databases } = earth.service.service.estate;
  for (const { name, records, isTaken } of asked) {
    const request = `teardown of ${name}`;
    const isIn = (text: string) => new RegExp(`\\b${name}\\b(?!-)`).test(text.split('\n')[0] ?? '');
    const cards = earth.cards('#databases').filter(card => isIn(earth.text(card)));
    const sent = records.map(record => sentTo(all, 'delete', record));
    const gone = records.filter(record => !databases.has(record)).length;
    if (isTaken) result.asked += 1;
    if ((isTaken || sent.some(count => count > 0)) && cards.length === 0) result.lost.push(`${request}: no message`);
    if (cards.length > 1) result.doubled.push(`${request}: ${cards.length} messages`);
    if (sent.some(count => count > 1)) result.doubled.push(`${request}: sent ${sent.join(', ')} times`);
    // Of the steps, only the one after those that are done may have been sent.
    if (sent.slice(gone + 1).some(count => count > 0))
      result.untrue.push(`${request}: ${gone} gone, sent ${sent.join(', ')} times`);
    reportCards(earth, result, request, cards);
    const text = cards.map(card => earth.text(card)).join('\n');
    if (text.includes('are confirmed') && gone < records.length)
      result.untrue.push(`${request}: ${gone} of ${records.length} gone: ${text.split('\n')[0]}`);
  }
}
