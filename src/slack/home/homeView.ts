import type { ActionsBlock, Button, HeaderBlock, HomeView, KnownBlock } from '@slack/types';
import { z } from 'zod';
import type { ProtectionSummary } from '../../jobs/protection/summary.ts';
import { catalogue, jobOperation } from '../../operations/catalogue.ts';
import type { Listed, Page } from '../../store/jobs/reading.ts';
import type { Lease } from '../../store/tables/leases.ts';
import type { Preset } from '../../store/tables/presets.ts';
import type { Schedule } from '../../store/tables/scheduleRows.ts';
import { asJson, asNothing, defineAction } from '../blocks/action.ts';
import { context, section } from '../blocks/blocks.ts';
import { bold, cut, limits, localTimes, momentAfter, plain } from '../blocks/limits.ts';
import { labelled } from '../blocks/spoken.ts';
import { standing } from '../leases/leaseCommand.ts';
import { approvalRow } from '../messages/approvalList.ts';
import { approvalActions, jobActions } from '../messages/jobActions.ts';
import { canBeAskedAgain, jobButtons, presetButtons, scheduleButton } from '../messages/jobButtons.ts';
import { jobLine } from '../messages/jobList.ts';
import { sentenceOf } from '../messages/jobSentence.ts';
import { lackingSentence, phraseOf } from '../messages/jobWords.ts';
import { unreadableLine } from '../messages/unreadable.ts';
import { presetActions } from '../presets/presetActions.ts';
import { presetLine, presetValues } from '../presets/presetList.ts';
import { operationLabel, recordRow } from '../records/recordBlocks.ts';
import { scheduleActions } from '../schedules/scheduleActions.ts';
import { scheduleLine, scheduleStanding } from '../schedules/scheduleLines.ts';
import { operationAction, runCommand } from '../words/commandActions.ts';
import type { Clones } from './homeClones.ts';
import { statusRow } from './homeStatus.ts';

const at = z.int().min(0).catch(0);

/** The current page of each list of a Home, from 0. */
export const Pages = z
  .object({ underWay: at, approvals: at, ended: at, clones: at })
  .catch({ underWay: 0, approvals: 0, ended: 0, clones: 0 });
export type Pages = z.infer<typeof Pages>;

/** The button that publishes a Home anew. */
export const refreshHome = defineAction('home.refresh', asNothing);
/** A button that turns one list to another page. It carries the pages of all lists after that. */
export const turnHome = defineAction('home.page', asJson(Pages));

/** Rows of each list at once: together they stay within the 100 blocks of a Home. */
export const rowsPerPage = { underWay: 5, approvals: 3, ended: 5 } as const;

/** All data of a Home. */
export type HomeData = Readonly<{
  /** The service's address. */
  service: string;
  /** The main command. */
  command: string;
  signIn: Readonly<{ username: string; since: number }> | undefined;
  underWay: Page<Listed>;
  approvals: Page<Listed>;
  ended: Page<Listed>;
  clones: Clones;
  /** How everything stands that the person sees, as far as it was read. */
  status?: ProtectionSummary | undefined;
  /** The workspace's address, for the links to messages. */
  workspace?: string | undefined;
  /** The leases of the clones, by record. */
  leases: ReadonlyMap<string, Lease>;
  /** The presets that the person used last. */
  presets: readonly Preset[];
  /** The person’s own schedules, the next to run first. */
  schedules: readonly Schedule[];
  person: string;
}>;

/** Max schedules in a Home. */
export const schedulesInHome = 5;
/** Max presets in a Home. */
export const presetsInHome = 5;

/** App Home: a pure function of its data. */
export function homeView(data: HomeData): HomeView {
  const pages = pagesOf(data);
  const isKnown = data.signIn !== undefined || data.underWay.all + data.ended.all > 0;
  const blocks = [
    ...(data.signIn ? signedIn(data, data.signIn) : welcome(data)),
    ...(data.signIn && data.status ? [header('Protection'), statusRow(data.status)] : []),
    ...(isKnown || data.approvals.all > 0
      ? [
          ...list(pages, {
            ...{
              title: 'Under way',
              name: 'underWay',
              page: data.underWay,
              rowOf: job => underWayRow(job, data.workspace),
            },
            none: 'Nothing of yours is under way.',
          }),
          ...(data.approvals.all > 0
            ? list(pages, {
                ...{
                  title: 'Waits for your approval',
                  name: 'approvals',
                  page: data.approvals,
                  rowOf: job => approvalRow(job, data.workspace),
                },
                none: '',
              })
            : []),
          ...list(pages, {
            ...{ title: 'Recent jobs', name: 'ended', page: data.ended, rowOf: job => endedRow(job, data.workspace) },
            none: 'No job of yours has ended yet.',
          }),
        ]
      : []),
    ...(data.signIn || data.schedules.length > 0 ? scheduleRows(data) : []),
    ...(data.signIn ? [...presetRows(data), ...cloneList(data, pages)] : []),
    context('What you press here is answered under *Messages*. Home stays up to date for an hour after you open it.'),
  ];
  return { type: 'home', blocks: labelled(blocks.slice(0, limits.homeBlocks)) };
}

/** The Home of a person whom Dolly does not serve. */
export function closedHome(sentence: string): HomeView {
  return { type: 'home', blocks: [section(`:no_entry: ${plain(sentence, 500)}`)] };
}

function pagesOf({ underWay, approvals, ended, clones }: HomeData): Pages {
  return {
    underWay: underWay.page,
    approvals: approvals.page,
    ended: ended.page,
    clones: clones.type === 'shown' ? clones.page.page : 0,
  };
}

function signedIn({ service }: HomeData, { username, since }: NonNullable<HomeData['signIn']>): KnownBlock[] {
  const status = section(
    `:white_check_mark: Signed in to ${plain(service)} as ${bold(username)} ${momentAfter('since', since)}.`,
  );
  return [
    { ...status, block_id: 'status', accessory: runCommand.button('Sign out', 'logout', { suffix: 'logout' }) },
    actions('status:buttons', [
      ...catalogue
        .filter(({ shortcut }) => shortcut !== undefined)
        .map((operation, at) =>
          operationAction(operation).button(operationLabel(operation), '', at === 0 ? { style: 'primary' } : {}),
        ),
      runCommand.button('All databases', 'list', { suffix: 'list' }),
      refreshHome.button('Refresh', null),
    ]),
  ];
}

function welcome({ service, command }: HomeData): KnownBlock[] {
  return [
    header('Welcome to Dolly'),
    section(
      'I back up, clone, restore and look after your Oracle, MySQL and MariaDB databases. I tell you that something is done when the records of the service show it, and not before.',
    ),
    section(
      `:key: You are not signed in to the service at ${plain(service)}. I act there with your own sign-in: you see and do what the service lets you.`,
    ),
    actions('status:buttons', [
      runCommand.button('Sign in', 'login', { style: 'primary', suffix: 'login' }),
      runCommand.button('What you can ask', 'help', { suffix: 'help' }),
    ]),
    context(`In any channel, type \`${plain(command)} help\`.`),
  ];
}

function underWayRow(job: Listed, workspace?: string): KnownBlock[] {
  if (job.state === 'unreadable') return [section(unreadableLine(job))];
  // Home belongs to the requester. Others decide on the card.
  const others: readonly unknown[] = [approvalActions.approve.id, approvalActions.deny.id];
  const buttons = jobButtons(job, 'card', false).filter(({ action_id }) => !others.includes(action_id));
  return [
    section(`${jobLine(job, workspace)}\n${localTimes(plain(sentenceOf(job), 300))}`),
    ...(buttons.length > 0 ? [actions(`${job.id}:buttons`, buttons)] : []),
  ];
}

function endedRow(job: Listed, workspace?: string): KnownBlock[] {
  if (job.state === 'unreadable') return [section(unreadableLine(job))];
  const lacking = lackingSentence(job);
  const why = lacking ? `${phraseOf(job, 'undone')}: ${lacking}` : localTimes(plain(sentenceOf(job), 300));
  const line = section(`${jobLine(job, workspace)}\n${why}`);
  const buttons = [
    ...(canBeAskedAgain(job) ? [jobActions.again.button('Repeat with changes', job.id)] : []),
    ...(job.state === 'succeeded' ? [...presetButtons(job), ...scheduleButton(job)] : []),
  ];
  return [{ ...line, block_id: job.id }, ...(buttons.length > 0 ? [actions(`${job.id}:buttons`, buttons)] : [])];
}

function scheduleRows({ schedules }: HomeData): KnownBlock[] {
  const rows = schedules.slice(0, schedulesInHome).map(schedule => {
    const text = `${scheduleLine(schedule)}\n${scheduleStanding(schedule)}`;
    return { ...section(text), block_id: `schedule:${schedule.id}` };
  });
  const none = section('Nothing of yours runs by itself yet.');
  const all = schedules.length === 0 ? [] : [runCommand.button('All schedules', 'schedules', { suffix: 'schedules' })];
  const buttons = actions('schedules', [...all, scheduleActions.new.button('New schedule…', null)]);
  const left = schedules.length - schedulesInHome;
  return [
    header('Your schedules'),
    ...(rows.length === 0 ? [none] : rows),
    ...(left > 0 ? [context(`… and ${left} more.`)] : []),
    buttons,
  ];
}

function presetRows({ presets, person }: HomeData): KnownBlock[] {
  const rows = presets.flatMap(preset => {
    const operation = jobOperation(preset.operation);
    if (!operation) return [];
    const line = section(`${presetLine(preset, operation, person)}\n${presetValues(preset, operation, 150)}`);
    return [{ ...line, block_id: `preset:${preset.id}`, accessory: presetActions.use.button('Use…', preset.id) }];
  });
  if (rows.length === 0) return [];
  const all = runCommand.button('All presets', 'presets', { suffix: 'presets' });
  return [header('Your presets'), ...rows, actions('presets', [all])];
}

function cloneList({ clones, leases }: HomeData, pages: Pages): KnownBlock[] {
  if (clones.type === 'looking')
    return [
      header('Clones'),
      section(':hourglass_flowing_sand: The service has not answered yet. Clones appear here when it does.'),
    ];
  if (clones.type === 'fault')
    return [
      header('Clones'),
      section(`:warning: Your clones cannot be shown at the moment: ${plain(clones.sentence, 500)}`),
    ];
  const { page, mine, isCut } = clones;
  const first = page.page * page.size;
  const titled = page.rows.flatMap((record, index) => {
    const place = first + index;
    const isFirst = index === 0 || place === mine;
    const others = mine > 0 ? '*Others that you can see*' : 'None of these was made by a job of yours here.';
    const title = place < mine ? '*Made by your jobs here*' : others;
    const lease = leases.get(record.id.text);
    const row = recordRow(record, lease && `:hourglass: ${standing(lease)}`);
    return [...(isFirst ? [context(title)] : []), { ...row, block_id: record.id.text }];
  });
  return [
    header(titleOf('Clones', page)),
    ...(isCut ? [context(':warning: This list is incomplete: the service says that there are more.')] : []),
    ...(page.all === 0 ? [section('There are no clones that you can see.')] : titled),
    ...pager('clones', page, pages),
  ];
}

/** A list of jobs in a Home. `none` is its text without any job. */
type JobRows = Readonly<{
  title: string;
  name: keyof Pages;
  page: Page<Listed>;
  rowOf: (job: Listed) => KnownBlock[];
  none: string;
}>;

function list(pages: Pages, { title, name, page, rowOf, none }: JobRows): KnownBlock[] {
  const rows = page.all === 0 ? [section(none)] : page.rows.flatMap(rowOf);
  return [header(titleOf(title, page)), ...rows, ...pager(name, page, pages)];
}

/** A title with the current range of rows: "Clones · 9–16 of 37". */
function titleOf(title: string, { all, page, size, rows }: Page<unknown>): string {
  const first = page * size + 1;
  const last = first + rows.length - 1;
  const shown = first === last ? `${last}` : `${first}–${last}`;
  return all > size ? `${title} · ${shown} of ${all}` : title;
}

const listNames = {
  underWay: 'what is under way',
  approvals: 'what waits for your approval',
  ended: 'recent jobs',
  clones: 'clones',
} as const satisfies Record<keyof Pages, string>;

/** The buttons to the pages beside this one. Each carries the pages of all lists after it is pressed. */
function pager(name: keyof Pages, { all, page, size }: Page<unknown>, pages: Pages): ActionsBlock[] {
  const turn = (to: number, label: string): Button[] =>
    to >= 0 && to * size < all
      ? [
          {
            ...turnHome.button(label, { ...pages, [name]: to }, { suffix: label.toLowerCase() }),
            accessibility_label: `${label} page of ${listNames[name]}`,
          },
        ]
      : [];
  const turns = [...turn(page - 1, 'Previous'), ...turn(page + 1, 'Next')];
  return turns.length > 0 ? [actions(`${name}:pages`, turns)] : [];
}

function header(text: string): HeaderBlock {
  return { type: 'header', text: { type: 'plain_text', text: cut(text, limits.headerText) } };
}

/** A row of buttons with a stable id, so that a click still works if Home was published anew meanwhile. */
function actions(id: string, elements: readonly Button[]): ActionsBlock {
  return { type: 'actions', block_id: id, elements: [...elements] };
}
