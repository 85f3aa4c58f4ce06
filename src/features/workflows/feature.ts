import { counted } from '../../ground/wording.ts';
import type { Desk } from '../../slack/desk/desk.ts';
import { countedByTeam, type Feature } from '../../slack/feature.ts';
import { consentNoticeKind, consents } from './consent/consent.ts';
import { consentHook } from './consent/consentApproval.ts';
import { consentReactions } from './consent/consentClicks.ts';
import { endThoseOfOthers } from './consent/consentLapse.ts';
import { consentMessage, consentsInHome } from './consent/consentMessages.ts';
import { executionHook, executions } from './execution.ts';
import { workflowFunctions } from './functions.ts';
import { listenToSteps } from './listenToSteps.ts';
import { endOf } from './nextOfExecution.ts';
import { workOnExecutions } from './workOnExecutions.ts';

/** Steps of Slack’s Workflow Builder, and people’s consent to them. */
export const workflowFeature = {
  name: 'steps',
  things: {
    kinds: [executions, consents],
    work: workOnExecutions,
    ends: () => ({ ended: (job, plan) => [...executionHook(job, plan), ...consentHook(job, plan)] }),
    words: { [consentNoticeKind]: consentMessage },
    async afterRestore({ things }: Desk<'things'>, now) {
      const asked = (await things.list(executions, {})).filter(({ state }) => state === 'asked');
      const error =
        'My store was restored from a backup, so I do not know whether this was done. Run the workflow again.';
      for (const { id } of asked)
        await things.act(executions, id, one => (one?.state === 'asked' ? endOf({ error }, now) : undefined), now);
      return countedByTeam(asked, many => `${counted(many, 'step of a workflow', 'steps of workflows')} ended.`);
    },
  },
  interactions: { reactions: consentReactions },
  steps: { listen: listenToSteps, functions: workflowFunctions },
  home: consentsInHome,
  signIn: { begins: endThoseOfOthers },
} satisfies Feature<never>;
