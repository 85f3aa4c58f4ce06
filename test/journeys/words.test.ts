import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { type Someone, textOf } from '../person.ts';
import { type World, world } from '../world.ts';
import { answerTo } from './asking.ts';
import { opensForm } from './clones.ts';

/* What is typed is taken whole or refused, and what is told rests on what the records show now. */

let earth: World;
let ana: Someone;

beforeAll(async () => {
  earth = await world();
  ana = await earth.enters('Ana', 'ana');
});
afterEach(async () => {
  if (ana.hasModal()) await ana.cancels(true);
});
afterAll(() => earth.close());

const told = async (line: string) => textOf(await answerTo(ana, line, '#dev'));

/** Claims that a command is answered to the person alone, and that nothing of it is sent or becomes a job. */
async function isRefused(line: string, says: readonly string[]): Promise<void> {
  const [writes, cards] = [earth.writes().length, earth.cards('#dev').length];
  const text = await told(line);
  for (const words of says) expect(text).toContain(words);
  await earth.clock.advance(2_000);
  expect([earth.writes().length, earth.cards('#dev').length]).toEqual([writes, cards]);
  expect(ana.hasModal()).toBe(false);
}

describe('words that do not belong to a command are refused, with the command that is meant:', () => {
  test.each([
    ['/db backup orders syncType=LOG', ['`syncType`', '`/db backup-logs`']],
    ['/db backup orders SYNCTYPE=log', ['`/db backup-logs`']],
    ['/db backup orders logs', ['`/db backup-logs`']],
    ['/db stop orders-3320 force=true', ['has no field `force`', 'nothing was done']],
    ['/db refresh orders port=3310', ['`port` is a field of', '`/db clone`']],
    ['/db delete helpdesk force=true', ['has no field `force`']],
    ['/db stop orders-3320 database=orders-3321', ['name two things']],
    ['/db list state=STOPPED', ['`/db list STOPPED`']],
    ['/db show orders full=yes', ['has no field `full`']],
    ['/db whoami ben', ['`/db whoami` takes no other words']],
    ['/db logout ben', ['`/db logout` takes no other words']],
    ['/db jobs state=failed', ['`/db jobs` takes no other words']],
    ['/db why backup orders syncType=LOG', ['`/db backup-logs`']],
    ['/db show HOST_ENVIRONMENT-1', ['HOST_ENVIRONMENT-1 is an environment', '`/db env show` is for that']],
    ['/db refresh dev', ['Nothing is called `dev`']],
    ['/db refresh HOST_ENVIRONMENT-4', ['`/db env refresh` is for that']],
  ])('%s', isRefused);

  test('a reason belongs to every command that asks for something', async () => {
    const cards = earth.cards('#dev').length;
    await ana.types('#dev', '/db refresh orders reason="a new column"');
    await earth.until(() => earth.cards('#dev').length > cards && earth.writes().length > 0, 'the job to be sent');
  });
});

describe('what changes nothing is not sent, but said:', () => {
  test.each([
    ['/db start orders-3320', ['orders-3320 is RUNNING already', 'nothing was sent']],
    ['/db stop orders-3321', ['orders-3321 is STOPPED already']],
    ['/db enable orders', ['orders is RUNNING already']],
    ['/db env enable dev', ['dev is ENABLED already']],
  ])('%s', isRefused);

  test.each([
    ['/db disable archive_2023', 'archive_2023 is DISABLED already'],
    ['/db env disable perf-lab', 'perf-lab is DISABLED already'],
  ])('also by a form: %s', async (line, says) => {
    const writes = earth.writes().length;
    await ana.types('#dev', line);
    await ana.until(() => JSON.stringify(ana.sees().views).includes(says), says);
    expect(earth.writes()).toHaveLength(writes);
  });

  test('also where the target is chosen in the form', async () => {
    const writes = earth.writes().length;
    await opensForm(ana, '#dev', '/db stop');
    await ana.fills({ database: 'orders-3321' });
    expect((await ana.submits()).errors).toEqual({ database: 'orders-3321 is STOPPED already, so nothing was sent.' });
    expect(earth.writes()).toHaveLength(writes);
  });
});

describe('an Oracle clone that is typed as a server is the clone of that number', () => {
  test('in a list, a record and a command', async () => {
    expect(await told('/db list oracle_clone_server-1')).toContain('PAYDEV');
    expect(await told('/db show ORACLE_CLONE_SERVER-1')).toContain('PAYDEV');
    await isRefused('/db start ORACLE_CLONE_SERVER-1', ['PAYDEV is RUNNING already']);
  });

  test('in a picker', async () => {
    await opensForm(ana, '#dev', '/db stop');
    expect(await ana.choices('database', 'ORACLE_CLONE_SERVER-1')).toEqual(['PAYDEV']);
  });
});
