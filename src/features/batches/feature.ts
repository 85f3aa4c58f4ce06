import type { Feature } from '../../slack/feature.ts';
import { batchSubmission, takeSeveral } from './askForBatch.ts';

/** Several records at once: which ones, and the page that shows them. What follows is a job with steps (jobs/plans). */
export const batchFeature = {
  name: 'batches',
  several: [{ take: takeSeveral }],
  submissions: [batchSubmission],
} satisfies Feature<never>;
