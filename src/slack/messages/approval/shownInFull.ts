import type { KnownBlock } from '@slack/types';
import { memoByObject } from '../../../ground/remembered.ts';
import { faultOfShown, readShown, type ShownValue, shownValues } from '../../../jobs/approval/facts/shownWhole.ts';
import { operationOf } from '../../../jobs/request.ts';
import { scheduleRequest } from '../../../operations/requests/scheduleRequest.ts';
import { asksForAccount, workflowRequest } from '../../../operations/requests/workflowRequest.ts';
import type { Job } from '../../../store/jobs/rows/job.ts';
import { section, sectionsOf } from '../../blocks/blocks.ts';
import { bold, code, inFull, localTimes, plain } from '../../blocks/limits.ts';
import { isChannel } from '../../desk/placeKinds.ts';

/**
 * The values that the approval of a request binds: its own, or those of the work that is to run by itself; and whether
 * they have no room on its card. A card asks for them more than once.
 */
const boundBy = memoByObject((job: Job) => {
  const values = asksForAccount(job.operation) ? readShown(job.values.details) : shownValues(operationOf(job), job);
  // The steps of a large plan take the room of its card.
  const room = (job.steps ?? []).length > mostSteps ? 'block' : 'card';
  return { values, isTooMuch: faultOfShown(values, room) !== undefined };
});

/**
 * All that the approval of a request binds, letter for letter: what is to run by itself, and all values, a line each.
 * Those without room on a card stand on pages, and it is decided on there.
 */
export function requestInFull(job: Job): KnownBlock[] {
  const isAwaiting = job.state === 'awaiting';
  if (!isAwaiting && !asksForAccount(job.operation)) return [];
  const { values, isTooMuch } = boundBy(job);
  const noRoom = `It has ${values.length} inputs, which have no room here.${isAwaiting ? ' Read all of them to decide.' : ''}`;
  return [...approvedPermission(job), ...(isTooMuch ? [section(noRoom)] : sectionsOf(values.map(lineInFull)))];
}

/** Whether a request has more values than its card has room for. */
export function isDecidedOnPages(job: Job): boolean {
  return boundBy(job).isTooMuch;
}

/** Max characters of a value in one line: escaped, they are five times as many, and a section has 3,000. */
const inOnePiece = 500;
/** Max sections of a page. Slack lets three modals lie upon each other (jobs/approval/facts/shownWhole.ts). */
const onOnePage = 40;

/** All that the approval of a request binds on pages. A long one goes on in the next line, each line with its number. */
export function pagesInFull(job: Job): readonly (readonly KnownBlock[])[] {
  const lines = boundBy(job).values.flatMap(([label, text, secret]) => {
    const pieces = text.match(new RegExp(`.{1,${inOnePiece}}`, 'gsu')) ?? [''];
    return pieces.map((piece, at) =>
      lineInFull([pieces.length > 1 ? `${label} (${at + 1} of ${pieces.length})` : label, piece, secret]),
    );
  });
  const sections = [...approvedPermission(job), ...sectionsOf(lines)];
  return Array.from({ length: Math.ceil(sections.length / onOnePage) }, (_, page) =>
    sections.slice(page * onOnePage, (page + 1) * onOnePage),
  );
}

/** The same in one line of a list; `undefined` where the values have no room in it. */
export function rowInFull(job: Job): string | undefined {
  const isElsewhere = asksForAccount(job.operation) || (job.steps ?? []).length > mostSteps;
  const { values } = boundBy(job);
  return isElsewhere || faultOfShown(values, 'row') !== undefined ? undefined : values.map(lineInFull).join('  ·  ');
}

/** Max steps that a line of a list names in full. */
const mostSteps = 8;

/** A value in a line. The note on a password stands beside what was typed, so that nobody can type it. */
export function lineInFull([label, text, secret]: ShownValue): string {
  const note = secret === undefined ? '' : ` _is a secret: ${secret}_`;
  return `${plain(label, 80)}: ${inFull(text)}${note}`;
}

/** How long each standing permission lasts, in words. */
const until: Readonly<Record<string, string>> = {
  [scheduleRequest.name]: 'with nobody at the screen, until somebody pauses or deletes it',
  [workflowRequest.name]: 'whenever the workflow asks for exactly this, until that person takes it back',
};

/**
 * Exactly what a request for a standing permission asks to approve, that a schedule or a workflow's step runs with the
 * service account, a line each; nothing for other requests. Each change of one of these is asked about anew.
 */
function approvedPermission({ operation, values, target, targetName, channel, person }: Job): KnownBlock[] {
  const lasts = until[operation];
  if (lasts === undefined) return [];
  const text = (name: string) => (typeof values[name] === 'string' ? values[name] : '');
  const whole = (name: string) => plain(text(name), 5 * text(name).length);
  const name = targetName ?? target;
  const isSchedule = operation === scheduleRequest.name;
  const lines = [
    ['Workflow', text('workflow') && bold(text('workflow'), 5 * text('workflow').length)],
    ['Does', whole('work')],
    ['Target', name === target ? code(target) : `${bold(name, 100)} (${code(target)})`],
    ['When', text('times') && inFull(text('times'))],
    ['Next runs', text('next') && localTimes(plain(text('next').replaceAll(', ', '  ·  '), 200))],
    ['Messages', isChannel(channel) ? `in <#${channel}>` : `to ${isSchedule ? 'the owner' : 'its person'} alone`],
    [isSchedule ? 'Owner' : 'In the name of', `<@${person}>`],
    ['Runs with', `the service account, ${lasts}`],
  ];
  const given = lines.filter(([, said]) => said !== '');
  return [section(given.map(([label, said]) => `*${label}*: ${said}`).join('\n'))];
}
