import type { ClickOutcome } from '../../jobs/approval/click.ts';
import { approvalsIn } from '../../jobs/approval/people/mayDecide.ts';
import { allApprovers, type Policy } from '../../jobs/approval/policy/rules.ts';
import type { Job } from '../../store/jobs/rows/job.ts';
import { withMentions } from '../blocks/mentionPeople.ts';
import { type Content, said } from '../blocks/message.ts';
import { moment } from '../blocks/moments.ts';
import { plain } from '../blocks/mrkdwn.ts';

/** Answers the person who clicked: says whether the click worked, or why not. */
export function clickAnswer(policy: Policy, outcome: ClickOutcome): Content {
  if (outcome.type === 'refused')
    return said(
      `:no_entry: ${withMentions(plain(outcome.sentence, 1000), [...allApprovers(policy), ...policy.emergency])}`,
    );
  const { job } = outcome;
  if (outcome.type === 'late') return said(`It is too late to decide: ${lateBecause(job)}.`);
  switch (job.state) {
    case 'awaiting': {
      const missing = job.approval.terms.approvals - approvalsIn(job.approval).length;
      const others =
        missing === 1 ? 'one more approval, from another person' : `${missing} more approvals, from other people`;
      return said(`Your approval counts. It still needs ${others}.`);
    }
    case 'denied':
      return said('You denied it. Nothing is sent.');
    default:
      return said(
        !job.approval?.emergency
          ? 'You approved it. It goes on now.'
          : 'It now runs without approval, and I tell everybody concerned.',
      );
  }
}

/** Says why it is too late to decide on a job. */
export function lateBecause(job: Job): string {
  if (!decidedStates.some(state => state === job.state)) return statePhrases[job.state];
  if (job.approval?.emergency) return `<@${job.person}> runs it without approval`;
  const by = job.approval?.decisions.at(-1);
  return `${statePhrases[job.state]}${by ? ` by <@${by.person}>, ${moment(by.at)}` : ''}`;
}

/** States of a job that a decision can have led to. */
const decidedStates = ['approved', 'denied', 'sending', 'running'] as const satisfies readonly Job['state'][];

const statePhrases = {
  new: 'I am reading its target again',
  awaiting: 'its time ran out',
  approved: 'it was approved',
  denied: 'it was denied',
  void: 'its approval is void because something changed',
  sending: 'it was approved, and is being sent',
  running: 'it was approved, and is under way',
  succeeded: 'it is done',
  failed: 'it failed',
  unconfirmed: 'it was sent',
  finished: 'it was sent',
  withdrawn: 'it was withdrawn',
  expired: 'its time ran out',
} as const satisfies Record<Job['state'], string>;
