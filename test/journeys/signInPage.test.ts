import { createHash } from 'node:crypto';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Someone } from '../person.ts';
import { loginPath, signInOfferTo, type World, world } from '../world.ts';

let earth: World;
let ana: Someone;
beforeEach(async () => {
  earth = await world();
  ana = await earth.enters('Ana');
});
afterEach(() => earth.close());

/** A fresh link of somebody, as an address of the bot. */
async function linkOf(someone = ana, channel = '#databases'): Promise<string> {
  return `${earth.dolly().url}${loginPath(await signInOfferTo(someone, channel))}`;
}
const sends = (url: string, username: string, password: string, headers: Record<string, string> = {}) =>
  fetch(url, { method: 'POST', headers, body: new URLSearchParams({ username, password }) });
const right = (url: string, headers?: Record<string, string>) => sends(url, 'ana', 'ana-password', headers);
/** How often the service was asked to check a password. */
const asked = () => earth.service.service.requests.filter(({ path }) => path.includes('/user/user/')).length;

/** Guesses `count` passwords, with as many links as that takes. */
async function guesses(someone: Someone, count: number, username: (at: number) => string): Promise<void> {
  let url = '';
  for (let at = 0; at < count; at += 1) {
    if (at % 5 === 0) url = await linkOf(someone);
    expect(await (await sends(url, username(at), 'guess')).text()).toContain('did not accept');
  }
}

describe('the sign-in page', () => {
  test('the sign-in page names the person, the workspace and the service, and its button asks for a yes', async () => {
    const shown = await (await fetch(await linkOf())).text();
    for (const words of ['Ana', '@ana', 'Playground', earth.service.url, 'Yes, I am <bdi>Ana</bdi>: sign in'])
      expect(shown).toContain(words);
    expect([...shown.matchAll(/<input name="(\w+)"/g)].map(([, name]) => name)).toEqual(['username', 'password']);
    expect(shown).not.toMatch(/<script|\son\w+=/);
  });

  test('the sign-in page names the person by their ID where Slack does not tell who they are', async () => {
    earth.playground.slack.faults.add({ method: 'users.info', kind: 'error', times: 9 });
    const shown = await (await fetch(await linkOf())).text();
    expect(shown).toContain(ana.id);
    expect(shown).toContain('Yes, this is me: sign in');
  });

  test('the sign-in page is shown even where Slack does not answer', async () => {
    const url = await linkOf();
    earth.playground.slack.faults.add({ method: 'users.info', kind: 'hang', times: 9 });
    const work = fetch(url).then(answer => answer.text());
    const shown = await earth.until(() => Promise.race([work, undefined]), 'the page');
    expect(shown).toContain(ana.id);
  });

  test('the sign-in page may not be framed, cached, styled or scripted by others, and sets no cookie', async () => {
    const url = await linkOf();
    for (const answer of [
      await fetch(url),
      await sends(url, 'ana', 'guess'),
      await right(url, { origin: 'https://evil.example' }),
      await fetch(url, { method: 'PUT' }),
      await right(url),
      await fetch(url),
    ]) {
      const style = /<style>([\s\S]*?)<\/style>/.exec(await answer.text())?.[1] ?? '';
      const hash = createHash('sha256').update(style).digest('base64');
      const { headers } = answer;
      expect(headers.get('content-security-policy')).toBe(
        `default-src 'none'; style-src 'sha256-${hash}'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'`,
      );
      expect(headers.get('cross-origin-opener-policy')).toBe('same-origin');
      expect(headers.get('x-frame-options')).toBe('DENY');
      expect(headers.get('permissions-policy')).toContain('camera=()');
      expect(headers.get('cache-control')).toBe('no-store');
      expect(headers.get('referrer-policy')).toBe('same-origin');
      expect(headers.get('set-cookie')).toBeNull();
      expect(headers.get('strict-transport-security')).toBeNull();
    }
  });

  test('the sign-in page tells browsers to keep to https where its address has it', async () => {
    await earth.restart({ PUBLIC_URL: 'https://dolly.example' });
    expect((await fetch(await linkOf())).headers.get('strict-transport-security')).toMatch(/^max-age=\d{7,}$/);
  });

  test.each<Record<string, string>>([
    { 'sec-fetch-site': 'cross-site' },
    { 'sec-fetch-site': 'same-site' },
    { 'sec-fetch-site': 'cross-site', origin: 'null' },
    { origin: 'https://evil.example' },
    { origin: 'http://dolly.invalid.evil.example' },
    { origin: 'https://dolly.invalid' },
    { origin: 'http://dolly.invalid:81' },
    { origin: 'http://dolly.invalid/' },
    { origin: 'http://user@dolly.invalid' },
    { origin: 'null' },
    { origin: 'null', 'sec-fetch-site': 'same-origin' },
    { origin: 'nonsense' },
  ])('the sign-in page takes no form of another site (%o)', async headers => {
    const url = await linkOf();
    // More often than a link may be tried: none of these is a try.
    for (const _ of Array(6)) {
      const answer = await right(url, headers);
      expect(answer.status).toBe(403);
      expect(await answer.text()).toContain('came from a site other than http://dolly.invalid');
    }
    expect(asked()).toBe(0);
    expect((await right(url)).status).toBe(200);
  });

  test.each(['same-origin', 'none'])(
    'the sign-in page takes its own form, as a browser sends it (Sec-Fetch-Site %s)',
    async site => {
      const headers = { 'sec-fetch-site': site, origin: 'http://dolly.invalid' };
      expect((await right(await linkOf(), headers)).status).toBe(200);
    },
  );

  test('the sign-in page takes no form from another address than the public one', async () => {
    expect((await right(await linkOf(), { origin: earth.dolly().url })).status).toBe(403);
    expect((await right(await linkOf(), { origin: 'http://dolly.invalid' })).status).toBe(200);
  });

  test('one of five forms that are sent at once with one sign-in link signs in, and the others do not', async () => {
    const url = await linkOf();
    const answers = await Promise.all(Array.from({ length: 5 }, () => right(url)));
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 410, 410, 410, 410]);
    expect(asked()).toBe(1);
    const told = () => ana.messages('#databases').filter(({ text }) => text.includes('You are signed in'));
    await ana.until(() => told().length > 0, 'the news');
    await earth.restart();
    expect(told()).toHaveLength(1);
  });

  test('one of five wrong passwords that are sent at once is tried, and the sign-in link still works', async () => {
    const url = await linkOf();
    const answers = await Promise.all(Array.from({ length: 5 }, () => sends(url, 'ana', 'guess')));
    expect(answers.map(({ status }) => status).toSorted()).toEqual([400, 410, 410, 410, 410]);
    expect((await right(url)).status).toBe(200);
  });

  test('the sign-in page answers GET, HEAD and POST alone', async () => {
    const url = await linkOf();
    for (const method of ['PUT', 'DELETE', 'PATCH', 'OPTIONS']) {
      const answer = await fetch(url, { method });
      expect([answer.status, answer.headers.get('allow')]).toEqual([405, 'GET, HEAD, POST']);
    }
    const head = await fetch(url, { method: 'HEAD' });
    expect([head.status, await head.text()]).toEqual([200, '']);
    expect((await right(url)).status).toBe(200);
  });

  test('the sign-in page reads no body that is not a form or is too large', async () => {
    const url = await linkOf();
    const body = JSON.stringify({ username: 'ana', password: 'ana-password' });
    for (const type of ['application/json', 'text/plain', 'multipart/form-data; boundary=x', ''])
      expect((await fetch(url, { method: 'POST', headers: { 'content-type': type }, body })).status).toBe(415);
    for (const _ of Array(6)) expect((await sends(url, 'ana', 'x'.repeat(20_000))).status).toBe(413);
    const chunks = new ReadableStream({
      start(controller) {
        for (const _ of Array(40)) controller.enqueue(new TextEncoder().encode('x'.repeat(1_000)));
        controller.close();
      },
    });
    const headers = { 'content-type': 'application/x-www-form-urlencoded' };
    const unmeasured = { method: 'POST', headers, body: chunks, duplex: 'half' };
    expect((await fetch(url, unmeasured)).status).toBe(413);
    expect(asked()).toBe(0);
    expect((await right(url)).status).toBe(200);
  });

  test('the sign-in page counts no try where only half of the form arrives', async () => {
    const url = new URL(await linkOf());
    for (const _ of Array(6)) {
      const socket = connect(Number(url.port), url.hostname);
      socket.write(
        `POST ${url.pathname} HTTP/1.1\r\nHost: x\r\nContent-Type: application/x-www-form-urlencoded\r\nContent-Length: 99\r\n\r\nusername=ana&pass`,
      );
      socket.end();
      await text(socket);
    }
    expect(asked()).toBe(0);
    expect((await right(url.href)).status).toBe(200);
  });
});

describe('wrong passwords', () => {
  const tooMany = 'Too many wrong passwords: I accept no other one for the next ';

  test('a person has ten wrong passwords in an hour, whatever links and user names they use', async () => {
    await guesses(ana, 10, at => `name${at}`);
    const url = await linkOf();
    const before = asked();
    const answer = await right(url);
    expect(answer.status).toBe(429);
    expect(await answer.text()).toContain(tooMany);
    expect(asked()).toBe(before);

    await earth.restart();
    expect((await right(await linkOf())).status).toBe(429);
    await earth.clock.advance(3_600_000);
    expect((await right(await linkOf())).status).toBe(200);
  });

  test('wrong passwords for a colleague’s user name lock out whoever tries them, and not the colleague', async () => {
    const ben = await earth.enters('Ben');
    await guesses(ana, 10, () => 'ben');
    await guesses(await earth.enters('Chi'), 5, () => 'BEN');
    expect((await right(await linkOf())).status).toBe(429);
    expect((await sends(await linkOf(ben), 'ben', 'ben-password')).status).toBe(200);
  });

  test('wrong passwords no longer count after a right one', async () => {
    await guesses(ana, 9, at => `name${at}`);
    expect((await right(await linkOf())).status).toBe(200);
    await guesses(ana, 9, at => `name${at}`);
    expect((await right(await linkOf())).status).toBe(200);
  });

  test('sign-ins that fail because the service is in trouble do not count as wrong passwords', async () => {
    for (let at = 0; at < 12; at += 1) {
      const url = await linkOf();
      for (const word of ['crash', 'html']) expect((await sends(url, `ana-${word}`, 'x')).status).toBe(400);
    }
    expect((await right(await linkOf())).status).toBe(200);
  });

  test('wrong passwords in the sign-in form in Slack are counted, too', async () => {
    await guesses(ana, 9, at => `name${at}`);
    await earth.restart({ PUBLIC_URL: '' });
    await ana.presses('Sign in', { message: await signInOfferTo(ana, '#dev') });
    await ana.fills({ username: 'ana', password: 'guess' });
    await ana.submits();
    await ana.until(() => JSON.stringify(ana.sees().views).includes('did not accept'), 'the refusal');
    await ana.fills({ username: 'ana', password: 'ana-password' });
    await ana.submits();
    await ana.until(() => JSON.stringify(ana.sees().views).includes(tooMany), 'the limit');
  });
});
