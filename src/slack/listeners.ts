import type { App } from '@slack/bolt';
import { alertReactions } from './alerts/alertClicks.ts';
import { approvalReactions } from './approvals/approvalClicks.ts';
import { reasonSubmissions } from './approvals/reasonForm.ts';
import { auditReactions } from './audit/auditCommand.ts';
import { commandReactions } from './commands/commands.ts';
import { wordsBySlashCommand } from './commands/help.ts';
import { installedReaction } from './commands/installed.ts';
import { lessonReactions } from './commands/lessons.ts';
import { consentReactions } from './consents/consentClicks.ts';
import type { Desk } from './desk/desk.ts';
import type { Reaction } from './desk/reaction.ts';
import type { Submission } from './desk/submission.ts';
import { listenToForms } from './forms/listenToForms.ts';
import { formSubmissions } from './forms/submitForm.ts';
import { homeReactions, listenToHome } from './home/home.ts';
import { askSubmission } from './leases/askForm.ts';
import { keepSubmission } from './leases/keepForm.ts';
import { leaseReactions } from './leases/leaseClicks.ts';
import { jobReactions } from './messages/jobClicks.ts';
import { deletionSubmission } from './presets/deletePreset.ts';
import { listenToPresets } from './presets/listenToPresets.ts';
import { presetReactions } from './presets/presetClicks.ts';
import { presetSubmission } from './presets/savePreset.ts';
import { listenToSchedules, scheduleSubmission } from './schedules/listenToSchedules.ts';
import { scheduleReactions } from './schedules/scheduleClicks.ts';
import { askSearch, listenToAsk } from './shortcuts/ask.ts';
import { listenToShortcuts, shortcutReactions } from './shortcuts/listenToShortcuts.ts';
import { signInReactions, signInSubmission } from './signIn/signInForm.ts';
import { listenToTalk, talkReactions } from './talk/listenToTalk.ts';
import type { Doing } from './uses/doing.ts';
import { listenToModals } from './uses/listenToModals.ts';
import { listenToClicks, listenToCommands } from './uses/listenToUses.ts';
import { typedReactions } from './uses/takeTyped.ts';
import { listenToSteps } from './workflows/listenToSteps.ts';

/** All reactions: commands, buttons and menus. `hurryHomes` publishes Home at once. */
export function allReactions(hurryHomes: () => void): readonly Reaction[] {
  return [
    ...commandReactions,
    ...jobReactions,
    ...approvalReactions,
    ...auditReactions(),
    ...alertReactions,
    ...leaseReactions,
    ...presetReactions,
    ...scheduleReactions,
    ...consentReactions,
    ...signInReactions,
    ...lessonReactions,
    ...talkReactions,
    ...typedReactions,
    installedReaction,
    ...shortcutReactions,
    ...homeReactions(hurryHomes),
  ];
}

/** What comes of each modal that people submit. */
export const allSubmissions: readonly Submission[] = [
  ...formSubmissions,
  ...reasonSubmissions,
  keepSubmission,
  askSubmission,
  presetSubmission,
  deletionSubmission,
  scheduleSubmission,
  askSearch,
  signInSubmission,
];

/** Registers every listener but the flood gate, which has to be the first. */
export function listenToSlack(
  app: App,
  desk: Desk,
  { reactions, doing, hurryHomes }: Readonly<{ reactions: readonly Reaction[]; doing: Doing; hurryHomes(): void }>,
): void {
  listenToCommands(app, desk, doing, wordsBySlashCommand(desk.names));
  listenToClicks(app, desk, doing, reactions);
  listenToTalk(app, desk, doing);
  listenToShortcuts(app, desk, doing);
  listenToAsk(app, desk);
  listenToForms(app, desk);
  listenToModals(app, desk, allSubmissions);
  listenToPresets(app, desk);
  listenToSchedules(app, desk);
  listenToHome(app, desk, hurryHomes);
  listenToSteps(app, desk);
}
