import type {
  OptionsAnswer,
  PlayAnswer,
  PlayRequests,
  RunAnswer,
  Snapshot,
  SubmitAnswer,
  TrafficAnswer,
  WorkflowAnswer,
} from '../protocol.ts';

type Answers = {
  '/play/say': PlayAnswer;
  '/play/edit': PlayAnswer;
  '/play/delete': PlayAnswer;
  '/play/shortcut': PlayAnswer;
  '/play/message-shortcut': PlayAnswer;
  '/play/workflow': WorkflowAnswer;
  '/play/run': RunAnswer;
  '/play/action': PlayAnswer;
  '/play/options': OptionsAnswer;
  '/play/submit': SubmitAnswer;
  '/play/close': PlayAnswer;
  '/play/home': PlayAnswer;
  '/play/dm': PlayAnswer & { channel?: unknown };
};

/** Sends what a person did. Never throws: a playground that does not answer is an answer with an error. */
export async function post<P extends keyof PlayRequests>(
  path: P,
  body: PlayRequests[P],
): Promise<Answers[P] | { ok: false; error: string }> {
  try {
    const response = await fetch(path, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    const answer: Answers[P] = await response.json();
    return answer;
  } catch {
    return { ok: false, error: 'The playground does not answer. Is it still running?' };
  }
}

/**
 * Reads everything a person sees; without `as`, the playground chooses the person.
 * @returns undefined if nobody has that id
 * @throws Error if the playground does not answer
 */
export async function readSnapshot(as: string | undefined): Promise<Snapshot | undefined> {
  const response = await fetch(`/play/state${as ? `?as=${encodeURIComponent(as)}` : ''}`);
  if (response.status === 404) return undefined;
  if (!response.ok) throw new Error(`the playground answered ${response.status}`);
  const snapshot: Snapshot = await response.json();
  return snapshot;
}

/** Reads the recent traffic, oldest first; nothing if it can't be had. */
export async function readTraffic(): Promise<TrafficAnswer> {
  try {
    const response = await fetch('/play/traffic?since=0');
    const traffic: TrafficAnswer = response.ok ? await response.json() : [];
    return traffic;
  } catch {
    return [];
  }
}
