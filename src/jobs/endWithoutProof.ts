import type { Evidence } from '../store/jobs/rows/data.ts';
import { atWork } from './evidence/evidence.ts';
import type { LookResult } from './evidence/judgement.ts';
import type { JobEvent } from './machine/transitions.ts';

/** What is said at the end of a job that the service may not have got, and that no record shows. */
const notFound = 'I found nothing in the records that shows it. It may never have begun.';

/** The end of a job whose time is over, by the result of the last look. */
export function eventAtDeadline(
  noAnswer: string | null,
  { contradiction, atLast, goesOn }: Extract<LookResult['judgement'], { type: 'waiting' }>,
  { seen }: Pick<LookResult, 'seen'>,
): JobEvent<'unconfirmed' | 'failed' | 'finished'> {
  if (noAnswer !== null) return { type: 'unconfirmed', reason: `${noAnswer} ${atLast ?? notFound}` };
  // A record that was busy, is so no longer, and shows the contrary says more than a record that shows nothing. A report
  // of work may have given its place to another one, while the work goes on.
  const wasBusy = seen?.wasBusy?.startsWith(atWork) ? undefined : seen?.wasBusy;
  const isBack = wasBusy !== undefined && wasBusy !== seen?.state && !seen?.isBusy;
  if (contradiction !== undefined && isBack) return { type: 'failed', reason: contradiction };
  if (atLast !== undefined) return { type: goesOn ? 'unconfirmed' : 'finished', reason: atLast };
  return { type: 'unconfirmed', reason: contradiction ?? lastSeen(seen) };
}

/** Says what a record that proves nothing showed at the end; `null` where there is none. */
export function lastSeen(seen: Evidence | undefined): string | null {
  if (!seen || seen.gone) return null;
  if (seen.state === undefined) return `The record of ${seen.name ?? seen.id} is there, but shows no state.`;
  return seen.stateClass === 'busy' ? `Its state is still ${seen.state}.` : `Its state is ${seen.state}.`;
}
