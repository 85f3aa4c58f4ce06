import type { KnownBlock } from '@slack/types';
import { faultOfShown, type ShownValue, shownValues } from '../../../jobs/approval/facts/shownWhole.ts';
import { operationOf } from '../../../jobs/request.ts';
import { asksForAccount } from '../../../operations/requests/workflowRequest.ts';
import type { Job } from '../../../store/jobs/rows/job.ts';
import { section, sectionsOf } from '../../blocks/blocks.ts';
import { inFull, plain } from '../../blocks/limits.ts';

/**
 * All values that the approval of a request binds, a line each, letter for letter; nothing for a schedule or a workflow,
 * whose cards say them themselves. Those without room on a card stand on pages, and it is decided on there.
 */
export function valuesInFull(job: Job): KnownBlock[] {
  if (job.state !== 'awaiting' || asksForAccount(job.operation)) return [];
  const shown = shownValues(operationOf(job), job);
  if (isDecidedOnPages(job))
    return [section(`It has ${shown.length} inputs, which have no room here. Read all of them to decide.`)];
  return sectionsOf(shown.map(lineOf));
}

/** Whether a request has more values than its card has room for. */
export function isDecidedOnPages(job: Job): boolean {
  return !asksForAccount(job.operation) && faultOfShown(shownValues(operationOf(job), job), 'card') !== undefined;
}

/** Max characters of a value in one line: escaped, they are five times as many, and a section has 3,000. */
const inOnePiece = 500;
/** Max sections of a page. Slack lets three modals lie upon each other (jobs/approval/facts/shownWhole.ts). */
const onOnePage = 40;

/** All values of a request on pages. A long one goes on in the next line, each line with its number. */
export function pagesInFull(job: Job): readonly (readonly KnownBlock[])[] {
  const lines = shownValues(operationOf(job), job).flatMap(([label, text, secret]) => {
    const pieces = text.match(new RegExp(`.{1,${inOnePiece}}`, 'gsu')) ?? [''];
    return pieces.map((piece, at) =>
      lineOf([pieces.length > 1 ? `${label} (${at + 1} of ${pieces.length})` : label, piece, secret]),
    );
  });
  const sections = sectionsOf(lines);
  return Array.from({ length: Math.ceil(sections.length / onOnePage) }, (_, page) =>
    sections.slice(page * onOnePage, (page + 1) * onOnePage),
  );
}

/** The same in one line of a list; `undefined` where the values have no room in it. */
export function rowInFull(job: Job): string | undefined {
  const operation = operationOf(job);
  const isElsewhere = asksForAccount(operation.name) || (job.steps ?? []).length > mostSteps;
  const values = shownValues(operation, job);
  return isElsewhere || faultOfShown(values, 'row') !== undefined ? undefined : values.map(lineOf).join('  ·  ');
}

/** Max steps that a line of a list names in full. */
const mostSteps = 8;

/** The note on a password stands beside what was typed, so that nobody can type it. */
function lineOf([label, text, secret]: ShownValue): string {
  const note = secret === undefined ? '' : ` _is a secret: ${secret}_`;
  return `${plain(label, 80)}: ${inFull(text)}${note}`;
}
