import { kindOf } from '../../ground/failure.ts';
import { type Meter, stopwatch } from '../../ground/meter.ts';
import type { Call } from '../call.ts';
import type { Service } from './serviceClient.ts';

/** Wraps a service so that each request is counted and timed. */
export function metered(service: Service, meter: Meter): Service {
  const measure = async <T>(endpoint: string, request: Promise<T>): Promise<T> => {
    const since = stopwatch();
    const done = (outcome: string) => {
      meter.count('serviceRequests', { endpoint, outcome });
      meter.took('service', { endpoint }, since());
    };
    try {
      const answer = await request;
      done('ok');
      return answer;
    } catch (error) {
      done(kindOf(error));
      throw error;
    }
  };
  return {
    url: service.url,
    signIn: (username, password, answered) => measure('sign-in', service.signIn(username, password, answered)),
    submit: (token, call, mayLeave) => measure(endpointOf(call), service.submit(token, call, mayLeave)),
    fetch: (token, call, measured) => measure(endpointOf(call), service.fetch(token, call, measured)),
    ahead: () => service.ahead(),
    close: () => service.close(),
  };
}

/** The method and path of a call, with `{id}` for each identifier: a label for each record would be too many. */
function endpointOf({ method, path }: Call): string {
  return `${method} ${path}`.replace(/[^/]*-\d+(?=\/|$)/g, '{id}');
}
