import type { Feature } from '../../slack/feature.ts';
import { type BatchAsker, chooseSeveral, takeSeveral } from './askForBatch.ts';
import { batchSubmission } from './submitBatch.ts';

/** Several records at once: which ones, and the page that shows them. What follows is a job with steps (jobs/plans). */
export const batchFeature = {
  name: 'batches',
  commands: {
    own: [
      {
        word: 'several',
        subject: 'Protection',
        usage: 'several [words] [show=clones]',
        summary:
          'Tick databases and clones, and do one thing to all of them, such as keeping clones longer or deleting them',
        takes: ['show'],
        isForSignedIn: true,
        async answer(desk: BatchAsker, interaction, typed) {
          const answer = await chooseSeveral(desk, interaction, typed);
          return answer === 'form' ? undefined : answer;
        },
      },
    ],
    several: takeSeveral,
  },
  interactions: { submissions: [batchSubmission] },
} satisfies Feature<never>;
