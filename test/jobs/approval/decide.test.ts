import { afterEach, describe, expect, test } from 'vitest';
import { approve } from '../../../src/jobs/approval/decide.ts';
import { type HolderHearer, objectAsHolder } from '../../../src/jobs/approval/objectAsHolder.ts';
import { withdraw } from '../../../src/jobs/requesterActions.ts';
import { send } from '../../../src/jobs/send.ts';
import type { Store } from '../../../src/store/database.ts';
import { folder, storeIn, stores } from '../../store/folder.ts';
import { type Board, board, replica } from '../deciding.ts';

/* Who decides when, at the store: orders of events that Slack and the loops would make rare. */

let desk: Board;
afterEach(() => desk.end());

const day = 24 * 3_600_000;
const two = { rules: [{ title: 'two', operation: 'database.delete', decision: 'approve', approvals: 2 }] };
const glass = { breakGlass: { people: 'U0ANA' } };

describe.each(stores)('in %s', (_, open) => {
  const begins = async (file: object = {}, before?: (board: Pick<Board, 'group'>) => unknown) => {
    desk = await board(await open(), file, before);
    expect((await desk.now()).state).toBe('awaiting');
  };

  describe('of whoever holds what is deleted', () => {
    const click = { team: 'T1', person: 'U0BEN', channel: 'D1' };
    /** Lets Ben hold what is deleted, as a card would have it that was asked for so. */
    const isHeld = async (store: Store) => {
      const { approval } = await desk.now();
      const held = [{ record: 'MARIADB_LIVE_SERVER-5', name: 'archive_2023', person: 'U0BEN' }];
      await store
        .updateTable('jobs')
        .set({ terms: JSON.stringify({ ...approval?.terms, held }) })
        .execute();
    };
    const objects = async (parts: HolderHearer = desk.parts, person = 'U0BEN') => {
      const job = await desk.now();
      const digest = job.approval?.digest ?? '';
      const outcome = await objectAsHolder(parts, job, { ...click, person, digest });
      return outcome.type === 'refused' ? outcome.sentence : outcome.type;
    };

    test('an objection of a clone’s holder counts once, over two processes, and takes no approval back', async () => {
      const store = await open();
      desk = await board(store, two);
      await isHeld(store);
      const slow = replica(desk.parts);
      const late = objects(slow.parts);
      await slow.arrived;
      expect(await objects()).toBe('counted');
      expect(await desk.approves('U0DEV')).toBe('counted: awaiting');
      slow.lets();
      expect(await late).toBe('You have already objected: the card says so.');
      expect((await desk.now()).approval?.terms.objections?.map(({ person }) => person)).toEqual(['U0BEN']);
      expect(await desk.approves('U0EVE')).toBe('counted: approved');
      expect(await desk.sends()).toBe('running');
      expect(await objects()).toBe('late');
    });

    test('nobody but the holder of a clone can object to its deletion', async () => {
      const store = await open();
      desk = await board(store);
      await isHeld(store);
      expect(await objects(desk.parts, 'U0EVE')).toBe('Only people who hold a clone that this deletes can object.');
      expect((await desk.now()).approval?.terms.objections).toBeUndefined();
    });
  });

  describe('of two who decide at the same moment', () => {
    test('a denial that is stored before another person’s approval stands, and nothing is sent', async () => {
      await begins();
      const slow = replica(desk.parts);
      const late = desk.approves('U0DEV', slow.parts);
      await slow.arrived;
      expect(await desk.denies('U0EVE')).toBe('counted: denied');
      slow.lets();
      expect(await late).toBe('late: denied');
      expect(await desk.sends()).toBe('denied');
      expect(desk.writes()).toBe(0);
      expect(await desk.trail(2)).toEqual(['denied U0EVE: No.', 'refused U0DEV: approved: too late: it is denied']);
    });

    test('of two approvals at the same moment one counts, and the call is made once', async () => {
      await begins();
      const slow = replica(desk.parts);
      const late = desk.approves('U0DEV', slow.parts);
      await slow.arrived;
      expect(await desk.approves('U0EVE')).toBe('counted: approved');
      slow.lets();
      expect(await late).toBe('late: approved');
      expect(await desk.sends()).toBe('running');
      expect(await desk.sends()).toBe('running');
      expect(desk.writes()).toBe(1);
    });

    test('two approvals at the same moment both count where two are needed', async () => {
      await begins(two);
      const slow = replica(desk.parts);
      const second = desk.approves('U0DEV', slow.parts);
      await slow.arrived;
      expect(await desk.approves('U0EVE')).toBe('counted: awaiting');
      expect(await desk.sends()).toBe('awaiting');
      slow.lets();
      expect(await second).toBe('counted: approved');
      expect(await desk.trail(2)).toEqual([
        'approved in part U0EVE: 1 of 2 approvals',
        'approved U0DEV: 2 of 2 approvals',
      ]);
    });

    test('a person who approves twice at the same moment counts once where two are needed', async () => {
      await begins(two);
      const slow = replica(desk.parts);
      const second = desk.approves('U0DEV', slow.parts);
      await slow.arrived;
      expect(await desk.approves('U0DEV')).toBe('counted: awaiting');
      slow.lets();
      expect(await second).toBe('You have already approved this.');
      expect(await desk.trail(1)).toEqual(['refused U0DEV: approved: You have already approved this.']);
      expect(await desk.sends()).toBe('awaiting');
    });

    test('a withdrawal that is stored before an approval stands, and nothing is sent', async () => {
      await begins();
      const slow = replica(desk.parts);
      const late = desk.approves('U0DEV', slow.parts);
      await slow.arrived;
      expect(await withdraw(desk.parts, await desk.now())).toContain('Withdrawn');
      slow.lets();
      expect(await late).toBe('late: withdrawn');
      expect(desk.writes()).toBe(0);
    });

    test('a withdrawal after an approval takes back what was not sent, and says so', async () => {
      await begins();
      const before = await desk.now();
      expect(await desk.approves('U0DEV')).toBe('counted: approved');
      expect(await withdraw(desk.parts, before)).toBe('Withdrawn. Nothing was sent.');
      expect(await desk.sends()).toBe('withdrawn');
      expect(desk.writes()).toBe(0);
    });

    test('a withdrawal during the sending stops the request, and a second one hears that it is too late', async () => {
      await begins();
      await desk.approves('U0DEV');
      const slow = replica(desk.parts);
      const sending = desk.sends({ jobs: slow.parts.jobs });
      await slow.arrived;
      expect(await withdraw(desk.parts, await desk.now())).toContain('Withdrawn');
      slow.lets();
      expect(await sending).toBe('withdrawn');
      expect(desk.writes()).toBe(0);
      expect(await withdraw(desk.parts, await desk.now())).toContain('too late');
      expect(await desk.trail(1)).toEqual(['refused U0ANA: withdraw: too late']);
    });

    test('breaking the glass counts, though an approval that is not enough comes in between', async () => {
      await begins({ ...two, ...glass });
      const slow = replica(desk.parts);
      const breaking = desk.breaks('U0ANA', slow.parts);
      await slow.arrived;
      expect(await desk.approves('U0DEV')).toBe('counted: awaiting');
      slow.lets();
      expect(await breaking).toBe('counted: approved');
      expect(await desk.now()).toMatchObject({ approval: { emergency: 'The disk is full.' } });
    });

    test('breaking the glass after a denial comes too late', async () => {
      await begins(glass);
      const slow = replica(desk.parts);
      const breaking = desk.breaks('U0ANA', slow.parts);
      await slow.arrived;
      expect(await desk.denies('U0DEV')).toBe('counted: denied');
      slow.lets();
      expect(await breaking).toBe('late: denied');
      expect(await desk.trail(1)).toEqual(['refused U0ANA: break glass: too late: it is denied']);
    });
  });

  describe('after its time, though nobody has ended it yet,', () => {
    test('an approval is too late from the very millisecond in which the request expires', async () => {
      await begins();
      const { approval } = await desk.now();
      await desk.clock.advance((approval?.expiresAt ?? 0) - desk.clock.now() - 1);
      const slow = replica(desk.parts);
      const late = desk.approves('U0DEV', slow.parts);
      await slow.arrived;
      await desk.clock.advance(1);
      expect(await desk.approves('U0EVE')).toBe('late: expired');
      slow.lets();
      expect(await late).toBe('late: expired');
      expect(await desk.sends()).toBe('expired');
      expect(desk.writes()).toBe(0);
    });

    test.each([
      ['a denial', () => desk.denies('U0DEV'), 'denied'],
      ['breaking the glass', () => desk.breaks(), 'break glass'],
    ] as const)('after a request has expired, %s is too late', async (_name, clicks, what) => {
      await begins(glass);
      await desk.clock.advance(day);
      expect(await clicks()).toBe('late: expired');
      expect((await desk.trail(1))[0]).toContain(`${what}: too late: it is expired`);
    });

    test('an approved request that is sent after it has expired ends as expired, and nothing is sent', async () => {
      await begins();
      expect(await desk.approves('U0DEV')).toBe('counted: approved');
      await desk.clock.advance(day);
      expect(await desk.sends()).toBe('expired');
      expect(desk.writes()).toBe(0);
    });
  });

  describe('one user of the service', () => {
    test.each(['dev', 'DEV', ' dev ', 'ｄｅｖ', 'd\u200bev'])(
      'the service user dev, also written %j, counts once where two approvals are needed',
      async written => {
        await begins(two);
        const { token = '' } = (await desk.credentials.find({ team: 'T1', person: 'U0DEV' })) ?? {};
        await desk.signsIn('U0BEN', written, token);
        expect(await desk.approves('U0DEV')).toBe('counted: awaiting');
        expect(await desk.approves('U0BEN')).toBe('Somebody signed in as dev has already approved this.');
      },
    );

    test('a service user who signs in under two names counts once, by the token, where two approvals are needed', async () => {
      await begins(two);
      const { token = '' } = (await desk.credentials.find({ team: 'T1', person: 'U0DEV' })) ?? {};
      await desk.signsIn('U0BEN', 'dev@example.com', token);
      expect(await desk.approves('U0BEN')).toBe('counted: awaiting');
      expect(await desk.approves('U0DEV')).toBe('Somebody signed in as dev@example.com has already approved this.');
    });

    test.each(['ana', 'ANA', ' ana', 'ａｎａ', 'an\u2060a'])(
      'the requester cannot approve from another Slack account that is signed in as %j',
      async written => {
        await begins();
        const { token = '' } = (await desk.credentials.find({ team: 'T1', person: 'U0ANA' })) ?? {};
        await desk.credentials.forget({ team: 'T1', person: 'U0ANA' }, desk.clock.now());
        await desk.signsIn('U0BEN', written, token);
        expect(await desk.approves('U0BEN')).toContain('and so is the person who asked');
        expect(await desk.denies('U0BEN')).toContain('and so is the person who asked');
      },
    );

    test('the requester cannot approve from another account and login of the same service user', async () => {
      await begins();
      const { token = '' } = (await desk.credentials.find({ team: 'T1', person: 'U0ANA' })) ?? {};
      await desk.signsIn('U0BEN', 'ana@example.com', token);
      expect(await desk.approves('U0BEN')).toContain('and so is the person who asked');
      await desk.credentials.forget({ team: 'T1', person: 'U0ANA' }, desk.clock.now());
      expect(await desk.approves('U0BEN')).toContain('ana@example.com, which is the same user as ana');
    });

    test('an approval is void once the account that gave it is signed in as the requester’s user', async () => {
      await begins();
      const { token = '' } = (await desk.credentials.find({ team: 'T1', person: 'U0ANA' })) ?? {};
      expect(await desk.approves('U0BEN')).toBe('counted: approved');
      await desk.signsIn('U0BEN', 'ana@example.com', token);
      expect(await desk.sends()).toBe('void');
      expect(desk.writes()).toBe(0);
    });

    test('a user known by an e-mail address alone may be the requester, so may not approve and hears what to do', async () => {
      await begins();
      for (const [person, name] of Object.entries({ U0ANA: 'ana', U0DEV: 'larsen@corp.example' })) {
        const { token = '' } = (await desk.credentials.find({ team: 'T1', person })) ?? {};
        const unlisted = { users: [], names: [name] };
        await desk.credentials.keep({ team: 'T1', person }, name, token, desk.clock.now(), 'C1', unlisted);
      }
      expect(await desk.approves('U0DEV')).toMatch(/count as one\. Sign in with a name of the same kind/);
    });
  });

  describe('an earlier approval', () => {
    test('an earlier approval by somebody who has left the group is dropped, and can be given anew', async () => {
      await begins(two);
      await desk.approves('U0DEV');
      desk.group.set('U0DEV', false);
      expect(await desk.approves('U0EVE')).toBe('counted: awaiting');
      expect((await desk.now()).approval?.decisions).toContainEqual(expect.objectContaining({ type: 'dropped' }));
      desk.group.set('U0DEV', true);
      expect(await desk.approves('U0DEV')).toBe('counted: approved');
    });

    test('an earlier approval by somebody who has left the workspace is dropped', async () => {
      await begins(two);
      await desk.approves('U0DEV');
      desk.strangers.add('U0DEV');
      expect(await desk.approves('U0EVE')).toBe('counted: awaiting');
    });

    test('an approval is not dropped because Slack does not answer: the approver is asked to click again', async () => {
      await begins(two);
      await desk.approves('U0DEV');
      desk.group.set('U0DEV', undefined);
      expect(await desk.approves('U0EVE')).toMatch(/Nothing was decided; please try again\.$/);
      expect((await desk.trail(1))[0]).toMatch(/^refused U0EVE: approved: Slack cannot tell me/);
      desk.group.set('U0DEV', true);
      expect(await desk.approves('U0EVE')).toBe('counted: approved');
    });
  });

  describe('between the approval and the sending', () => {
    test('an approved request waits with a reason while Slack does not tell of the group, and then goes on', async () => {
      await begins();
      await desk.approves('U0DEV');
      desk.group.set('U0DEV', undefined);
      expect(await desk.sends()).toBe('approved');
      expect((await desk.now()).reason).toBe('Slack cannot tell me at the moment who is in S0DBAS.');
      expect(desk.writes()).toBe(0);
      desk.group.set('U0DEV', true);
      expect(await desk.sends()).toBe('running');
      expect(desk.writes()).toBe(1);
    });

    test.each<[string, () => unknown]>([
      ['left the group', () => desk.group.set('U0DEV', false)],
      ['left the workspace', () => desk.strangers.add('U0DEV')],
    ])('An approval does not count once the person who gave it has %s', async (_what, leaves) => {
      await begins();
      await desk.approves('U0DEV');
      leaves();
      expect(await desk.sends()).toBe('void');
      expect(desk.writes()).toBe(0);
    });

    test('a person who broke the glass must still be in the policy’s group when the request is sent', async () => {
      await begins({ breakGlass: { people: 'S0DBAS' } });
      expect(await desk.breaks()).toBe('counted: approved');
      desk.group.set('U0ANA', undefined);
      expect(await desk.sends()).toBe('approved');
      desk.group.set('U0ANA', false);
      expect(await desk.sends()).toBe('void');
      expect(desk.writes()).toBe(0);
    });
  });

  test('a rule for a group that Slack does not tell of allows nothing, and the request says so', async () => {
    const free = { title: 'DBAs are free', operation: 'database.delete', requester: 'S0DBAS', decision: 'allow' };
    await begins({ rules: [{ ...free, requester: 'S0OTHER' }, free] }, board => board.group.set('U0ANA', undefined));
    expect((await desk.now()).approval?.terms.rule).toContain(
      'deletions need approval (Slack cannot tell me at the moment who is in S0DBAS)',
    );
  });

  test.each(['', '   ', '\u200b\u3164\u2800', '\u0301\u0308', '\u00ad…', '!!!'])(
    'the glass cannot be broken for the reason %j, which nobody can read',
    async reason => {
      await begins(glass);
      expect(await desk.breaks('U0ANA', desk.parts, reason)).toContain('Say why, in readable words');
      expect(await desk.sends()).toBe('awaiting');
    },
  );

  test('a person who is signed out cannot break the glass, and the audit trail says so', async () => {
    await begins(glass);
    await desk.credentials.forget({ team: 'T1', person: 'U0ANA' }, desk.clock.now());
    await expect(desk.breaks()).rejects.toMatchObject({ kind: 'signed-out' });
    expect(await desk.trail(1)).toEqual(['refused U0ANA: break glass: You are not signed in to the service.']);
  });

  test('nobody can break the glass where the policy names nobody for it', async () => {
    await begins();
    expect(await desk.breaks()).toContain('The policy does not let you');
    expect(await desk.sends()).toBe('awaiting');
  });
});

test('an approved restore is void once only an older snapshot than the one shown is left', async () => {
  const rule = { title: 'loss', operation: 'database.restore', decision: 'approve' };
  desk = await board(await storeIn(folder()), { rules: [rule] });
  const target = 'MYSQL_LIVE_SERVER-2';
  const values = { database: target, objectType: 'MYSQL_SERVER_RECOVERY_PARAMS' };
  const job = await desk.asksAndSends({ operation: 'database.restore', values, target });
  if (job.state !== 'awaiting') throw new Error(`it is ${job.state}: ${job.reason}`);
  const click = { team: 'T1', person: 'U0DEV', channel: 'C0APPROVAL', digest: job.approval.digest };
  expect(await approve(desk.parts, job, click)).toMatchObject({ type: 'counted' });
  desk.service.estate.databases.get(target)?.snapshots.pop();
  const approved = await desk.parts.jobs.find(job.id);
  if (approved?.state !== 'approved') throw new Error(`it is ${approved?.state}`);
  await send(desk.parts, approved);
  const after = await desk.parts.jobs.find(job.id);
  expect(after?.state === 'unreadable' ? '' : after?.reason).toMatch(
    /The latest snapshot was from .*, and is now from .*/,
  );
  expect(desk.writes()).toBe(0);
});
