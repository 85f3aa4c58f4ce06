import { afterEach, describe, expect, test } from 'vitest';
import { PolicyFile, policyOf } from '../../../src/jobs/approval/policy/rules.ts';
import { stores } from '../../store/folder.ts';
import { type Board, board } from '../deciding.ts';

/* What becomes of an approval between the last click and the call. */

/** What the policy says now, after a change of its file. */
const policy = (file: object) => policyOf(PolicyFile.parse(file), ['S0DBAS']);

let desk: Board;
afterEach(() => desk.end());

const two = { rules: [{ title: 'two', operation: 'database.delete', decision: 'approve', approvals: 2 }] };
const glass = { breakGlass: { people: 'U0ANA' } };

describe.each(stores)('in %s', (_, open) => {
  const begins = async (file: object = {}) => {
    desk = await board(await open(), file);
    expect((await desk.now()).state).toBe('awaiting');
  };

  describe('when it is sent,', () => {
    const isVoid = async (words: string, change = {}) => {
      expect(await desk.sends(change)).toBe('void');
      expect((await desk.now()).reason).toContain(words);
      expect((await desk.trail(1))[0]).toMatch(/^void dolly: .*Nothing was sent\.$/);
      expect(desk.writes()).toBe(0);
    };

    test('an approval by somebody whom the policy no longer names does not count when the request is sent', async () => {
      await begins();
      await desk.approves('U0DEV');
      await isVoid('0 still count', { policy: policy({ approvers: 'U0EVE' }) });
    });

    test('an approval by somebody who has left the group does not count when the request is sent', async () => {
      await begins();
      await desk.approves('U0DEV');
      desk.group.set('U0DEV', false);
      await isVoid('0 still count');
    });

    test('an approved request waits while Slack does not tell who is in the group', async () => {
      await begins();
      await desk.approves('U0DEV');
      desk.group.set('U0DEV', undefined);
      expect(await desk.sends()).toBe('approved');
      expect(desk.writes()).toBe(0);
      desk.group.set('U0DEV', true);
      expect(await desk.sends()).toBe('running');
    });

    test('an approved request is void where the policy now asks for more approvals', async () => {
      await begins();
      await desk.approves('U0DEV');
      await isVoid('2 approvals (two)', { policy: policy(two) });
    });

    test('a request let through by breaking the glass is void where the policy forbids it by now', async () => {
      await begins(glass);
      await desk.breaks();
      await isVoid('The policy forbids this here', {
        policy: policy({ ...glass, rules: [{ name: 'archive*', decision: 'forbid' }] }),
      });
    });

    test('a request let through by breaking the glass is void once the policy no longer names the person', async () => {
      await begins(glass);
      expect(await desk.breaks()).toBe('counted: approved');
      await isVoid('no longer lets you run it without approval', {
        policy: policy({ breakGlass: { people: 'U0EVE' } }),
      });
    });

    test('a request let through by breaking the glass is void where its target has another name by now', async () => {
      await begins(glass);
      await desk.breaks();
      desk.service.rename('MARIADB_LIVE_SERVER-5', 'ledger');
      await isVoid('Name was archive_2023, and is ledger.');
    });

    test('an approved request is void where the requester is now signed in as another user', async () => {
      await begins();
      await desk.approves('U0DEV');
      await desk.signsIn('U0ANA', 'eve');
      await isVoid('you are now signed in as eve');
    });
  });
});
