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

    test('one objection counts, by whichever process, and it takes no approval back', async () => {
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

    test('nobody else objects', async () => {
      const store = await open();
      desk = await board(store);
      await isHeld(store);
      expect(await objects(desk.parts, 'U0EVE')).toBe('Only people who hold a clone that this deletes can object.');
      expect((await desk.now()).approval?.terms.objections).toBeUndefined();
    });
  });

  describe('of two who decide at the same moment', () => {
    test('one denial before an approval is what counts', async () => {
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

    test('one approval is what counts, and the call is made once', async () => {
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

    test('both count where two are needed', async () => {
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

    test('a person who is both counts once where two are needed', async () => {
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

    test('a withdrawal before an approval is what counts', async () => {
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

    test('a withdrawal while it is being sent stops it, or says that it is too late', async () => {
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

    test('who breaks the glass is not told of an end while another’s approval is not enough', async () => {
      await begins({ ...two, ...glass });
      const slow = replica(desk.parts);
      const breaking = desk.breaks('U0ANA', slow.parts);
      await slow.arrived;
      expect(await desk.approves('U0DEV')).toBe('counted: awaiting');
      slow.lets();
      expect(await breaking).toBe('counted: approved');
      expect(await desk.now()).toMatchObject({ approval: { emergency: 'The disk is full.' } });
    });

    test('who breaks the glass after a denial comes too late', async () => {
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
    test('an approval is too late, from that very millisecond on', async () => {
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
    ] as const)('%s is too late', async (_name, clicks, what) => {
      await begins(glass);
      await desk.clock.advance(day);
      expect(await clicks()).toBe('late: expired');
      expect((await desk.trail(1))[0]).toContain(`${what}: too late: it is expired`);
    });

    test('what was approved before is not sent', async () => {
      await begins();
      expect(await desk.approves('U0DEV')).toBe('counted: approved');
      await desk.clock.advance(day);
      expect(await desk.sends()).toBe('expired');
      expect(desk.writes()).toBe(0);
    });
  });

  describe('one user of the service', () => {
    test.each(['dev', 'DEV', ' dev ', 'ｄｅｖ', 'd\u200bev'])(
      'written %j counts once where two are needed',
      async written => {
        await begins(two);
        const { token = '' } = (await desk.credentials.find({ team: 'T1', person: 'U0DEV' })) ?? {};
        await desk.signsIn('U0BEN', written, token);
        expect(await desk.approves('U0DEV')).toBe('counted: awaiting');
        expect(await desk.approves('U0BEN')).toBe('Somebody signed in as dev has already approved this.');
      },
    );

    test('under two names, told by the token, counts once where two are needed', async () => {
      await begins(two);
      const { token = '' } = (await desk.credentials.find({ team: 'T1', person: 'U0DEV' })) ?? {};
      await desk.signsIn('U0BEN', 'dev@example.com', token);
      expect(await desk.approves('U0BEN')).toBe('counted: awaiting');
      expect(await desk.approves('U0DEV')).toBe('Somebody signed in as dev@example.com has already approved this.');
    });

    test.each(['ana', 'ANA', ' ana', 'ａｎａ', 'an\u2060a'])(
      'who asked does not approve it as %j in another account',
      async written => {
        await begins();
        const { token = '' } = (await desk.credentials.find({ team: 'T1', person: 'U0ANA' })) ?? {};
        await desk.credentials.forget({ team: 'T1', person: 'U0ANA' }, desk.clock.now());
        await desk.signsIn('U0BEN', written, token);
        expect(await desk.approves('U0BEN')).toContain('and so is the person who asked');
        expect(await desk.denies('U0BEN')).toContain('and so is the person who asked');
      },
    );

    test('who asked does not approve it under another name, signed in or out', async () => {
      await begins();
      const { token = '' } = (await desk.credentials.find({ team: 'T1', person: 'U0ANA' })) ?? {};
      await desk.signsIn('U0BEN', 'ana@example.com', token);
      expect(await desk.approves('U0BEN')).toContain('and so is the person who asked');
      await desk.credentials.forget({ team: 'T1', person: 'U0ANA' }, desk.clock.now());
      expect(await desk.approves('U0BEN')).toContain('ana@example.com, which is the same user as ana');
    });

    test('who asked does not take over the approval of an account that now is theirs', async () => {
      await begins();
      const { token = '' } = (await desk.credentials.find({ team: 'T1', person: 'U0ANA' })) ?? {};
      expect(await desk.approves('U0BEN')).toBe('counted: approved');
      await desk.signsIn('U0BEN', 'ana@example.com', token);
      expect(await desk.sends()).toBe('void');
      expect(desk.writes()).toBe(0);
    });

    test('of whom nothing but an e-mail address is known counts as who asked, and is told what to do', async () => {
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
    test('of somebody who left the group is dropped, and can be given anew', async () => {
      await begins(two);
      await desk.approves('U0DEV');
      desk.group.set('U0DEV', false);
      expect(await desk.approves('U0EVE')).toBe('counted: awaiting');
      expect((await desk.now()).approval?.decisions).toContainEqual(expect.objectContaining({ type: 'dropped' }));
      desk.group.set('U0DEV', true);
      expect(await desk.approves('U0DEV')).toBe('counted: approved');
    });

    test('of somebody who left the workspace is dropped', async () => {
      await begins(two);
      await desk.approves('U0DEV');
      desk.strangers.add('U0DEV');
      expect(await desk.approves('U0EVE')).toBe('counted: awaiting');
    });

    test('is not dropped because Slack does not tell: the click is to be made again', async () => {
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
    test('what Slack does not tell of the group any more waits, says so, and goes on when it does', async () => {
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
    ])('an approval of somebody who %s does not count', async (_what, leaves) => {
      await begins();
      await desk.approves('U0DEV');
      leaves();
      expect(await desk.sends()).toBe('void');
      expect(desk.writes()).toBe(0);
    });

    test('who may do without approval is asked anew', async () => {
      await begins({ breakGlass: { people: 'S0DBAS' } });
      expect(await desk.breaks()).toBe('counted: approved');
      desk.group.set('U0ANA', undefined);
      expect(await desk.sends()).toBe('approved');
      desk.group.set('U0ANA', false);
      expect(await desk.sends()).toBe('void');
      expect(desk.writes()).toBe(0);
    });
  });

  test('a group that Slack does not tell of allows nothing, and the request says so', async () => {
    const free = { title: 'DBAs are free', operation: 'database.delete', requester: 'S0DBAS', decision: 'allow' };
    await begins({ rules: [{ ...free, requester: 'S0OTHER' }, free] }, board => board.group.set('U0ANA', undefined));
    expect((await desk.now()).approval?.terms.rule).toContain(
      'deletions need approval (Slack cannot tell me at the moment who is in S0DBAS)',
    );
  });

  test.each(['', '   ', '\u200b\u3164\u2800', '\u0301\u0308', '\u00ad…', '!!!'])(
    'the glass is not broken for the reason %j, which nobody can read',
    async reason => {
      await begins(glass);
      expect(await desk.breaks('U0ANA', desk.parts, reason)).toContain('Say why, in readable words');
      expect(await desk.sends()).toBe('awaiting');
    },
  );

  test('who is signed out cannot break the glass, which is in the trail', async () => {
    await begins(glass);
    await desk.credentials.forget({ team: 'T1', person: 'U0ANA' }, desk.clock.now());
    await expect(desk.breaks()).rejects.toMatchObject({ kind: 'signed-out' });
    expect(await desk.trail(1)).toEqual(['refused U0ANA: break glass: You are not signed in to the service.']);
  });

  test('nobody breaks the glass where the policy names nobody', async () => {
    await begins();
    expect(await desk.breaks()).toContain('The policy does not let you');
    expect(await desk.sends()).toBe('awaiting');
  });
});

test('an approval of the loss since the latest snapshot does not stand where only an older one is left', async () => {
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
