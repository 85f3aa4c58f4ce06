import type { Feature } from '../../slack/feature.ts';
import { histories } from './lastWeek.ts';
import { meantByLate } from './lateDatabases.ts';
import { excusedByMaintenance, maintenances } from './maintenance/maintenance.ts';
import { maintenance } from './maintenance/maintenanceCommand.ts';
import { maintenanceMessage } from './maintenance/maintenanceMessage.ts';
import { type MaintenanceLooker, workOnMaintenance } from './maintenance/workOnMaintenance.ts';
import { report, reportMessage } from './reportCommand.ts';
import { runReport } from './runReport.ts';
import { status } from './statusCommand.ts';
import { statusInHome } from './statusInHome.ts';

/** How well everything is protected. */
export const protectionFeature = {
  name: 'protection',
  things: {
    kinds: [maintenances, histories],
    work: (worker, desk: MaintenanceLooker) => workOnMaintenance(worker, desk),
    words: { maintenance: maintenanceMessage, report: reportMessage },
    latestAlone: ['report'],
  },
  commands: {
    own: [
      {
        word: 'status',
        subject: 'Protection',
        usage: 'status [words] [show=clones]',
        summary: 'Show what is backed up and what is not, what failed, and how old clones are',
        takes: ['show'],
        isForSignedIn: true,
        answer: status,
      },
      {
        word: 'maintenance',
        subject: 'Protection',
        usage: 'maintenance [<environment> until=6:00 why=… [from=22:00] [runs=off] | off]',
        summary: 'Excuse failed, late or disabled databases on an environment (for approvers)',
        takes: ['from', 'until', 'runs', 'why'],
        isForSignedIn: true,
        acts: ({ words }) => words.length > 1,
        answer: maintenance,
      },
      {
        word: 'report',
        subject: 'Protection',
        usage: 'report daily | weekly at=08:30 [only=wrong] [words] | off',
        summary: 'Bring the status to a channel each day or week',
        takes: ['at', 'on', 'only', 'zone'],
        isForSignedIn: true,
        acts: () => true,
        answer: report,
      },
    ],
    meant: meantByLate,
  },
  home: statusInHome,
  about: { standingOf: excusedByMaintenance, reportOn: runReport },
} satisfies Feature<never>;
