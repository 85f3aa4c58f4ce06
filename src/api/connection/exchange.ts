import type { Dispatcher } from 'undici';
import { gatherBytes, readBytes, type TextOrBytes } from './answerBytes.ts';

/** How far a request came: nothing of it left, all of it may have, or its answer began. */
type Phase = 'unsent' | 'sent' | 'answered';

/** An exchange without a whole answer. Its cause may hold parts of the request or of the answer. */
export class BrokenExchange extends Error {
  readonly phase: Phase;
  constructor(phase: Phase, cause: unknown) {
    super('no whole answer', { cause });
    this.phase = phase;
  }
}

/** A whole answer, as it came over the wire. */
export type Received = Readonly<{ status: number; headers: Readonly<Record<string, string>>; content: TextOrBytes }>;

/**
 * Sends a request, once, and gathers its answer of `maxSize` bytes at most. A request that is given up by `signal` while
 * it waits for a connection never leaves. @throws {BrokenExchange}
 */
export async function exchange(
  dispatcher: Pick<Dispatcher, 'dispatch'>,
  request: Dispatcher.DispatchOptions,
  { signal, maxSize }: Readonly<{ signal: AbortSignal; maxSize: number }>,
): Promise<Received> {
  const { promise, resolve, reject } = Promise.withResolvers<Omit<Received, 'content'>>();
  const gathered = gatherBytes(maxSize);
  let phase: Phase = 'unsent';
  let answer: Omit<Received, 'content'> = { status: 0, headers: {} };
  const breaks = (cause: unknown) => reject(new BrokenExchange(phase, cause));
  signal.addEventListener('abort', () => breaks(signal.reason));
  dispatcher.dispatch(request, {
    // undici has a connection, with TLS where there is any, and writes to it once this returns.
    onRequestStart(controller) {
      if (signal.aborted) return controller.abort(signal.reason);
      phase = 'sent';
      signal.addEventListener('abort', () => controller.abort(signal.reason));
    },
    onResponseStart(_, status, headers) {
      if (status < 200) return;
      phase = 'answered';
      answer = { status, headers: flatten(headers) };
    },
    onResponseData: (_, chunk) => gathered.add(chunk),
    onResponseEnd: () => resolve(answer),
    onResponseError: (_, error) => breaks(error),
  });
  const { status, headers } = await promise;
  const content = await readBytes(gathered.bytes(), headers['content-encoding'], maxSize).catch((cause: unknown) => {
    throw new BrokenExchange(phase, cause);
  });
  return { status, headers, content };
}

function flatten(headers: Dispatcher.ResponseData['headers']): Record<string, string> {
  const flat: Record<string, string> = {};
  for (const [name, value] of Object.entries(headers))
    flat[name.toLowerCase()] = Array.isArray(value) ? value.join(', ') : (value ?? '');
  return flat;
}
