import { removeRecord } from '../change.ts';
import { type Context, type Endpoint, get, signIn, write } from '../endpoint.ts';
import type { User } from '../estate.ts';
import { inputQuery } from '../input.ts';
import { bookkeeping } from '../jobs.ts';
import { find } from '../lookups.ts';
import { userRecord } from '../records.ts';
import { Refusal, successResult } from '../refusal.ts';

/** The answer of the token endpoint (our choice: spec §5.4 shows none). */
function issueToken({ tokens, clock, keep }: Context, user: User) {
  const { token, expiresAt } = tokens.issue(user.id, user.tokenLifetime);
  user.lastSignInAt = clock.now();
  keep();
  return {
    objectType: 'ACCESS_TOKEN',
    token,
    tokenType: 'Bearer',
    expiresAt: new Date(expiresAt).toISOString(),
    username: user.username,
  };
}

/** Spec §4.8. */
export const userEndpoints: readonly Endpoint[] = [
  signIn('/user/user/token', issueToken),
  signIn('/user/user/signin', () => successResult),

  get('/user/list', ({ estate }) => [...estate.users.values()].map(userRecord)),

  get('/user/user/{id}', ({ estate }, id) => userRecord(find(estate.users, id, ['USER']))),

  write({
    method: 'DELETE',
    path: '/user/user/delete',
    input: inputQuery,
    developer: 'none',
    find: ({ estate }, id) => ({ user: find(estate.users, id, ['USER']) }),
    check({ caller, user: { id, state } }) {
      if (id === caller.id) throw new Refusal('IN_USE', `${id} is the caller: nobody deletes themselves`);
      if (state === 'DELETING') throw new Refusal('WRONG_STATE', `${id} is being deleted`);
    },
    texts: ({ user }) => [user.username],
    begin(accepted) {
      const { context, user } = accepted;
      return removeRecord(accepted, user, {
        lasts: 1_000,
        work: task => bookkeeping(context.clock, task),
        done() {
          context.estate.users.delete(user.id);
          context.tokens.revoke(user.id);
        },
      });
    },
  }),
];
