import type { RecordView } from '../../api/reading/recordView.ts';

/** The states for which a step may wait, each with the words by which its end is told. */
export const waitStates = {
  there: 'is there',
  gone: 'is gone',
  ok: 'is in order',
  stopped: 'is stopped',
  disabled: 'is disabled',
  failed: 'has failed',
} as const;
export type WaitState = keyof typeof waitStates;

/** Reads the state for which a step waits, however it is written. */
export function readWaitState(text: string): WaitState | undefined {
  const word = text.trim().toLowerCase();
  if (word === 'running' || word === 'ready') return 'ok';
  return Object.keys(waitStates).find(isWaitState(word));
}

function isWaitState(word: string) {
  return (known: string): known is WaitState => known === word;
}

/**
 * Whether a record is as a step waits for it. `record` is `undefined` where nothing shows it; `wasSeen` tells that it was
 * seen since the step began, without which nobody can say that it is gone.
 */
export function isAsWanted(until: WaitState, record: RecordView | undefined, wasSeen: boolean): boolean {
  if (until === 'gone') return record === undefined && wasSeen;
  if (record === undefined) return false;
  return until === 'there' || record.state?.class === until;
}
