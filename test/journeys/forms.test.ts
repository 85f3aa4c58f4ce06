import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { elementsOf, optionsOf } from '../../src/sandbox/playground/elements.ts';
import { recordsOf } from '../../src/sandbox/playground/json.ts';
import type { Message } from '../../src/sandbox/playground/protocol.ts';
import { type Someone, textOf } from '../person.ts';
import { type World, world } from '../world.ts';
import { answerTo, approves, asks, comesToAnEnd, confirms } from './asking.ts';
import { opensForm, refusalsOf } from './clones.ts';
import { type Crossing, crossing } from './crossing.ts';

let earth: World;
let road: Crossing;
let ana: Someone;

beforeAll(async () => {
  road = crossing();
  earth = await world({ service: { middleware: road.middleware } });
  ana = await earth.enters('Ana', 'ana');
  earth.approver = await earth.enters('Dev', 'dev');
});
afterEach(async () => {
  if (ana.hasModal()) await ana.cancels(true);
});
afterAll(() => earth.close());

/** What Slack itself says at a required field that is empty. */
const slackAsks = 'Please complete this required field.';

const topView = () => JSON.stringify(ana.sees().views.at(-1)?.view);

/** The names of the fields that the open form has now. */
async function fieldNames(): Promise<string[]> {
  const { fields } = await ana.modal();
  return Object.keys(fields).map(name => name.replace(/:.*/, ''));
}

/** Chooses in a form, and waits until it has, or has no longer, the fields that this decides on. */
async function chooses(fields: Record<string, string>, has: readonly string[], hasNot: readonly string[] = []) {
  await ana.fills(fields);
  const isThere = (name: string) => topView().includes(`"block_id":"${name}`);
  const isRedrawn = () => has.every(isThere) && !hasNot.some(isThere);
  await ana.until(isRedrawn, `the fields ${has} without ${hasNot}`);
}

/** Submits the form, and gives its last page. */
async function goesOn() {
  const before = (await ana.modal()).id;
  expect(await ana.submits()).toMatchObject({ errors: {}, error: '', open: true });
  await ana.until(() => ana.sees().views.at(-1)?.id !== before, 'the last page');
  return ana.modal();
}

const answered = (line: string) => answerTo(ana, line, '#dev');

/** Everything that a message offers to be done: its buttons, and the entries of its menus. */
function offersOf({ blocks }: Message): string[] {
  const elements = recordsOf(blocks).flatMap(block => elementsOf(block).map(({ element }) => element));
  return elements.flatMap(element =>
    element.type === 'overflow' ? optionsOf(element).map(option => textOf(option.text)) : [textOf(element.text)],
  );
}

/** Gives a record another name, and lets the time go by in which the old one is remembered. */
async function renames(id: string, name: string): Promise<void> {
  earth.service.service.rename(id, name);
  await earth.clock.advance(20_000);
}

describe('the form of a restore', () => {
  test('the restore form asks for the database, then for a scope of its vendor, then for what that scope takes', async () => {
    await opensForm(ana, '#databases', '/restore');
    expect(await fieldNames()).toEqual(['database']);

    await chooses({ database: 'orders' }, ['objectType']);
    expect(await ana.choices('objectType', '')).toEqual(['The whole server', 'One database', 'One table']);
    expect(await fieldNames()).toEqual(['database', 'find', 'objectType', 'snapshot', 'backUpFirst']);

    await chooses({ objectType: 'One table' }, ['databaseName', 'tableName']);
    await chooses({ objectType: 'One database' }, ['databaseName'], ['tableName']);
    await chooses({ objectType: 'The whole server' }, [], ['databaseName', 'tableName']);

    await chooses({ database: 'warehouse' }, ['objectType:2']);
    expect(await ana.choices('objectType', '')).toEqual([
      'The whole database',
      'A pluggable database',
      'A tablespace',
      'A data file',
    ]);
    for (const [scope, fields] of [
      ['A pluggable database', ['pdb']],
      ['A tablespace', ['tablespaceName', 'pdb']],
      ['A data file', ['datafileName', 'pdb']],
      ['The whole database', []],
    ] as const) {
      await chooses({ objectType: scope }, fields);
      const names = await fieldNames();
      const own = names.filter(name => /pdb|Name$/.test(name));
      expect([scope, own]).toEqual([scope, fields]);
      expect(names.slice(-2)).toEqual(['snapshot', 'backUpFirst']);
    }
  });

  test('the restore form’s picker finds a part by its name, and fills in the fields that name it', async () => {
    await opensForm(ana, '#databases', '/restore warehouse');
    const filled = async () => JSON.stringify((await ana.modal()).fields);
    const finds = async (words: string, expected: RegExp) => {
      await ana.fills({ find: words });
      await ana.until(async () => expected.test(await filled()), `${words} to be filled in`);
    };
    expect((await ana.choices('find', 'stock')).join()).toContain('STOCK_DATA');
    await finds('STOCK_DATA', /ORACLE_TABLESPACE_RECOVERY_PARAMS.*"STOCK_DATA"/);
    await ana.cancels();
    await opensForm(ana, '#databases', '/restore orders');
    expect(await ana.choices('find', 'orders.customers')).toEqual(['orders.customers']);
    await finds('orders.customers', /MYSQL_TABLE_RECOVERY_PARAMS.*"orders".*"customers"/);
    await finds('orders', /MYSQL_DATABASE_RECOVERY_PARAMS/);
    expect(await filled()).not.toContain('customers');
    await ana.cancels();
  });

  test('the restore form offers the chosen database’s snapshots only, and empties what no longer applies', async () => {
    await opensForm(ana, '#databases', '/restore orders');
    const [latest = ''] = await ana.choices('snapshot', '');
    expect(latest).toContain('orders-2026-11-21');
    await ana.fills({ objectType: 'One database', databaseName: 'orders', snapshot: latest });
    await chooses({ database: 'billing' }, [], ['databaseName']);
    const { fields } = await ana.modal();
    expect(JSON.stringify(fields)).not.toMatch(/MYSQL_SNAPSHOT|MYSQL_DATABASE/);
    expect((await ana.choices('snapshot', '')).every(choice => choice.startsWith('billing-'))).toBe(true);
  });

  test('the restore form names the fields that are missing or wrong, and sends nothing', async () => {
    const before = earth.writes().length;
    await opensForm(ana, '#databases', '/restore payroll');
    expect((await ana.submits()).errors).toEqual({ objectType: slackAsks });
    await chooses({ objectType: 'A data file' }, ['datafileName']);
    expect((await ana.submits()).errors).toEqual({ datafileName: slackAsks });
    await ana.fills({ datafileName: '0' });
    expect((await ana.submits()).errors).toEqual({ datafileName: 'Type a whole number of at least 1.' });
    expect(earth.writes()).toHaveLength(before);
  });

  test.each([
    [
      'the latest snapshot where none is chosen',
      '/restore orders backUpFirst=false',
      { objectType: 'The whole server' },
      'The whole server of orders will be replaced with the latest snapshot.',
    ],
    [
      'the snapshot that was the latest before the backup',
      '/restore orders',
      { objectType: 'The whole server' },
      'The whole server of orders will be replaced with orders-2026-11-21T02:00 (MYSQL_SNAPSHOT-4).',
    ],
    [
      'the snapshot by its name',
      '/restore orders MYSQL_SNAPSHOT-3',
      { objectType: 'One table', databaseName: 'orders', tableName: 'lines' },
      'Table orders.lines of orders will be replaced with orders-2026-11-20T02:00 (MYSQL_SNAPSHOT-3).',
    ],
    [
      'a part of Oracle',
      '/restore warehouse backUpFirst=false',
      { objectType: 'A tablespace', tablespaceName: 'STOCK_DATA', pdb: 'STOCK' },
      'Tablespace STOCK_DATA of STOCK of warehouse will be replaced with the latest snapshot.',
    ],
  ])('the restore form says on its last page what is overwritten (%s)', async (_, line, fields, says) => {
    const before = earth.writes().length;
    await opensForm(ana, '#databases', line);
    await ana.fills(fields);
    const page = await goesOn();
    expect(page.text).toContain(says);
    const isAfterBackup = page.text.includes('1. Backup of');
    expect(page.text).toMatch(
      isAfterBackup
        ? 'The backup made first keeps everything up to its own moment.'
        : /Up to [\w ]+ of changes, and all later ones, will be lost\*: the latest snapshot is <!date[^|]*\^of /,
    );
    expect(page.text.includes('will be lost')).toBe(!isAfterBackup);
    // The records show what hangs on each, and the chosen snapshot of orders is not the latest.
    expect(page.text).toMatch(/clones? depends? on it: /);
    expect(page.text.includes('newer than it: orders-2026-11-21T02:00')).toBe(line.includes('SNAPSHOT-3'));
    expect(earth.writes()).toHaveLength(before);
  });

  test('the restore form is filled in by words, and takes a scope’s label as that of the vendor', async () => {
    await opensForm(ana, '#databases', '/restore billing objectType="One table" databaseName=ledger tableName=entries');
    const { fields } = await ana.modal();
    expect(JSON.stringify(fields)).toContain('MARIADB_TABLE_RECOVERY_PARAMS');
    for (const name of ['databaseName', 'tableName']) expect(Object.keys(fields)).toContain(name);
  });

  test('the restore form’s box for a backup first is ticked, and stays empty once the person emptied it', async () => {
    await opensForm(ana, '#databases', '/restore orders');
    expect(JSON.stringify((await ana.modal()).fields.backUpFirst)).toContain('"true"');
    await ana.fills({ backUpFirst: null, snapshot: null });
    await chooses({ objectType: 'One database' }, ['databaseName']);
    const { backUpFirst, snapshot } = (await ana.modal()).fields;
    expect(JSON.stringify([backUpFirst, snapshot])).not.toMatch(/"true"|SNAPSHOT/);
    await ana.cancels();
  });

  test('the restore form refuses another name than the target’s at the field, and sends nothing', async () => {
    const before = earth.writes().length;
    await opensForm(ana, '#databases', '/restore orders');
    await ana.fills({ objectType: 'The whole server' });
    await goesOn();
    for (const name of ['order', 'ORDERS', 'billing']) {
      await ana.fills({ confirm: name });
      expect(await ana.submits()).toEqual({
        errors: { confirm: 'Type orders exactly as shown here, or MYSQL_LIVE_SERVER-1.' },
        error: '',
        open: true,
      });
    }
    await ana.cancels();
    expect((await ana.modal()).text).toContain('What to restore');
    await ana.cancels();
    expect(earth.writes()).toHaveLength(before);
    expect(earth.cards('#databases')).toEqual([]);
  });

  test('the restore form takes the target’s identifier for its name', async () => {
    const cards = earth.cards('#dev').length;
    await opensForm(ana, '#dev', '/restore shop backUpFirst=false');
    await ana.fills({ objectType: 'The whole server' });
    await goesOn();
    await confirms(ana, 'MYSQL_LIVE_SERVER-2');
    const card = await earth.until(() => earth.cards('#dev')[cards], 'the message');
    const told = await comesToAnEnd(earth, card);
    expect(told).toContain('Confirmed');
    expect(told).toMatch(/Up to [\w ]+ of changes are lost\*: the latest snapshot was <!date/);
    expect(earth.replies(card)[0]?.text).toMatch(/\*Restored shop\*[^\n]* of changes are lost\*/);
  });
});

describe('the last page of a deletion', () => {
  test.each([
    [
      '/db delete helpdesk',
      /\*Delete helpdesk\*: live database on [\s\S]*This cannot be undone. Its snapshots are deleted with it./,
      'helpdesk',
      'MARIADB_LIVE_SERVER-3',
    ],
    [
      '/db env delete retired',
      /\*Delete the environment retired\*: environment[\s\S]*This cannot be undone./,
      'retired',
      'HOST_ENVIRONMENT-7',
    ],
    ['/db user delete frank', /\*Delete the user frank\*: user[\s\S]*This cannot be undone./, 'frank', 'USER-7'],
    [
      '/db project delete finance',
      /\*Delete the project finance\*: project[\s\S]*This cannot be undone./,
      'finance',
      'PROJECT-2',
    ],
    [
      '/db snapshot delete MYSQL_SNAPSHOT-1',
      /\*Delete the snapshot orders-2026-11-18T02:00\*: snapshot of orders[\s\S]*This cannot be undone./,
      'orders-2026-11-18T02:00',
      'MYSQL_SNAPSHOT-1',
    ],
  ])(
    'a deletion’s last page opens at once where the target is named, and wants its name and a reason (%s)',
    async (line, says, name, id) => {
      const before = earth.writes().length;
      await opensForm(ana, '#databases', line);
      expect((await ana.modal()).text).toMatch(says);
      expect((await ana.submits()).errors).toEqual({ confirm: slackAsks, reason: slackAsks });
      await ana.fills({ confirm: `${name}x`, reason: '  ' });
      expect((await ana.submits()).errors).toEqual({
        confirm: `Type ${name} exactly as shown here, or ${id}.`,
        reason: 'Say why, for the approvers.',
      });
      expect(earth.writes()).toHaveLength(before);
    },
  );
});

test('a last page takes a plain hyphen for the odd one in a database’s name', async () => {
  earth.service.service.rename('MARIADB_LIVE_SERVER-5', 'ledger\u2011eu');
  await earth.clock.advance(20_000);
  await opensForm(ana, '#databases', '/db delete ledger-eu');
  await ana.fills({ confirm: 'ledger-eu', reason: '  ' });
  expect(Object.keys((await ana.submits()).errors)).toEqual(['reason']);
  await ana.cancels(true);
  earth.service.service.rename('MARIADB_LIVE_SERVER-5', 'archive_2023');
  await earth.clock.advance(20_000);
});

describe('what makes no sense is refused with the reason, and nothing is sent:', () => {
  test.each([
    ['/db stop orders', 'orders (MYSQL_LIVE_SERVER-1) is a live database; this needs a clone.'],
    ['/db stop MYSQL_LIVE_SERVER-1', 'MYSQL_LIVE_SERVER-1 is a live database; this needs a clone.'],
    ['/db start payroll', 'payroll (ORACLE_LIVE_DATABASE-1) is a live database; this needs a clone.'],
    ['/db backup orders-3320', 'orders-3320 (MYSQL_CLONE_SERVER-1) is a clone; this needs a live database.'],
    ['/db backup-logs PAYDEV', 'PAYDEV (ORACLE_CLONE_DATABASE-1) is a clone; this needs a live database.'],
    ['/db enable PAYDEV', 'PAYDEV (ORACLE_CLONE_DATABASE-1) is a clone; this needs a live database.'],
    ['/db refresh HOST_ENVIRONMENT-1', 'HOST_ENVIRONMENT-1 is an environment; this needs a live database or a clone.'],
    ['/db env refresh PROJECT-1', 'PROJECT-1 is a project; this needs an environment.'],
    ['/db env enable orders', 'Nothing is called `orders`.'],
  ])(
    'a request for a record of the wrong kind is refused with the reason, and nothing is sent (%s)',
    async (line, reason) => {
      const before = earth.writes().length;
      expect(textOf(await answered(line))).toContain(reason);
      expect(earth.writes()).toHaveLength(before);
      expect(ana.hasModal()).toBe(false);
    },
  );

  test.each([
    ['/db disable PAYDEV', 'PAYDEV (ORACLE_CLONE_DATABASE-1) is a clone; this needs a live database.'],
    ['/db reset orders', 'orders (MYSQL_LIVE_SERVER-1) is a live database; this needs a clone.'],
    ['/db share orders', 'orders (MYSQL_LIVE_SERVER-1) is a live database; this needs a clone.'],
    ['/db convert shop', 'shop (MYSQL_LIVE_SERVER-2) is a live database; this needs a clone.'],
    ['/db mount orders-3320', 'orders-3320 (MYSQL_CLONE_SERVER-1) is a clone; this needs a live database.'],
    ['/clone orders-3320', 'orders-3320 (MYSQL_CLONE_SERVER-1) is a clone; this needs a live database.'],
    ['/restore orders-3320', 'orders-3320 (MYSQL_CLONE_SERVER-1) is a clone; this needs a live database.'],
    ['/db user delete PROJECT-1', 'PROJECT-1 is a project; this needs a user.'],
  ])(
    'a form that was opened for a record of the wrong kind says why and asks for another one (%s)',
    async (line, reason) => {
      await opensForm(ana, '#databases', line);
      const { text, fields } = await ana.modal();
      expect(text).toContain(reason);
      expect(JSON.stringify(fields)).not.toMatch(/selected_option":\{"text.*(SERVER|DATABASE|PROJECT)-/);
      const { errors } = await ana.submits();
      expect(Object.values(errors)).toContain(slackAsks);
    },
  );

  test.each([
    ['/clone orders databaseName=QA rmanChannel=4', ['databaseName', 'rmanChannel'], 'not used for MySQL'],
    ['/clone payroll port=3310', ['port'], 'not used for Oracle'],
    ['/db convert orders-3320 dbFileNameConvert=/data/x', ['dbFileNameConvert'], 'not used for MySQL'],
    ['/restore orders completeRecovery=true', ['completeRecovery'], 'not used for MySQL'],
    ['/restore orders objectType=ORACLE_TABLESPACE_RECOVERY_PARAMS', ['tablespaceName'], 'MySQL has no `ORACLE_TABLE'],
  ])(
    'a word for another vendor’s field is refused with the reason, and the form has no such field (%s)',
    async (line, fields, reason) => {
      await opensForm(ana, '#databases', line);
      const { text } = await ana.modal();
      expect(text).toContain(reason);
      const names = await fieldNames();
      for (const field of fields) expect(names).not.toContain(field);
    },
  );
});

describe('what makes no sense is not offered', () => {
  test.each([
    [
      '/db show orders',
      ['Back up', 'Back up logs', 'Clone…', 'Disable…', 'Restore…', 'Mount…'],
      ['Stop', 'Start', 'Reset…', 'Share…', 'Convert…', 'Enable'],
    ],
    ['/db show archive_2023', ['Enable'], ['Disable…', 'Stop', 'Start']],
    [
      '/db show orders-3320',
      ['Stop', 'Reset…', 'Share…', 'Convert…', 'Delete…'],
      ['Start', 'Back up', 'Clone…', 'Disable…', 'Enable', 'Mount…', 'Restore…'],
    ],
    ['/db show orders-3321', ['Start'], ['Stop']],
    ['/db show CRMTEST', ['Refresh', 'Delete…'], ['Stop', 'Start', 'Reset…', 'Share…', 'Convert…']],
    ['/db env show dev', ['Refresh', 'Disable…', 'Delete…'], ['Enable', 'Back up']],
    ['/db env show perf-lab', ['Enable'], ['Disable…']],
    ['/db user show frank', ['Delete…'], ['Refresh', 'Disable…', 'Enable']],
    ['/db project show finance', ['Delete…'], ['Refresh', 'Disable…', 'Enable']],
    ['/db list orders-3321', ['Show', 'Start'], ['Stop', 'Back up', 'Clone…']],
    ['/db list CRMTEST', ['Show', 'Refresh'], ['Stop', 'Start', 'Share…', 'Convert…']],
    ['/db list archive_2023', ['Enable'], ['Stop', 'Disable…']],
    ['/db env list perf-lab', ['Enable'], ['Disable…']],
  ])('the answer to “%s” offers only what makes sense for its records', async (line, offered, others) => {
    const offers = offersOf(await answered(line));
    expect(offers).toEqual(expect.arrayContaining(offered));
    for (const other of others) expect(offers).not.toContain(other);
  });

  test('a click on Stop or Start beside a clone does what the button says', async () => {
    const cards = earth.cards('#dev').length;
    await ana.presses('Stop', { message: await answered('/db show billing-3330') });
    const card = await earth.until(() => earth.cards('#dev')[cards], 'the message');
    expect(await comesToAnEnd(earth, card)).toContain('Stop of billing-3330 (MariaDB) · Confirmed');
    await earth.clock.advance(20_000);
    await ana.presses('Start', { message: await answered('/db list billing-3330') });
    const next = await earth.until(() => earth.cards('#dev')[cards + 1], 'the message');
    expect(await comesToAnEnd(earth, next)).toContain('Start of billing-3330 (MariaDB) · Confirmed');
  });
});

describe('a target', () => {
  test.each([
    ['/db backup', 'database', ['archive_2023', 'billing'], 'orders-3320'],
    ['/db stop', 'database', ['billing-3330', 'CRMTEST'], 'billing'],
    ['/db disable', 'database', ['archive_2023', 'billing'], 'PAYDEV'],
    ['/db delete', 'database', ['archive_2023', 'billing'], 'dev'],
    ['/db convert', 'database', ['billing-3330'], 'billing'],
    ['/db share', 'sourceDatabase', ['billing-3330'], 'billing'],
    ['/db mount', 'database', ['archive_2023'], 'PAYDEV'],
    ['/db env refresh', 'environment', ['dev', 'mariadb-prod'], 'orders'],
    ['/db user delete', 'user', ['ana', 'ben'], 'orders'],
    ['/db project delete', 'project', ['finance'], 'orders'],
  ])(
    'a form that opens without a target offers only targets of the right kind (%s)',
    async (line, field, offered, other) => {
      await opensForm(ana, '#databases', line);
      const choices = await ana.choices(field, '');
      expect(choices).toEqual(expect.arrayContaining(offered));
      expect(choices).not.toContain(other);
      expect(Object.keys((await ana.submits()).errors)).toContain(field);
    },
  );

  test('a backup is made of the database that was chosen in its form', async () => {
    const card = await asks(earth, ana, '/db backup', { fields: { database: 'inventory' } });
    expect(await comesToAnEnd(earth, card)).toContain('Backup of inventory (MariaDB) · Confirmed');
  });

  test('a snapshot to delete is found through its database', async () => {
    await opensForm(ana, '#databases', '/db snapshot delete');
    await chooses({ database: 'inventory' }, ['snapshot']);
    const choices = await ana.choices('snapshot', '');
    expect(choices.every(choice => choice.startsWith('inventory-'))).toBe(true);
    const oldest = choices.at(-1) ?? '';
    await ana.fills({ snapshot: oldest });
    expect((await goesOn()).text).toContain(`*Delete the snapshot ${oldest}*`);
    const cards = earth.cards('#databases').length;
    await confirms(ana, oldest);
    const card = await earth.until(() => earth.cards('#databases')[cards], 'the message');
    if (earth.approver) await approves(earth, earth.approver, card);
    expect(await comesToAnEnd(earth, card)).toContain(`${oldest} is gone from the service`);
    expect(earth.writes().at(-1)).toMatchObject({ path: '/service/snapshot/delete', body: undefined });
  });

  test('a target whose name several databases have is chosen by a button', async () => {
    await renames('MARIADB_LIVE_SERVER-1', 'orders');
    const cards = earth.cards('#dev').length;
    const answer = await answered('/db backup orders');
    expect(textOf(answer)).toContain('2 live databases are called `orders`');
    await ana.presses('MARIADB_LIVE_SERVER-1 on mariadb-prod', { message: answer });
    const card = await earth.until(() => earth.cards('#dev')[cards], 'the message');
    expect(await comesToAnEnd(earth, card)).toContain('Backup of orders (MariaDB) · Confirmed');
    expect(earth.writes().at(-1)?.body).toEqual({ database: 'MARIADB_LIVE_SERVER-1' });
  });

  test('a target whose name several databases have is chosen in the operation’s form', async () => {
    await opensForm(ana, '#databases', '/db disable orders');
    const { text } = await ana.modal();
    expect(text).toContain('2 live databases are called `orders`');
    for (const id of ['MYSQL_LIVE_SERVER-1', 'MARIADB_LIVE_SERVER-1']) expect(text).toContain(id);
    expect(await ana.choices('database', 'orders')).toEqual(['orders', 'orders']);
    await renames('MARIADB_LIVE_SERVER-1', 'billing');
  });

  test('an unknown target name is answered with the name that may be meant', async () => {
    const cards = earth.cards('#dev').length;
    const answer = await answered('/db refresh odrers');
    expect(textOf(answer)).toContain('Nothing is called `odrers`. Did you mean `orders`');
    await ana.presses('orders', { message: answer });
    const card = await earth.until(() => earth.cards('#dev')[cards], 'the message');
    expect(await comesToAnEnd(earth, card)).toContain('Refresh of orders (MySQL) · Confirmed');
    await opensForm(ana, '#databases', '/db env delete retierd');
    expect((await ana.modal()).text).toContain('Did you mean `retired`?');
  });

  test('an identifier that no record shows is sent to the service as it was typed', async () => {
    const card = await asks(earth, ana, '/db refresh mysql_live_server-4711');
    expect(await comesToAnEnd(earth, card)).toMatch(/Failed[\s\S]*there is no MYSQL_LIVE_SERVER-4711/);
  });
});

test('a clone that was refused for missing fields opens its form again, with those fields required', async () => {
  const before = refusalsOf(ana).length;
  await opensForm(ana, '#databases', '/clone shop targetEnvironment=HOST_ENVIRONMENT-4 port=3399');
  await ana.presses('Start empty');
  await ana.until(() => !topView().includes('Filled in for you'), 'an empty form');
  await ana.submits();
  const message = await earth.until(() => refusalsOf(ana)[before], 'the refusal');
  expect(message.text.split('\n')[0]).toBe(
    ':x: *Not cloned*: the service also needs *Mount base, Environment user, Installation*.',
  );
  await ana.presses('Fill these in', { message });
  await ana.until(() => ana.hasModal() && topView().includes('"block_id":"mountBase"'), 'the form');
  const asked = (await ana.modal()).blocks.filter(block =>
    JSON.stringify(block.hint ?? '').includes('The service needs this.'),
  );
  expect(asked.map(block => [block.block_id, block.optional])).toEqual([
    ['mountBase', false],
    ['environmentUser', false],
    ['install', false],
  ]);
  expect(topView()).toContain('3399');
  await ana.presses('Start empty');
  await ana.until(() => !topView().includes('Filled in for you'), 'an empty form');
  expect(Object.keys((await ana.submits()).errors)).toEqual(['mountBase:1', 'environmentUser:1', 'install:1']);
});

test('two backups of one database at once are each confirmed with a snapshot of their own', async () => {
  const dev = await earth.enters('Dev', 'dev');
  const [inDatabases, inDev] = [earth.cards('#databases').length, earth.cards('#dev').length];
  const first = road.holds('/database/sync', 'before');
  await ana.types('#databases', '/db backup crm');
  await first.arrived;
  const second = road.holds('/database/sync', 'before');
  await dev.types('#dev', '/db backup crm');
  await second.arrived;
  // Both have looked before either was sent; the service takes the second while it works on the first.
  const both = road.meets('/database/sync', (_, next) => {
    earth.service.service.change('ORACLE_LIVE_DATABASE-2', { state: 'RUNNING' });
    return next();
  });
  first.lets();
  const hers = await earth.until(() => earth.cards('#databases')[inDatabases], 'hers to run');
  earth.service.service.change('ORACLE_LIVE_DATABASE-2', { state: 'RUNNING' });
  second.lets();
  const his = await earth.until(() => earth.cards('#dev')[inDev], 'his to run');
  const told = [await comesToAnEnd(earth, hers), await comesToAnEnd(earth, his)];
  both.leave();
  const snapshots = told.map(text => /There is a new snapshot, (ORACLE_SNAPSHOT-\d+)/.exec(text)?.[1]);
  expect(snapshots).not.toContain(undefined);
  expect(new Set(snapshots).size).toBe(2);
  expect(
    earth
      .writes()
      .slice(-2)
      .map(({ status }) => status),
  ).toEqual([200, 200]);
});
