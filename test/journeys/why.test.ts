import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { type Someone, textOf } from '../person.ts';
import { type World, world } from '../world.ts';
import { approvalKeys, asksToDelete } from './approvals.ts';
import { type Crossing, crossing } from './crossing.ts';

/* `/db why`: what would come of a command, gate by gate, while nothing is sent. */

let earth: World;
let road: Crossing;
let ana: Someone;
let ben: Someone;
const met: { leave(): void }[] = [];

beforeAll(async () => {
  road = crossing();
  earth = await world({ service: { middleware: road.middleware }, environment: { ...approvalKeys } });
  ana = await earth.enters('Ana', 'ana');
  ben = await earth.enters('Ben', 'ben');
});
afterAll(() => earth.close());
afterEach(() => {
  for (const meeting of met.splice(0)) meeting.leave();
});

/** Asks why, and gives the answer: its text, which must have sent nothing and made no job. */
function asksWhy(someone: Someone, line: string): Promise<string> {
  return answered(someone, () => someone.types('#databases', line), line);
}

async function answered(someone: Someone, ask: () => Promise<void>, line: string): Promise<string> {
  const jobs = earth.cards('#databases').length + earth.cards('#dba-approvals').length;
  const writes = earth.writes().length;
  const mine = () => someone.messages('#databases').filter(({ onlyFor }) => onlyFor === someone.id);
  const before = mine().length;
  await ask();
  const answer = await someone.until(() => mine()[before], `an answer to ${line}`);
  await earth.clock.advance(5_000);
  expect(earth.writes().length).toBe(writes);
  expect(earth.cards('#databases').length + earth.cards('#dba-approvals').length).toBe(jobs);
  return textOf(answer);
}

/** The line of a gate in an answer. */
function gate(answer: string, label: string): string {
  return answer.split('\n').find(line => line.includes(`*${label}*`)) ?? `no line ${label} in:\n${answer}`;
}

describe('a command that', () => {
  test('“/db why” of a command for several databases answers for each of them', async () => {
    const answer = await asksWhy(ben, '/db why backup shop billing loadtest');
    expect(answer).toMatch(/It would be sent\.\*.*no rule applies to database\.backup\.\n\*2\*: shop, billing/);
    expect(answer).toMatch(/most likely refuse it: .*\n\*1\*: loadtest/);
    expect(await asksWhy(ben, '/db why backup shop shpo')).toContain('Nothing is called “shop shpo”');
  });

  test('“/db why” says at the top why a command needs no approval', async () => {
    const answer = await asksWhy(ben, '/db why backup shop');
    expect(answer.split('checks passed')[0]).toContain('It needs no approval: no rule applies to database.backup');
  });

  test('“/db why” says of a deletion by whom and until when it would wait for approval', async () => {
    const answer = await asksWhy(ben, '/db why delete slow_reports');
    expect(answer).toMatch(/It would wait for approval\* by <!subteam\^S0DBAS0001>, .*until 2026-11-22/);
    expect(gate(answer, 'Signed in')).toMatch(/^:white_check_mark:.*You are signed in as ben/);
    expect(gate(answer, 'Sign-in still good')).toMatch(/^:white_check_mark:/);
    expect(gate(answer, 'Target')).toMatch(/^:white_check_mark:.*slow_reports is MYSQL_LIVE_SERVER-3/);
    expect(gate(answer, 'Policy')).toMatch(/^:white_check_mark:.*allowed with approval/);
    expect(gate(answer, 'Approval')).toMatch(/^:raised_hand:.*One other person/);
    expect(gate(answer, 'State')).toMatch(/^:white_check_mark:.*RUNNING/);
    expect(gate(answer, 'Environment')).toMatch(/^:white_check_mark:.*ENABLED/);
    expect(gate(answer, 'Dependents')).toMatch(/^:white_check_mark:/);
    expect(gate(answer, 'Under way')).toMatch(/^:white_check_mark:/);
  });

  test('“/db why” says that nobody would be asked to approve a deletion that the service would refuse', async () => {
    const answer = await asksWhy(ben, '/db why delete orders');
    expect(answer).toContain(
      '*It would be refused.* The service would refuse it, so nobody would be asked to approve it: orders-3320',
    );
    expect(gate(answer, 'Approval')).toMatch(/^:raised_hand:.*One other person/);
    expect(gate(answer, 'Dependents')).toMatch(/^:x:.*orders-3321 \(MYSQL_CLONE_SERVER-2\) depend on it/);
  });

  test('“/db why” says that a backup would be sent although the service would most likely refuse it', async () => {
    const answer = await asksWhy(ben, '/db why backup loadtest');
    expect(answer).toContain('*It would be sent.* The service would most likely refuse it: perf-lab');
  });

  test('“/db why” of a clone says what its form still asks for, and whether its environment is enabled', async () => {
    const fine = await asksWhy(ana, '/db why clone payroll targetEnvironment=dev');
    expect(fine).toContain('*It would be sent.*');
    expect(gate(fine, 'Environment')).toMatch(/^:white_check_mark:.*dev \(HOST_ENVIRONMENT-4\) is ENABLED/);
    const wrong = await asksWhy(ana, '/db why clone payroll targetEnvironment=perf-lab prot=3310');
    expect(gate(wrong, 'Environment')).toMatch(/^:x:.*perf-lab \(HOST_ENVIRONMENT-6\) is DISABLED/);
    expect(wrong).toContain('no field `prot`');
    const none = await asksWhy(ana, '/db why /clone payroll');
    expect(gate(none, 'Environment')).toMatch(/^:grey_question:.*None is named yet/);
    expect(none).toContain('The form asks for: Target environment.');
    expect(gate(none, 'Snapshots')).toMatch(/^:white_check_mark:.*the latest is used/);
  });

  test.each([
    ['/db why delete loadtest', 'Environment', /^:x:.*perf-lab \(HOST_ENVIRONMENT-6\) is DISABLED/],
    ['/db why env enable perf-lab', 'Environment', /^:white_check_mark:.*DISABLED/],
    ['/db why env enable retired', 'State', /^:x:.*already/],
    ['/db why env delete retired', 'Dependents', /^:white_check_mark:/],
    ['/db why snapshot delete MARIADB_SNAPSHOT-2', 'Dependents', /^:x:.*billing-3330/],
    ['/db why snapshot delete MARIADB_SNAPSHOT-9', 'Snapshots', /^:x:.*last snapshot/],
    ['/db why snapshot delete MARIADB_SNAPSHOT-4711', 'Target', /^:grey_question:.*I see no record of/],
    ['/db why stop orders-3321', 'State', /^:x:.*already STOPPED/],
    ['/db why start CRMTEST', 'State', /^:x:.*physical/],
    ['/db why delete MYSQL_LIVE_SERVER-4711', 'Target', /^:x:.*No record shows/],
    ['/db why backup orders-3320', 'Target', /^:x:.*is a clone/],
    ['/db why show "orders"', 'Target', /^:white_check_mark:.*MYSQL_LIVE_SERVER-1/],
    ['/db why list', 'Sign-in still good', /^:white_check_mark:/],
  ])('“%s” shows how its check “%s” comes out', async (line, label, expected) => {
    expect(gate(await asksWhy(ana, line), label)).toMatch(expected);
  });

  test('“/db why” says of a list that it would be sent, and of an unknown record that it would be refused', async () => {
    expect(await asksWhy(ana, '/db why list orders')).toContain('*It would be sent.*');
    expect(await asksWhy(ana, '/db why env show nothing-of-it')).toContain('*It would be refused.*');
  });

  test('“/db why” with an unknown target offers what may be meant, and a click answers for that', async () => {
    expect(await asksWhy(ana, '/db why delete')).toContain('A form would ask for the target first');
    expect(await asksWhy(ana, '/db why delete odrers')).toContain('Nothing is called “odrers”');
    const chosen = await answered(ana, () => ana.presses('orders'), 'the choice');
    expect(gate(chosen, 'Target')).toContain('orders is MYSQL_LIVE_SERVER-1');
  });

  test('“/db why” without a command, or with one that it cannot check, says so', async () => {
    expect(await asksWhy(ana, '/db why')).toContain('Say which command');
    expect(await asksWhy(ana, '/db why delte orders')).toContain('I do not know');
    expect(await asksWhy(ana, '/db why jobs')).toContain('between you and me');
  });
});

test('a button under the answer to “/db why” runs the command itself', async () => {
  await asksWhy(ana, '/db why restore billing');
  await ana.presses('Run the command', { message: ana.lastMessage('#databases') });
  expect((await ana.modal()).callbackId).toBe('database.restore');
  await ana.cancels(true);
});

test('“/db why” tells of another request that is under way on the same target', async () => {
  const { own } = await asksToDelete(earth, ben, '/db delete archive_2023', 'archive_2023');
  const answer = await asksWhy(ana, '/db why backup archive_2023');
  expect(gate(answer, 'Under way')).toMatch(/^:warning:/);
  expect(answer).toContain(`by <@${ben.id}>, waits for approval`);
  expect(answer).toContain('*It would be sent.* The service may not take it now');
  await ben.presses('Withdraw', {
    message: await ben.until(() => ben.messages('#databases').find(({ ts }) => ts === own.ts), 'it'),
  });
  await earth.until(() => earth.text(own).includes('Withdrawn'), 'the withdrawal');
});

describe('without a good sign-in', () => {
  test('“/db why” tells a person who is signed out so, with a sign-in and what the policy says', async () => {
    const dev = await earth.enters('Dev');
    const answer = await asksWhy(dev, '/db why delete orders');
    expect(answer).toContain('*It would be refused.* You are not signed in to the service.');
    expect(gate(answer, 'Signed in')).toMatch(/^:x:/);
    expect(gate(answer, 'Sign-in still good')).toMatch(/^:grey_question:/);
    expect(gate(answer, 'Target')).toMatch(/^:grey_question:/);
    expect(gate(answer, 'Policy')).toMatch(/^:white_check_mark:/);
    expect(answer).toContain('Sign in to the service');
  });

  test('“/db why” says that the service no longer accepts a token, which is then forgotten', async () => {
    const chi = await earth.enters('Chi', 'chi');
    earth.service.service.signOut('chi');
    const answer = await asksWhy(chi, '/db why delete orders');
    expect(gate(answer, 'Sign-in still good')).toMatch(/^:x:.*no longer valid/);
    expect(answer).toContain('Sign in to the service');
    expect(gate(await asksWhy(chi, '/db why list'), 'Signed in')).toMatch(/^:x:/);
  });
});

test('“/db why” says nothing of states or dependents while the service is down', async () => {
  for (const path of ['/database/list', '/environment/list'])
    met.push(road.meets(path, () => Response.json({ message: 'no list today' }, { status: 503 })));
  const answer = await asksWhy(ana, '/db why delete orders');
  expect(answer).toContain('*I cannot tell at the moment.*');
  expect(gate(answer, 'Sign-in still good')).toMatch(/^:grey_question:/);
  for (const label of ['State', 'Environment', 'Dependents']) expect(gate(answer, label)).toContain('no line');
});

test('“/db why” marks as unknown what the records do not show', async () => {
  met.push(
    road.meets('/database/list', () => Response.json([{ id: 'MYSQL_LIVE_SERVER-1', name: 'orders' }])),
    road.meets('/database/MYSQL_LIVE_SERVER-1', () => Response.json({ id: 'MYSQL_LIVE_SERVER-1', name: 'orders' })),
  );
  const answer = await asksWhy(ana, '/db why delete orders');
  for (const label of ['State', 'Environment', 'Dependents']) expect(gate(answer, label)).toMatch(/^:grey_question:/);
});
