import type { Clock } from '../../ground/clock.ts';
import { type Bus, newBus } from './bus.ts';
import { type Faults, newFaults } from './faults.ts';
import { type Files, newFiles } from './files.ts';
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
  /** The newer blocks: data tables and charts. Slack brings them to its workspaces by and by. */
  newerBlocks: boolean;
  /** The scope files:write; without, the methods for files answer `missing_scope`. */
  files: boolean;
  /**
   * Whether the other workspace has the app as well. Only then do its people have the app's slash commands: to them
   * they are no valid commands else (slackapi/bolt-python#767).
   */
  installedAtPartner: boolean;
};

/** All that the playground remembers. */
export type Slack = {
  clock: Clock;
  workspace: Workspace;
  settings: Settings;
  bus: Bus;
  inspector: Inspector;
  messages: Messages;
  files: Files;
  views: Views;
  triggers: Triggers;
  responseUrls: ResponseUrls;
  faults: Faults;
  /** Where this Slack is reached, without a slash at the end. Known once it listens. */
  url(): string;
};

/** A fresh Slack, with nothing said yet. */
export function newSlack(clock: Clock, url: () => string, triggerLife?: number): Slack {
  const workspace = newWorkspace();
  const bus = newBus();
  return {
    clock,
    workspace,
    settings: { userGroups: true, postToPublic: true, files: true, newerBlocks: true, installedAtPartner: false },
    bus,
    inspector: newInspector(clock, event => bus.publish(event)),
    messages: newMessages(clock, workspace, bus),
    files: newFiles(),
    views: newViews(clock, workspace, bus),
    triggers: newTriggers(clock, triggerLife),
    responseUrls: newResponseUrls(clock),
    faults: newFaults(),
    url,
  };
}
