import { z } from 'zod';
import type { Exchange } from './network.ts';

/* What the oracles read in requests. */

export function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** What makes a request that changes something one request: its kind, and what no other act of the plan names. */
export function keyOf({ method, url, body }: Exchange): string {
  const path = url.pathname.replace('/service', '').replace('duplicate/create', 'clone/create');
  const given = parsed(body);
  const fields = z
    .looseObject({ port: z.number().optional(), database: z.string().optional(), syncType: z.string().optional() })
    .safeParse(given).data;
  const named = z.string().safeParse(given).data ?? body;
  const about = url.searchParams.get('input') ?? (fields?.port ? `port ${fields.port}` : fields?.database) ?? named;
  return `${method} ${path} ${about}${fields?.syncType === 'LOG' ? ' LOG' : ''}`;
}

/** The record that a request stops or deletes. */
export function endedBy({ method, url, body }: Exchange): string | undefined {
  if (method === 'DELETE' && url.pathname.endsWith('/database/delete'))
    return url.searchParams.get('input') ?? undefined;
  if (!url.pathname.endsWith('/database/stop')) return undefined;
  // The service takes a plain identifier, and one as a text of JSON.
  return z.string().catch(body).parse(parsed(body));
}

export function isReadOf({ method, url }: Exchange, id: string): boolean {
  return method === 'GET' && (url.pathname.endsWith('/database/list') || url.pathname.endsWith(`/database/${id}`));
}

/** Whether nothing was done of what a request asked for. */
export function wasRefused({ known, answer }: Exchange): boolean {
  if (known === 'unsent') return true;
  if (known !== 'answered' || !answer) return false;
  // 500 and what a proxy says may come after the work was done.
  return (
    (answer.status >= 400 && answer.status < 500 && answer.status !== 408) ||
    answer.status === 503 ||
    isError(answer.body)
  );
}

const isError = (body: string) => /"status":"?(ERROR|FAILED)/i.test(body) || /ERROR_RESULT/.test(body);
