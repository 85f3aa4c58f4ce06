import { accountNoticeKind } from '../jobs/account/accountNotice.ts';
import { workOnAlerts } from '../jobs/alerts/workOnAlerts.ts';
import { leases } from '../jobs/leases/lease.ts';
import { leaseHookOf } from '../jobs/leases/leaseOf.ts';
import { wishKind } from '../jobs/leases/leaseWish.ts';
import { workOnLeases } from '../jobs/leases/workOnLeases.ts';
import { scheduleHook } from '../jobs/schedules/afterRun.ts';
import { schedules } from '../jobs/schedules/schedule.ts';
import { workOnSchedules } from '../jobs/schedules/workOnSchedules.ts';
import { consents } from '../jobs/workflows/consent.ts';
import { consentNoticeKind } from '../jobs/workflows/consentAbout.ts';
import { consentHook } from '../jobs/workflows/consentApproval.ts';
import { executionHook, executions } from '../jobs/workflows/execution.ts';
import { alertMessage } from '../slack/alerts/alertMessages.ts';
import { consentMessage } from '../slack/consents/consentMessages.ts';
import type { Feature } from '../slack/feature.ts';
import { leaseMessage, wishMessage } from '../slack/leases/leaseMessages.ts';
import { accountMessage } from '../slack/messages/accountMessage.ts';
import { scheduleMessage } from '../slack/schedules/scheduleMessages.ts';
import { reportMessage } from '../slack/status/reportMessage.ts';
import { workOnExecutions } from '../slack/workflows/workOnExecutions.ts';
import { alerts, subscriptions } from '../store/tables/alertRows.ts';
import type { WholeDesk } from './desk.ts';

/** What Dolly does beside single requests. A feature that is taken out of here is gone. */
export const features: readonly Feature<WholeDesk>[] = [
  {
    name: 'leases',
    kinds: [leases],
    work: workOnLeases,
    ends: leaseHookOf,
    words: { lease: leaseMessage, [wishKind]: wishMessage },
  },
  {
    name: 'schedules',
    kinds: [schedules],
    work: workOnSchedules,
    ends: () => scheduleHook,
    words: { schedule: scheduleMessage, report: reportMessage },
  },
  { name: 'steps', kinds: [executions], work: workOnExecutions, ends: () => executionHook, words: {} },
  { name: 'consents', kinds: [consents], ends: () => consentHook, words: { [consentNoticeKind]: consentMessage } },
  {
    name: 'alerts',
    kinds: [alerts, subscriptions],
    work: (_, desk) => workOnAlerts(desk),
    words: { alert: alertMessage },
  },
  { name: 'account', kinds: [], words: { [accountNoticeKind]: accountMessage } },
];
