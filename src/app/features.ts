import { alertFeature } from '../features/alerts/feature.ts';
import { batchFeature } from '../features/batches/feature.ts';
import { brakeFeature } from '../features/brake/feature.ts';
import { contactFeature } from '../features/contact/feature.ts';
import { leaseFeature } from '../features/leases/feature.ts';
import { notifyFeature } from '../features/notify/feature.ts';
import { objectionFeature } from '../features/objections/feature.ts';
import { protectionFeature } from '../features/protection/feature.ts';
import { scheduleFeature } from '../features/schedules/feature.ts';
import { secondLookFeature } from '../features/secondLooks/feature.ts';
import { workflowFeature } from '../features/workflows/feature.ts';
import { accountNoticeKind } from '../jobs/account/accountNotice.ts';
import { coreCommands } from '../slack/commands/coreCommands.ts';
import type { Feature } from '../slack/feature.ts';
import { accountMessage } from '../slack/messages/accountMessage.ts';
import { endedKind, endedMessage } from '../slack/outbox/endedUnheard.ts';
import { rungKind, rungMessage } from '../slack/outbox/ringAlone.ts';
import type { WorkflowFunction } from '../slack/workflowFunction.ts';
import { restoredKind, restoredMessage } from './restored.ts';
import type { WholeDesk } from './wholeDesk.ts';

/** The core as one more of them: its commands, and its messages that belong to no job. */
const words = {
  [accountNoticeKind]: accountMessage,
  [restoredKind]: restoredMessage,
  [endedKind]: endedMessage,
  [rungKind]: rungMessage,
};
const core = { name: 'core', commands: { own: coreCommands }, things: { words } };

export type Features = readonly Feature<WholeDesk>[];

/** What Dolly does beside single requests. A feature that is taken out of here is gone. */
export const features: Features = [
  brakeFeature,
  protectionFeature,
  contactFeature,
  batchFeature,
  leaseFeature,
  scheduleFeature,
  secondLookFeature,
  objectionFeature,
  alertFeature,
  workflowFeature,
  core,
  notifyFeature,
];

/** What the manifest declares as functions. */
export const declaredFunctions: Readonly<Record<string, WorkflowFunction>> = Object.assign(
  {},
  ...features.map(({ steps }) => steps?.functions),
);
