import { type Context, Hono } from 'hono';
import { html } from 'hono/html';
import type { Person } from './protocol.ts';
import type { Slack } from './slack.ts';
import { organisation, type Team } from './workspace.ts';

/** A request to install the app, as the address of Slack's page names it. */
type Asked = { client_id: string; scope: string; redirect_uri: string; state: string; team: string };

const fields = ['client_id', 'scope', 'redirect_uri', 'state', 'team'] as const;

function askedIn(read: (name: string) => string | undefined): Asked {
  const [client_id = '', scope = '', redirect_uri = '', state = '', team = ''] = fields.map(name => read(name) ?? '');
  return { client_id, scope, redirect_uri, state, team };
}

/** Why Slack shows an error in place of the page. */
function fault({ client }: Slack, { client_id, scope, redirect_uri }: Asked): string | undefined {
  if (client === undefined || client_id !== client.id) return 'invalid_client_id: no app has this client id.';
  if (scope === '') return 'invalid_scope_requested: the app asks for no scope.';
  if (!/^https?:\/\//.test(redirect_uri) || !URL.canParse(redirect_uri)) return 'bad_redirect_uri: that is no address.';
  return undefined;
}

/** Where the browser goes afterwards: back to the app, with a code or with the reason why there is none. */
function back({ redirect_uri, state }: Asked, more: Record<string, string>): string {
  const url = new URL(redirect_uri);
  for (const [name, value] of Object.entries({ ...more, state })) url.searchParams.set(name, value);
  return url.href;
}

/** The workspaces (and the organisation) in which somebody here may install the app, with the people who may. */
function places(slack: Slack): { team: Team; people: Person[] }[] {
  const { team, partner } = slack.workspace;
  const full = (wanted: Person['kind']) =>
    slack.workspace.people.filter(({ isBot, kind }) => !isBot && kind === wanted);
  const all = [
    { team, people: full(undefined) },
    { team: partner, people: full('outsider') },
  ];
  return slack.settings.organisation ? [...all, { team: organisation, people: full(undefined) }] : all;
}

const page = (title: string, body: unknown) => html`<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>${title}</title>
<link rel="stylesheet" href="/assets/main.css"></head>
<body class="authorize"><main>${body}</main></body>
</html>`;

function form(slack: Slack, asked: Asked) {
  const wanted = places(slack).filter(({ team }) => asked.team === '' || team.id === asked.team);
  return page(
    'Install Dolly',
    html`<h1>Dolly wants to be installed</h1>
<p>It asks for these scopes:</p>
<ul class="scopes">${asked.scope.split(',').map(scope => html`<li><code>${scope}</code></li>`)}</ul>
<form method="post">
${fields.map(name => html`<input type="hidden" name="${name}" value="${asked[name]}">`)}
<label for="who">Install it in which workspace, as whom?</label>
<select id="who" name="who">${wanted.map(
      ({ team, people }) =>
        html`<optgroup label="${team.name} (${team.id})">${people.map(
          ({ id, realName }) => html`<option value="${team.id} ${id}">${team.name}, as ${realName}</option>`,
        )}</optgroup>`,
    )}</select>
<div class="dialog-buttons"><button class="button" name="answer" value="cancel">Cancel</button>
<button class="button primary" name="answer" value="allow">Allow</button></div>
</form>`,
  );
}

const refused = (c: Context, says: string) =>
  c.html(page('Dolly can’t be installed', html`<h1>Something went wrong</h1><p role="alert">${says}</p>`), 400);

/** Slack's page on which a person installs the app: `/oauth/v2/authorize`. */
export function authorizePage(slack: Slack): Hono {
  const app = new Hono();
  app.get('/oauth/v2/authorize', c => {
    const asked = askedIn(name => c.req.query(name));
    const wrong = fault(slack, asked);
    return wrong === undefined ? c.html(form(slack, asked)) : refused(c, wrong);
  });
  app.post('/oauth/v2/authorize', async c => {
    const sent = await c.req.parseBody();
    const text = (name: string) => (typeof sent[name] === 'string' ? sent[name] : undefined);
    const asked = askedIn(text);
    const wrong = fault(slack, asked);
    if (wrong !== undefined) return refused(c, wrong);
    if (text('answer') !== 'allow') return c.redirect(back(asked, { error: 'access_denied' }));
    const [wantedTeam, wantedPerson] = (text('who') ?? '').split(' ');
    const place = places(slack).find(({ team }) => team.id === wantedTeam);
    const person = place?.people.find(({ id }) => id === wantedPerson);
    if (place === undefined || person === undefined) return refused(c, 'That person can’t install apps there.');
    // An app that the whole organisation has is not installed in one of its workspaces beside it (oauth.v2.access).
    if (slack.installs.isInstalled(organisation.id) && place.team.id !== organisation.id)
      return refused(c, 'cannot_install_an_org_installed_app: the organisation has it already.');
    const code = slack.installs.allow({ team: place.team.id, by: person.id, scopes: asked.scope }, asked.redirect_uri);
    return c.redirect(back(asked, { code }));
  });
  return app;
}
