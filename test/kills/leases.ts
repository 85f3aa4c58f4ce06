import { type Someone, textOf } from '../person.ts';
import type { World } from '../world.ts';
import { type Report, sentTo, type Write } from './report.ts';

/** Clones on `test` are kept for seconds, and then stopped and deleted. */
export const leasePolicy = `leases:
  - title: clones on test live for seconds
    environment: test
    default: 15s
    warn: [6s]
    end: delete
    grace: 8s
`;

/** The words that fill the whole form of a clone on `test`. */
export function leasedLine(port: number): string {
  return `/clone shop port=${port} mountBase=/mnt/c${port} targetEnvironment=HOST_ENVIRONMENT-5 install=MYSQL_INSTALL-3 environmentUser=ENVIRONMENT_USER-12`;
}

/**
 * Reports on the clones whose lease ends: each is stopped once and deleted once at most, each message about it stands
 * once in each place, and it is gone, or its owner is asked why it is not.
 */
export function reportLeases(
  ana: Someone,
  earth: World,
  result: Report,
  ports: readonly number[],
  all: readonly Write[],
): void {
  for (const port of ports) {
    const name = `shop-${port}`;
    const [card] = earth.cards('#databases').filter(one => earth.text(one).includes(`${name} is ready`));
    const record = card && /\bMYSQL_CLONE_SERVER-\d+\b/.exec(earth.text(card))?.[0];
    // It was never made: the report on its request says whether that is so.
    if (!card || record === undefined) continue;
    const request = `lease of ${name}`;
    const [stops, deletions] = [sentTo(all, 'stop', record), sentTo(all, 'delete', record)];
    if (stops > 1) result.doubled.push(`${request}: stopped ${stops} times`);
    if (deletions > 1) result.doubled.push(`${request}: deleted ${deletions} times`);
    if (deletions > stops) result.untrue.push(`${request}: deleted, and not stopped before`);
    const direct = ana.messages('@dolly').map(textOf);
    const inThread = earth.replies(card).map(reply => earth.text(reply));
    const own = [direct, inThread].map(texts => texts.filter(text => new RegExp(`\\b${name}\\b`).test(text)));
    for (const texts of own)
      for (const [what, most] of messages) {
        const count = texts.filter(text => what.test(text)).length;
        if (count > most) result.doubled.push(`${request}: ${count} messages ${what.source}`);
      }
    const isAsked = own.flat().some(text => /Time is up|could not be/.test(text) && !/is stopped: /.test(text));
    if (earth.service.service.estate.databases.has(record) && !isAsked)
      result.stuck.push(`${request}: ${own.flat().at(-1)}`);
  }
}

/** The messages of a lease, and how many of a kind may stand in one place: the first tells its time, the second warns. */
const messages = [
  [/is kept until/, 2],
  [/is stopped: /, 1],
] as const;
