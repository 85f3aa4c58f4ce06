import type { App } from '@slack/bolt';
import { approvalReactions } from '../slack/approvals/approvalClicks.ts';
import { reasonSubmissions } from '../slack/approvals/reasonForm.ts';
import { pageSubmission } from '../slack/approvals/requestPages.ts';
import { auditReactions } from '../slack/audit/auditCommand.ts';
import { commandReactions } from '../slack/commands/commands.ts';
import { lessonReactions } from '../slack/commands/doctor/lessonReport.ts';
import { draftReactions } from '../slack/commands/doctor/mappingDraft.ts';
import { stateReactions } from '../slack/commands/doctor/stateReport.ts';
import { wordsBySlashCommand } from '../slack/commands/help.ts';
import { installedReaction } from '../slack/commands/installed.ts';
import type { Offering, Reaction, UseInForm } from '../slack/desk/reaction.ts';
import type { Submission } from '../slack/desk/submission.ts';
import { formButtons, formPickers, listenToPickers, listenToRedraws } from '../slack/forms/listenToForms.ts';
import { formSubmissions } from '../slack/forms/submit/submitForm.ts';
import { homeReactions, listenToHome } from '../slack/home/home.ts';
import type { Doing } from '../slack/inbox/doing.ts';
import { forgetReaction } from '../slack/inbox/inbox.ts';
import { listenToClicks, listenToCommands } from '../slack/inbox/listenToInteractions.ts';
import { listenToModals } from '../slack/inbox/listenToModals.ts';
import { typedReactions } from '../slack/inbox/takeTyped.ts';
import { jobReactions } from '../slack/messages/jobClicks.ts';
import { stateAnswerReactions } from '../slack/messages/stateClicks.ts';
import { deletionSubmission } from '../slack/presets/deletePreset.ts';
import { presetReactions } from '../slack/presets/presetClicks.ts';
import { saveInForm } from '../slack/presets/saveInForm.ts';
import { presetSubmission } from '../slack/presets/savePreset.ts';
import { askButtons, askSearch } from '../slack/shortcuts/ask.ts';
import { listenToShortcuts, shortcutReactions } from '../slack/shortcuts/listenToShortcuts.ts';
import { signInReactions, signInSubmission } from '../slack/signIn/signInForm.ts';
import { listenToTalk, talkReactions } from '../slack/talk/listenToTalk.ts';
import type { Features } from './features.ts';
import type { WholeDesk } from './wholeDesk.ts';

/** All reactions: commands, buttons and menus. `hurryHomes` publishes Home at once. */
export function allReactions(features: Features, hurryHomes: () => void): readonly Reaction<WholeDesk>[] {
  return [
    ...commandReactions,
    ...jobReactions,
    ...stateAnswerReactions,
    ...approvalReactions,
    ...auditReactions(),
    ...presetReactions,
    ...signInReactions,
    ...lessonReactions,
    ...stateReactions,
    ...draftReactions,
    ...talkReactions,
    ...typedReactions,
    forgetReaction,
    installedReaction,
    ...shortcutReactions,
    ...homeReactions(hurryHomes),
    ...features.flatMap(({ interactions }) => interactions?.reactions ?? []),
  ];
}

/** What comes of each modal that people submit. */
export function allSubmissions(features: Features): readonly Submission<WholeDesk>[] {
  const own = [...formSubmissions, ...reasonSubmissions, pageSubmission, presetSubmission, deletionSubmission];
  return [
    ...own,
    askSearch,
    signInSubmission,
    ...features.flatMap(({ interactions }) => interactions?.submissions ?? []),
  ];
}

/** What comes of the buttons and menus inside of modals. */
export function allInForms(features: Features): readonly UseInForm<WholeDesk>[] {
  return [
    ...formButtons,
    ...askButtons,
    saveInForm,
    ...features.flatMap(({ interactions }) => interactions?.inForms ?? []),
  ];
}

/** What offers the choices of the pickers inside of modals. */
function allPickers(features: Features): readonly Offering<WholeDesk>[] {
  return [formPickers, ...features.flatMap(({ interactions }) => interactions?.pickers ?? [])];
}

/** What the listeners do, and with what. */
type ListenerWork = Readonly<{ reactions: readonly Reaction<WholeDesk>[]; doing: Doing; hurryHomes(): void }>;

/** Registers every listener but the flood gate, which has to be the first. */
export function listenToSlack(
  app: App,
  desk: WholeDesk,
  features: Features,
  { reactions, doing, hurryHomes }: ListenerWork,
) {
  listenToCommands(app, desk, doing, wordsBySlashCommand(desk.names));
  listenToClicks(app, desk, doing, { reactions, inForms: allInForms(features) });
  listenToTalk(app, desk, doing);
  listenToShortcuts(app, desk, doing);
  listenToPickers(app, desk, allPickers(features));
  listenToRedraws(app, desk);
  listenToModals(app, desk, allSubmissions(features));
  listenToHome(app, desk, hurryHomes);
  for (const { steps } of features) steps?.listen(app, desk);
}
