import type { Feature } from '../../slack/feature.ts';
import { consentNoticeKind, consents } from './consent.ts';
import { consentHook } from './consentApproval.ts';
import { consentReactions } from './consentClicks.ts';
import { endThoseOfOthers } from './consentLapse.ts';
import { consentMessage, consentsInHome } from './consentMessages.ts';
import { executionHook, executions } from './execution.ts';
import { workflowFunctions } from './functions.ts';
import { listenToSteps } from './listenToSteps.ts';
import { workOnExecutions } from './workOnExecutions.ts';

/** Steps of Slack’s Workflow Builder, and people’s leave for them. */
export const workflowFeature = {
  name: 'steps',
  kinds: [executions, consents],
  work: workOnExecutions,
  ends: () => (job, plan) => [...executionHook(job, plan), ...consentHook(job, plan)],
  words: { [consentNoticeKind]: consentMessage },
  reactions: consentReactions,
  listen: listenToSteps,
  functions: workflowFunctions,
  home: consentsInHome,
  signsIn: endThoseOfOthers,
} satisfies Feature<never>;
