import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Middleware } from '../../src/sandbox/service/application.ts';
import type { Database } from '../../src/sandbox/service/estate.ts';
import type { Someone } from '../person.ts';
import { type World, world } from '../world.ts';
import { approvalChannel, approvalKeys, asksToDelete, clicks } from './approvals.ts';
import { trail } from './attacking.ts';
import { type Crossing, crossing } from './crossing.ts';

/* What was approved is not what is there any more; and approvers who are none any more, or of whom nobody can say. */

let earth: World;
let road: Crossing;
let ana: Someone;
let dev: Someone;

const target = 'MARIADB_LIVE_SERVER-5';
const name = 'archive_2023';

beforeAll(async () => {
  road = crossing();
  earth = await world({ service: { middleware: road.middleware }, environment: approvalKeys });
  ana = await earth.enters('Ana', 'ana');
  dev = await earth.enters('Dev', 'dev');
});
afterAll(() => earth.close());

function databaseNow(): Database {
  const found = earth.service.service.estate.databases.get(target);
  if (!found) throw new Error('the target is gone');
  return found;
}

/** The records as the approver can read them, who reads first, and nobody else. */
function readableToFirst(): Middleware {
  let first: string | null = null;
  return (request, next) => {
    const reader = request.headers.get('authorization');
    first ??= reader;
    return reader === first ? next() : Response.json({ message: 'not yours' }, { status: 403 });
  };
}

describe('an approval is void, says why, and nothing is sent, where meanwhile the target', () => {
  test.each<[string, () => (() => void) | undefined, string]>([
    [
      'got another name',
      () => void earth.service.service.rename(target, 'ledger'),
      'Name was archive_2023, and is ledger.',
    ],
    [
      'was deleted, and another has its identifier',
      () => {
        const { createdAt, ...others } = databaseNow();
        earth.service.service.remove(target);
        earth.service.service.add({ ...others, createdAt: createdAt + 1 });
        return undefined;
      },
      'Created was ',
    ],
    [
      'was deleted, and another with its name has its identifier and says its dbid',
      () => void earth.service.service.change(target, { facts: { ...databaseNow().facts, dbid: '77' } }),
      'Dbid was not shown, and is 77.',
    ],
    [
      'was put into service',
      () => void earth.service.service.change(target, { state: 'RUNNING' }),
      'State was DISABLED, and is RUNNING.',
    ],
    [
      'was moved',
      () => void earth.service.service.change(target, { environment: 'HOST_ENVIRONMENT-1' }),
      'Environment was mariadb-prod (HOST_ENVIRONMENT-3), and is oracle-prod (HOST_ENVIRONMENT-1).',
    ],
    [
      'was given to another project',
      () => void earth.service.service.change(target, { project: 'PROJECT-1' }),
      'Project was finance (PROJECT-2), and is web-shop (PROJECT-1).',
    ],
    [
      'got a clone',
      () => {
        const clone = { ...databaseNow(), id: 'MARIADB_CLONE_SERVER-77', name: 'payday', sourceDatabase: target };
        earth.service.service.add({ ...clone, cloneType: 'VIRTUALCLONE', snapshots: [] });
        return () => earth.service.service.remove(clone.id);
      },
      'Dependents was none that the records show, and is payday (MARIADB_CLONE_SERVER-77).',
    ],
    [
      'is hidden from the one who asked',
      () => {
        const answer = readableToFirst();
        const meetings = [`/database/${target}`, '/database/list'].map(path => road.meets(path, answer));
        return () => meetings.forEach(meeting => void meeting.leave());
      },
      `I could no longer read ${target}`,
    ],
    [
      'is gone',
      () => {
        const gone = databaseNow();
        const meeting = road.meets(`/database/${target}`, async (_request, next) => {
          const answer = await next();
          earth.service.service.remove(target);
          return answer;
        });
        return () => {
          meeting.leave();
          earth.service.service.add(gone);
        };
      },
      `No record shows ${target}.`,
    ],
  ])('an approval is void, says why, and sends nothing where the target meanwhile %s', async (_, changes, sentence) => {
    const before = { ...databaseNow() };
    const { own, card } = await asksToDelete(earth, ana, `/db delete ${name}`, name);
    const restores = changes();
    expect(await clicks(dev, card, 'Approve')).toContain('You approved it');
    await earth.until(() => earth.text(own).includes('· Approval void'), 'the end of the approval');
    await earth.until(() => earth.text(card).includes('· Approval void'), 'the card to say so');
    restores?.();
    earth.service.service.add(before);
    for (const message of [own, card]) expect(earth.text(message)).toContain(sentence);
    expect(earth.writes()).toEqual([]);
    const [decision, end] = await trail(earth, 2);
    expect(decision).toContain(`approved ${dev.id}: 1 of 1 approvals`);
    expect(end).toMatch(/^void dolly: .*Nothing was sent\.$/);
    expect(end).toContain(sentence);
  });
});

describe('an approver', () => {
  const group = () => {
    const [found] = earth.playground.slack.workspace.groups;
    if (!found) throw new Error('there is no group');
    return found;
  };
  const withdrawn = async (own: { channel: string; ts: string }) => {
    await earth.until(() => earth.text(own).includes('Waits for approval'), 'the request');
    await ana.presses('Withdraw', { message: await ana.reads('#databases', 'I asked for approval in') });
    await earth.until(() => earth.text(own).includes('· Withdrawn'), 'the end');
    expect(earth.writes()).toEqual([]);
  };

  test('a person who has just been taken out of the approvers’ group can no longer approve', async () => {
    const { own, card } = await asksToDelete(earth, ana, `/db delete ${name}`, name);
    await dev.types('#dev', '/db approvals');
    await dev.reads('#dev', 'What waits for your approval');
    const users = group().users;
    group().users = [ana.id];
    expect(await clicks(dev, card, 'Approve')).toContain('You are not among those who may decide');
    group().users = users;
    expect((await trail(earth, 1))[0]).toBe(
      `refused ${dev.id}: approved: You are not among those who may decide on this.`,
    );
    await withdrawn(own);
  });

  test.each<[string, () => void, () => void]>([
    ['asks Dolly to wait', () => slow('rate-limit'), () => earth.playground.slack.faults.clear()],
    ['does not answer', () => slow('hang'), () => earth.playground.slack.faults.clear()],
    ['has no groups on its plan', () => groupsOn(false), () => groupsOn(true)],
  ])(
    'a click on Approve decides nothing where Slack cannot say who approves, since it %s',
    async (_, breaks, mends) => {
      const { own, card } = await asksToDelete(earth, ana, `/db delete ${name}`, name);
      // Nothing is remembered of the group after a start.
      breaks();
      await earth.restart();
      const click = clicks(dev, card, 'Approve');
      await earth.until(() => Promise.race([click, undefined]), 'the answer');
      expect(await click).toContain(
        'Slack cannot tell me at the moment who is in <!subteam^S0DBAS0001>. Nothing was decided',
      );
      mends();
      expect((await trail(earth, 1))[0]).toContain(`refused ${dev.id}: approved: Slack cannot tell me`);
      await withdrawn(own);
    },
  );

  test('an approver whose sign-in has ended is offered a new one, and their click decides nothing', async () => {
    const { own, card } = await asksToDelete(earth, ana, `/db delete ${name}`, name);
    earth.service.service.signOut('dev');
    expect(await clicks(dev, card, 'Approve')).toContain('Sign in');
    expect((await trail(earth, 2)).some(entry => entry.startsWith(`refused ${dev.id}: approved: `))).toBe(true);
    expect(earth.text(card)).toContain('Waits for approval');
    await earth.signsIn(dev, approvalChannel, 'dev');
    await withdrawn(own);
  });

  function slow(kind: 'rate-limit' | 'hang'): void {
    earth.playground.slack.faults.add({ method: 'usergroups.users.list', kind, times: 9, retryAfter: 30 });
  }
  function groupsOn(plan: boolean): void {
    earth.playground.slack.settings.userGroups = plan;
  }
});
