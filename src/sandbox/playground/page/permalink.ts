/** The message that an address like `/archives/C…/p1712345678000100?thread_ts=…` leads to. */
export type Permalink = { channel: string; ts: string; threadTs: string | undefined };

/** Reads a permalink of this playground; `undefined` for any other address. */
export function readPermalink(address: string, origin: string): Permalink | undefined {
  if (!URL.canParse(address, origin)) return undefined;
  const url = new URL(address, origin);
  const match = /^\/archives\/(\w+)\/p(\d+)(\d{6})$/.exec(url.pathname);
  if (url.origin !== origin || !match) return undefined;
  const [, channel = '', seconds = '', micros = ''] = match;
  return { channel, ts: `${seconds}.${micros}`, threadTs: url.searchParams.get('thread_ts') ?? undefined };
}
