import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Someone, textOf } from '../person.ts';
import { type World, world } from '../world.ts';
import { answerAfter, answerTo } from './asking.ts';
import { ends, opensForm, quickClone, quickLine, refusedClone } from './clones.ts';

let earth: World;
let ana: Someone;

beforeAll(async () => {
  earth = await world();
  ana = await earth.enters('Ana', 'ana');
});
afterAll(() => earth.close());

const asks = (line: string, someone = ana) => answerTo(someone, line);
const told = async (line: string) => textOf(await asks(line));

describe('/db list', () => {
  test('shows all databases in a table', async () => {
    const text = await told('/db list');
    expect(text).toContain('21 databases');
    for (const name of ['archive_2023', 'warehouse']) expect(text).toContain(name);
    expect(text).not.toContain('Next');
  });

  test.each([
    ['a name', '/db list orders', ['orders', 'orders-3320', 'orders-3321'], ['payroll']],
    ['a vendor', '/db list mariadb', ['billing', 'helpdesk'], ['orders']],
    ['a state', '/db list stopped', ['WHDEV', 'orders-3321'], ['orders-3320']],
    ['an environment', '/db list mysql-prod', ['orders', 'shop'], ['loadtest']],
    ['several words at once', '/db list orders dev', ['orders-3320'], ['orders-3321']],
    ['an identifier', '/db list ORACLE_LIVE_DATABASE-1', ['payroll'], ['orders']],
  ])('limits the list to %s', async (_what, line, shown, hidden) => {
    const text = await told(line);
    for (const name of shown) expect(text).toContain(name);
    for (const name of hidden) expect(text).not.toContain(name);
  });

  test('says so where nothing fits', async () => {
    expect(await told('/db list xyzzy')).toMatch(/No databases.*xyzzy/);
  });

  test('leads from a live database to its clone form', async () => {
    const list = await asks('/db list payroll');
    await ana.presses('Clone', { message: list });
    await ana.until(() => JSON.stringify(ana.sees().views).includes('ORACLE_LIVE_DATABASE-1'), 'the form');
    await ana.cancels();
  });
});

describe('/db show', () => {
  test.each(['/db show orders', '/db show ORDERS', '/db show MYSQL_LIVE_SERVER-1', '/db show mysql_live_server-1'])(
    'shows a record by name or identifier, in any case: %s',
    async line => {
      const text = await told(line);
      for (const fact of ['orders', 'MYSQL_LIVE_SERVER-1', 'RUNNING', 'mysql-prod', '3306', 'MYSQL_SNAPSHOT-4'])
        expect(text).toContain(fact);
    },
  );

  test('shows a clone with its source, also by a name that looks like an identifier', async () => {
    const text = await told('/db show orders-3320');
    for (const fact of ['MYSQL_CLONE_SERVER-1', 'orders', 'dev', '3320']) expect(text).toContain(fact);
  });

  test.each([
    '/db show `orders-3320`',
    '/db `show orders-3320`',
    '/db show orders\u20113320',
    '/db show *orders-3320\u200b*',
    '/db \u2060show "orders\u20133320"',
    '@dolly show `orders\u20113320`',
  ])('shows a record whose name was copied with what a phone or a page puts around it: %j', async line => {
    expect(await told(line)).toContain('MYSQL_CLONE_SERVER-1');
  });

  test('shows the record of two whose name was spelt so', async () => {
    earth.service.service.rename('MARIADB_LIVE_SERVER-1', 'Orders');
    await earth.clock.advance(20_000);
    expect(await told('/db show Orders')).toContain('MARIADB_LIVE_SERVER-1');
    expect(await told('/db show orders')).toContain('MYSQL_LIVE_SERVER-1');
    expect(await told('/db show ORDERS')).toContain('2 records are called');
    earth.service.service.rename('MARIADB_LIVE_SERVER-1', 'billing');
    await earth.clock.advance(20_000);
  });

  test('offers what may be meant where nothing has the name, and shows it on a click', async () => {
    const answer = await asks('/db show odrers');
    expect(textOf(answer)).toContain('Did you mean');
    const press = () => ana.presses('orders', { message: answer });
    expect(textOf(await answerAfter(ana, '#databases', press, 'the record'))).toContain('MYSQL_SNAPSHOT-4');
  });

  test('lets a person choose where several have the name', async () => {
    earth.service.service.rename('MARIADB_LIVE_SERVER-1', 'orders');
    await earth.clock.advance(20_000);
    const answer = await asks('/db show orders');
    expect(textOf(answer)).toContain('Which one?');
    const press = () => ana.presses('MARIADB_LIVE_SERVER-1', { message: answer });
    expect(textOf(await answerAfter(ana, '#databases', press, 'the record'))).toContain('MARIADB_SNAPSHOT-4');
    earth.service.service.rename('MARIADB_LIVE_SERVER-1', 'billing');
    await earth.clock.advance(20_000);
  });

  test('says so where the service has no such record', async () => {
    expect(await told('/db show MYSQL_LIVE_SERVER-4711')).toMatch(/does not know/);
  });

  test('refuses an identifier of something else, and says what it needs', async () => {
    expect(await told('/db show PROJECT-1')).toMatch(/PROJECT-1 is a project.*live database/);
  });

  test('without a name says what is missing', async () => {
    expect(await told('/db show')).toContain('/db show <name or identifier>'.replace('<', '&lt;').replace('>', '&gt;'));
  });

  test('finds a quoted name with blanks', async () => {
    earth.service.service.rename('MARIADB_LIVE_SERVER-3', 'help desk');
    await earth.clock.advance(20_000);
    expect(await told('/db show "help desk"')).toContain('MARIADB_LIVE_SERVER-3');
    expect(await told('/db show help desk')).toContain('MARIADB_LIVE_SERVER-3');
    earth.service.service.rename('MARIADB_LIVE_SERVER-3', 'helpdesk');
    await earth.clock.advance(20_000);
  });
});

describe('/db jobs', () => {
  test('says so where there are none', async () => {
    const chi = await earth.enters('Chi', 'chi');
    expect(textOf(await asks('/db jobs', chi))).toContain('no jobs');
  });

  test('shows a person’s own latest jobs with how they stand', async () => {
    const good = await quickClone(earth, ana, 3401);
    await ends(earth, good, 'Confirmed');
    await refusedClone(earth, ana, quickLine(3402, '/mnt/refuse'));
    const text = await told('/db jobs');
    expect(text).toMatch(/Failed[\s\S]*Confirmed/);
    expect(text).toContain('shop');
    const linked = `${earth.playground.url}/archives/${good.channel}/p${good.ts.replace('.', '')}`;
    expect(JSON.stringify(ana.lastMessage('#databases').blocks)).toContain(JSON.stringify(linked));
    const ben = await earth.enters('Ben', 'ben');
    expect(textOf(await asks('/db jobs', ben))).toContain('no jobs');
  });
});

describe('/db whoami, login and logout', () => {
  test('say who a person is for the service, let them in, and forget them', async () => {
    const dev = await earth.enters('Dev');
    expect(textOf(await asks('/db whoami', dev))).toContain('not signed in');
    expect(textOf(await asks('/db logout', dev))).toContain('not signed in');
    await earth.signsIn(dev, '#databases', 'dev');
    expect(textOf(await asks('/db whoami', dev))).toMatch(/dev.*accepts it/);
    const again = textOf(await asks('/db login', dev));
    expect(again).toMatch(/already signed in, as dev[\s\S]*Sign in to the service/);
    await earth.signsIn(dev, '#databases', 'ana');
    expect(textOf(await asks('/db whoami', dev))).toMatch(/ana.*accepts it/);
    expect(textOf(await asks('/db logout', dev))).toContain('signed out');
    expect(textOf(await asks('/db list', dev))).toContain('Sign in');
  });

  test('notice a token that the service refuses', async () => {
    const eve = await earth.enters('Eve', 'eve');
    earth.service.service.signOut('eve');
    expect(textOf(await asks('/db whoami', eve))).toContain('no longer valid');
  });
});

describe('/db help', () => {
  test('lists every command where all are asked for; without a word, six and the subjects', async () => {
    const all = await told('/db help all');
    for (const word of ['/db list', '/db show', '/clone', '/db login', '/db logout', '/db whoami', '/db jobs'])
      expect(all).toContain(word);
    const first = await told('/db');
    expect(first).toContain('All the rest, by subject');
    expect(first).not.toContain('/db logout');
    expect(await told('/db help')).toMatch(/\*Databases\*: list, show, .*[\s\S]*\*You and Dolly\*: login, logout,/);
  });

  test('is limited by words', async () => {
    const text = await told('/db help clone');
    expect(text).toContain('/clone');
    expect(text).not.toContain('/db logout');
    expect(text).toMatch(/`mountBase=`.*Mount base/);
    expect(text).toMatch(/`port=`.*MySQL and MariaDB/);
    expect(text).not.toContain('`sourceDatabase=`');
    expect(await told('/db help xyzzy')).toContain('/db help');
  });
});

test('/db doctor checks the set-up, and tells from where each fact of the records was read', async () => {
  await ana.types('#databases', '/db doctor');
  const report = textOf(await ana.reads('#databases', '*The set-up*'));
  for (const check of [
    'Slack: I am dolly',
    'Channel: I can write',
    'Clock: it agrees',
    'Store: it answers',
    'Policy: no rules of its own',
    'Service account: none.',
  ]) {
    expect(report).toContain(check);
  }
  // The page's address of this world leads nowhere.
  expect(report).toContain('Sign-in page: http://dolly.invalid cannot be reached');
  expect(report).toContain('from `sourceDatabase`');
  expect(report).toContain('`STOPPED` is stopped');
  for (const kind of ['Live databases and clones', 'Environments', 'Projects', 'Users']) expect(report).toContain(kind);
});

test('/db doctor says where it cannot write, and offers a sign-in to who has none', async () => {
  await ana.types('#random', '/db doctor');
  expect(textOf(await ana.reads('#random', '*The set-up*'))).toContain('Channel: I am not in this channel');
  const eve = await earth.enters('Eve');
  await eve.types('#databases', '/db doctor');
  await eve.reads('#databases', 'Sign in to the service');
});

test('a command that only the installed manifest has is answered with those that there are', async () => {
  await earth.restart({ SLACK_COMMANDS: '/dba,/clone,/restore' });
  expect(await told('/db list')).toContain(
    'I do not know the command `/db` here. My commands are `/dba`, `/clone`, `/restore`.',
  );
  await earth.restart({ SLACK_COMMANDS: '/db,/clone,/restore' });
});

test('nobody else sees what a command answers', async () => {
  const ben = await earth.enters('Ben');
  await asks('/db list orders');
  await ben.until(() => ben.messages('#databases').length > 0, 'the channel');
  expect(ben.messages('#databases').every(({ onlyFor }) => onlyFor === undefined || onlyFor === ben.id)).toBe(true);
});

describe('a list that was read a moment ago', () => {
  test('keeps nobody from what came since: it is read anew before a name is said to stand for nothing', async () => {
    await told('/db list');
    await earth.clock.advance(100);
    earth.service.service.rename('MYSQL_LIVE_SERVER-1', 'born_since');
    expect(await told('/db show born_since')).toContain('MYSQL_LIVE_SERVER-1');
    await told('/db list');
    await earth.clock.advance(100);
    earth.service.service.rename('MYSQL_LIVE_SERVER-1', 'orders');
    await opensForm(ana, '#databases', '/clone orders');
    expect((await ana.modal()).text).not.toContain('Nothing is called');
    await ana.cancels();
  });

  test('does not show what a job of the same person has changed since', async () => {
    const card = await quickClone(earth, ana, 3391);
    await told('/db list shop-3391');
    await ends(earth, card, 'Confirmed');
    expect(await told('/db list shop-3391')).toContain('RUNNING');
  });
});
