import type { Job } from '../../store/jobs/rows/job.ts';
import { type Content, message, said, section } from '../blocks/blocks.ts';
import { bold } from '../blocks/limits.ts';
import { mentionDeciders } from '../blocks/mentionPeople.ts';
import { decidersOf, emergencyLine, untilText } from '../messages/approval/decisionLines.ts';
import { titleOf } from '../messages/jobWords.ts';
import { runCommand } from '../words/commandActions.ts';

/** Calls the approvers to a card that waits. It is a separate message, since edits notify nobody. */
export function callToApprovers(job: Job, asker = bold(job.person)): Content {
  const waits = job.approval && job.approval.reminders > 0 ? 'still waits for approval' : 'waits for approval';
  const text = `:bell: ${calling(job)}*${titleOf(job)}* ${waits}${untilText(job)}. ${asker} asked for it.`;
  return said(text, [runCommand.button('What waits for me', 'approvals')]);
}

/** Tells the approvers, and everybody active in the channel, that something runs without approval. */
export function alarm(job: Job): Content {
  const text = `:rotating_light: <!here> ${calling(job)}*${titleOf(job)}* runs without approval. ${emergencyLine(job, `<@${job.person}>`)}`;
  return message([section(text)]);
}

function calling(job: Job): string {
  const others = decidersOf(job);
  return others.length > 0 ? `${mentionDeciders(others)}: ` : '';
}
