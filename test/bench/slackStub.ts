import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';

type Wish = Readonly<{ key: string; count: number; answer: ServerResponse }>;

/**
 * A Slack that agrees with whatever it is told, for several bots: `/<bot>/api/<method>` is their Web API and
 * `/<bot>/response/<anything>` their response URLs. `GET /<bot>/seen/<method or "response">?count=n` answers with the
 * total, as soon as it is at least `n`; `GET /<bot>/last/view` with the view that was opened last,
 * `GET /<bot>/last/home` with the Home that was published last, and `GET /<bot>/last/response` with what was last sent to a response URL. Each response URL is also counted alone, by the last
 * word of its path. `heard` is told of each call of a method, and may answer
 * in its own way.
 */
export function newSlackStub(
  heard: (method: string, parameters: URLSearchParams) => object | undefined = () => undefined,
): RequestListener {
  const seen = new Map<string, number>();
  const last = new Map<string, string>();
  const wishes = new Set<Wish>();

  const count = (key: string) => {
    const total = (seen.get(key) ?? 0) + 1;
    seen.set(key, total);
    for (const wish of wishes) {
      if (wish.key !== key || total < wish.count) continue;
      wishes.delete(wish);
      wish.answer.end(String(total));
    }
  };

  return async (request, answer) => {
    const { pathname, searchParams } = new URL(request.url ?? '', 'http://localhost');
    const [, bot = '', kind = '', name = ''] = pathname.split('/');
    if (request.method === 'GET' && kind === 'seen') {
      const key = `${bot} ${name}`;
      const wish = { key, count: Number(searchParams.get('count') ?? 0), answer };
      const total = seen.get(key) ?? 0;
      if (total >= wish.count) answer.end(String(total));
      else wishes.add(wish);
      return;
    }
    if (request.method === 'GET') {
      answer.end(last.get(`${bot} ${name}`) ?? 'null');
      return;
    }
    const body = await bodyOf(request);
    if (kind === 'response') {
      answer.end('ok');
      for (const place of ['response', name]) {
        last.set(`${bot} ${place}`, body);
        count(`${bot} ${place}`);
      }
      return;
    }
    const parameters = new URLSearchParams(body);
    if (name === 'views.open') last.set(`${bot} view`, parameters.get('view') ?? '');
    if (name === 'views.publish') last.set(`${bot} home`, parameters.get('view') ?? '');
    const channel = parameters.get('channel') ?? 'CBENCH';
    const agreed = { ok: true, ...results(name, bot, channel) };
    answer.setHeader('Content-Type', 'application/json').end(JSON.stringify(heard(name, parameters) ?? agreed));
    count(`${bot} ${name}`);
  };
}

/** The least that a bot needs of each method's answer. */
function results(method: string, bot: string, channel: string): object {
  switch (method) {
    case 'auth.test':
      return { user_id: `U${bot}`, bot_id: `B${bot}`, team_id: 'TBENCH', user: bot, team: 'bench' };
    case 'users.info':
      return { user: { team_id: 'TBENCH' } };
    case 'chat.postMessage':
    case 'chat.update':
      return { channel, ts: '1767225600.000100' };
    case 'conversations.open':
      return { channel: { id: 'DBENCH' } };
    case 'conversations.history':
    case 'conversations.replies':
      return { messages: [] };
    case 'views.open':
    case 'views.update':
      return { view: { id: 'VBENCH', hash: '1' } };
    default:
      return {};
  }
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  let text = '';
  for await (const chunk of request.setEncoding('utf8')) text += chunk;
  return text;
}
