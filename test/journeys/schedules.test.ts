import { chmodSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { day } from '../../src/ground/durations.ts';
import type { Message } from '../../src/sandbox/playground/protocol.ts';
import { type Someone, textOf } from '../person.ts';
import { scratchFolder } from '../scratch.ts';
import { type World, world } from '../world.ts';
import { approvalChannel, approvalKeys, clicks } from './approvals.ts';
import { answerAfter, answerTo, asks, comesToAnEnd } from './asking.ts';

/* Schedules as people make, change and use them in Slack. When they run is told elsewhere. */

const folder = scratchFolder('schedules');
let earth: World;
let ana: Someone;
let ben: Someone;
let dev: Someone;

beforeAll(async () => {
  const file = join(folder, 'password');
  writeFileSync(file, 'demo');
  chmodSync(file, 0o600);
  const account = { SERVICE_USER: 'ben', SERVICE_PASSWORD_FILE: file };
  earth = await world({ environment: { ...approvalKeys, ...account }, service: { tokenLifetime: 900 * day } });
  ana = await earth.enters('Ana', 'ana');
  ben = await earth.enters('Ben', 'ben');
  dev = await earth.enters('Dev', 'dev');
});
afterEach(async () => {
  for (const someone of [ana, ben, dev]) while (someone.hasModal()) await someone.cancels(true);
});
afterAll(async () => {
  await earth.close();
  rmSync(folder, { recursive: true, force: true });
});

const presses = (someone: Someone, button: string, message: Message, channel = '#databases') =>
  answerAfter(someone, channel, () => someone.presses(button, { message }), `an answer to ${button}`);
const asksFor = async (line: string) => textOf(await answerTo(ana, `/db schedule ${line}`));
const backups = () => earth.writes().filter(({ path }) => path.endsWith('/database/sync')).length;

describe('a schedule', () => {
  test('a schedule that a command makes is told with its times and its next runs, and listed', async () => {
    const made = await answerTo(ana, '/db schedule backup shop every=mon,wed at=2am zone=Europe/Berlin');
    expect(textOf(made)).toContain('*Backup of shop* runs every Monday and Wednesday at 02:00 (Europe/Berlin).');
    expect(textOf(made)).toMatch(/<!date\^\d+\^next /);
    expect(textOf(made)).toMatch(/Next: (<!date[^>]+>(, )?){3}\./);
    expect(textOf(made)).not.toContain('already scheduled');
    const list = textOf(await answerTo(ana, '/db schedules shop'));
    expect(list).toContain('*1 schedule* with shop');
    // Ben is in the channel, and has no say in it.
    const bens = await answerTo(ben, '/db schedules');
    expect(textOf(bens)).toContain('Backup of shop');
    expect(textOf(bens)).not.toContain('Pause');
  });

  test('a schedule of work that is scheduled already is made, and says so', async () => {
    const again = await answerTo(ana, '/db schedule backup shop every=day at=3am');
    expect(textOf(again)).toContain('This is already scheduled: every Monday and Wednesday at 02:00');
    expect(textOf(await presses(ana, 'Delete', again))).toContain('is no longer scheduled');
    expect(textOf(await answerTo(ana, '/db schedule backup-logs shop every=day at=3am'))).not.toContain('already');
    await presses(ana, 'Delete', await answerTo(ana, '/db schedules backup logs'));
  });

  test('a schedule of what is late is refused, and one of an environment is offered in its place', async () => {
    const other = textOf(await answerTo(ana, '/db schedule refresh late every=day at=02:00'));
    expect(other).not.toContain('What is late');
    expect(other).toContain('late');
    const told = textOf(await answerTo(ana, '/db schedule backup late every=day at=02:00'));
    expect(told).toContain('can’t be scheduled');
    expect(told).toContain('schedule backup env:mysql-prod');
  });

  test('two clicks on “Run now” run a schedule once, and late clicks neither pause nor resume it', async () => {
    const list = await answerTo(ana, '/db schedules shop');
    const [before, cards] = [backups(), earth.cards('#databases').length];
    await Promise.all([ana.presses('Run now', { message: list }), ana.presses('Run now', { message: list })]);
    const card = await earth.until(() => earth.cards('#databases')[cards], 'the message of the run');
    await comesToAnEnd(earth, card);
    expect(backups() - before).toBe(1);
    expect(earth.cards('#databases')).toHaveLength(cards + 1);
    // The list was made before the run.
    const late = await presses(ana, 'Pause', list);
    expect(textOf(late)).toContain('has changed since you saw it');
    const paused = await presses(ana, 'Pause', late);
    expect(textOf(paused)).toContain('is paused');
    const on = await presses(ana, 'Resume', paused);
    expect(textOf(on)).toContain('runs every Monday and Wednesday at 02:00');
    const gone = await presses(ana, 'Delete…', on);
    expect(textOf(gone)).toContain('is no longer scheduled');
    expect(textOf(await presses(ana, 'Resume', paused))).toContain('This schedule no longer exists.');
    expect(textOf(await answerTo(ana, '/db schedules shop'))).toContain('You can see no schedule with shop');
  });

  test('a confirmed job’s button opens the form of a schedule, which is redrawn for another way to repeat', async () => {
    const card = await asks(earth, ana, '/db backup shop');
    await comesToAnEnd(earth, card);
    const message = await ana.until(() => ana.messages(card.channel).find(({ ts }) => ts === card.ts), 'the card');
    await ana.presses('On a schedule…', { message });
    const form = await ana.modal();
    expect(form.title).toBe('On a schedule');
    expect(form.text).toContain('When should I back up *shop*?');
    await ana.fills({ days: [] });
    expect((await ana.submits()).errors).toEqual({ days: expect.any(String) });
    await ana.fills({ repeats: 'day of each month' });
    await ana.fills({ day: 'The last day', at: '23:30', channel: '#payments', tells: 'What goes wrong' });
    const made = await answerAfter(ana, '#databases', () => ana.submits(), 'the schedule');
    expect(ana.hasModal()).toBe(false);
    expect(textOf(made)).toContain('runs on the last day of every month at 23:30 (UTC)');
    expect(textOf(made)).toContain('tells failures only');

    await ana.presses('Change…', { message: made });
    expect((await ana.modal()).title).toBe('Change schedule');
    await ana.fills({ repeats: 'cron line' });
    await ana.fills({ cron: '0 3 * * 1-5', zone: 'berlin' });
    expect((await ana.submits()).errors).toEqual({ zone: expect.stringContaining('Did you mean Europe/Berlin?') });
    await ana.fills({ zone: 'europe/berlin' });
    const changed = await answerAfter(ana, '#databases', () => ana.submits(), 'the change');
    expect(textOf(changed)).toContain('by the cron line `0 3 * * 1-5` (Europe/Berlin)');
    await presses(ana, 'Delete…', changed);
  });

  test('a schedule is made in a form from Home, and then shown there', async () => {
    await ana.opensHome();
    await ana.presses('New schedule…', { home: true });
    await ana.fills({ operation: 'Refresh (environment)', target: 'dev' });
    expect((await ana.submits()).errors).toEqual({});
    // What is asked for in Home is answered under Messages.
    const made = await ana.reads('@dolly', '*Refresh of dev* runs every day at 02:00 (UTC).');
    await earth.until(() => JSON.stringify(ana.sees().home).includes('Refresh of dev'), 'the schedule in Home');
    await presses(ana, 'Delete…', made, '@dolly');
  });

  test('a schedule with the service account waits for approvers, who see what it does, and are asked anew at a change', async () => {
    const cards = () => earth.cards(approvalChannel);
    const before = cards().length;
    const asked = await answerTo(ana, '/db schedule backup shop every=day at=04:00 as=service reason=nightly');
    expect(textOf(asked)).toContain(':lock: I ask the approvers whether *Backup of shop* may run every day at 04:00');
    const card = await earth.until(() => cards()[before], 'the card');
    await earth.until(() => earth.text(card).includes('Approve…'), 'the buttons');
    const text = earth.text(card);
    for (const part of ['back up shop', '04:00 (UTC)', 'Next runs', 'the service account', '*ana*'])
      expect(text).toContain(part);
    expect(await clicks(dev, card, 'Approve')).toContain('pproved');
    const on = () => answerTo(ana, '/db schedules shop').then(message => textOf(message));
    await earth.until(async () => (await on()).includes('next '), 'the schedule to be on');

    const list = await answerTo(ana, '/db schedules shop');
    await ana.presses('Change…', { message: list });
    expect((await ana.modal()).text).toContain('I ask the approvers again');
    await ana.fills({ at: '05:00' });
    const changed = await answerAfter(ana, '#databases', () => ana.submits(), 'the change');
    expect(textOf(changed)).toContain('I ask the approvers');
    expect(textOf(changed)).toContain('waits for approval');
    await earth.until(() => cards()[before + 1], 'another request');
    await presses(ana, 'Delete…', changed);
  });
});

describe('one sentence says what to do', () => {
  test.each([
    ['delete shop every=day at=02:00', 'cannot be put on a schedule. These can: `backup`'],
    ['list every=day at=02:00', 'cannot be put on a schedule'],
    ['renew shop-3307 every=mon at=06:00', 'schedule: allow'],
    ['backup shop every=day', 'Say at what time: `at=02:00`.'],
    ['backup shop every=fortnight at=02:00', 'I do not know the rhythm'],
    ['backup shop cron="0 0 30 2 *"', 'never runs'],
    ['backup shop cron="* * * * *"', 'at most every 15 minutes'],
    ['backup shop every=day at=02:00 zone=Berlin', 'Did you mean `zone=Europe/Berlin`?'],
    ['backup shop every day at 2am', 'Write the times with an equals sign'],
    ['backup shap every=day at=02:00', 'Did you mean `shop`'],
    ['backup every=day at=02:00', 'Say which one'],
    ['backup shop every=day at=02:00 color=red', 'There is no field `color`'],
    ['bakcup shop every=day at=02:00', 'Did you mean'],
    ['report daily', '/db report daily at=08:30'],
    ['backup shop every=day at=02:00 as=root', 'Type `as=me` or `as=service`.'],
  ])('“/db schedule %s” is answered with a sentence that says what to do', async (line, words) => {
    expect(await asksFor(line)).toContain(words);
    expect(ana.hasModal()).toBe(false);
  });

  test('a “/db schedule” command that is refused makes no schedule', async () => {
    expect(textOf(await answerTo(ana, '/db schedules'))).toContain('You can see no schedule');
  });
});
