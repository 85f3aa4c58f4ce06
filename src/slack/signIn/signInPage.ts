import type { IncomingMessage, ServerResponse } from 'node:http';
import { minute } from '../../ground/durations.ts';
import { Failure, sentence } from '../../ground/failure.ts';
import { within } from '../../ground/within.ts';
import { readBody } from '../../http/body.ts';
import { html, page, pageHeaders } from '../../http/html.ts';
import { type Link, linkLifetime } from '../../store/tables/links.ts';
import type { Owner } from '../../store/vault.ts';
import type { Desk, Greeter } from '../desk/desk.ts';
import { type Exchanger, signIn } from './exchange.ts';
import { tellSignedIn, type Welcomer } from './signIn.ts';

/** Max size of a form, in bytes. */
const maxBytes = 16 * 1024;

/** Max wait for Slack's names of a person and the workspace, in milliseconds. */
const patience = 2_000;

type PageAnswer = Readonly<{ status: number; html: string; headers?: Readonly<Record<string, string>> }>;

/** Shows the page, and signs in whoever sends it. */
type SignInPage = Welcomer & Greeter & Desk<'run'> & Readonly<{ exchanger: Exchanger }>;

/**
 * The sign-in page behind a single-use link. Answers `/login/<secret>` and tells whether the request was one of those.
 * No cookie is set or read: the secret in the address is what a forged request lacks.
 */
export function signInPage(desk: SignInPage): (request: IncomingMessage, response: ServerResponse) => boolean {
  const headers = pageHeaders(desk.publicUrl?.startsWith('https:') ?? false);
  return (request, response) => {
    const secret = /^\/login\/([\w-]{20,100})$/.exec(request.url ?? '')?.[1];
    if (secret === undefined) return false;
    const work = answered(desk, secret, request).catch((error: unknown): PageAnswer => {
      desk.log.error({ error }, 'the sign-in page failed');
      return refusal(500, 'Something went wrong', 'Please ask for a new link in Slack.');
    });
    desk.run(
      'answer the sign-in page',
      work.then(answer => {
        if (answer === undefined) return;
        response.writeHead(answer.status, { ...headers, ...answer.headers });
        response.end(request.method === 'HEAD' ? undefined : answer.html);
      }),
    );
    return true;
  };
}

/** Answers a request; `undefined` if the browser broke it off. */
async function answered(desk: SignInPage, secret: string, request: IncomingMessage): Promise<PageAnswer | undefined> {
  switch (request.method) {
    case 'GET':
    case 'HEAD': {
      const link = await desk.links.find(secret, desk.clock.now());
      return link ? { status: 200, html: await askPage(desk, link) } : over;
    }
    case 'POST': {
      if (isForeign(desk, request)) return refusal(403, 'Not signed in', foreign(desk));
      if (request.headers['content-type']?.split(';')[0]?.trim().toLowerCase() !== 'application/x-www-form-urlencoded')
        return refusal(415, 'Not signed in', 'Dolly only reads the form on this page.');
      const body = await readBody(request, maxBytes);
      if (body === 'broken off') return undefined;
      if (body === 'too large') return refusal(413, 'Not signed in', 'The form is too large.');
      return submitted(desk, secret, new URLSearchParams(body.toString('utf8')));
    }
    default:
      return {
        ...refusal(405, 'Not signed in', 'Only GET and POST are allowed.'),
        headers: { allow: 'GET, HEAD, POST' },
      };
  }
}

/**
 * Whether another site than PUBLIC_URL sent the form. A browser names the site in `Origin` with every form, and tells
 * by `Sec-Fetch-Site` whether it is the page's own. A request without both comes from no present-day browser: nobody
 * can make another person's browser leave them out.
 */
function isForeign({ publicUrl }: Desk<'publicUrl'>, { headers }: IncomingMessage): boolean {
  const { origin, 'sec-fetch-site': site } = headers;
  if (site !== undefined && site !== 'same-origin' && site !== 'none') return true;
  const own = publicUrl === undefined ? undefined : URL.parse(publicUrl)?.origin;
  return origin === undefined ? false : origin !== own;
}

async function submitted(desk: SignInPage, secret: string, form: URLSearchParams): Promise<PageAnswer> {
  const link = await desk.links.take(secret, desk.clock.now());
  if (!link) return over;
  const username = (form.get('username') ?? '').trim();
  try {
    await signIn(desk.exchanger, link, { username, password: form.get('password') ?? '', channel: 'page' });
  } catch (error) {
    const isLeft = await desk.links.putBack(link);
    if (error instanceof Failure && error.kind === 'forbidden') return refusal(403, 'Not signed in', error.message);
    // Never 500 or more for what people can mend: proxies replace such answers by their own pages.
    const status = error instanceof Failure ? (error.kind === 'busy' ? 429 : 400) : 500;
    if (isLeft) return { status, html: await askPage(desk, link, sentence(error), username) };
    const last = `<p class="fault" role="alert">${html(sentence(error))}</p><p>That was the last try with this link. Ask for a new one in Slack.</p>`;
    return { status, html: page('Not signed in', last) };
  }
  desk.run('tell of a sign-in', tellSignedIn(desk, link, username, link.intent));
  const done = `<p>You are signed in to <b>${html(desk.service.url)}</b> as <b>${html(username)}</b>.</p>
<p>Close this page and go back to Slack.</p>`;
  return { status: 200, html: page('You are signed in', done) };
}

const over = refusal(
  410,
  'This link no longer works',
  `A sign-in link works once, for ${linkLifetime / minute} minutes. If you have just used it, Slack shows the result; otherwise ask for a new one there.`,
);

function foreign({ publicUrl }: Desk<'publicUrl'>): string {
  const own = publicUrl === undefined ? 'where the link leads to' : publicUrl;
  return `This form came from a site other than ${own}, so Dolly ignored it. Open the link that Slack shows.`;
}

function refusal(status: number, title: string, why: string): PageAnswer {
  return { status, html: page(title, `<p>${html(why)}</p>`) };
}

/** Draws the page, with the names that Slack tells. */
type PageDrawer = Desk<'service' | 'clock' | 'log' | 'slack'>;

/**
 * Asks for the password, and names the Slack account that will use it. Otherwise somebody could send a person their own
 * link, and then act with that person's rights.
 */
async function askPage(desk: PageDrawer, link: Link, wrong?: string, username = ''): Promise<string> {
  const { name, handle, workspace } = await introduced(desk, link);
  const at = handle === undefined ? '' : ` <span>@${html(handle)}</span>`;
  const place = workspace === undefined ? '' : `<dt>Workspace</dt><dd><bdi>${html(workspace)}</bdi></dd>\n`;
  const [first, second] = username === '' ? [' autofocus', ''] : ['', ' autofocus'];
  return page(
    'Sign in',
    `<p>Dolly will use your account for what you ask in Slack, and for your schedules and leases:</p>
<dl><dt>Slack person</dt><dd><bdi>${html(name ?? link.person)}</bdi>${at}</dd>
${place}<dt>Service</dt><dd>${html(desk.service.url)}</dd></dl>
<p><b>Is that not you?</b> Close this page: somebody sent you their own link.</p>
${wrong === undefined ? '' : `<p class="fault" role="alert">${html(wrong)}</p>`}
<form method="post">
<label>User name <input name="username" value="${html(username)}" required${first} autocomplete="username" autocapitalize="none" spellcheck="false"></label>
<label>Password <input name="password" type="password" required${second} autocomplete="current-password"></label>
<button>Yes, ${name === undefined ? 'this is me' : `I am <bdi>${html(name)}</bdi>`}: sign in</button>
</form>
<p class="small">The password is used once, to get a token, and is not kept. The token is kept encrypted.</p>`,
  );
}

/** Slack's names of a person and the workspace, if they arrive in time. */
async function introduced({ slack, clock, log }: Desk<'clock' | 'log' | 'slack'>, { team, person }: Owner) {
  const untold = (error: unknown) => {
    log.info({ error, person }, 'Slack did not tell the sign-in page who somebody is');
    return undefined;
  };
  const [told, self] = await Promise.all([
    within(clock, patience, slack.of(team).users.info({ user: person })).catch(untold),
    within(clock, patience, slack.of(team).auth.test()).catch(untold),
  ]);
  const { real_name: name, name: handle } = told?.user ?? {};
  return { name: name || handle || undefined, handle: handle || undefined, workspace: self?.team || undefined };
}
