import { fail } from '../change.ts';
import type { Context, Endpoint, PlanText } from '../endpoint.ts';
import type { User } from '../estate.ts';
import { bookkeeping } from '../jobs.ts';
import { find } from '../lookups.ts';
import { projectRecord, userRecord } from '../records.ts';
import { Refusal, successResult } from '../refusal.ts';
import { checkPermission } from '../rules.ts';

const removeUser: PlanText = ({ estate, jobs, clock, tokens }, caller, id) => {
  const user = find(estate.users, id, ['USER']);
  checkPermission(caller, 'user/delete');
  if (user.id === caller.id) throw new Refusal('IN_USE', `${id} is the caller: nobody deletes themselves`);
  if (user.state === 'DELETING') throw new Refusal('WRONG_STATE', `${id} is being deleted`);
  return {
    texts: [user.username],
    begin(effects) {
      user.state = 'DELETING';
      user.error = undefined;
      return jobs.start({
        operation: 'user/delete',
        target: id,
        effects,
        work: task => bookkeeping(clock, task),
        done() {
          estate.users.delete(id);
          tokens.revoke(id);
        },
        failed: message => fail(user, message, clock.now()),
      });
    },
  };
};

const removeProject: PlanText = ({ estate, jobs, clock }, caller, id) => {
  const project = find(estate.projects, id, ['PROJECT']);
  checkPermission(caller, 'project/delete');
  if (project.state === 'DELETING') throw new Refusal('WRONG_STATE', `${id} is being deleted`);
  return {
    texts: [project.name],
    begin(effects) {
      project.state = 'DELETING';
      project.error = undefined;
      return jobs.start({
        operation: 'project/delete',
        target: id,
        effects,
        work: task => bookkeeping(clock, task),
        done() {
          estate.projects.delete(id);
          // A project only groups databases: they outlive it.
          for (const database of estate.databases.values()) if (database.project === id) database.project = undefined;
        },
        failed: message => fail(project, message, clock.now()),
      });
    },
  };
};

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

/** Spec §4.8 and §4.9. */
export const directoryEndpoints: readonly Endpoint[] = [
  { method: 'POST', path: '/user/user/token', takes: 'credentials', sign: issueToken },
  { method: 'POST', path: '/user/user/signin', takes: 'credentials', sign: () => successResult },
  {
    method: 'GET',
    path: '/user/list',
    takes: 'nothing',
    read: ({ estate }) => [...estate.users.values()].map(userRecord),
  },
  {
    method: 'GET',
    path: '/user/user/{id}',
    takes: 'path',
    read: ({ estate }, id) => userRecord(find(estate.users, id, ['USER'])),
  },
  { method: 'DELETE', path: '/user/user/delete', takes: 'input', write: 'user/delete', plan: removeUser },
  {
    method: 'GET',
    path: '/project/list',
    takes: 'nothing',
    read: ({ estate }) => [...estate.projects.values()].map(projectRecord),
  },
  {
    method: 'GET',
    path: '/project/{id}',
    takes: 'path',
    read: ({ estate }, id) => projectRecord(find(estate.projects, id, ['PROJECT'])),
  },
  { method: 'DELETE', path: '/project/delete', takes: 'input', write: 'project/delete', plan: removeProject },
];
