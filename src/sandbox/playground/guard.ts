import type { MiddlewareHandler } from 'hono';

const loopback: ReadonlySet<string> = new Set(['localhost', '127.0.0.1', '[::1]']);

/** Whether a Host header names this machine. Any other name is someone else's page, rebound to our address. */
export function isLoopback(host: string): boolean {
  return URL.canParse(`http://${host}`) && loopback.has(new URL(`http://${host}`).hostname);
}

/**
 * Keeps other web sites out: the playground takes orders from its own page and from programs, and a browser always says
 * where a request comes from.
 */
export const guard: MiddlewareHandler = async (c, next) => {
  const host = c.req.header('host') ?? '';
  if (!isLoopback(host)) return c.json({ ok: false, error: 'Open the playground as localhost.' }, 403);
  const origin = c.req.header('origin');
  const site = c.req.header('sec-fetch-site') ?? 'none';
  // A page elsewhere may link to the playground, but not read it or act in it.
  const isPage = c.req.method === 'GET' && !c.req.path.startsWith('/play/');
  const foreign = (origin !== undefined && origin !== `http://${host}`) || !['same-origin', 'none'].includes(site);
  if (foreign && !isPage) return c.json({ ok: false, error: 'That came from another site.' }, 403);
  await next();
  return undefined;
};
