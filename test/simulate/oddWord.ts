import type { Middleware } from '../../src/sandbox/service/application.ts';

/* Clones that stand in a state word of which nobody knows what it means. */

/** The words in their mount bases: of those that are made meanwhile, and of one that is there from the begin. */
export const odd = { made: 'teal', stood: 'plum' } as const;

/** Shows them in that word where they run: no other record stands in it. */
export const oddWord: Middleware = async (request, next) => {
  const answer = await next(request);
  if (request.method !== 'GET' || !answer.ok) return answer;
  const shown = (await answer.text()).replaceAll(/\{[^{}]*"mountBase":"[^"]*-(teal|plum)"[^{}]*/g, (record, word) =>
    record.replace('"state":"RUNNING"', `"state":"${String(word).toUpperCase()}"`),
  );
  return new Response(shown, { status: answer.status, headers: answer.headers });
};
