import { longestSilence } from '../../store/jobs/rows/encode.ts';
import type { Job } from '../../store/jobs/rows/job.ts';

/** The messages of a job for its person alone: each is told once. */
const aloneParts = ['alone:slow', 'alone:busy', 'alone:sign-in', 'alone:end'] as const;
export type AlonePart = (typeof aloneParts)[number];

/**
 * Whether a job's message belongs in the channel: once the service has accepted it, or may have done so, or once others
 * have to decide on it. A message that stands there already goes on. A run of a schedule belongs there in any case: its
 * owner is not there to read what is for their eyes alone.
 */
export function isForChannel(job: Job): boolean {
  if (job.schedule !== null) return true;
  // A message whose answer was lost may stand there, too, and would show for ever what it showed then.
  const mayStand = job.messageTs !== null || job.posting?.part === 'card';
  return mayStand || job.approval !== undefined || (job.sentAt !== null && job.state !== 'sending');
}

/**
 * The news of a job that its person alone is told, and from when on, in milliseconds since the epoch; `undefined` where
 * there is none: most jobs are sent at once, and whoever withdraws one is answered.
 */
export function newsAlone(job: Job): Readonly<{ part: AlonePart; from: number }> | undefined {
  switch (job.state) {
    case 'new':
      if (job.hold === 'sign-in') return { part: 'alone:sign-in', from: 0 };
      return job.hold === 'busy' ? { part: 'alone:busy', from: job.createdAt + longestSilence } : slowness(job);
    case 'sending':
      return slowness(job);
    case 'failed':
    case 'expired':
      return { part: 'alone:end', from: 0 };
    default:
      return undefined;
  }
}

/** The news that a job takes long; none where its person was told before that it waits. */
function slowness({ createdAt, posts }: Job): ReturnType<typeof newsAlone> {
  const isKnown = posts.some(({ part }) => aloneParts.some(one => one === part));
  return isKnown ? undefined : { part: 'alone:slow', from: createdAt + longestSilence };
}
