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
  test('“/db list” shows all databases', async () => {
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
  ])('“/db list” is limited by %s', async (_what, line, shown, hidden) => {
    const text = await told(line);
    for (const name of shown) expect(text).toContain(name);
    for (const name of hidden) expect(text).not.toContain(name);
  });

  test('“/db list” says so where no database fits the words', async () => {
    expect(await told('/db list xyzzy')).toMatch(/No databases.*xyzzy/);
  });

  test('a button of “/db list” leads from a live database to its clone form', async () => {
    const list = await asks('/db list payroll');
    await ana.presses('Clone', { message: list });
    await ana.until(() => JSON.stringify(ana.sees().views).includes('ORACLE_LIVE_DATABASE-1'), 'the form');
    await ana.cancels();
  });
});

describe('/db show', () => {
  test.each(['/db show orders', '/db show ORDERS', '/db show MYSQL_LIVE_SERVER-1', '/db show mysql_live_server-1'])(
    'a record is shown by its name or its identifier, in any case (%s)',
    async line => {
      const text = await told(line);
      for (const fact of ['orders', 'MYSQL_LIVE_SERVER-1', 'RUNNING', 'mysql-prod', '3306', 'MYSQL_SNAPSHOT-4'])
        expect(text).toContain(fact);
    },
  );

  test('“/db show” shows a clone with its source, also by a name that looks like an identifier', async () => {
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
  ])('a record is shown by a name that was copied with marks or odd characters around it: %j', async line => {
    expect(await told(line)).toContain('MYSQL_CLONE_SERVER-1');
  });

  test('“/db show” tells two records apart whose names differ only in capital letters', async () => {
    earth.service.service.rename('MARIADB_LIVE_SERVER-1', 'Orders');
    await earth.clock.advance(20_000);
    expect(await told('/db show Orders')).toContain('MARIADB_LIVE_SERVER-1');
    expect(await told('/db show orders')).toContain('MYSQL_LIVE_SERVER-1');
    expect(await told('/db show ORDERS')).toContain('2 records are called');
    earth.service.service.rename('MARIADB_LIVE_SERVER-1', 'billing');
    await earth.clock.advance(20_000);
  });

  test('“/db show” of an unknown name offers the record that may be meant, and a click shows it', async () => {
    const answer = await asks('/db show odrers');
    expect(textOf(answer)).toContain('Did you mean');
    const press = () => ana.presses('orders', { message: answer });
    expect(textOf(await answerAfter(ana, '#databases', press, 'the record'))).toContain('MYSQL_SNAPSHOT-4');
  });

  test('“/db show” lets a person choose where several records have the name', async () => {
    earth.service.service.rename('MARIADB_LIVE_SERVER-1', 'orders');
    await earth.clock.advance(20_000);
    const answer = await asks('/db show orders');
    expect(textOf(answer)).toContain('Which one?');
    const press = () => ana.presses('MARIADB_LIVE_SERVER-1', { message: answer });
    expect(textOf(await answerAfter(ana, '#databases', press, 'the record'))).toContain('MARIADB_SNAPSHOT-4');
    earth.service.service.rename('MARIADB_LIVE_SERVER-1', 'billing');
    await earth.clock.advance(20_000);
  });

  test('“/db show” says so where the service does not know the identifier', async () => {
    expect(await told('/db show MYSQL_LIVE_SERVER-4711')).toMatch(/does not know/);
  });

  test('“/db show” refuses an identifier of another kind of record, and says which kind it needs', async () => {
    expect(await told('/db show PROJECT-1')).toMatch(/PROJECT-1 is a project.*live database/);
  });

  test('“/db show” without a name says what is missing', async () => {
    expect(await told('/db show')).toContain('/db show <name or identifier>'.replace('<', '&lt;').replace('>', '&gt;'));
  });

  test('“/db show” finds a name with blanks, with and without quotes', async () => {
    earth.service.service.rename('MARIADB_LIVE_SERVER-3', 'help desk');
    await earth.clock.advance(20_000);
    expect(await told('/db show "help desk"')).toContain('MARIADB_LIVE_SERVER-3');
    expect(await told('/db show help desk')).toContain('MARIADB_LIVE_SERVER-3');
    earth.service.service.rename('MARIADB_LIVE_SERVER-3', 'helpdesk');
    await earth.clock.advance(20_000);
  });
});

describe('/db jobs', () => {
  test('“/db jobs” says so where a person has no jobs', async () => {
    const chi = await earth.enters('Chi', 'chi');
    expect(textOf(await asks('/db jobs', chi))).toContain('no jobs');
  });

  test('“/db jobs” shows a person their own jobs only, with how each stands', async () => {
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
  test('“/db whoami” names a person’s user of the service, also after a second sign-in, and none after “/db logout”', async () => {
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

  test('“/db whoami” says so where the service no longer accepts the token', async () => {
    const eve = await earth.enters('Eve', 'eve');
    earth.service.service.signOut('eve');
    expect(textOf(await asks('/db whoami', eve))).toContain('no longer valid');
  });
});

describe('/db help', () => {
  test('“/db help all” lists every command, and “/db” just some of them and the subjects', async () => {
    const all = await told('/db help all');
    for (const word of ['/db list', '/db show', '/clone', '/db login', '/db logout', '/db whoami', '/db jobs'])
      expect(all).toContain(word);
    const first = await told('/db');
    expect(first).toContain('All the rest, by subject');
    expect(first).not.toContain('/db logout');
    expect(await told('/db help')).toMatch(/\*Databases\*: list, show, .*[\s\S]*\*You and Dolly\*: login, logout,/);
  });

  test('“/db help clone” lists the commands that fit the word, with their fields', async () => {
    const text = await told('/db help clone');
    expect(text).toContain('/clone');
    expect(text).not.toContain('/db logout');
    expect(text).toMatch(/`mountBase=`.*Mount base/);
    expect(text).toMatch(/`port=`.*MySQL and MariaDB/);
    expect(text).not.toContain('`sourceDatabase=`');
    expect(await told('/db help xyzzy')).toContain('/db help');
  });
});

test('“/db doctor” checks the set-up, and tells from which fields it reads the records', async () => {
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

test('“/db doctor” says where Dolly cannot write, and offers a sign-in to a person who has none', async () => {
  await ana.types('#random', '/db doctor');
  expect(textOf(await ana.reads('#random', '*The set-up*'))).toContain('Channel: I am not in this channel');
  const eve = await earth.enters('Eve');
  await eve.types('#databases', '/db doctor');
  await eve.reads('#databases', 'Sign in to the service');
});

test('a command that Dolly does not have here is answered with the commands that it has', async () => {
  await earth.restart({ SLACK_COMMANDS: '/dba,/clone,/restore' });
  expect(await told('/db list')).toContain(
    'I do not know the command `/db` here. My commands are `/dba`, `/clone`, `/restore`.',
  );
  await earth.restart({ SLACK_COMMANDS: '/db,/clone,/restore' });
});

test('only the person who typed a command sees its answer', async () => {
  const ben = await earth.enters('Ben');
  await asks('/db list orders');
  await ben.until(() => ben.messages('#databases').length > 0, 'the channel');
  expect(ben.messages('#databases').every(({ onlyFor }) => onlyFor === undefined || onlyFor === ben.id)).toBe(true);
});

describe('a list that was read a moment ago', () => {
  test('the list of databases is read anew before Dolly says that nothing has a name', async () => {
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

  test('a list shows what a job of the same person has changed since it was last read', async () => {
    const card = await quickClone(earth, ana, 3391);
    await told('/db list shop-3391');
    await ends(earth, card, 'Confirmed');
    expect(await told('/db list shop-3391')).toContain('RUNNING');
  });
});
