import type { Feature } from '../../slack/feature.ts';
import { type BatchAsker, batchSubmission, chooseSeveral, meantByLate, takeSeveral } from './askForBatch.ts';

/** Several records at once: which ones, and the page that shows them. What follows is a job with steps (jobs/plans). */
export const batchFeature = {
  name: 'batches',
  commands: [
    {
      word: 'several',
      subject: 'Protection',
      usage: 'several [words]',
      summary: 'Tick databases and clones, and do one thing to all of them',
      isForSignedIn: true,
      async answer(desk: BatchAsker, interaction, typed) {
        const answer = await chooseSeveral(desk, interaction, typed);
        return answer === 'form' ? undefined : answer;
      },
    },
  ],
  several: [{ take: takeSeveral, meant: meantByLate }],
  submissions: [batchSubmission],
} satisfies Feature<never>;
