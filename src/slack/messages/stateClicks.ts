import { advance } from '../../jobs/advance.ts';
import { rejectNonRequester } from '../../jobs/approval/click.ts';
import { surelyApproves } from '../../jobs/approval/people/hasSay.ts';
import { type Said, wishIn } from '../../jobs/evidence/words/stateDoubt.ts';
import type { Clerk, Judge, Mover } from '../../jobs/parts.ts';
import type { Job } from '../../store/jobs/rows/job.ts';
import { kindOfCopy } from '../../store/tables/stateAnswers.ts';
import { mentionOf } from '../blocks/mentionPeople.ts';
import { type Content, said } from '../blocks/message.ts';
import { code } from '../blocks/mrkdwn.ts';
import { mustBeSignedIn } from '../desk/admission.ts';
import type { Desk } from '../desk/desk.ts';
import type { Interaction } from '../desk/interaction.ts';
import { reactTo } from '../desk/reaction.ts';
import { jobActions } from './jobActions.ts';
import { onJob } from './jobClicks.ts';

/** Reacts to the answers to the question whether a record that stands in an unknown word is ready. */
export const stateAnswerReactions = [
  reactTo(jobActions.answer, {
    acts: () => true,
    perform: (desk: Answerer, interaction, { j, w, s }) =>
      onJob(desk, interaction, j, job => answerDoubt(desk, interaction, job, { word: w, says: s })),
  }),
];

/** Keeps what people say of state words. */
type Answerer = Mover & Clerk & Judge & Desk<'stateAnswers' | 'names'>;

/**
 * Keeps what a person says of the record that a job waits for, and looks at once. The requester, who sees the record by
 * their own sign-in, answers for the job; whoever approves answers for the workspace.
 */
async function answerDoubt(
  desk: Answerer,
  interaction: Interaction,
  job: Job,
  { word, says }: Readonly<{ word: string; says: Said }>,
): Promise<Content> {
  const { team, person, channel } = interaction;
  const approves = await surelyApproves(desk, interaction);
  if (person !== job.person && !approves) {
    await rejectNonRequester(desk, { job, click: { team, person, channel, digest: '' }, act: 'answer' });
    return said(`Only ${mentionOf(job.person)}, who can see the record, and approvers can answer this.`);
  }
  const { username: login } = await mustBeSignedIn(desk, interaction);
  const { evidence } = job;
  if (job.state !== 'running' || evidence?.doubt?.word !== word)
    return said('This is already settled. The message shows its status.');
  const by = { actor: person, login, channel };
  const { kind } = evidence.doubt;
  const answer = { team, kind, word, person, login, job: job.id, record: evidence.id };
  const isForAll = approves && kind !== kindOfCopy(evidence.id);
  await desk.stateAnswers.add({ ...answer, says, approves: Number(isForAll), at: desk.clock.now() });
  await advance(desk, job, { type: 'answered', by, word, says });
  const scope = isForAll ? 'for this workspace' : 'for this job';
  return said(
    `I noted ${scope}: ${code(word, 60)} means ${saidOf(says, kind)}. ${code(`${desk.names.db} doctor`)} shows it and can take it back.`,
  );
}

/** What an answer says of a word in such records. */
export function saidOf(says: Said, kind: string): string {
  const meanings: Readonly<Record<Said, string>> = {
    ready: `that it is ${wishIn(kind)}`,
    working: 'that the work goes on',
    failed: 'that it failed',
  };
  return meanings[says];
}
