import { type Json, parsed, stringOf } from '../json.ts';
import { checkView } from '../modals.ts';
import { SlackError } from '../slackError.ts';
import { type Method, required } from './method.ts';

const viewOf = (args: Json): unknown => (typeof args.view === 'string' ? parsed(args.view) : args.view);

const open: Method = (args, slack) => {
  // The view is looked at first: a bad view does not use the trigger up.
  const view = checkView(viewOf(args), 'modal', slack.settings);
  const { user } = slack.triggers.redeem(required(args, 'trigger_id'), slack.workspace.app.botUser);
  return { view: slack.views.open(user, view).view };
};

const push: Method = (args, slack) => {
  const view = checkView(viewOf(args), 'modal', slack.settings);
  const { user } = slack.triggers.redeem(required(args, 'trigger_id'), slack.workspace.app.botUser);
  return { view: slack.views.push(user, view).view };
};

const update: Method = (args, slack) => {
  const which = { view_id: stringOf(args.view_id), external_id: stringOf(args.external_id) };
  return { view: slack.views.update(which, viewOf(args), stringOf(args.hash)).view };
};

const publish: Method = (args, slack) => {
  const user = required(args, 'user_id');
  const known = slack.workspace.people.some(person => person.id === user && !person.isBot);
  if (!known) throw new SlackError('user_not_found');
  // An empty hash is a hash, and never the right one: slack-go/slack#1462.
  const hash = typeof args.hash === 'string' ? args.hash : undefined;
  return { view: slack.views.publish(user, viewOf(args), hash) };
};

/** The views.* methods. */
export const viewMethods: Record<string, Method> = {
  'views.open': open,
  'views.push': push,
  'views.update': update,
  'views.publish': publish,
};
