import type { HomeView, KnownBlock } from '@slack/types';
import { catalogue, jobOperation } from '../../operations/catalogue.ts';
import type { Listed, Page } from '../../store/jobs/reading.ts';
import type { Preset } from '../../store/tables/presets.ts';
import { asNothing, defineAction } from '../blocks/action.ts';
import { actionsRow, context, headerBlock, section } from '../blocks/blocks.ts';
import { limits } from '../blocks/limits.ts';
import { momentAfter } from '../blocks/moments.ts';
import { bold, plain } from '../blocks/mrkdwn.ts';
import { labelled } from '../blocks/spoken.ts';
import type { HomeSection, JobOffer } from '../house.ts';
import { approvalRow } from '../messages/approval/approvalList.ts';
import { approvalActions, jobActions } from '../messages/jobActions.ts';
import { canBeAskedAgain, jobButtons, offersFor, presetButtons } from '../messages/jobButtons.ts';
import { jobLine } from '../messages/jobList.ts';
import { describeJob } from '../messages/jobWords.ts';
import { unreadableLine } from '../messages/unreadable.ts';
import { presetActions } from '../presets/presetActions.ts';
import { presetLine, presetValues } from '../presets/presetList.ts';
import { operationLabel } from '../records/recordBlocks.ts';
import { operationAction, runCommand } from '../words/commandActions.ts';
import { cloneRows } from './cloneRows.ts';
import { firstSteps, type StepsTaken } from './firstSteps.ts';
import type { Clones } from './homeClones.ts';
import { type Pages, pagedTitle, pager } from './homePages.ts';

/** The button that publishes a Home anew. */
export const refreshHome = defineAction('home.refresh', asNothing);
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
  /** What features show, by its place. */
  sections: Readonly<Record<HomeSection<void>['place'], readonly KnownBlock[]>>;
  /** The workspace's address, for the links to messages. */
  workspace?: string | undefined;
  /** A line about each of some clones, by record. */
  notes: ReadonlyMap<string, string>;
  /** The buttons that features have for jobs. */
  offers: readonly JobOffer[];
  /** The presets that the person used last. */
  presets: readonly Preset[];
  person: string;
  /** How far the person is with the first steps, where Home shows them. */
  steps?: StepsTaken | undefined;
}>;

/** Max presets in a Home. */
export const presetsInHome = 5;

/** App Home: a pure function of its data. What waits for the person comes first, then what is theirs, and first steps last. */
export function homeView(data: HomeData): HomeView {
  const pages = pagesOf(data);
  const { approvals, underWay, ended, sections, signIn, steps } = data;
  const isKnown = signIn !== undefined || underWay.all + ended.all > 0;
  const waiting = {
    ...{ title: 'Waits for your approval', name: 'approvals' as const, page: approvals, none: '' },
    rowOf: (job: Listed) => approvalRow(job, data.workspace),
  };
  const begun = {
    ...{ title: 'Under way', name: 'underWay' as const, page: underWay, none: 'You have nothing under way.' },
    rowOf: (job: Listed) => underWayRow(job, data),
  };
  const over = {
    ...{ title: 'Recent jobs', name: 'ended' as const, page: ended, none: 'None of your jobs has ended yet.' },
    rowOf: (job: Listed) => endedRow(job, data),
  };
  const parts = [
    ...(approvals.all > 0 ? list(pages, waiting) : []),
    ...sections.top,
    ...(signIn ? signedIn(data, signIn) : welcome(data)),
    ...(isKnown ? list(pages, begun) : []),
    ...sections.middle,
    ...(signIn ? cloneRows(data.clones, data.notes, pages) : []),
    ...sections.below,
    ...(signIn ? presetRows(data) : []),
    ...(isKnown ? list(pages, over) : []),
  ];
  const end = context(
    'I answer what you press here under *Messages*. Home stays up to date for an hour after you open it.',
  );
  const first = steps ? firstSteps(steps) : [];
  // Whoever has so many lists needs no first steps.
  const isRoom = parts.length + first.length < limits.homeBlocks;
  const blocks = [...parts.slice(0, limits.homeBlocks - 1), ...(isRoom ? first : []), end];
  return { type: 'home', blocks: labelled(blocks) };
}

/** The Home of a person whom Dolly does not serve. */
export function closedHome(sentence: string): HomeView {
  return { type: 'home', blocks: [section(`:no_entry: ${plain(sentence, 500)}`)] };
}

function pagesOf({ underWay, approvals, ended, clones }: HomeData): Pages {
  const ofClones = clones.type === 'shown' ? clones.page.page : 0;
  return { underWay: underWay.page, approvals: approvals.page, ended: ended.page, clones: ofClones };
}

function signedIn({ service }: HomeData, { username, since }: NonNullable<HomeData['signIn']>): KnownBlock[] {
  const status = section(
    `:white_check_mark: Signed in to ${plain(service)} as ${bold(username)} ${momentAfter('since', since)}.`,
  );
  const buttons = [
    ...catalogue
      .filter(({ shortcut }) => shortcut !== undefined)
      .map((operation, at) =>
        operationAction(operation).button(operationLabel(operation), '', at === 0 ? { style: 'primary' } : {}),
      ),
    runCommand.button('All databases', 'list', { suffix: 'list' }),
    refreshHome.button('Refresh', null),
  ];
  return [
    { ...status, block_id: 'status', accessory: runCommand.button('Sign out', 'logout', { suffix: 'logout' }) },
    ...actionsRow(buttons, 'status:buttons'),
  ];
}

function welcome({ service, command }: HomeData): KnownBlock[] {
  const buttons = [
    runCommand.button('Sign in', 'login', { style: 'primary', suffix: 'login' }),
    runCommand.button('What you can ask', 'help', { suffix: 'help' }),
  ];
  return [
    headerBlock('Welcome to Dolly'),
    section(
      'I back up, clone, restore and look after your Oracle, MySQL and MariaDB databases. I say that something is done only when the service’s records show it.',
    ),
    section(
      `:key: You are not signed in to the service at ${plain(service)}. I act there with your own sign-in, so you see and do only what the service allows you.`,
    ),
    ...actionsRow(buttons, 'status:buttons'),
    context(`In any channel, type \`${plain(command)} help\`.`),
  ];
}

function underWayRow(job: Listed, { workspace, offers }: HomeData): KnownBlock[] {
  if (job.state === 'unreadable') return [section(unreadableLine(job))];
  // Home belongs to the requester. Others decide on the card.
  const { approve, deny, read } = approvalActions;
  const others: readonly unknown[] = [approve.id, deny.id, read.id];
  const words = describeJob(job);
  const buttons = jobButtons(job, 'card', { offers }, words).filter(({ action_id }) => !others.includes(action_id));
  return [section(`${jobLine(job, workspace)}\n${words.told(300)}`), ...actionsRow(buttons, `${job.id}:buttons`)];
}

function endedRow(job: Listed, { workspace, offers }: HomeData): KnownBlock[] {
  if (job.state === 'unreadable') return [section(unreadableLine(job))];
  const { operation, lacking, phrase, told } = describeJob(job);
  const why = lacking ? `${phrase('undone')}: ${lacking}` : told(300);
  const line = section(`${jobLine(job, workspace)}\n${why}`);
  const buttons = [
    ...(canBeAskedAgain(job, operation) ? [jobActions.again.button('Repeat with changes', job.id)] : []),
    ...(job.state === 'succeeded' ? presetButtons(job, operation) : []),
    ...offersFor(
      offers.filter(({ isInHome }) => isInHome),
      job,
    ),
  ];
  return [{ ...line, block_id: job.id }, ...actionsRow(buttons, `${job.id}:buttons`)];
}

function presetRows({ presets, person }: HomeData): KnownBlock[] {
  const rows = presets.flatMap(preset => {
    const operation = jobOperation(preset.operation);
    if (!operation) return [];
    const line = section(`${presetLine(preset, operation, person)}\n${presetValues(preset, operation, 150)}`);
    return [
      { ...line, block_id: `preset:${preset.id}`, accessory: presetActions.interaction.button('Use…', preset.id) },
    ];
  });
  if (rows.length === 0) return [];
  const all = runCommand.button('All presets', 'presets', { suffix: 'presets' });
  return [headerBlock('Your presets'), ...rows, ...actionsRow([all], 'presets')];
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
  return [headerBlock(pagedTitle(title, page)), ...rows, ...pager(name, page, pages)];
}
