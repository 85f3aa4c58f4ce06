import { onTestFinished } from 'vitest';
import { type RunningService, type ServiceOptions, startService } from '../../../src/sandbox/service/server.ts';
import { type TestClock, testClock } from '../../clock.ts';

export type Answer = { status: number; body: unknown; text: string; headers: Headers };
/** Sends one request: `PUT /database/stop` with a body of text as it is, or of an object as JSON. */
export type Send = (endpoint: string, body?: string | object, headers?: Record<string, string>) => Promise<Answer>;
export type Sandbox = RunningService & { clock: TestClock; as(username: string): Promise<Send>; bare: Send };

/** The success envelope of spec §1.4. */
export const accepted = { objectType: 'SUCCESS_RESULT', status: 'SUCCESS', object: null };

/** A service on a clock that stands still, closed when the test ends. */
export async function startSandbox(options: Partial<ServiceOptions> = {}): Promise<Sandbox> {
  const clock = testClock(Date.UTC(2026, 4, 4, 9, 30));
  const running = await startService({ port: 0, clock, ...options });
  onTestFinished(running.close);
  const bare = senderTo(running.url);
  return {
    ...running,
    clock,
    bare,
    async as(username) {
      const { body } = await bare('POST /user/user/token', { username, password: `${username}-password` });
      return senderTo(running.url, String(field(body, 'token')));
    },
  };
}

/** Sends requests to the service at a URL, with a token or without. */
export function senderTo(url: string, token?: string): Send {
  return async (endpoint, body, headers = {}) => {
    const [method = '', path = ''] = endpoint.split(' ');
    const response = await fetch(`${url}/service${path}`, {
      method,
      headers: {
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
    const text = await response.text();
    return { status: response.status, text, body: parsed(text), headers: response.headers };
  };
}

function parsed(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text);
    return value;
  } catch {
    return undefined;
  }
}

/** A field of a JSON object, at any depth: `error.code`. */
export function field(value: unknown, path: string): unknown {
  return path
    .split('.')
    .reduce<unknown>(
      (part, key) => (typeof part === 'object' && part !== null ? Reflect.get(part, key) : undefined),
      value,
    );
}

/** A list answer. */
export function rows(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}
