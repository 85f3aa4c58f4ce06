import type { IncomingMessage, ServerResponse } from 'node:http';
import { Failure, sentence } from '../failure.ts';
import type { Link } from '../store/links.ts';
import { signIn, tellSignedIn } from './connect.ts';
import type { Desk } from './desk.ts';

/** The largest form that is read, in bytes. */
const mostBytes = 16 * 1024;

const headers = {
  'content-type': 'text/html; charset=utf-8',
  'cache-control': 'no-store',
  'content-security-policy':
    "default-src 'none'; style-src 'unsafe-inline'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'",
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'x-robots-tag': 'noindex',
} as const;

/**
 * The sign-in page behind a single-use link: plain HTML without scripts or anything from elsewhere. Answers
 * `/login/<secret>` and tells whether the request was one of those.
 */
export function signInPage(desk: Desk): (request: IncomingMessage, response: ServerResponse) => boolean {
  return (request, response) => {
    const secret = /^\/login\/([\w-]{20,100})$/.exec(request.url ?? '')?.[1];
    if (secret === undefined) return false;
    const work = (request.method === 'POST' ? submitted(desk, secret, request) : shown(desk, secret)).catch(
      (error: unknown) => {
        desk.log.error({ error }, 'the sign-in page failed');
        return { status: 500, html: page('Something went wrong', '<p>Please ask for a new link in Slack.</p>') };
      },
    );
    desk.run(
      'answer the sign-in page',
      work.then(({ status, html }) => {
        response.writeHead(status, headers).end(request.method === 'HEAD' ? undefined : html);
      }),
    );
    return true;
  };
}

type Answer = { status: number; html: string };

async function shown(desk: Desk, secret: string): Promise<Answer> {
  const link = await desk.links.find(secret, desk.clock.now());
  return link ? { status: 200, html: await askPage(desk, link) } : over;
}

async function submitted(desk: Desk, secret: string, request: IncomingMessage): Promise<Answer> {
  const form = new URLSearchParams(await bodyOf(request));
  const link = await desk.links.find(secret, desk.clock.now());
  if (!link || !(await desk.links.try(secret, desk.clock.now()))) return over;
  const username = (form.get('username') ?? '').trim();
  try {
    await signIn(desk, link, username, form.get('password') ?? '');
  } catch (error) {
    desk.log.info({ error, person: link.person }, 'a sign-in failed');
    const status = error instanceof Failure ? 400 : 500;
    const again = await desk.links.find(secret, desk.clock.now());
    if (!again)
      return {
        status,
        html: page(
          'Not signed in',
          `<p class="fault">${html(sentence(error))}</p><p>That was the last try with this link. Ask for a new one in Slack.</p>`,
        ),
      };
    return { status, html: await askPage(desk, link, sentence(error), username) };
  }
  await desk.links.use(secret);
  desk.run('tell of a sign-in', tellSignedIn(desk, link, username, link.channel, link.intent));
  return {
    status: 200,
    html: page(
      'You are signed in',
      `<p>You are signed in to <b>${html(desk.service.url)}</b> as <b>${html(username)}</b>.</p><p>Close this page and go back to Slack.</p>`,
    ),
  };
}

const over: Answer = {
  status: 410,
  html: page('This link is over', '<p>A sign-in link works once, for ten minutes. Ask for a new one in Slack.</p>'),
};

async function askPage(desk: Desk, link: Link, fault?: string, username = ''): Promise<string> {
  const who = await desk.slack.users.info({ user: link.person }).then(
    ({ user }) => user?.real_name || user?.name || link.person,
    () => link.person,
  );
  return page(
    'Sign in',
    `<p>Dolly will act at <b>${html(desk.service.url)}</b> for the Slack person <b>${html(who)}</b>. If that is not you, close this page.</p>
${fault ? `<p class="fault" role="alert">${html(fault)}</p>` : ''}
<form method="post" autocomplete="off">
<label>User name <input name="username" value="${html(username)}" required autofocus autocomplete="username"></label>
<label>Password <input name="password" type="password" required autocomplete="current-password"></label>
<button>Sign in</button>
</form>
<p class="small">The password is used once, to get a token, and is not kept. The token is kept encrypted.</p>`,
  );
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request) {
    size += chunk.length;
    if (size > mostBytes) throw new Failure('input', 'The form is too large.');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

function page(title: string, body: string): string {
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title} · Dolly</title>
<style>
:root{color-scheme:light dark;--ink:#1d2330;--soft:#5b6475;--paper:#f4f5f8;--card:#fff;--line:#d5d9e2;--go:#0f7a5c}
@media(prefers-color-scheme:dark){:root{--ink:#e8ebf2;--soft:#a2abbd;--paper:#14171e;--card:#1e232d;--line:#39414f;--go:#2aa27d}}
body{margin:0;min-height:100vh;display:grid;place-items:center;background:var(--paper);color:var(--ink);font:16px/1.5 system-ui,sans-serif}
main{box-sizing:border-box;width:min(26rem,calc(100vw - 2rem));padding:2rem;background:var(--card);border:1px solid var(--line);border-radius:14px}
h1{margin:0 0 .5rem;font-size:1.4rem}label{display:block;margin:1rem 0;font-weight:600}
input{display:block;box-sizing:border-box;width:100%;margin-top:.3rem;padding:.6rem .7rem;font:inherit;color:inherit;background:transparent;border:1px solid var(--line);border-radius:8px}
button{width:100%;padding:.7rem;font:inherit;font-weight:600;color:#fff;background:var(--go);border:0;border-radius:8px;cursor:pointer}
input:focus-visible,button:focus-visible{outline:3px solid var(--go);outline-offset:2px}
.fault{padding:.6rem .8rem;border-left:4px solid #d33;background:#d331}.small{color:var(--soft);font-size:.85rem}b{overflow-wrap:anywhere}
</style></head><body><main><h1>${title}</h1>${body}</main></body></html>`;
}

function html(text: string): string {
  return text.replace(/[&<>"']/g, character => `&#${character.charCodeAt(0)};`);
}
