import type { Clock } from '../../ground/clock.ts';
import { type Bus, newBus } from './bus.ts';
import { type Faults, newFaults } from './faults.ts';
import { type Files, newFiles } from './files.ts';
import { type Inspector, newInspector } from './inspector.ts';
import { type Client, type Installs, newInstalls } from './installs.ts';
import { type Messages, newMessages } from './messages.ts';
import { newViews, type Views } from './modals.ts';
import type { TakenBlocks } from './newerBlocks.ts';
import type { CommandHint, Person, Shortcut, StepFunction } from './protocol.ts';
import { SlackError } from './slackError.ts';
import { subscriptions } from './subscriptions.ts';
import { newResponseUrls, newTriggers, type ResponseUrls, type Triggers } from './tickets.ts';
import { newWorkflows, type Workflows } from './workflows.ts';
import { newWorkspace, organisation, partnerWorkspace, type Workspace, wholeOrganisation } from './workspace.ts';

/** Switches that change how this Slack behaves, as plans and scopes do in a real one. */
export type Settings = {
  /** User groups exist on paid plans; without, their methods answer `plan_upgrade_required`. */
  userGroups: boolean;
  /** The scope chat:write.public: posting in public channels without being a member. */
  postToPublic: boolean;
  /** The newer blocks, which Slack brings to its workspaces by and by, each kind at its own time. */
  newerBlocks: TakenBlocks;
  /** The scope files:write; without, the methods for files answer `missing_scope`. */
  files: boolean;
  /**
   * Whether the other workspace has the app as well. Only then do its people have the app's slash commands: to them
   * they are no valid commands else (slackapi/bolt-python#767).
   */
  installedAtPartner: boolean;
  /** Whether both workspaces belong to one organisation, for which the app may be installed as a whole. */
  organisation: boolean;
  /** Whether tokens of new installations expire after twelve hours (`token_rotation_enabled`). */
  tokenRotation: boolean;
  /** The events to which the app subscribes: all that there are, where an older manifest has not taken one away. */
  events: string[];
};

/** The parts of the app's manifest that bring it before people's eyes. */
export type Declared = Readonly<{
  commands: readonly CommandHint[];
  shortcuts: readonly Shortcut[];
  functions: Readonly<Record<string, StepFunction>>;
}>;

/** All that the playground remembers, as one of its workspaces sees it: only `workspace` and `views` differ. */
export type Slack = {
  clock: Clock;
  declared: Declared;
  workspace: Workspace;
  settings: Settings;
  /** The time zones of people, by their browsers; UTC where none has said one. */
  zones: Map<string, string>;
  bus: Bus;
  inspector: Inspector;
  messages: Messages;
  files: Files;
  views: Views;
  triggers: Triggers;
  responseUrls: ResponseUrls;
  faults: Faults;
  workflows: Workflows;
  installs: Installs;
  /** The app's name and password for installations; absent where it can be installed nowhere else. */
  client: Client | undefined;
  /** Where this Slack is reached, without a slash at the end. Known once it listens. */
  url(): string;
  /**
   * The same Slack as another workspace (T…), or the whole organisation (E…), sees it.
   * @throws SlackError account_inactive, where the app is not (or no longer) there
   */
  at(team: string): Slack;
  /** The same Slack in each workspace that has the app. */
  all(): Slack[];
  /** The app has come into a workspace, or into the whole organisation. */
  opens(team: string): void;
  /** The app has left it. */
  leaves(team: string): void;
};

/** Whether the app is installed in the workspace that looks, by itself or with the whole organisation. */
export const isInstalled = ({ installs, workspace }: Slack) =>
  installs.isInstalled(workspace.team.id) || isOrganisationWide({ installs });

/** Whether a person's workspace has the app. Without, they have neither its commands nor its shortcuts. */
export const hasApp = (slack: Slack, { kind }: Person) =>
  kind === 'outsider' ? slack.settings.installedAtPartner : isInstalled(slack);

/** Whether the app is installed once for the whole organisation. */
export const isOrganisationWide = ({ installs }: Pick<Slack, 'installs'>) => installs.isInstalled(organisation.id);

/** Where a person belongs: the members of the other workspace see theirs, once it has the app. */
export function seenBy(slack: Slack, person: string): Slack {
  const isMember = ({ workspace }: Slack) =>
    workspace.people.some(({ id, kind }) => id === person && kind !== 'outsider');
  return slack.all().find(isMember) ?? slack;
}

/** What a new Slack is made of. */
export type SlackParts = Pick<Slack, 'clock' | 'declared' | 'url'> & {
  /** Milliseconds that a trigger lives; Slack's three seconds if absent. */
  triggerLife?: number | undefined;
  client?: Client | undefined;
  /** The token of the first workspace's installation; empty where the app is not yet installed there. */
  botToken: string;
};

/** A fresh Slack, with nothing said yet. */
export function newSlack({ clock, declared, url, triggerLife, client, botToken }: SlackParts): Slack {
  const home = newWorkspace();
  const bus = newBus();
  const settings: Settings = {
    userGroups: true,
    postToPublic: true,
    files: true,
    newerBlocks: true,
    installedAtPartner: false,
    events: [...subscriptions],
    organisation: false,
    tokenRotation: false,
  };
  const first = { token: botToken, team: home.team.id };
  const installs = newInstalls(clock, () => settings.tokenRotation, first);
  const viewsOf = newViews(clock, bus, settings, () =>
    isOrganisationWide({ installs }) ? organisation.id : undefined,
  );
  const workspaces = new Map<string, Slack>();
  const common = {
    clock,
    declared,
    settings,
    zones: new Map(),
    bus,
    inspector: newInspector(clock, event => bus.publish(event)),
    messages: newMessages(clock, () => [...workspaces.values()].map(({ workspace }) => workspace), bus),
    files: newFiles(),
    triggers: newTriggers(clock, triggerLife),
    responseUrls: newResponseUrls(clock),
    faults: newFaults(),
    workflows: newWorkflows(clock, bus),
    installs,
    client,
    url,
    all: () => [...workspaces.values()],
    opens(team: string) {
      const isWhole = team === organisation.id;
      if (!isWhole && team !== home.partner.id) return;
      workspaces.set(home.partner.id, as(partnerWorkspace(home, isWhole)));
    },
    leaves(team: string) {
      if (team !== home.team.id) workspaces.delete(home.partner.id);
    },
  };
  function at(team: string): Slack {
    const other = workspaces.get(home.partner.id);
    if (team === organisation.id && other !== undefined) return as(wholeOrganisation(home, other.workspace));
    const named = workspaces.get(team);
    if (named === undefined) throw new SlackError('account_inactive');
    return named;
  }
  const as = (workspace: Workspace): Slack => ({ ...common, at, workspace, views: viewsOf(workspace) });
  const main = as(home);
  workspaces.set(home.team.id, main);
  return main;
}
