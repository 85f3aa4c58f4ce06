import { describe, expect, test, vi } from 'vitest';
import { Failure, type FailureKind } from '../../../src/ground/failure.ts';
import {
  areTwoPeople,
  compareUsers,
  identityOfName,
  learnIdentity,
  relationOf,
} from '../../../src/jobs/approval/people/identity.ts';
import { PolicyFile, policyOf } from '../../../src/jobs/approval/policy/rules.ts';
import { recordReader } from '../../../src/records/recordReader.ts';
import { credentialsIn } from '../../../src/store/tables/credentials.ts';
import { openVault } from '../../../src/store/vault.ts';
import { folder, judgingIn, storeIn } from '../../store/folder.ts';

/** A service whose answers stand by path; what has none is refused with `kind`. */
function serviceOf(answers: Record<string, unknown>, kind: FailureKind = 'forbidden') {
  return recordReader(async ({ path }) => {
    if (!(path in answers)) throw new Failure(kind, 'No.');
    return answers[path];
  }, {});
}

const users = {
  '/user/list': [
    { id: 'USER-1', username: 'admin', email: 'boss@corp.example', fullName: 'Ada Boss', role: 'dba' },
    { id: 'USER-2', username: 'dba', email: 'dba@corp.example', fullName: 'Ben Dor', role: 'dba' },
    { id: 'USER-3', username: 'ana', email: 'ana@corp.example', fullName: 'Ana', role: 'admin', manager: 'admin' },
    { id: 'USER-4', username: 'ana2', email: 'ana2@corp.example', fullName: 'Ana', role: 'user' },
  ],
};
const jwt = (claims: object) => `e30.${Buffer.from(JSON.stringify(claims)).toString('base64url')}.c2ln`;
const relation = async (
  parts: ReturnType<typeof serviceOf>,
  [one, other]: readonly [string, string],
  [first, second]: readonly [string, string] = ['t1', 't2'],
) => compareUsers(await learnIdentity(parts, first, one), await learnIdentity(parts, second, other));

describe('by the service’s list of users,', () => {
  const parts = serviceOf(users);

  test.each([
    ['admin', 'Admin'],
    ['admin', 'àdmin'],
    ['admin', 'ad\u200bmin'],
    ['admin', 'аdmin'],
    ['admin', 'boss@corp.example'],
    ['admin', 'BOSS@CORP.EXAMPLE'],
    ['admin', 'Ada Boss'],
    ['boss@corp.example', 'ａｄａ boss'],
    ['dba', 'dba@corp.example'],
  ])('the service’s list of users shows that %j and %j are one user', async (one, other) => {
    expect(await relation(parts, [one, other])).toBe('same');
  });

  test.each([
    ['admin', 'dba'],
    ['admin', 'ana'],
    ['dba@corp.example', 'ana2'],
    ['Ben Dor', 'boss@corp.example'],
    ['ana2', 'ana@corp.example'],
  ])('the service’s list of users shows that %j and %j are two users', async (one, other) => {
    expect(await relation(parts, [one, other])).toBe('other');
  });

  test('two user names that look alike are two users where the service’s list has both', async () => {
    const twins = [
      { id: 'USER-1', username: 'admin' },
      { id: 'USER-2', username: 'àdmin' },
    ];
    expect(await relation(serviceOf({ '/user/list': twins }), ['admin', 'àdmin'])).toBe('other');
  });

  test('a full name that two users share tells them from a third user, and not from each other', async () => {
    expect(await relation(parts, ['Ana', 'admin'])).toBe('other');
    expect(await relation(parts, ['Ana', 'ana2'])).toBe('untold');
  });

  test('a role, a manager and a first name are not taken for the name of a user', async () => {
    expect(await learnIdentity(parts, 't', 'admin')).toMatchObject({ users: ['USER-1'] });
    const first = [
      { id: 'USER-1', username: 'x1', firstName: 'dba' },
      { id: 'USER-2', username: 'dba' },
    ];
    expect(await learnIdentity(serviceOf({ '/user/list': first }), 't', 'dba')).toMatchObject({ users: ['USER-2'] });
  });

  test('another person’s user is found by name in the list that one may read oneself', async () => {
    expect(await identityOfName(parts, 'boss@corp.example')).toMatchObject({ users: ['USER-1'] });
  });
});

describe('by the token,', () => {
  test('the user in the token is who signed in, whatever name was typed', async () => {
    for (const claims of [
      { sub: 'USER-1' },
      { id: 'USER-1' },
      { preferred_username: 'admin' },
      { email: 'boss@corp.example' },
    ])
      expect(await learnIdentity(serviceOf(users), jwt(claims), 'whoever')).toMatchObject({ users: ['USER-1'] });
  });

  test('the subjects of two tokens tell whether they are one user where the list of users is not shown', async () => {
    const parts = serviceOf({});
    const tokens = [jwt({ sub: '81-f', jti: 1 }), jwt({ sub: '81-f', jti: 2 })] as const;
    expect(await relation(parts, ['ana', 'larsen@corp.example'], tokens)).toBe('same');
    expect(await relation(parts, ['ana', 'larsen@corp.example'], [jwt({ sub: 7 }), jwt({ sub: 8 })])).toBe('other');
  });

  test('a token’s subject that repeats the typed name does not tell users apart', async () => {
    const tokens = [jwt({ sub: 'admin' }), jwt({ sub: 'àdmin' })] as const;
    expect(await relation(serviceOf({}), ['admin', 'àdmin'], tokens)).toBe('same');
  });
});

describe('by the answer to the sign-in,', () => {
  test('the one user in the answer to a sign-in is who signed in, and the record tells that user’s names', async () => {
    const parts = serviceOf({ '/user/user/USER-1': users['/user/list'][0] });
    const learnt = await learnIdentity(parts, 't', 'whoever', { token: 't', user: { id: 'USER-1' } });
    expect(learnt).toMatchObject({ users: ['USER-1'] });
    expect(learnt.names).toEqual(expect.arrayContaining(['whoever', 'admin', 'boss@corp.example']));
  });

  test('an answer to a sign-in with several users does not tell who signed in', async () => {
    const answer = { token: 't', users: ['USER-1', 'USER-2'] };
    expect(await learnIdentity(serviceOf({}), 't', 'ana', answer)).toEqual({ users: [], names: ['ana'] });
  });
});

describe('where the service shows nothing of users,', () => {
  const parts = serviceOf({});

  test.each([
    ['admin', ' ADMIN'],
    ['admin', 'àdmin'],
    ['admin', 'admin@corp.example'],
    ['admin', 'admin+dolly@corp.example'],
    ['admin', 'CORP\\admin'],
    ['admin@corp.example', 'admin@corp.test'],
  ])('where the service shows nothing of users, %j and %j count as one user', async (one, other) => {
    expect(await relation(parts, [one, other])).toBe('same');
  });

  test('without a list of users, a login and an e-mail address may be one user, and two logins are two', async () => {
    expect(await relation(parts, ['ana', 'larsen@corp.example'])).toBe('untold');
    expect(await relation(parts, ['ana', 'ben'])).toBe('other');
    expect(await relation(parts, ['a@corp.example', 'b@corp.example'])).toBe('other');
  });

  test('learning who a user is fails while the answers of the service are unreadable', async () => {
    await expect(learnIdentity(serviceOf({}, 'unreadable'), 't', 'ana')).rejects.toMatchObject({ kind: 'unreadable' });
  });
});

test('two Slack accounts count as two people only where the service tells that they are two users', async () => {
  const parts = judgingIn(await storeIn(folder()));
  const areTwo = (records: ReturnType<typeof serviceOf>, one: string, other: string, person = 'U2') =>
    areTwoPeople(parts, { team: 'T1', records }, [
      { person: 'U1', login: one },
      { person, login: other },
    ]);
  expect(await areTwo(serviceOf(users), 'ana', 'dba')).toBe(true);
  expect(await areTwo(serviceOf(users), 'ana', 'dba', 'U1')).toBe(false);
  expect(await areTwo(serviceOf(users), 'ana', 'ana@corp.example')).toBe(false);
  // Nothing tells, or nothing can be read at the moment.
  expect(await areTwo(serviceOf({}), 'ana', 'larsen@corp.example')).toBe(false);
  expect(await areTwo(serviceOf({}, 'unreadable'), 'ana', 'dba')).toBe(false);
  // One is signed in as the same user under a name that tells nothing by itself.
  await parts.credentials.keep({ team: 'T1', person: 'U2' }, 'boss', 't', 1, 'C1', {
    users: ['USER-3'],
    names: ['boss'],
  });
  expect(await areTwo(serviceOf(users), 'ana', 'boss')).toBe(false);
});

test('to compare two users opens the sign-ins of two people, unless all their tokens name the same subject', async () => {
  const store = await storeIn(folder());
  const vault = openVault([Buffer.alloc(32, 1)]);
  const open = vi.spyOn(vault, 'open');
  const credentials = credentialsIn(store, vault);
  const policy = policyOf(PolicyFile.parse({}), []);
  const relationIn = (team: string) =>
    relationOf({ credentials, policy }, { team, records: serviceOf({}) }, [
      { users: [], names: ['ana'], subject: 'portal' },
      { users: [], names: ['ben'], subject: 'portal' },
    ]);
  for (let at = 0; at < 50; at++) {
    await credentials.keep({ team: 'T1', person: `U${at}` }, `user-${at}`, jwt({ sub: `subject-${at}` }), 1);
    await credentials.keep({ team: 'T2', person: `U${at}` }, `user-${at}`, jwt({ sub: 'portal' }), 1);
  }
  expect(await relationIn('T1')).toBe('same');
  expect(open).toHaveBeenCalledTimes(2);
  // Where all carry the same one, it names nobody.
  expect(await relationIn('T2')).toBe('other');
  expect(open).toHaveBeenCalledTimes(52);
});
