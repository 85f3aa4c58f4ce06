import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Someone } from '../person.ts';
import { loginPath, type World, type WorldOptions, world } from '../world.ts';
import { ends, opensForm, quickClone, quickLine, refusedClone, submitsClone, toldAlone } from './clones.ts';
import { type Crossing, crossing } from './crossing.ts';

let earth: World;
let road: Crossing;
let ana: Someone;

async function begins(options: WorldOptions = {}): Promise<void> {
  road = crossing();
  earth = await world({ ...options, service: { middleware: road.middleware } });
  ana = await earth.enters('Ana');
}
afterEach(() => earth.close());

/** Sends the form of the sign-in page, as a browser does. */
const sends = (path: string, username: string, password: string) =>
  fetch(`${earth.dolly().url}${path}`, { method: 'POST', body: new URLSearchParams({ username, password }) });

/** Types a line that needs a sign-in; gives the path of the link that is offered. */
async function isOffered(line: string, channel = '#databases'): Promise<string> {
  await ana.types(channel, line);
  const offer = await ana.reads(channel, 'Sign in to the service');
  expect(offer.onlyFor).toBe(ana.id);
  return loginPath(offer);
}

describe('somebody who is not signed in', () => {
  beforeEach(() => begins());

  test.each(['/db list', '/db show orders', '/clone', '/db whoami'])(
    'a person who is signed out and types %s gets a link to sign in',
    async line => {
      const path = await isOffered(line);
      const page = await (await fetch(`${earth.dolly().url}${path}`)).text();
      expect(page).toContain('type="password"');
      expect(page).toContain('Ana');
      expect(ana.hasModal()).toBe(false);
    },
  );

  test('a person who signs in and presses “Go on” is in the form with all that they had typed', async () => {
    const path = await isOffered('/clone "shop" port=3310 mountBase="/mnt/two words" targetEnvironment=dev');
    expect((await sends(path, 'ana', 'ana-password')).status).toBe(200);
    await ana.reads('#databases', 'You are signed in');
    await ana.presses('Go on');
    await ana.until(() => JSON.stringify(ana.sees().views).includes('HOST_ENVIRONMENT-4'), 'the form');
    const { fields } = await ana.modal();
    for (const value of ['MYSQL_LIVE_SERVER-2', '3310', '/mnt/two words'])
      expect(JSON.stringify(fields)).toContain(value);
  });

  test('a person who signs in by “/db login” is offered what to do next', async () => {
    expect((await sends(await isOffered('/db login'), 'ana', 'ana-password')).status).toBe(200);
    await ana.reads('#databases', 'You are signed in');
    await ana.presses('All databases');
    await ana.reads('#databases', 'ORACLE_LIVE_DATABASE-1');
  });

  test('a person who signs in gets the list that they had asked for before', async () => {
    await sends(await isOffered('/db list payroll'), 'ana', 'ana-password');
    await ana.reads('#databases', 'ORACLE_LIVE_DATABASE-1');
  });

  test('a sign-in is told by direct message where Dolly is no member of the channel', async () => {
    await sends(await isOffered('/db list', '#random'), 'ana', 'ana-password');
    await ana.reads('@dolly', 'You are signed in');
  });

  test('a person who types a wrong password is told so, can try again, and gets in', async () => {
    const path = await isOffered('/db list');
    const wrong = await sends(path, 'ana', 'guess');
    expect(wrong.status).toBe(400);
    const page = await wrong.text();
    expect(page).toContain('did not accept this user name and password');
    expect(page).toContain('value="ana"');
    expect(page).not.toContain('guess');
    expect((await sends(path, 'ana', 'ana-password')).status).toBe(200);
  });

  test('a sign-in link takes five tries, and then a new one is needed', async () => {
    const path = await isOffered('/db list');
    for (const _ of [1, 2, 3, 4]) expect(await (await sends(path, 'ana', 'guess')).text()).toContain('type="password"');
    expect(await (await sends(path, 'ana', 'guess')).text()).toContain('last try');
    expect((await sends(path, 'ana', 'ana-password')).status).toBe(410);
    await ana.types('#databases', '/db whoami');
    await ana.reads('#databases', 'not signed in');
  });

  test('a sign-in link can be used once', async () => {
    const path = await isOffered('/db list');
    const answers = await Promise.all([sends(path, 'ana', 'ana-password'), sends(path, 'ana', 'ana-password')]);
    expect(answers.map(({ status }) => status)).toContain(200);
    expect((await sends(path, 'ana', 'ana-password')).status).toBe(410);
    expect((await fetch(`${earth.dolly().url}${path}`)).status).toBe(410);
  });

  test('a sign-in link can be used for ten minutes', async () => {
    const path = await isOffered('/db list');
    await earth.clock.advance(9 * 60_000);
    expect((await fetch(`${earth.dolly().url}${path}`)).status).toBe(200);
    await earth.clock.advance(61_000);
    expect((await fetch(`${earth.dolly().url}${path}`)).status).toBe(410);
    expect((await sends(path, 'ana', 'ana-password')).status).toBe(410);
  });

  test('a guessed sign-in link opens nothing', async () => {
    expect((await fetch(`${earth.dolly().url}/login/${'a'.repeat(43)}`)).status).toBe(410);
    expect((await fetch(`${earth.dolly().url}/login/`)).status).toBe(404);
  });

  test('a person whose sign-in fails because the service is down reads so on the sign-in page', async () => {
    const path = await isOffered('/db list');
    await earth.service.close();
    const page = await (await sends(path, 'ana', 'ana-password')).text();
    expect(page).toContain('cannot be reached');
    expect(page).not.toContain('ana-password');
  });

  test('a sign-in form that is too large, empty or strange is answered, and the link still works after it', async () => {
    const path = await isOffered('/db list');
    expect((await sends(path, 'ana', 'x'.repeat(20_000))).status).toBeGreaterThanOrEqual(400);
    expect((await sends(path, '', '')).status).toBe(400);
    expect(await (await sends(path, '<script>alert(1)</script>', 'x')).text()).not.toContain('<script>');
    expect((await fetch(`${earth.dolly().url}${path}`, { method: 'DELETE' })).status).toBeLessThan(500);
    expect((await sends(path, 'ana', 'ana-password')).status).toBe(200);
  });
});

describe('a sign-in that ends', () => {
  beforeEach(async () => {
    await begins();
    await earth.signsIn(ana, '#dev', 'ana');
  });

  test('a job whose sign-in ends before its form is submitted waits, and is sent once after the next sign-in', async () => {
    await opensForm(ana, '#databases', quickLine(3401));
    earth.service.service.signOut('ana');
    await ana.submits();
    const told = await earth.until(() => toldAlone(ana)[0], 'the hold');
    expect(told.text).toMatch(/Not sent yet[\s\S]*\[Sign in\]/);
    expect(told.onlyFor).toBe(ana.id);
    await earth.clock.advance(3_600_000);
    expect(earth.writes()).toHaveLength(0);
    expect(earth.cards('#databases')).toEqual([]);

    await ana.presses('Sign in', { message: told });
    const offer = await ana.reads('#databases', 'Sign in to the service');
    await sends(loginPath(offer), 'ana', 'ana-password');
    const card = await earth.until(() => earth.cards('#databases')[0], 'the message');
    expect(await ends(earth, card, 'Confirmed')).toContain('shop-3401');
    expect(earth.writes()).toHaveLength(1);
    expect(earth.cards('#databases')).toHaveLength(1);
    expect(toldAlone(ana)).toHaveLength(1);
  });

  test('a job whose sign-in ends as its request arrives waits, and is sent after the next sign-in', async () => {
    road.meets('/database/clone/create', (_request, next) => {
      earth.service.service.signOut('ana');
      return next();
    });
    await submitsClone(ana, '#databases', quickLine(3402), {});
    const told = await earth.until(() => toldAlone(ana)[0], 'the hold');
    expect(told.text).toMatch(/Not sent yet[\s\S]*\[Sign in\]/);
    expect(earth.writes().map(({ status }) => status)).toEqual([401]);
    road.meets('/database/clone/create', (_request, next) => next());
    await earth.signsIn(ana, '#dev', 'ana');
    const card = await earth.until(() => earth.cards('#databases')[0], 'the message');
    await ends(earth, card, 'Confirmed');
    expect(earth.writes().map(({ status }) => status)).toEqual([401, 200]);
  });

  test('a job whose sign-in ends while it runs is looked at again after the next sign-in', async () => {
    const card = await quickClone(earth, ana, 3403);
    await earth.until(() => earth.text(card).includes('Running'), 'running');
    earth.service.service.signOut('ana');
    await earth.until(() => earth.text(card).includes('sign in'), 'the hold');
    expect(earth.replies(card)).toEqual([]);
    await earth.restart();
    await earth.signsIn(ana, '#dev', 'ana');
    expect(await ends(earth, card, 'Confirmed')).toContain('shop-3403');
    expect(earth.writes()).toHaveLength(1);
  });

  test('a sign-in that expires by itself is answered with a link that goes on to what was asked', async () => {
    await earth.signsIn(ana, '#dev', 'expired');
    await earth.clock.advance(61_000);
    const path = await isOffered('/db list orders');
    await sends(path, 'ana', 'ana-password');
    await ana.reads('#databases', 'orders-3320');
  });

  test('a sign-in that ends while a form is open is told in the form, which keeps its values', async () => {
    await opensForm(ana, '#databases', '/clone shop mountBase=/mnt/kept');
    earth.service.service.signOut('ana');
    await earth.clock.advance(60_000);
    expect((await ana.choices('targetEnvironment', 'dev')).join()).toContain('no longer valid');
    await ana.until(() => JSON.stringify(ana.sees().views).includes('/login/'), 'a link in the form');
    const { blocks, fields } = await ana.modal();
    expect(JSON.stringify(fields)).toContain('/mnt/kept');
    expect((await sends(loginPath({ blocks }), 'ana', 'ana-password')).status).toBe(200);
    await ana.fills({ targetEnvironment: 'dev', install: 'MYSQL', environmentUser: 'mysql', port: 3404 });
    expect(await ana.submits()).toEqual({ errors: {}, error: '', open: false });
    const card = await earth.until(() => earth.cards('#databases')[0], 'the message');
    await ends(earth, card, 'Confirmed');
  });

  test('an old token that is refused after the next sign-in does not hold up the job’s request', async () => {
    await opensForm(ana, '#databases', quickLine(3405));
    const list = road.holds('/database/list', 'before');
    await ana.submits();
    await list.arrived;
    earth.service.service.signOut('ana');
    await earth.signsIn(ana, '#dev', 'ana');
    list.lets();
    const card = await earth.until(() => earth.cards('#databases')[0], 'the message');
    await earth.until(() => earth.text(card).includes('Confirmed'), 'confirmed', 300_000);
  });

  test('an old token that is refused after the next sign-in does not hold up the look at the records', async () => {
    const card = await quickClone(earth, ana, 3406);
    await earth.until(() => earth.text(card).includes('Running'), 'running');
    const list = road.holds('/database/list', 'before');
    await ana.presses('Check now', { message: card });
    await list.arrived;
    earth.service.service.signOut('ana');
    await earth.signsIn(ana, '#dev', 'ana');
    list.lets();
    await earth.until(() => earth.text(card).includes('Confirmed'), 'confirmed', 300_000);
  });

  test('a job whose person signs out waits, and can be withdrawn', async () => {
    await opensForm(ana, '#databases', quickLine(3407));
    await ana.types('#databases', '/db logout');
    await ana.reads('#databases', 'You are signed out');
    await ana.submits();
    const told = await earth.until(() => toldAlone(ana)[0], 'the hold');
    await ana.presses('Withdraw', { message: told });
    await ana.reads('#databases', 'Withdrawn. Nothing was sent.');
    await earth.signsIn(ana, '#dev', 'ana');
    await earth.clock.advance(60_000);
    expect(earth.writes()).toHaveLength(0);
    expect([earth.cards('#databases'), toldAlone(ana).length]).toEqual([[], 1]);
  });

  test('a job that waits for a sign-in for a day is told as expired', async () => {
    await opensForm(ana, '#databases', quickLine(3408));
    earth.service.service.signOut('ana');
    await ana.submits();
    await earth.until(() => toldAlone(ana)[0], 'the hold');
    await earth.stop();
    await earth.clock.advance(24 * 3_600_000);
    await earth.start();
    await ana.reads('@dolly', 'Expired');
    expect(earth.writes()).toHaveLength(0);
  });

  test('“Change and ask again” offers a sign-in to a person who is signed out, and then opens the form', async () => {
    const told = await refusedClone(earth, ana, quickLine(3409, '/mnt/refuse-it'));
    await ana.types('#databases', '/db logout');
    await ana.reads('#databases', 'You are signed out');
    await ana.presses('Change and ask again', { message: told });
    const offer = await ana.reads('#databases', 'Sign in to the service');
    await sends(loginPath(offer), 'ana', 'ana-password');
    await ana.presses('Go on');
    await ana.until(() => JSON.stringify(ana.sees().views).includes('/mnt/refuse-it'), 'the form with its values');
  });

  test('turning a page of a list offers a sign-in to a person who is signed out', async () => {
    earth.playground.slack.settings.newerBlocks = false;
    await ana.types('#databases', '/db list');
    await ana.reads('#databases', 'Next');
    await ana.types('#databases', '/db logout');
    await ana.reads('#databases', 'You are signed out');
    await ana.presses('Next');
    const offer = await ana.reads('#databases', 'Sign in to the service');
    expect(loginPath(offer)).toContain('/login/');
  });
});

describe('a bot that no browser reaches', () => {
  beforeEach(() => begins({ environment: { PUBLIC_URL: '' } }));

  test('a bot that no browser reaches asks for the password in a form that says that it is visible', async () => {
    await ana.types('#databases', '/clone shop port=3310');
    await ana.reads('#databases', 'Sign in to the service');
    await ana.presses('Sign in');
    expect((await ana.modal()).text).toContain('visible');
    await ana.fills({ username: 'ana', password: 'guess' });
    await ana.submits();
    await ana.until(() => JSON.stringify(ana.sees().views).includes('did not accept'), 'the refusal');
    expect(JSON.stringify(ana.sees().views)).not.toContain('guess');
    expect(JSON.stringify((await ana.modal()).fields)).not.toContain('guess');

    await ana.fills({ username: 'ana', password: 'ana-password' });
    await ana.submits();
    await ana.reads('#databases', 'You are signed in');
    await ana.cancels();
    await ana.presses('Go on');
    await ana.until(() => JSON.stringify(ana.sees().views).includes('3310'), 'the form');
  });

  test('a form that is filled in keeps its values below the form that asks for the password', async () => {
    await ana.types('#databases', '/db login');
    await ana.presses('Sign in');
    await ana.fills({ username: 'ana', password: 'ana-password' });
    await ana.submits();
    await ana.reads('#databases', 'You are signed in');
    await ana.cancels(true);
    await opensForm(ana, '#databases', '/clone shop mountBase=/mnt/kept');
    earth.service.service.signOut('ana');
    await earth.clock.advance(60_000);
    await ana.choices('targetEnvironment', 'dev');
    await ana.until(() => JSON.stringify(ana.sees().views).includes('login.form'), 'the offer in the form');
    await ana.presses('Sign in');
    await ana.until(() => ana.sees().views.length === 2, 'the sign-in on top');
    await ana.fills({ username: 'ana', password: 'ana-password' });
    await ana.submits();
    await ana.until(() => JSON.stringify(ana.sees().views.at(-1)).includes('You are signed in'), 'the sign-in');
    await ana.cancels();
    expect(JSON.stringify((await ana.modal()).fields)).toContain('/mnt/kept');
    expect(await ana.choices('targetEnvironment', 'dev')).toEqual(['dev']);
  });

  test('a sign-in whose form was closed before the answer is told in the channel', async () => {
    await ana.types('#databases', '/db list payroll');
    await ana.presses('Sign in', { message: await ana.reads('#databases', 'Sign in to the service') });
    await ana.fills({ username: 'ana', password: 'ana-password' });
    const token = road.holds('/user/user/token', 'before');
    await ana.submits();
    await token.arrived;
    await ana.cancels(true);
    token.lets();
    await ana.reads('#databases', 'You are signed in');
    await ana.reads('#databases', 'ORACLE_LIVE_DATABASE-1');
  });

  test('the sign-in form says so where the service is down', async () => {
    await ana.types('#databases', '/db login');
    await ana.presses('Sign in');
    await earth.service.close();
    await ana.fills({ username: 'ana', password: 'ana-password' });
    await ana.submits();
    await ana.until(() => JSON.stringify(ana.sees().views).includes('cannot be reached'), 'the reason');
  });
});

test('each person acts with their own sign-in, and with nobody else’s', async () => {
  await begins();
  await earth.signsIn(ana, '#dev', 'ana');
  const ben = await earth.enters('Ben');
  await ben.types('#databases', '/db list');
  await ben.reads('#databases', 'Sign in to the service');
  await submitsClone(ana, '#databases', quickLine(3411), {});
  await earth.until(() => earth.writes().length > 0, 'the request');
  const made = [...earth.service.service.estate.databases.values()].find(({ port }) => port === 3411);
  expect(made?.owner).toBe('ana');
});
