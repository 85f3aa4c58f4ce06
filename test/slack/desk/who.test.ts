import { expect, test } from 'vitest';
import { whoIn, whoInCommand, whoInEvent } from '../../../src/slack/desk/who.ts';

test('a click and a form name the same person and workspace, also in a channel shared with another workspace', () => {
  const user = { id: 'U1', team_id: 'T0THEIRS' };
  const click = { team: { id: 'T0OURS' }, user };
  const submit = { team: { id: 'T0THEIRS' }, user, view: { app_installed_team_id: 'T0OURS' } };
  expect(whoIn(click)).toEqual({ team: 'T0OURS', person: 'U1' });
  expect(whoIn(submit)).toEqual(whoIn(click));
  expect(whoIn({ team: null, user })).toEqual({ team: 'T0THEIRS', person: 'U1' });
});

const user = { id: 'U1', team_id: 'T1' };
const organisation = { enterprise: { id: 'E1' }, is_enterprise_install: true };
const inWorkspace = { enterprise: { id: 'E1' }, is_enterprise_install: false };

test.each([
  ['a click', { team: { id: 'T1' }, user }, 'T1'],
  ['a click in a workspace of an organisation', { team: { id: 'T1' }, user, ...inWorkspace }, 'T1'],
  ['a click where the app is installed for the organisation', { team: { id: 'T1' }, user, ...organisation }, 'E1'],
  ['a click that names an organisation and no workspace', { team: null, user, ...organisation }, 'E1'],
  [
    'a click in an organisation that is not named',
    { team: { id: 'T1' }, user, enterprise: null, is_enterprise_install: true },
    'T1',
  ],
  ['a form', { team: { id: 'T1' }, user, view: { app_installed_team_id: 'T1' }, ...inWorkspace }, 'T1'],
  ['a form of an organisation', { team: null, user, view: { app_installed_team_id: 'T1' }, ...organisation }, 'E1'],
  ['a form that names the organisation', { team: { id: 'T9' }, user, view: { app_installed_team_id: 'E1' } }, 'E1'],
  [
    'a form that somebody of another organisation submits',
    {
      team: { id: 'T9' },
      user,
      enterprise: { id: 'E9' },
      view: { app_installed_team_id: 'E1' },
      is_enterprise_install: true,
    },
    'E1',
  ],
  ['a shortcut', { team: { id: 'T1' }, user }, 'T1'],
])('whoIn reads the team of %s', (_what, body, team) => {
  expect(whoIn(body)).toEqual({ team, person: 'U1' });
});

test.each([
  ['a workspace', { is_enterprise_install: 'false' }, 'T1'],
  ['a workspace, as Bolt’s types have it', { is_enterprise_install: false }, 'T1'],
  ['an organisation', { is_enterprise_install: 'true' }, 'E1'],
  ['a release of Slack’s that does not say', {}, 'T1'],
])('whoInCommand reads the team of a command in %s', (_what, said, team) => {
  const command = { team_id: 'T1', enterprise_id: 'E1', user_id: 'U1', ...said };
  expect(whoInCommand(command)).toEqual({ team, person: 'U1' });
});

const authorization = { enterprise_id: 'E1', team_id: 'T1', is_enterprise_install: false };

test.each([
  ['that names one team alone', { team_id: 'T1' }, 'T1'],
  ['in a workspace', { team_id: 'T1', context_team_id: 'T1', authorizations: [authorization] }, 'T1'],
  [
    'that happened in another workspace',
    { team_id: 'T9', context_team_id: 'T1', authorizations: [authorization] },
    'T1',
  ],
  ['without a context', { team_id: 'T9', authorizations: [authorization] }, 'T1'],
  [
    'in an organisation',
    { team_id: 'T1', context_team_id: 'T1', authorizations: [{ ...authorization, is_enterprise_install: true }] },
    'E1',
  ],
  [
    'in an organisation, of no workspace',
    { team_id: null, authorizations: [{ ...authorization, team_id: null, is_enterprise_install: true }] },
    'E1',
  ],
  ['that names nothing', { team_id: null, context_team_id: null, authorizations: [] }, ''],
])('whoInEvent reads the team of an event %s', (_what, envelope, team) => {
  expect(whoInEvent(envelope, 'U1')).toEqual({ team, person: 'U1' });
});
