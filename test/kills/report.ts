import type { StoredMessage } from '../../src/sandbox/playground/messages.ts';
import type { World } from '../world.ts';

/** What came of many kills. Everything but `kills` and `asked` should be nought. */
export type Report = {
  kills: number;
  /** Requests that people made and saw taken. */
  asked: number;
  /** Requests that were taken, and of which no message or no end is to be seen. */
  lost: string[];
  /** Requests that the service got twice, or whose message or end stands in Slack twice. */
  doubled: string[];
  /** Requests that came to no end. */
  stuck: string[];
  /** Requests of which people were told what is not so. */
  untrue: string[];
};

/** A request that reached the service, whatever came of it. */
export type Write = Readonly<{ url: string; body: string }>;

/** Whether a job's message says that it is over. That of a plan or a batch says so of all that it is made of. */
export const isOver = (text: string) =>
  /· (Confirmed|Finished, result not shown|Failed|Unconfirmed|Denied|Approval void|Withdrawn|Expired)|· (both steps are|all \d+ steps are|all|\d+ of \d+) confirmed$/m.test(
    text,
  );

/** The replies that say how a job ended. The messages of a lease stand in the same thread. */
export function endsIn(earth: World, card: StoredMessage): readonly StoredMessage[] {
  const isEnd =
    / · ((all |\d+ of \d+ )?confirmed|finished, result|failed|unconfirmed|denied|approval void|withdrawn|expired)/;
  return earth.replies(card).filter(reply => isEnd.test(earth.text(reply)));
}

/** Reports each card that is not over, or has not its one reply. */
export function reportCards(earth: World, result: Report, request: string, cards: readonly StoredMessage[]): void {
  for (const card of cards) {
    const [text, ends] = [earth.text(card), endsIn(earth, card).length];
    if (!isOver(text)) result.stuck.push(`${request}: ${text.split('\n')[0]}`);
    else if (ends === 0) result.lost.push(`${request}: no reply`);
    if (ends > 1) result.doubled.push(`${request}: ${ends} replies`);
  }
}

/** The number of requests to an endpoint of databases that were about a record. */
export function sentTo(all: readonly Write[], endpoint: string, record: string): number {
  const whole = new RegExp(`\\b${record}\\b`);
  return all.filter(({ url, body }) => url.includes(`/database/${endpoint}`) && whole.test(`${url} ${body}`)).length;
}
