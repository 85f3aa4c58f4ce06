import { afterEach, describe, expect, test } from 'vitest';
import { recordOf } from '../../src/sandbox/playground/json.ts';
import { type Someone, textOf } from '../person.ts';
import { loginPath, type World, type WorldOptions, world } from '../world.ts';
import { approvalKeys, asksToDelete } from './approvals.ts';
import { asks, comesToAnEnd } from './asking.ts';
import { ends, onDev, opensForm, quickClone, quickLine } from './clones.ts';
import { type Crossing, crossing } from './crossing.ts';

/* App Home: what a person sees there of what is theirs, how it stays true, and what its buttons do. */

let earth: World;
let road: Crossing;

async function begins(options: WorldOptions = {}): Promise<void> {
  road = crossing();
  earth = await world({ ...options, service: { middleware: road.middleware } });
}
afterEach(() => earth.close());

const atHome = { home: true } as const;
const home = (someone: Someone) => textOf(recordOf(someone.sees().home).blocks);
const direct = ({ id }: Someone) => `D${id.slice(1)}`;
async function shows(someone: Someone, words: string | RegExp): Promise<void> {
  const isThere = () => (typeof words === 'string' ? home(someone).includes(words) : words.test(home(someone)));
  await earth.until(isThere, 'Home').catch(() => {
    throw new Error(`"${words}" is not in Home, which says:\n${home(someone)}`);
  });
}
const published = () => earth.playground.slack.traffic().filter(({ what }) => what === 'views.publish');
const publishedFor = ({ id }: Someone) => published().filter(({ request }) => recordOf(request).user_id === id);

/** Presses a button in Home; gives what the person is told in their direct messages then. */
async function pressesAtHome(someone: Someone, button: string): Promise<string> {
  const before = someone.messages('@dolly').length;
  await someone.presses(button, atHome);
  const answer = await someone.until(() => someone.messages('@dolly')[before], `an answer to ${button}`);
  return textOf(answer);
}

/** Answers each list of databases with this many clones beside what is there. */
function crowds(many: number): void {
  road.meets('/database/list', async (_request, next) => {
    const there: unknown = await (await next()).json();
    const more = Array.from({ length: many }, (_, at) => ({
      id: `MARIADB_CLONE_SERVER-${1_000 + at}`,
      name: `crowd-${at + 1}`,
      state: 'RUNNING',
    }));
    return Response.json(Array.isArray(there) ? [...there, ...more] : there);
  });
}

describe('somebody who is not signed in', () => {
  test('a person signs in and out from Home, which shows a welcome before and their clones after the sign-in', async () => {
    await begins();
    const ben = await earth.enters('Ben');
    expect(await ben.opensHome()).toContain('Welcome to Dolly');
    expect(home(ben)).not.toContain('Clones');
    await ben.presses('Sign in', atHome);
    const offer = await ben.reads('@dolly', 'Sign in to the service');
    expect(offer.channel).toBe(direct(ben));
    const answer = await fetch(`${earth.dolly().url}${loginPath(offer)}`, {
      method: 'POST',
      body: new URLSearchParams({ username: 'ben', password: 'ben-password' }),
    });
    expect(answer.status).toBe(200);
    await ben.reads('@dolly', 'You are signed in');
    await shows(ben, /Signed in to http.* as \*ben\*/);
    await shows(ben, 'orders-3320');
    expect(home(ben)).not.toContain('Welcome');
    expect(await pressesAtHome(ben, 'Sign out')).toContain('You are signed out');
    await shows(ben, 'Welcome to Dolly');
    expect(home(ben)).not.toContain('orders-3320');
  });

  test('“Repeat with changes” in Home asks a person who is signed out to sign in, in one direct message', async () => {
    await begins();
    const ana = await earth.enters('Ana', 'ana');
    const card = await quickClone(earth, ana, 3401);
    await ends(earth, card, 'Confirmed');
    await ana.types('#dev', '/db logout');
    await ana.reads('#dev', 'You are signed out');
    await ana.opensHome();
    await shows(ana, 'Welcome to Dolly');
    const before = ana.messages('@dolly').length;
    expect(await pressesAtHome(ana, 'Repeat with changes')).toContain('You are not signed in');
    expect(ana.messages('@dolly')).toHaveLength(before + 1);
    expect(earth.writes()).toHaveLength(1);
  });
});

describe('the first steps', () => {
  test('Home’s first steps are ticked off one by one, and are gone after the first clone', async () => {
    await begins();
    const ben = await earth.enters('Ben');
    expect(await ben.opensHome()).toMatch(/Your first steps[\s\S]*:white_large_square: \*1\. Sign in/);
    await earth.signsIn(ben, '#dev', 'ben');
    await shows(ben, /:white_check_mark: \*1\. Sign in\*\n.*\*ben\*/);
    expect(home(ben)).toContain(':white_large_square: *3.');
    expect(await pressesAtHome(ben, 'Show what waits')).toContain('Nothing waits for your approval');
    await shows(ben, ':white_check_mark: *3.');
    const card = await quickClone(earth, ben, 3401);
    await ends(earth, card, 'Confirmed');
    await earth.until(() => !home(ben).includes('first steps'), 'a Home without them');
    await ben.opensHome();
    await earth.clock.advance(10_000);
    expect(home(ben)).not.toContain('first steps');
  });

  test('Home’s first steps are hidden for good by one click', async () => {
    await begins();
    const ben = await earth.enters('Ben');
    await ben.opensHome();
    expect(await pressesAtHome(ben, 'Show what waits')).toContain('You are not signed in');
    expect(home(ben)).toContain(':white_large_square: *3.');
    await ben.presses('Hide these steps', atHome);
    await earth.until(() => !home(ben).includes('first steps'), 'a Home without them');
    await earth.restart();
    await ben.opensHome();
    await earth.clock.advance(10_000);
    expect(home(ben)).toContain('Welcome to Dolly');
    expect(home(ben)).not.toContain('first steps');
  });
});

describe('a job', () => {
  test('Home shows a clone that was asked for in it until its end, and repeats it with changes', async () => {
    await begins();
    const ana = await earth.enters('Ana', 'ana');
    await ana.opensHome();
    await shows(ana, 'You have nothing under way');
    await ana.presses('Clone…', atHome);
    const form = await ana.modal();
    expect(form.callbackId).toBe('clone.create');
    await ana.fills({ sourceDatabase: 'shop', ...onDev, port: 3401, mountBase: '/mnt/c3401', install: 'MYSQL' });
    const sent = road.holds('/database/clone/create', 'after');
    expect(await ana.submits()).toEqual({ errors: {}, error: '', open: false });
    await sent.arrived;
    await shows(ana, /Under way\n.*Virtual clone of \*shop\* · Sending/);
    sent.lets();
    // Its message is a direct one, since Home is no channel.
    const card = await earth.until(() => earth.cards(direct(ana)).at(-1), 'the message of the job');
    expect(await ends(earth, card, 'Confirmed')).toContain('shop-3401');
    await shows(ana, /Recent jobs\n.*Virtual clone of \*shop\* · Confirmed/);
    await shows(ana, /Yours\*?\n[\s\S]*shop-3401/);
    expect(home(ana)).toContain('You have nothing under way');

    await ana.presses('Repeat with changes', atHome);
    // The port and the mount base of the clone that is there are taken: the next ones stand there.
    const next = /"initial_value":"3402".*"initial_value":"\/mnt\/c3402"/;
    await ana.until(() => next.test(JSON.stringify(ana.sees().views.at(-1)?.view)), 'the filled form');
    expect(await ana.submits()).toEqual({ errors: {}, error: '', open: false });
    await shows(ana, /Yours\*?\n[\s\S]*shop-3402[\s\S]*Others that you can see/);
    expect(earth.writes().map(({ body }) => recordOf(body).port)).toEqual([3401, 3402]);
  });

  test('Home’s count of clones is up to date after a clone was made', async () => {
    await begins();
    const ana = await earth.enters('Ana', 'ana');
    await ana.opensHome();
    const counted = /\*(\d+) clones?\*/;
    await shows(ana, counted);
    const before = Number(counted.exec(home(ana))?.[1]);
    await ends(earth, await quickClone(earth, ana, 3401), 'Confirmed');
    await shows(ana, `*${before + 1} clones*`);
  });

  test('a job that never ends is looked at and given up from Home, with an answer to each click', async () => {
    await begins();
    const ana = await earth.enters('Ana', 'ana');
    await ana.opensHome();
    const card = await quickClone(earth, ana, 3401, '/mnt/stuck');
    await shows(ana, /shop\* · Running.*<#C0DATABASE>/);
    expect(await pressesAtHome(ana, 'Check now')).toContain('I’m checking now');
    expect(await pressesAtHome(ana, 'Stop checking')).toContain('I stopped checking');
    await shows(ana, /Recent jobs\n.*shop\* · Unconfirmed/);
    await earth.until(() => earth.text(card).includes('Unconfirmed'), 'the message');
  });

  test('a job from Home has one message, even where Slack’s answer to it is lost', async () => {
    await begins();
    const ana = await earth.enters('Ana', 'ana');
    await ana.opensHome();
    await shows(ana, 'billing-3330');
    earth.playground.slack.faults.add({ method: 'chat.postMessage', kind: 'lose-answer' });
    await ana.presses('Stop', atHome);
    const card = await earth.until(() => earth.cards(direct(ana))[0], 'the message');
    expect(await ends(earth, card, 'Confirmed')).toContain('Stop of billing-3330');
    expect(earth.cards(direct(ana))).toHaveLength(1);
  });

  test('Home does not show other people’s jobs', async () => {
    await begins();
    const ana = await earth.enters('Ana', 'ana');
    const ben = await earth.enters('Ben', 'ben');
    await ben.opensHome();
    await shows(ben, 'orders-3320');
    const count = published().length;
    await ends(earth, await quickClone(earth, ana, 3401), 'Confirmed');
    await earth.clock.advance(60_000);
    expect(home(ben)).not.toContain('Virtual clone');
    expect(published()).toHaveLength(count);
  });
});

/** Ana and Dev, each by name. */
const approvers = { ...approvalKeys, APPROVERS: 'U0ANA00001,U0DEV00001' };

describe('an approval', () => {
  test('a request for approval stands in an approver’s Home alone, and is gone from it once it is approved there', async () => {
    await begins({ environment: approvers });
    const [ana, ben, dev] = [
      await earth.enters('Ana', 'ana'),
      await earth.enters('Ben', 'ben'),
      await earth.enters('Dev', 'dev'),
    ];
    for (const someone of [ana, ben, dev]) await someone.opensHome();
    await shows(ben, 'orders-3320');
    const his = publishedFor(ben).length;
    const { own } = await asksToDelete(earth, ana, '/db delete archive_2023', 'archive_2023');
    await shows(dev, /Waits for your approval\n.*asks to \*delete archive_2023\*/);
    await shows(ana, /Under way\n.*Deletion of \*archive_2023\* · Waits for approval/);
    expect(home(ana)).not.toContain('Approve');
    expect(home(ben)).not.toContain('archive_2023');
    // His is drawn anew, since he might be one who approves, and is not sent to Slack once more.
    expect(publishedFor(ben)).toHaveLength(his);
    const before = dev.messages('@dolly').length;
    expect(await pressesAtHome(dev, 'Approve')).toContain('You approved it. It goes on now.');
    expect(await comesToAnEnd(earth, own)).toContain('Confirmed');
    await earth.until(() => !home(dev).includes('Waits for your approval'), 'an end of the wait');
    await shows(ana, /Recent jobs\n.*Deletion of \*archive_2023\* · Confirmed/);
    expect(dev.messages('@dolly')).toHaveLength(before + 1);
  });

  test('a request is denied in an approver’s Home with a reason, and withdrawn in the requester’s Home', async () => {
    await begins({ environment: approvers });
    const [ana, dev] = [await earth.enters('Ana', 'ana'), await earth.enters('Dev', 'dev')];
    await ana.opensHome();
    await dev.opensHome();
    await asksToDelete(earth, ana, '/db user delete frank', 'frank');
    await shows(dev, 'asks to *delete the user frank*');
    const before = dev.messages('@dolly').length;
    await dev.presses('Deny', atHome);
    await dev.fills({ reason: 'He comes back.' });
    await dev.submits();
    const answer = await dev.until(() => dev.messages('@dolly')[before], 'an answer');
    expect(textOf(answer)).toContain('You denied it');
    await shows(ana, /· Denied[\s\S]*He comes back/);
    await asksToDelete(earth, ana, '/db project delete finance', 'finance');
    await shows(ana, /Deletion of \*finance\* · Waits/);
    expect(await pressesAtHome(ana, 'Withdraw')).toContain('Withdrawn');
    await earth.until(() => !home(dev).includes('finance'), 'it to be gone from the approver’s Home');
  });
});

describe('clones', () => {
  test('Home shows clones page by page, and stays on a page while something else changes', async () => {
    await begins();
    crowds(37);
    const ana = await earth.enters('Ana', 'ana');
    await ana.opensHome();
    await shows(ana, /Clones · 1–8 of \d+/);
    await ana.presses('Next', atHome);
    await shows(ana, /Clones · 9–16 of \d+/);
    await earth.clock.advance(120_000);
    await quickClone(earth, ana, 3401);
    await shows(ana, 'Confirmed');
    await shows(ana, /Clones · 9–16 of \d+/);
    await ana.presses('Previous', atHome);
    await shows(ana, /Clones · 1–8 of \d+[\s\S]*shop-3401/);
    const lists = earth.service.service.requests.filter(({ path }) => path.endsWith('/database/list')).length;
    await ana.presses('Next', atHome);
    await shows(ana, /Clones · 9–16/);
    // A page that is turned soon costs the service nothing.
    expect(earth.service.service.requests.filter(({ path }) => path.endsWith('/database/list'))).toHaveLength(lists);
  });

  test('a clone is stopped and shown from Home', async () => {
    await begins();
    const ana = await earth.enters('Ana', 'ana');
    await ana.opensHome();
    await shows(ana, 'billing-3330');
    await ana.presses('Stop', atHome);
    await shows(ana, /Stop of .* · Confirmed/);
    expect(earth.writes().map(({ path }) => path)).toEqual(['/service/database/stop']);
    expect(await pressesAtHome(ana, 'Show')).toContain('MARIADB_CLONE_SERVER-1');
  });

  test('“All databases” in Home sends a list as a direct message, and its pages turn there', async () => {
    await begins();
    crowds(37);
    const ana = await earth.enters('Ana', 'ana');
    await ana.opensHome();
    expect(await pressesAtHome(ana, 'All databases')).toContain('1 to 50 of');
    const list = ana.lastMessage('@dolly');
    await ana.presses('Next', { message: list });
    await ana.until(() => /51 to \d+ of/.test(textOf(ana.lastMessage('@dolly'))), 'the next page');
    expect(ana.lastMessage('@dolly').ts).toBe(list.ts);
  });
});

describe('a service', () => {
  test('Home says under Clones that the service refuses, and asks it again only on demand', async () => {
    await begins();
    const ana = await earth.enters('Ana', 'ana');
    const down = road.meets('/database/list', () => new Response('no', { status: 500 }));
    await ana.opensHome();
    await shows(ana, /Clones\n:warning: I cannot show your clones at the moment/);
    expect(home(ana)).toMatch(/Signed in to .* as \*ana\*/);
    const asked = earth.service.service.requests.length;
    await earth.clock.advance(600_000);
    expect(earth.service.service.requests).toHaveLength(asked);
    down.leave();
    await ana.presses('Refresh', atHome);
    await shows(ana, 'orders-3320');
  });

  test('Home opens at once, with the jobs, although the service hangs', async () => {
    await begins();
    const ana = await earth.enters('Ana', 'ana');
    await opensForm(ana, '#databases', quickLine(3401, '/mnt/stuck'));
    await earth.clock.advance(20_000);
    const held = road.holds('/database/list', 'before');
    expect(await ana.opensHome()).toContain('You have nothing under way');
    await held.arrived;
    expect(home(ana)).toContain('The service has not answered yet');
    await ana.submits();
    await shows(ana, /Under way\n.*shop/);
    held.lets();
    await shows(ana, 'orders-3320');
    expect(home(ana)).not.toContain('has not answered yet');
  });

  test('Home asks for a sign-in once the service no longer accepts the token', async () => {
    await begins();
    const ana = await earth.enters('Ana', 'ana');
    earth.service.service.signOut('ana');
    await ana.opensHome();
    await shows(ana, 'Welcome to Dolly');
  });

  test('Home is not published for a person who last opened it long ago', async () => {
    await begins();
    const ana = await earth.enters('Ana', 'ana');
    await ana.opensHome();
    await shows(ana, 'orders-3320');
    await earth.clock.advance(3_600_000);
    const count = published().length;
    await ends(earth, await quickClone(earth, ana, 3401), 'Confirmed');
    await earth.clock.advance(60_000);
    expect(published()).toHaveLength(count);
    await ana.opensHome();
    await shows(ana, 'shop-3401');
  });
});

describe('when Slack', () => {
  test('Home is left alone for as long as Slack asks to wait, and then shows what is true by then', async () => {
    await begins();
    const ana = await earth.enters('Ana', 'ana');
    await ana.opensHome();
    await shows(ana, 'orders-3320');
    earth.playground.slack.faults.add({ method: 'views.publish', kind: 'rate-limit', retryAfter: 120 });
    const before = published().length;
    await ends(earth, await quickClone(earth, ana, 3401), 'Confirmed');
    await shows(ana, /shop\* · Confirmed/);
    const [refused, next] = published()
      .slice(before)
      .map(({ at }) => at);
    expect((next ?? 0) - (refused ?? 0)).toBeGreaterThanOrEqual(120_000);
  });

  test.each(['error', 'lose-answer'] as const)('Home is published in the end although Slack fails (%s)', async kind => {
    await begins();
    const ana = await earth.enters('Ana', 'ana');
    earth.playground.slack.faults.add({ method: 'views.publish', kind, times: 3 });
    const work = ana.opensHome();
    await shows(ana, 'orders-3320');
    await work;
  });

  test('Home is published at least a second apart where many jobs change at once', async () => {
    await begins();
    const ana = await earth.enters('Ana', 'ana');
    await ana.opensHome();
    await shows(ana, 'orders-3320');
    const before = published().length;
    for (const port of [3401, 3402, 3403, 3404]) await quickClone(earth, ana, port);
    await earth.until(() => home(ana).match(/shop\* · Confirmed/g)?.length === 4, 'the four ends');
    const times = published()
      .slice(before)
      .map(({ at }) => at);
    const gaps = times.slice(1).map((at, index) => at - (times[index] ?? 0));
    expect(times.length).toBeGreaterThan(1);
    // The clock is turned while one of them is on its way, which then arrives later than it was sent.
    for (const gap of gaps) expect(gap).toBeGreaterThanOrEqual(1_000);
  });
});

test('an open Home is up to date after a restart, and is not published again where nothing changed', async () => {
  await begins();
  const ana = await earth.enters('Ana', 'ana');
  await ana.opensHome();
  await shows(ana, 'orders-3320');
  const card = await asks(earth, ana, '/db stop orders-3320');
  await shows(ana, /orders-3320\* · (Running|Confirmed)/);
  await earth.restart();
  await comesToAnEnd(earth, card);
  await shows(ana, /Recent jobs\n.*orders-3320\* · Confirmed/);
  await shows(ana, /orders-3320[\s\S]*STOPPED/);
  await earth.clock.advance(10_000);
  const count = published().length;
  await earth.restart();
  await earth.clock.advance(60_000);
  expect(published()).toHaveLength(count);
});

test('a guest’s Home says that guests cannot use Dolly', async () => {
  await begins();
  const gus = await earth.enters('Gus');
  expect(await gus.opensHome()).toContain('Guests of this workspace cannot use me');
  expect(home(gus)).not.toContain('Sign in');
  expect(home(gus)).not.toContain('http');
});

test('opening the Messages tab publishes no Home', async () => {
  await begins();
  const ana = await earth.enters('Ana', 'ana');
  await fetch(`${earth.playground.url}/play/dm`, { method: 'POST', body: JSON.stringify({ as: ana.id }) });
  await ana.types('#dev', '/db jobs');
  await ana.reads('#dev', 'You have no jobs yet');
  await earth.clock.advance(10_000);
  expect(published()).toEqual([]);
});
