import { alertMessage } from '../features/alerts/alertMessages.ts';
import { workOnAlerts } from '../features/alerts/workOnAlerts.ts';
import { leases } from '../features/leases/lease.ts';
import { leaseMessage, wishMessage } from '../features/leases/leaseMessages.ts';
import { leaseHookOf } from '../features/leases/leaseOf.ts';
import { wishKind } from '../features/leases/leaseWish.ts';
import { workOnLeases } from '../features/leases/workOnLeases.ts';
import { reportMessage } from '../features/protection/reportMessage.ts';
import { scheduleHook } from '../features/schedules/afterRun.ts';
import { schedules } from '../features/schedules/schedule.ts';
import { scheduleMessage } from '../features/schedules/scheduleMessages.ts';
import { workOnSchedules } from '../features/schedules/workOnSchedules.ts';
import { consents } from '../features/workflows/consent.ts';
import { consentNoticeKind } from '../features/workflows/consentAbout.ts';
import { consentHook } from '../features/workflows/consentApproval.ts';
import { consentMessage } from '../features/workflows/consentMessages.ts';
import { executionHook, executions } from '../features/workflows/execution.ts';
import { workOnExecutions } from '../features/workflows/workOnExecutions.ts';
import { accountNoticeKind } from '../jobs/account/accountNotice.ts';
import type { Feature } from '../slack/feature.ts';
import { accountMessage } from '../slack/messages/accountMessage.ts';
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
