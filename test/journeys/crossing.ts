import type { Middleware } from '../../src/sandbox/service/application.ts';

/** Stands between the bot and the service, and lets a test meddle with what passes. */
export type Crossing = {
  middleware: Middleware;
  /** Meets the requests to a path (without the prefix) until `leave` is called: answers them, or lets them pass. */
  meets(path: string, answer: Middleware): { leave(): void };
  /** Holds the next request to a path: before the service has it, or its answer after it was carried out. */
  holds(path: string, when: 'before' | 'after'): Held;
};

export type Held = {
  /** Resolves when the request is being held. */
  arrived: Promise<void>;
  lets(): void;
};

/** Makes a {@link Crossing}, for the `middleware` of the service. */
export function crossing(): Crossing {
  const met: { path: string; answer: Middleware }[] = [];
  const meets: Crossing['meets'] = (path, answer) => {
    const entry = { path, answer };
    met.unshift(entry);
    return {
      leave() {
        const at = met.indexOf(entry);
        if (at >= 0) met.splice(at, 1);
      },
    };
  };
  return {
    meets,
    middleware(request, next) {
      const { pathname } = new URL(request.url);
      const entry = met.find(({ path }) => pathname.endsWith(path));
      return entry ? entry.answer(request, next) : next();
    },
    holds(path, when) {
      const arrived = Promise.withResolvers<void>();
      const gate = Promise.withResolvers<void>();
      const meeting = meets(path, async (_request, next) => {
        meeting.leave();
        const answer = when === 'after' ? await next() : undefined;
        arrived.resolve();
        await gate.promise;
        return answer ?? next();
      });
      return { arrived: arrived.promise, lets: gate.resolve };
    },
  };
}
