import { refusalsOf } from '../journeys/clones.ts';
import type { Someone } from '../person.ts';
import type { World } from '../world.ts';
import { type Report, reportCards, type Write } from './report.ts';

/** A request, by what is its own: the port of a clone, or the record of a deletion; and the name of the clone. */
export type Asked = { key: string; name: string; kind: 'clone' | 'leased' | 'deletion'; isTaken: boolean };

/**
 * Reports on the requests of forms. One that came to nothing is told to its person alone, in the channel; if Dolly does
 * not know whether Slack showed that, by a direct message, too.
 */
export function reportForms(
  ana: Someone,
  earth: World,
  { kills, asked }: Readonly<{ kills: number; asked: readonly Asked[] }>,
  all: readonly Write[],
): Report {
  const result: Report = { kills, asked: 0, lost: [], doubled: [], stuck: [], untrue: [] };
  const { databases } = earth.service.service.estate;
  for (const { key, name, kind, isTaken } of asked) {
    const isClone = kind !== 'deletion';
    // Whole: one number begins like another one.
    const whole = new RegExp(isClone ? `/mnt/c${key}\\b` : `\\b(${key}|${name})\\b`);
    const what = isClone ? /Virtual clone/ : /Deletion/;
    // A plan names its own deletions, and clones of the same source.
    const isIn = (text: string) =>
      whole.test(text) && what.test(text) && !/renew|tree\d/i.test(text.split('\n')[0] ?? '');
    const cards = earth.cards('#databases').filter(card => isIn(earth.text(card)));
    const refused = refusalsOf(ana).filter(({ text }) => isIn(text));
    const writes = all.filter(({ url, body }) =>
      isClone ? body.includes(`"port":${key}`) : url.endsWith(`/database/delete?input=${key}`),
    );
    const request = `${kind} ${key}`;
    if (isTaken) result.asked += 1;
    if ((isTaken || writes.length > 0) && cards.length + refused.length === 0)
      result.lost.push(`${request}: no message`);
    if (cards.length + Math.sign(refused.length) > 1 || refused.length > 2)
      result.doubled.push(
        `${request}: ${cards.length} messages (${cards.map(card => earth.text(card)).join('; ')}), ${refused.length} refusals (${refused.map(({ text }) => text).join('; ')})`,
      );
    if (writes.length > 1) result.doubled.push(`${request}: sent ${writes.length} times`);
    reportCards(earth, result, request, cards);
    const isThere = [...databases.values()].some(({ id, port }) => (isClone ? String(port) === key : id === key));
    const text = cards.map(card => earth.text(card)).join('\n');
    if (text.includes('· Confirmed') && isThere !== isClone && !wasDeleted(earth, key, kind))
      result.untrue.push(`${request}: ${text.split('\n')[0]}`);
    if (refused.length > 0 && isClone && isThere) result.untrue.push(`${request}: ${refused[0]?.text}`);
  }
  return result;
}

/** A clone that was confirmed may have been deleted since, and at the end of its lease it is. */
function wasDeleted(earth: World, key: string, kind: Asked['kind']): boolean {
  return (
    kind === 'leased' ||
    (kind === 'clone' && earth.cards('#databases').some(card => earth.text(card).includes(`Deletion of shop-${key}`)))
  );
}
