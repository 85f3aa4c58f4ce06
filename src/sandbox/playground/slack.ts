import type { Clock } from '../../clock.ts';
import { type Bus, newBus } from './bus.ts';
import { type Faults, newFaults } from './faults.ts';
import { type Inspector, newInspector } from './inspector.ts';
import { type Messages, newMessages } from './messages.ts';
import { newViews, type Views } from './modals.ts';
import { newResponseUrls, newTriggers, type ResponseUrls, type Triggers } from './tickets.ts';
import { newWorkspace, type Workspace } from './workspace.ts';

/** Switches that change how this Slack behaves, as plans and scopes do in a real one. */
export type Settings = {
  /** User groups exist on paid plans; without, their methods answer `plan_upgrade_required`. */
  userGroups: boolean;
  /** The scope chat:write.public: posting in public channels without being a member. */
  postToPublic: boolean;
};

/** All that the playground remembers. */
export type Slack = {
  clock: Clock;
  workspace: Workspace;
  settings: Settings;
  bus: Bus;
  inspector: Inspector;
  messages: Messages;
  views: Views;
  triggers: Triggers;
  responseUrls: ResponseUrls;
  faults: Faults;
  /** Where this Slack is reached, without a slash at the end. Known once it listens. */
  url(): string;
};

/** A fresh Slack, with nothing said yet. */
export function newSlack(clock: Clock, url: () => string): Slack {
  const workspace = newWorkspace();
  const bus = newBus();
  return {
    clock,
    workspace,
    settings: { userGroups: true, postToPublic: false },
    bus,
    inspector: newInspector(clock, event => bus.publish(event)),
    messages: newMessages(clock, workspace, bus),
    views: newViews(clock, workspace, bus),
    triggers: newTriggers(clock),
    responseUrls: newResponseUrls(clock),
    faults: newFaults(),
    url,
  };
}
