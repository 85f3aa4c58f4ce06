import { stringOf } from '../json.ts';
import { isOrganisationWide, type Slack } from '../slack.ts';
import { SlackError } from '../slackError.ts';
import { emailOf, organisation } from '../workspace.ts';
import { flag, type Method } from './method.ts';
import { listedTeam } from './reach.ts';
import { wireUser } from './wire.ts';

function groupsOf(slack: Slack) {
  if (!slack.settings.userGroups) throw new SlackError('plan_upgrade_required');
  return slack.workspace.groups;
}

const authTest: Method = (_, slack) => {
  const { team, app } = slack.workspace;
  const isWhole = isOrganisationWide(slack);
  const { id, name } = isWhole ? organisation : team;
  return {
    url: `${slack.url()}/`,
    team: name,
    user: 'dolly',
    team_id: id,
    user_id: app.botUser,
    bot_id: app.botId,
    ...(slack.settings.organisation ? { enterprise_id: organisation.id } : {}),
    is_enterprise_install: isWhole,
  };
};

/** Revokes the token: an app without any is not installed any more. */
const authRevoke: Method = (_, slack) => {
  const team = isOrganisationWide(slack) ? organisation.id : slack.workspace.team.id;
  slack.installs.remove(team);
  slack.leaves(team);
  return { revoked: true };
};

/** The workspaces for which the token of an organisation stands; for others the one of the token. */
const authTeamsList: Method = (_, slack) => {
  const all = isOrganisationWide(slack) ? slack.all() : [slack];
  const teams = all.map(({ workspace: { team } }) => ({ id: team.id, name: team.name }));
  return { teams, response_metadata: { next_cursor: '' } };
};

const usersInfo: Method = (args, slack) => {
  const person = slack.workspace.people.find(candidate => candidate.id === args.user);
  if (person === undefined) throw new SlackError('user_not_found');
  return { user: wireUser(slack, person) };
};

const usersList: Method = (args, slack) => ({
  // People of other workspaces are not listed, only found by their id.
  members: listedTeam(args, slack)
    .workspace.people.filter(person => person.kind !== 'outsider')
    .map(person => wireUser(slack, person)),
  cache_ts: Math.floor(slack.clock.now() / 1_000),
  response_metadata: { next_cursor: '' },
});

const lookupByEmail: Method = (args, slack) => {
  const person = slack.workspace.people.find(
    candidate => !candidate.isBot && candidate.kind !== 'outsider' && emailOf(candidate) === args.email,
  );
  if (person === undefined) throw new SlackError('users_not_found');
  return { user: wireUser(slack, person) };
};

const usergroupsList: Method = (args, slack) => ({
  usergroups: groupsOf(listedTeam(args, slack)).map(({ id, handle, name, users }) => ({
    id,
    team_id: slack.workspace.team.id,
    is_usergroup: true,
    handle,
    name,
    description: '',
    date_delete: 0,
    user_count: users.length,
    ...(flag(args.include_users) ? { users } : {}),
  })),
});

const usergroupMembers: Method = (args, slack) => {
  const group = groupsOf(listedTeam(args, slack)).find(candidate => candidate.id === stringOf(args.usergroup));
  if (group === undefined) throw new SlackError('no_such_subteam');
  return { users: group.users };
};

/** The methods on people and groups: auth.*, users.*, usergroups.*. */
export const directoryMethods: Record<string, Method> = {
  'api.test': args => ({ args }),
  'auth.revoke': authRevoke,
  'auth.test': authTest,
  'auth.teams.list': authTeamsList,
  'users.info': usersInfo,
  'users.list': usersList,
  'users.lookupByEmail': lookupByEmail,
  'usergroups.list': usergroupsList,
  'usergroups.users.list': usergroupMembers,
};
