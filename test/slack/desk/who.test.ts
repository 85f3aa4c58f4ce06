import { expect, test } from 'vitest';
import { whoIn } from '../../../src/slack/desk/who.ts';

test('who used something is the same for a click and for a form, in a channel shared with another workspace, too', () => {
  const user = { id: 'U1', team_id: 'T0THEIRS' };
  const click = { team: { id: 'T0OURS' }, user };
  const submit = { team: { id: 'T0THEIRS' }, user, view: { app_installed_team_id: 'T0OURS' } };
  expect(whoIn(click)).toEqual({ team: 'T0OURS', person: 'U1' });
  expect(whoIn(submit)).toEqual(whoIn(click));
  expect(whoIn({ team: null, user })).toEqual({ team: 'T0THEIRS', person: 'U1' });
});
