import type { Clock } from '../../clock.ts';
import type { PlayEvent, Traffic, Violation } from './protocol.ts';

/** What happened lately, for the inspector and for tests: traffic and broken rules, both bounded. */
export type Inspector = {
  /** Slack's rule `what` was broken; `detail` says how. */
  violation(what: string, detail: string): void;
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
  return {
    violation(what, detail) {
      const violation = { at: clock.now(), what, detail };
      keep(violations, violation);
      publish({ type: 'violation', violation });
    },
    traffic(entry) {
      keep(traffic, entry);
      publish({ type: 'traffic', traffic: entry });
    },
    violations: () => [...violations],
    recent: since => traffic.filter(entry => entry.at >= since),
  };
}
