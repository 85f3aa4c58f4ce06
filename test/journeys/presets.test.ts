import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { recordOf } from '../../src/sandbox/playground/json.ts';
import { type Someone, textOf } from '../person.ts';
import { type World, world } from '../world.ts';
import { answerTo } from './asking.ts';
import { opensForm, quickClone, quickLine } from './clones.ts';

let earth: World;
let ana: Someone;
let ben: Someone;
let dev: Someone;
let anasToken = '';

beforeAll(async () => {
  earth = await world({
    environment: { APPROVERS: 'U0DEV00001' },
    service: {
      middleware(request, next) {
        anasToken ||= request.headers.get('authorization')?.replace('Bearer ', '') ?? '';
        return next();
      },
    },
  });
  ana = await earth.enters('Ana', 'ana');
  await answerTo(ana, '/db whoami');
  ben = await earth.enters('Ben', 'ben');
  dev = await earth.enters('Dev', 'dev');
});
afterEach(async () => {
  for (const someone of [ana, ben, dev]) while (someone.hasModal()) await someone.cancels(true);
});
afterAll(() => earth.close());

/** The open form whose title is this one. */
async function formCalled(someone: Someone, title: string) {
  await someone.until(() => textOf(recordOf(someone.sees().views.at(-1)?.view).title).includes(title), `“${title}”`);
  return someone.modal();
}

/** The texts in the fields of the open form, by field. */
async function valuesIn(someone: Someone): Promise<Record<string, unknown>> {
  const { fields } = await someone.modal();
  return Object.fromEntries(
    Object.entries(fields).map(([block, actions]) => {
      const state = recordOf(actions.value);
      return [block.replace(/:.*/, ''), recordOf(state.selected_option).value ?? state.value ?? undefined];
    }),
  );
}

/** Opens the form with a command, and waits until it is filled from its preset. */
async function opensFilled(someone: Someone, line: string, has: string, channel = '#databases') {
  await opensForm(someone, channel, line);
  await someone.until(() => JSON.stringify(someone.sees().views.at(-1)?.view).includes(has), `${has} in ${line}`);
}

/** Saves the values of the open form as a preset. */
async function saves(someone: Someone, name: string, change: Record<string, string> = {}) {
  await someone.presses('Save as preset…');
  await formCalled(someone, 'Save as preset');
  await someone.fills({ name, ...change });
  return someone.submits();
}

const values = [
  'sourceDatabase=shop',
  'cloneType=VIRTUALCLONE',
  'targetEnvironment=dev',
  'port={port}',
  'mountBase=/mnt/{me}/{source}',
  'environmentUser=ENVIRONMENT_USER-8',
  'install=MYSQL_INSTALL-2',
].join('\n');

describe('a preset', () => {
  test('a preset that is saved for a channel fills in a colleague’s form by a command', async () => {
    await opensForm(ana, '#databases', quickLine(3391));
    await ana.presses('Save as preset…');
    const form = await formCalled(ana, 'Save as preset');
    expect(JSON.stringify(form.blocks)).toContain('sourceDatabase=shop\\ncloneType=Virtual\\ntargetEnvironment=dev');
    expect(JSON.stringify(form.blocks)).toContain('port={port}');
    await ana.fills({ name: 'qa', scope: 'This channel', values });
    expect(await ana.submits()).toMatchObject({ errors: {}, open: true });
    expect((await ana.modal()).text).toContain('/clone preset=qa');
    await ana.cancels();
    // The form below is still there, as it was.
    expect(await valuesIn(ana)).toMatchObject({ mountBase: '/mnt/c3391' });
    await ana.cancels();

    await opensFilled(ben, '/clone preset=QA port=3392', '/mnt/ben/shop');
    expect(await valuesIn(ben)).toMatchObject({
      sourceDatabase: 'MYSQL_LIVE_SERVER-2',
      targetEnvironment: 'HOST_ENVIRONMENT-4',
      mountBase: '/mnt/ben/shop',
      port: '3392',
    });
    expect(await ben.submits()).toEqual({ errors: {}, error: '', open: false });
    await earth.until(() => JSON.stringify(earth.writes().at(-1) ?? '').includes('/mnt/ben/shop'), 'the request');
  });

  test('a preset that is chosen in a form keeps what was typed, and fills in the rest', async () => {
    await opensForm(ben, '#databases', '/clone orders mountBase=/mnt/mine');
    await ben.fills({ preset: 'qa' });
    await ben.until(() => JSON.stringify(ben.sees().views.at(-1)?.view).includes('ENVIRONMENT_USER-8'), 'the values');
    expect(await valuesIn(ben)).toMatchObject({
      sourceDatabase: 'MYSQL_LIVE_SERVER-1',
      targetEnvironment: 'HOST_ENVIRONMENT-4',
      mountBase: '/mnt/mine',
    });
  });

  test('a preset with its saver’s token in a value or in its name is refused', async () => {
    expect(anasToken.length).toBeGreaterThan(40);
    await opensForm(ana, '#databases', quickLine(3398));
    await ana.presses('Save as preset…');
    await formCalled(ana, 'Save as preset');
    for (const [change, fault] of [
      [{ name: 'mine', values: `mountBase=/mnt/${anasToken}` }, { values: 'The values contain' }],
      [{ name: anasToken.slice(3, 40), values: 'mountBase=/mnt/mine' }, { name: 'The name contains' }],
      [{ name: `my ${anasToken.slice(-9)}`, values: 'mountBase=/mnt/mine' }, { name: 'The name contains' }],
    ] as const) {
      await ana.fills(change);
      const { errors } = await ana.submits();
      expect(Object.keys(errors)).toEqual(Object.keys(fault));
      expect(Object.values(errors)[0]).toContain(Object.values(fault)[0]);
    }
    await ana.cancels(true);
    expect((await answerTo(ana, '/db presets mine')).text).toContain('no presets with mine');
  });

  test('a preset of one channel cannot be used in another', async () => {
    await opensFilled(ben, '/clone preset=qa', 'There is no preset', '#dev');
  });

  test('“/db why” counts the values of a preset in the command that it checks', async () => {
    const { text } = await answerTo(ben, '/db why clone preset=qa');
    expect(text).toContain('shop');
    expect(text).not.toContain('There is no field');
    expect(text).not.toContain('The form asks for');
  });

  test('a preset’s placeholder is filled in once the source is chosen, and is never sent as it is', async () => {
    await opensForm(ana, '#databases', quickLine(3393));
    await saves(ana, 'any', { values: 'mountBase=/m/{source}\nport=3399\ntargetEnvironment=dev\ncloneType=Virtual' });
    await ana.cancels(true);
    await opensFilled(ana, '/clone preset=any', '/m/{source}');
    await ana.fills({ sourceDatabase: 'orders' });
    await ana.until(() => JSON.stringify(ana.sees().views.at(-1)?.view).includes('/m/orders'), 'the name');
    await ana.fills({ mountBase: '/m/{source}' });
    const { errors } = await ana.submits();
    expect(Object.values(errors)).toEqual(['Type a value in place of the word in braces.']);
  });

  test('a preset whose source and environment user are gone says so, and leaves their fields empty', async () => {
    await opensForm(ana, '#databases', quickLine(3394));
    const gone = values.replace('shop', 'MYSQL_LIVE_SERVER-99').replace('USER-8', 'USER-99');
    await saves(ana, 'gone', { values: `${gone}\nsnapshot=MYSQL_SNAPSHOT-99` });
    await ana.cancels(true);
    await opensFilled(ana, '/clone preset=gone', 'no longer exists');
    const { text } = await ana.modal();
    expect(text).toContain(
      'Source database: `MYSQL_LIVE_SERVER-99` no longer exists, so the field is left empty, and so is Snapshot',
    );
    expect(text).toContain('Environment user: `ENVIRONMENT_USER-99` no longer exists');
    const { sourceDatabase, environmentUser, targetEnvironment } = await valuesIn(ana);
    expect([sourceDatabase, environmentUser, targetEnvironment]).toEqual([undefined, undefined, 'HOST_ENVIRONMENT-4']);
  });

  test('a preset can be saved from a confirmed job by somebody else who sees it, and used in Home', async () => {
    const card = await quickClone(earth, ana, 3395);
    await earth.until(() => JSON.stringify(card) && earth.text(card).includes('ready'), 'the proof');
    const seen = await ben.until(() => ben.messages('#databases').find(({ ts }) => ts === card.ts), 'the card');
    await ben.presses('Save as preset', { message: seen });
    await formCalled(ben, 'Save as preset');
    await ben.fills({ name: 'from the job' });
    await ben.submits();
    expect(await ben.opensHome()).toBeDefined();
    await ben.until(() => JSON.stringify(ben.sees().home).includes('from the job'), 'the preset in Home');
    await ben.presses('Use…', { home: true });
    await ben.until(() => JSON.stringify(ben.sees().views.at(-1)?.view).includes('/mnt/c3395'), 'the form');
  });

  test('a preset whose environment is gone leaves that field empty, with its user and installation', async () => {
    // Ana’s usual environment would stand there otherwise.
    await opensForm(ana, '#databases', quickLine(3394));
    const gone = values.replace(/targetEnvironment=.*/, 'targetEnvironment=HOST_ENVIRONMENT-99');
    await saves(ana, 'moved', { values: gone });
    await ana.cancels(true);
    const left = async () => {
      const { targetEnvironment, environmentUser, install } = await valuesIn(ana);
      return [targetEnvironment, environmentUser, install];
    };
    for (const line of ['/clone shop preset=moved', '/clone shop targetEnvironment=nowhere']) {
      await opensFilled(ana, line, line.includes('preset') ? 'no longer exists' : 'Nothing is called');
      expect(await left()).toEqual([undefined, undefined, undefined]);
      await ana.fills({ sourceDatabase: 'orders' });
      await ana.until(() => !JSON.stringify(ana.sees().views.at(-1)?.view).includes('isFilling'), 'the facts');
      expect(await left()).toEqual([undefined, undefined, undefined]);
      await ana.cancels(true);
    }
  });
});

describe('`presets`', () => {
  test('“/db presets” lists what a person may use, and offers changes only to the saver and to approvers', async () => {
    const list = await answerTo(ben, '/db presets shop');
    expect(list.text).toContain('*qa*');
    expect(list.text).not.toContain('*any*');
    const { text } = await answerTo(ben, '/db presets nothing');
    expect(text).toContain('no presets with nothing');

    expect(JSON.stringify(await answerTo(ben, '/db presets qa'))).not.toMatch(/Change or share…|Delete…/);
    const seen = await answerTo(dev, '/db presets qa');
    await dev.presses('Change or share…', { message: seen });
    await formCalled(dev, 'Change preset');
    await dev.fills({ name: 'everybody', scope: 'The workspace' });
    await dev.submits();
    await opensFilled(ben, '/clone preset=everybody', '/mnt/ben/shop', '#dev');
  });

  test('a preset is saved for the workspace by approvers only, and its name is given once', async () => {
    await opensForm(ben, '#databases', quickLine(3396));
    const { errors } = await saves(ben, 'mine', { scope: 'The workspace' });
    expect(errors.scope).toContain('Only approvers');
    await ben.cancels(true);
    for (const [someone, fault] of [
      [ana, undefined],
      [ben, 'A preset named night'],
    ] as const) {
      await opensForm(someone, '#databases', quickLine(3397));
      const saved = await saves(someone, 'night', { scope: 'This channel' });
      expect(saved.errors.name ?? '').toContain(fault ?? '');
    }
  });

  test('a preset is deleted after a question, and a form that still changes it says that it is gone', async () => {
    const list = await answerTo(ana, '/db presets night');
    await ana.presses('Change or share…', { message: list });
    await formCalled(ana, 'Change preset');
    await dev.presses('Delete…', { message: await answerTo(dev, '/db presets night') });
    await formCalled(dev, 'Delete preset');
    await dev.submits();
    await formCalled(dev, 'Deleted');
    await ana.fills({ name: 'day' });
    const { errors } = await ana.submits();
    expect(errors.name).toContain('Somebody changed or deleted this preset');
    const trail = (await answerTo(dev, '/db audit preset')).text;
    for (const event of ['preset saved', 'preset shared', 'preset deleted', 'preset refused'])
      expect(trail).toContain(event);
  });
});
