import type { Feature } from '../../slack/feature.ts';
import { consents } from './consent.ts';
import { consentNoticeKind } from './consentAbout.ts';
import { consentHook } from './consentApproval.ts';
import { consentReactions } from './consentClicks.ts';
import { consentMessage } from './consentMessages.ts';
import { consentsInHome } from './consentsInHome.ts';
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
} satisfies Feature<never>;
