import { Failure } from '../../ground/failure.ts';
import type { Job } from '../../store/jobs/rows/job.ts';
import { advance } from '../advance.ts';
import type { Judge, Mover, Parts } from '../parts.ts';
import { attemptDecision, type Click, type ClickOutcome, clickerOf } from './click.ts';

/** Takes the word of somebody against the deletion of what they hold. */
export type HolderHearer = Mover & Judge & Parts<'audit'>;

/**
 * Notes that whoever holds what a request deletes is against that, once for each. It decides nothing: the card says so, and
 * those who approve are called.
 * @throws {Failure} `signed-out` where a sign-in is missing
 */
export function objectAsHolder(parts: HolderHearer, job: Job, click: Click): Promise<ClickOutcome> {
  return attemptDecision(parts, { job, click, act: 'object' }, async current => {
    const { held = [], objections = [] } = current.approval.terms;
    if (held.every(({ person }) => person !== click.person))
      throw new Failure('forbidden', 'Only people who hold a clone that this deletes can object.');
    if (objections.some(({ person }) => person === click.person))
      throw new Failure('forbidden', 'You have already objected: the card says so.');
    const login = (await parts.credentials.find(click))?.username ?? null;
    return advance(parts, current, { type: 'holderObjected', by: clickerOf(click, login) });
  });
}
