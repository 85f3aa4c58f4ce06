import type { Clock } from '../../ground/clock.ts';
import type { PlayEvent, Traffic, Violation } from './protocol.ts';
import type { SlackError } from './slackError.ts';

/** The latest traffic and broken rules, for the inspector and for tests. Both lists are bounded. */
export type Inspector = {
  /** Slack's rule `what` was broken; `detail` says how. */
  violation(what: string, detail: string): void;
  /** The bot did `what`, and was refused by a fault of its own. */
  refusal(what: string, error: SlackError): void;
  traffic(entry: Traffic): void;
  violations(): Violation[];
  recent(since: number): Traffic[];
};

const kept = 1_000;

function keep<T>(list: T[], entry: T) {
  list.push(entry);
  if (list.length > kept) list.shift();
}

/** @param publish tells every open page */
export function newInspector(clock: Clock, publish: (event: PlayEvent) => void): Inspector {
  const violations: Violation[] = [];
  const traffic: Traffic[] = [];
  function violation(what: string, detail: string) {
    const entry = { at: clock.now(), what, detail };
    keep(violations, entry);
    publish({ type: 'violation', violation: entry });
  }
  return {
    violation,
    refusal(what, { code, details: { errors } }) {
      violation(`${what}: ${code}`, Array.isArray(errors) ? errors.join('\n') : code);
    },
    traffic(entry) {
      keep(traffic, entry);
      publish({ type: 'traffic', traffic: entry });
    },
    violations: () => [...violations],
    recent: since => traffic.filter(entry => entry.at >= since),
  };
}
