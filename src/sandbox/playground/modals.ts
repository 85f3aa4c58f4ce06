import type { Clock } from '../../ground/clock.ts';
import { viewFaults } from './blockkit.ts';
import type { Bus } from './bus.ts';
import { withIds } from './elements.ts';
import { type Json, recordOf, recordsOf, stringOf } from './json.ts';
import { limits } from './limits.ts';
import { type TakenBlocks, unknownBlocks } from './newerBlocks.ts';
import type { OpenView } from './protocol.ts';
import { secret, shortId, slackId } from './random.ts';
import { refusal } from './refusal.ts';
import { SlackError } from './slackError.ts';
import { teamOf, type Workspace } from './workspace.ts';

/** An open modal: whose it is, and Slack's view object. */
export type Modal = { user: string; view: Json & { id: string; hash: string; root_view_id: string } };

/** The modals that each person has open, and each person's Home. */
export type Views = {
  /** Opens a modal in place of whatever this person has open. */
  open(user: string, view: unknown): Modal;
  /** Puts a modal on top. @throws SlackError push_limit_reached, not_found */
  push(user: string, view: unknown): Modal;
  /** Shows something else in an open modal. @throws SlackError not_found, hash_conflict */
  update(which: { view_id?: string; external_id?: string }, view: unknown, hash?: string): Modal;
  /** Takes the top modal away, or all of them. @returns those that went, top first */
  close(user: string, all: boolean): Modal[];
  find(viewId: string): Modal | undefined;
  stack(user: string): Modal[];
  /** @throws SlackError hash_conflict, duplicate_external_id */
  publish(user: string, view: unknown, hash?: string): Json;
  home(user: string): Json | undefined;
};

/** The modals of a person as the page gets them, root first. */
export const openViews = (stack: readonly Modal[]): OpenView[] =>
  stack.map(({ view }, index) => ({ id: view.id, hash: view.hash, rootId: view.root_view_id, stack: index, view }));

/** What the workspace takes. */
type Taking = Readonly<{ newerBlocks: TakenBlocks }>;

/** @throws SlackError invalid_arguments (with the faults) or view_too_large */
export function checkView(view: unknown, type: 'modal' | 'home', { newerBlocks }: Taking): Json {
  if (JSON.stringify(view ?? null).length > limits.viewBytes) throw new SlackError('view_too_large');
  const faults = viewFaults(view, type);
  if (faults.length > 0) throw refusal('invalid_arguments', faults);
  const unknown = unknownBlocks(recordsOf(recordOf(view).blocks), newerBlocks, '/view/blocks');
  if (unknown.length > 0) throw refusal('invalid_arguments', unknown, 'workspace');
  return recordOf(view);
}

/**
 * @param installedAt the organisation for which the app is installed as a whole; undefined: in each workspace
 * @returns the views as the app of one workspace reaches them: those that it opened itself
 */
export function newViews(
  clock: Clock,
  bus: Bus,
  settings: Taking,
  installedAt: () => string | undefined,
): (workspace: Workspace) => Views {
  const stacks = new Map<string, Modal[]>();
  const homes = new Map<string, Json & { hash: string }>();
  const stack = (user: string) => stacks.get(user) ?? [];
  const installed = (workspace: Workspace) => installedAt() ?? workspace.team.id;
  const hash = () => `${Math.floor(clock.now() / 1_000)}.${secret().slice(0, 8)}`;

  function set(user: string, modals: Modal[]) {
    stacks.set(user, modals);
    bus.publish({ type: 'views', views: openViews(modals) }, candidate => candidate === user);
  }

  /** Slack's view object: what the bot sent, with every absent property spelt out. */
  const dressed = (workspace: Workspace, user: string, view: Json) => ({
    // Of a member of another workspace it is that one; app_installed_team_id stays where the app is.
    team_id: teamOf(workspace, user).id,
    type: view.type,
    blocks: withIds(view.blocks, shortId),
    private_metadata: view.private_metadata ?? '',
    callback_id: view.callback_id ?? '',
    external_id: view.external_id ?? '',
    state: { values: {} },
    hash: hash(),
    title: view.title ?? { type: 'plain_text', text: 'View Title', emoji: true },
    submit: view.submit ?? null,
    close: view.close ?? null,
    clear_on_close: view.clear_on_close ?? false,
    notify_on_close: view.notify_on_close ?? false,
    submit_disabled: view.submit_disabled ?? false,
    app_id: workspace.app.id,
    app_installed_team_id: installed(workspace),
    bot_id: workspace.app.botId,
  });

  /** An external_id names one view of the workspace: no second modal or Home may have it. */
  function demandUnique(external: string, except?: Json) {
    const all = [...[...stacks.values()].flat().map(({ view }): Json => view), ...homes.values()];
    if (external !== '' && all.some(view => view !== except && view.external_id === external)) {
      throw new SlackError('duplicate_external_id');
    }
  }

  function put(workspace: Workspace, user: string, sent: unknown, below: Modal[]): Modal {
    const view = checkView(sent, 'modal', settings);
    demandUnique(stringOf(view.external_id));
    const id = slackId('V');
    const modal = {
      user,
      view: {
        ...dressed(workspace, user, view),
        id,
        root_view_id: below[0]?.view.id ?? id,
        previous_view_id: below.at(-1)?.view.id ?? null,
      },
    };
    set(user, [...below, modal]);
    return modal;
  }

  const find = (test: (modal: Modal) => boolean) => [...stacks.values()].flat().find(test);
  const homeKey = (workspace: Workspace, user: string) => `${workspace.app.botUser} ${user}`;

  return workspace => ({
    open: (user, view) => put(workspace, user, view, []),
    push(user, view) {
      const below = stack(user);
      if (below.length === 0) throw new SlackError('not_found');
      if (below.length >= limits.viewStack) throw new SlackError('push_limit_reached');
      return put(workspace, user, view, below);
    },
    update({ view_id = '', external_id = '' }, sent, expected = '') {
      const view = checkView(sent, 'modal', settings);
      const named = ({ view: open }: Modal) =>
        view_id === '' ? external_id !== '' && open.external_id === external_id : open.id === view_id;
      // Another workspace's app does not even learn that there is such a view.
      const modal = find(open => named(open) && open.view.app_installed_team_id === installed(workspace));
      if (modal === undefined) throw new SlackError('not_found');
      if (expected !== '' && expected !== modal.view.hash) throw new SlackError('hash_conflict');
      const { id, root_view_id, previous_view_id } = modal.view;
      modal.view = { ...dressed(workspace, modal.user, view), id, root_view_id, previous_view_id };
      set(modal.user, stack(modal.user));
      return modal;
    },
    close(user, all) {
      const open = stack(user);
      const left = all ? [] : open.slice(0, -1);
      set(user, left);
      return open.slice(left.length).reverse();
    },
    find: viewId => find(modal => modal.view.id === viewId),
    stack,
    publish(user, sent, expected) {
      const view = checkView(sent, 'home', settings);
      const key = homeKey(workspace, user);
      const before = homes.get(key);
      if (expected !== undefined && expected !== before?.hash) throw new SlackError('hash_conflict');
      demandUnique(stringOf(view.external_id), before);
      const id = before?.id ?? slackId('V');
      const home = { ...dressed(workspace, user, view), id, root_view_id: id, previous_view_id: null };
      homes.set(key, home);
      bus.publish({ type: 'home', view: home }, candidate => candidate === user);
      return home;
    },
    home: user => homes.get(homeKey(workspace, user)),
  });
}
