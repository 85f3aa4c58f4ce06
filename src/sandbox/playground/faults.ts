/** How a call is made to fail: a 429, a 500, an answer that is lost after the work was done, or no answer at all. */
export type FaultKind = 'rate-limit' | 'error' | 'lose-answer' | 'hang';

export type OrderedFault = {
  /** A Web API method, `response_url`, or `upload` for the bytes of a file. */
  method: string;
  kind: FaultKind;
  /** How many calls of the method it meets; one if absent. */
  times?: number;
  /** Seconds, for `rate-limit`; one if absent. */
  retryAfter?: number;
};

/** Failures that a test orders in advance. */
export type Faults = {
  add(fault: OrderedFault): void;
  /** Takes the fault that meets this call, if one was ordered. */
  take(method: string): OrderedFault | undefined;
  clear(): void;
};

export function newFaults(): Faults {
  const ordered: (OrderedFault & { left: number })[] = [];
  return {
    add(fault) {
      ordered.push({ ...fault, left: fault.times ?? 1 });
    },
    take(method) {
      const fault = ordered.find(candidate => candidate.method === method && candidate.left > 0);
      if (fault !== undefined) fault.left -= 1;
      return fault;
    },
    clear() {
      ordered.length = 0;
    },
  };
}
