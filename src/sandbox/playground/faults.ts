/**
 * Ways to make a call fail: a 429, a 500, a refusal in one of Slack's words, an answer that is lost after the work was
 * done, a connection that breaks before it, or no answer at all.
 */
export type FaultKind = 'rate-limit' | 'error' | 'refuse' | 'lose-answer' | 'reset' | 'hang';

export type OrderedFault = {
  /** A Web API method, `response_url`, or `upload` for the bytes of a file. */
  method: string;
  kind: FaultKind;
  /** The number of calls of the method that fail; one if absent. */
  times?: number;
  /** Seconds, for `rate-limit`; one if absent. */
  retryAfter?: number;
  /** Slack's word, for `refuse`. */
  word?: string;
  /** Meets only calls about this channel, by id. */
  channel?: string;
};

/** Failures that a test orders in advance. */
export type Faults = {
  add(fault: OrderedFault): void;
  /** Takes the fault that meets this call, if one was ordered. */
  take(method: string, channel: string): OrderedFault | undefined;
  clear(): void;
};

export function newFaults(): Faults {
  const ordered: (OrderedFault & { left: number })[] = [];
  return {
    add(fault) {
      ordered.push({ ...fault, left: fault.times ?? 1 });
    },
    take(method, channel) {
      const meets = (fault: OrderedFault) => fault.method === method && (fault.channel ?? channel) === channel;
      const fault = ordered.find(candidate => candidate.left > 0 && meets(candidate));
      if (fault !== undefined) fault.left -= 1;
      return fault;
    },
    clear() {
      ordered.length = 0;
    },
  };
}
