import type { App } from '@slack/bolt';
import { alertReactions } from './alerts/alertClicks.ts';
import { approvalReactions, listenToReasons } from './approvals/approvalClicks.ts';
import { auditReactions } from './audit/auditCommand.ts';
import { commandReactions } from './commands/commands.ts';
import { wordsBySlashCommand } from './commands/help.ts';
import { installedReaction } from './commands/installed.ts';
import { lessonReactions } from './commands/lessons.ts';
import type { Desk } from './desk/desk.ts';
import type { Reaction } from './desk/reaction.ts';
import { listenToForms } from './forms/listenToForms.ts';
import { grantReactions } from './grants/grantClicks.ts';
import { homeReactions, listenToHome } from './home/home.ts';
import { listenToAskForm } from './leases/askForm.ts';
import { listenToKeepForm } from './leases/keepForm.ts';
import { leaseReactions } from './leases/leaseClicks.ts';
import { jobReactions } from './messages/jobClicks.ts';
import { listenToPresets } from './presets/listenToPresets.ts';
import { presetReactions } from './presets/presetClicks.ts';
import { listenToSchedules } from './schedules/listenToSchedules.ts';
import { scheduleReactions } from './schedules/scheduleClicks.ts';
import { listenToAsk } from './shortcuts/ask.ts';
import { listenToShortcuts, shortcutReactions } from './shortcuts/listenToShortcuts.ts';
import { listenToSignIn, signInReactions } from './signIn/signInForm.ts';
import { listenToTalk, talkReactions } from './talk/listenToTalk.ts';
import type { Doing } from './uses/doing.ts';
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
    ...grantReactions,
    ...signInReactions,
    ...lessonReactions,
    ...talkReactions,
    ...typedReactions,
    installedReaction,
    ...shortcutReactions,
    ...homeReactions(hurryHomes),
  ];
}

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
  listenToReasons(app, desk);
  listenToKeepForm(app, desk);
  listenToPresets(app, desk);
  listenToSchedules(app, desk);
  listenToAskForm(app, desk);
  listenToSignIn(app, desk);
  listenToHome(app, desk, hurryHomes);
  listenToSteps(app, desk);
}
