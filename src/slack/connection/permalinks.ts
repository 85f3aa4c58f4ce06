import type { Job } from '../../store/jobs/rows/job.ts';

/**
 * The address of a message in Slack, built from the workspace's own address (`https://example.slack.com/`), which
 * auth.test tells: asking Slack for the permalink of each message would be a call each. `undefined` where either is
 * unknown. A message in a `thread` is found by both.
 */
export function permalink(
  workspace: string | undefined,
  place: string,
  ts: string,
  thread: string | null = null,
): string | undefined {
  if (workspace === undefined || !URL.canParse(workspace)) return undefined;
  const within = thread === null ? '' : `?thread_ts=${thread}&cid=${place}`;
  return new URL(`/archives/${place}/p${ts.replace('.', '')}${within}`, workspace).href;
}

/** The address of a job's message; of its card in the channel for approvals, if `part` is `approval` and there is one. */
export function linkToJob(
  workspace: string | undefined,
  { place, channel, thread, messageTs, approval }: Pick<Job, 'place' | 'channel' | 'thread' | 'messageTs' | 'approval'>,
  part: 'card' | 'approval' = 'card',
): string | undefined {
  const { cardPlace = null, cardTs = null } = approval ?? {};
  if (part === 'approval' && cardPlace !== null && cardTs !== null) return permalink(workspace, cardPlace, cardTs);
  return place === null || messageTs === null
    ? undefined
    : permalink(workspace, place, messageTs, place === channel ? thread : null);
}
