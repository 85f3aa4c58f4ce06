/** The person who installs the app, and the workspace or organisation. */
export type Installer = { team: string; person: string; answer?: 'allow' | 'cancel' };

/**
 * Installs the app as a browser does: opens the app's page, follows it to Slack's, answers there, and comes back.
 * @param page the app's own page, or the address of Slack's page itself
 * @returns the last answer: the app's, or Slack's where it refused
 */
export async function installs(page: string, { team, person, answer = 'allow' }: Installer): Promise<Response> {
  const isOwn = !new URL(page).pathname.startsWith('/oauth/');
  const first = isOwn ? await fetch(page, { redirect: 'manual' }) : undefined;
  const authorize = first === undefined ? page : (first.headers.get('location') ?? '');
  if (authorize === '') throw new Error(`${page} leads nowhere: ${await first?.text()}`);
  const asked = new URL(authorize);
  const shown = await fetch(asked);
  if (!shown.ok) return shown;
  const body = new URLSearchParams([...asked.searchParams, ['who', `${team} ${person}`], ['answer', answer]]);
  const answered = await fetch(asked.origin + asked.pathname, { method: 'POST', body, redirect: 'manual' });
  const back = answered.headers.get('location');
  if (back === null) return answered;
  // The app may call itself by a name that leads nowhere in a test.
  const { pathname, search, origin } = new URL(back);
  const cookies = first?.headers.getSetCookie().map(cookie => cookie.split(';')[0]) ?? [];
  const home = isOwn ? new URL(page).origin : origin;
  return fetch(home + pathname + search, { headers: { cookie: cookies.join('; ') }, redirect: 'manual' });
}
