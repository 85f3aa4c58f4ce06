import type { Job } from '../../store/jobs/rows/job.ts';

/** The sign and the word for each state of a job. */
export const stateShown = {
  new: [':hourglass_flowing_sand:', 'Not sent yet'],
  awaiting: [':lock:', 'Waits for approval'],
  approved: [':hourglass_flowing_sand:', 'Approved, not sent yet'],
  denied: [':no_entry:', 'Denied'],
  void: [':warning:', 'Approval void'],
  sending: [':outbox_tray:', 'Sending'],
  running: [':hourglass_flowing_sand:', 'Running'],
  succeeded: [':white_check_mark:', 'Confirmed'],
  finished: [':checkered_flag:', 'Finished, result not shown'],
  failed: [':x:', 'Failed'],
  unconfirmed: [':grey_question:', 'Unconfirmed'],
  withdrawn: [':leftwards_arrow_with_hook:', 'Withdrawn'],
  expired: [':leftwards_arrow_with_hook:', 'Expired'],
} as const satisfies Record<Job['state'], readonly [string, string]>;

/** The sign and the word for a job: a running one may not have been answered yet, or wait for somebody's word. */
export function shownOf({
  state,
  inDoubt,
  evidence,
}: Pick<Job, 'state' | 'inDoubt' | 'evidence'>): readonly [string, string] {
  if (state === 'running' && inDoubt) return [':grey_question:', 'Sent, no answer yet'];
  return state === 'running' && evidence?.doubt ? [':grey_question:', 'In doubt'] : stateShown[state];
}
