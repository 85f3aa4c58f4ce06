import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Someone } from '../person.ts';
import type { Filling } from '../sandbox/playground/form.ts';
import { type World, world } from '../world.ts';
import { opensForm, quickLine } from './clones.ts';
import { type Crossing, crossing } from './crossing.ts';

let earth: World;
let road: Crossing;
let ana: Someone;

beforeAll(async () => {
  road = crossing();
  earth = await world({ service: { middleware: road.middleware } });
  ana = await earth.enters('Ana', 'ana');
});
afterAll(() => earth.close());

describe('a command', () => {
  test.each([
    ['/db lst', 'list'],
    ['/db shwo orders', 'show'],
    ['/db clnoe orders', 'clone'],
    ['/db jobz', 'jobs'],
  ])('a mistyped command (%s) is answered with what was meant, and where the help is', async (line, meant) => {
    await ana.types('#databases', line);
    const answer = await ana.reads('#databases', line.replace(/^\/db /, ''));
    expect(answer.onlyFor).toBe(ana.id);
    expect(answer.text).toMatch(new RegExp(`Did you mean:\\n.*\\[/db ${meant}`));
    expect(answer.text).toContain('/db help');
  });

  test('a command that asks “who am I?” in words is answered', async () => {
    await ana.types('#databases', '/db WHO AM I?');
    expect((await ana.reads('#databases', 'signed in')).text).toContain('as *ana*');
  });

  test('a button runs the command that was meant, with the other words that were typed', async () => {
    await ana.types('#databases', '/db shwo payroll');
    const answer = await ana.reads('#databases', 'shwo payroll');
    await ana.presses('/db show payroll', { message: answer });
    await ana.reads('#databases', 'ORACLE_LIVE_DATABASE-1');
  });

  test.each([
    ['a word', '/db gibberish'],
    ['a picture', '/db ☃'],
    ['mentions', '/db <!channel> & <@U0BEN00001>'],
    ['a mile of text', `/db ${'x'.repeat(3000)}`],
    ['half a quotation', '/db "'],
    ['an assignment to nothing', '/db =5'],
  ])(
    'a command that means nothing (%s) is answered with where the help is, and mentions nobody',
    async (_what, line) => {
      const before = ana.messages('#databases').length;
      await ana.types('#databases', line);
      await ana.until(() => ana.messages('#databases').length > before, 'an answer');
      const answer = ana.lastMessage('#databases');
      expect(answer.onlyFor).toBe(ana.id);
      expect(answer.text).toContain('/db help');
      expect(JSON.stringify(answer)).not.toMatch(/<!channel>|<@U0BEN/);
    },
  );
});

/** Opens a whole form, spoils it, and gives what Slack then shows at its fields. */
async function errorsOf(spoilt: Record<string, Filling>, line = quickLine(3400)): Promise<Record<string, string>> {
  const before = earth.writes().length;
  await opensForm(ana, '#databases', line);
  await ana.fills(spoilt);
  const { errors, open } = await ana.submits();
  expect(open).toBe(true);
  await ana.cancels();
  await earth.clock.advance(5_000);
  expect(earth.writes()).toHaveLength(before);
  return errors;
}

describe('a form with a fault', () => {
  test.each([
    ['a port that is none', { port: 70_000 }, 'port', '65535'],
    ['a port of nought', { port: 0 }, 'port', '1'],
    ['a negative number', { parallel: -3 }, 'parallel', 'at least 0'],
    ['a relative path', { mountBase: 'mnt/clones' }, 'mountBase', 'slash'],
    ['a path that climbs', { specificPostScriptPath: '/opt/../etc/passwd' }, 'specificPostScriptPath', '..'],
    ['a parameter without value', { databaseParams: 'a=1\nmax connections 5' }, 'databaseParams', 'Line 2'],
    ['a parameter twice', { databaseParams: 'a=1\na=2' }, 'databaseParams', 'twice'],
    ['a parameter of a wrong type', { databaseParams: 'a:BOOLEAN=5' }, 'databaseParams', 'true or false'],
  ])(
    'a form with a fault (%s) stays open, says what is wrong at its field, and sends nothing',
    async (_what, spoilt, field, words) => {
      const errors = await errorsOf(spoilt);
      expect(Object.keys(errors)).toEqual([field]);
      expect(errors[field]).toContain(words);
    },
  );

  test('a clone form without a source says so at the source', async () => {
    const errors = await errorsOf({}, '/clone targetEnvironment=dev');
    expect(Object.keys(errors)).toEqual(['sourceDatabase']);
  });

  test('a form with several faults tells all of them at once, each at its own field', async () => {
    const errors = await errorsOf({ port: 0, mountBase: 'x', databaseParams: '=' });
    expect(Object.keys(errors).sort()).toEqual(['databaseParams', 'mountBase', 'port']);
  });

  test('a fault in a field that a choice has emptied is told at the field as it is now', async () => {
    await opensForm(ana, '#databases', quickLine(3400));
    await ana.fills({ targetEnvironment: 'test' });
    const { fields } = await ana.modal();
    const install = Object.keys(fields).find(name => name.startsWith('install'));
    expect(install).toMatch(/^install:\d+$/);
    await ana.fills({ install: 'MYSQL', environmentUser: 'mysql', port: 0 });
    await ana.submits();
    // No picker offers the installation of another vendor, so that only a forged form can name one.
    const answer = await earth.replays('view_submission', payload =>
      payload.replace('"value":"0"', '"value":"3400"').replaceAll(/MYSQL_INSTALL-\d+/g, 'ORACLE_INSTALL-3'),
    );
    expect(await answer.json()).toMatchObject({
      response_action: 'errors',
      errors: { [install ?? '']: expect.stringContaining('ORACLE') },
    });

    await ana.fills({ port: 3400 });
    const before = earth.cards('#databases').length;
    expect(await ana.submits()).toEqual({ errors: {}, error: '', open: false });
    await earth.until(() => earth.cards('#databases')[before], 'the message');
    await earth.until(
      () => earth.text(earth.cards('#databases')[before] ?? { channel: '', ts: '' }).includes('Confirmed'),
      'confirmed',
    );
  });

  test('a fault that only a forged form can have is told at its field all the same', async () => {
    await opensForm(ana, '#databases', quickLine(3407));
    await ana.fills({ port: 0 });
    await ana.submits();
    await ana.cancels();
    const answer = await earth.replays('view_submission', payload =>
      payload
        .replace('HOST_ENVIRONMENT-4"', 'PROJECT-1"')
        .replaceAll('"value":"HOST_ENVIRONMENT-4"', '"value":"PROJECT-1"'),
    );
    expect(await answer.json()).toMatchObject({
      response_action: 'errors',
      errors: { targetEnvironment: expect.stringContaining('a project') },
    });
  });
});

describe('a word that fills a field', () => {
  /** What stands above the fields of a form that a line opens. */
  async function notesOf(line: string): Promise<string> {
    await opensForm(ana, '#databases', line);
    const { text } = await ana.modal();
    await ana.cancels();
    return text;
  }

  test('a word with an unknown field name is left out of the form, with the name that may be meant', async () => {
    const notes = await notesOf('/clone shop prot=3310 zebra=1');
    expect(notes).toMatch(/prot.*Did you mean.*port/);
    expect(notes).toContain('zebra');
  });

  test('a word with an impossible value is left out of the form, with the reason', async () => {
    const notes = await notesOf('/clone shop port=99999 mountBase=here cloneType=ghost');
    for (const word of ['99999', '65535', 'here', 'slash', 'ghost']) expect(notes).toContain(word);
  });

  test('a word for another vendor’s field is left out of the form, with the reason', async () => {
    expect(await notesOf('/clone shop databaseName=X')).toMatch(/databaseName.*MySQL/);
  });

  test('a word with an identifier of another kind is left out of the form, with the kind that is needed', async () => {
    const notes = await notesOf('/clone HOST_ENVIRONMENT-1 project=MYSQL_INSTALL-1');
    expect(notes).toMatch(/HOST_ENVIRONMENT-1 is an environment.*live database/);
    expect(notes).toMatch(/MYSQL_INSTALL-1 is an installation.*project/);
  });

  test('a word with an identifier of an unknown kind is left out of the form, which says so', async () => {
    expect(await notesOf('/clone TEAPOT-1')).toContain('TEAPOT-1 is of an unknown kind');
  });

  test('a name that no record has is left out of the form, with the names that are like it', async () => {
    expect(await notesOf('/clone odrers')).toMatch(/odrers.*Did you mean.*orders/);
    expect(await notesOf('/clone xyzzy')).toContain('Nothing is called');
  });

  test('a name that several records have makes the form list all of them, by identifier and place', async () => {
    earth.service.service.rename('MYSQL_LIVE_SERVER-4', 'orders');
    await earth.clock.advance(60_000);
    const notes = await notesOf('/clone orders');
    for (const word of ['MYSQL_LIVE_SERVER-1', 'mysql-prod', 'MYSQL_LIVE_SERVER-4', 'perf-lab'])
      expect(notes).toContain(word);
    earth.service.service.rename('MYSQL_LIVE_SERVER-4', 'loadtest');
    await earth.clock.advance(60_000);
  });

  test('words with markup, quotes or very long text break no form', async () => {
    expect(await notesOf('/clone "<!everyone>&amp;"')).not.toContain('<!everyone>');
    expect(await notesOf(`/clone shop mountBase=/${'x'.repeat(2_500)}`)).toContain('1024');
    expect(await notesOf(`/clone ${'shop '.repeat(300)}`)).toContain('Nothing is called');
    expect(await notesOf('/clone “shop” mountBase="/mnt/it\'s"')).toContain('Port');
  });
});

test('a form that is closed while Dolly looks up its names stays closed, and nothing is said of it', async () => {
  const before = ana.messages('#databases').length;
  const list = road.holds('/database/list', 'before');
  await earth.clock.advance(60_000);
  await ana.types('#databases', '/clone shop');
  await list.arrived;
  await earth.clock.advance(1_000);
  expect((await ana.modal()).text).toContain('Looking for');
  await ana.cancels();
  list.lets();
  await earth.clock.advance(5_000);
  await ana.types('#databases', '/db whoami');
  await ana.reads('#databases', 'signed in');
  const told = ana
    .messages('#databases')
    .slice(before)
    .map(({ text }) => text);
  expect(told.filter(text => !text.includes('signed in'))).toEqual([]);
  expect(ana.hasModal()).toBe(false);
});

describe('a stranger who reaches the bot', () => {
  test.each([
    ['GET', '/', 404],
    ['GET', '/favicon.ico', 404],
    ['GET', '/slack/events', 404],
    ['POST', '/slack/install', 404],
    ['POST', '/slack/events', 401],
    ['DELETE', '/login/../slack/events', 404],
    ['OPTIONS', '//', 404],
  ])('a stranger’s %s %s is turned away, and Dolly goes on', async (method, path, status) => {
    const answer = await fetch(earth.dolly().url + path, { method, ...(method === 'POST' ? { body: '{}' } : {}) });
    expect(answer.status).toBe(status);
    await ana.types('#databases', '/db whoami');
    await ana.reads('#databases', 'signed in');
  });
});
