import type { KnownBlock } from '@slack/types';
import { z } from 'zod';
import { actorOf } from '../../../jobs/actor.ts';
import { namesNobody, surelyApproves } from '../../../jobs/approval/people/hasSay.ts';
import { stateAnswers } from '../../../jobs/evidence/words/stateDoubt.ts';
import type { Clerk, Judge } from '../../../jobs/parts.ts';
import type { StateAnswer } from '../../../store/tables/stateAnswers.ts';
import { asJson, defineAction } from '../../blocks/action.ts';
import { actionsRow, section } from '../../blocks/blocks.ts';
import { cut, limits } from '../../blocks/limits.ts';
import { type Content, said } from '../../blocks/message.ts';
import { code, plain } from '../../blocks/mrkdwn.ts';
import { mustBeSignedIn } from '../../desk/admission.ts';
import type { Desk } from '../../desk/desk.ts';
import type { Interaction } from '../../desk/interaction.ts';
import { reactTo } from '../../desk/reaction.ts';
import { describeJob } from '../../messages/jobWords.ts';
import { saidOf } from '../../messages/stateClicks.ts';

/* State words in `/db doctor`: what people said of them, and those of which nobody knows what they mean. */

/** A state word of one kind of records, in a button. */
const Word = z.object({ k: z.string(), w: z.string() });
const takeBack = defineAction('state.takeback', asJson(Word));
const explain = defineAction('state.explain', asJson(Word.extend({ s: z.enum(stateAnswers) })));

/** Max words that the doctor shows of each sort. */
const maxWords = 10;
/** Max characters of a kind and a word that fit into a button. */
const longest = 300;

/** Shows the answers on state words, each with the way back, and asks for words that are in doubt. */
export async function stateBlocks(
  desk: Judge & Desk<'stateAnswers' | 'vocabulary'>,
  team: string,
): Promise<readonly KnownBlock[]> {
  const given = [
    ...Map.groupBy(await desk.stateAnswers.all(team), ({ kind, word }) => JSON.stringify([kind, word])).values(),
  ];
  const known = new Set(given.flatMap(([first]) => (first ? [`${first.kind} ${first.word}`] : [])));
  const doubtful = desk.vocabulary
    .of(team)
    .learned()
    .filter(
      ({ kind, word, meaning, stood }) =>
        meaning === 'doubtful' && stood > 0 && !known.has(`${kind} ${word}`) && (kind + word).length < longest,
    );
  const asked = namesNobody(desk.policy) ? [] : doubtful.slice(0, maxWords);
  return [
    ...(given.length > 0 ? [section('*State words that people explained*')] : []),
    ...given.slice(0, maxWords).flatMap(answersSection),
    ...(asked.length > 0
      ? [section('*State words that I do not understand*: only approvers can explain them here.')]
      : []),
    ...asked.flatMap(({ kind, word }) => {
      const button = (text: string, s: 'ready' | 'working') =>
        explain.button(text, { k: kind, w: word, s }, { suffix: `${s}-${kind}-${word}`.slice(0, 200) });
      const buttons = [button('Yes, they are ready', 'ready'), button('No, work goes on', 'working')];
      return [
        section(`${plain(kind, 60)} are in ${code(word, 60)}. Does that mean that they are ready?`),
        ...actionsRow(buttons, `state-${kind}-${word}`.slice(0, 200)),
      ];
    }),
  ];
}

function answersSection(answers: readonly StateAnswer[]): KnownBlock[] {
  const [first] = answers;
  if (!first) return [];
  const lines = answers
    .slice(0, 5)
    .map(
      ({ login, says, approves }) =>
        `${plain(login, 80)} says ${saysWhat(says, first.kind)}${approves ? ', for this workspace' : ''}`,
    );
  const text = cut(`${code(first.word, 60)} of ${plain(first.kind, 60)}: ${lines.join('; ')}.`, limits.sectionText);
  const value = { k: first.kind, w: first.word };
  return [
    {
      ...section(text),
      accessory: takeBack.button('Take back', value, { suffix: `${first.kind}-${first.word}`.slice(0, 200) }),
    },
  ];
}

function saysWhat(says: string, kind: string): string {
  const known = stateAnswers.find(name => name === says);
  return known ? saidOf(known, kind) : says;
}

/** Changes what is known of state words. */
type Explainer = Judge & Clerk & Desk<'stateAnswers' | 'jobs'>;

/** Reacts to the doctor's buttons on state words. */
export const stateReactions = [
  reactTo(explain, {
    acts: () => true,
    async perform(desk: Explainer, interaction, { k: kind, w: word, s: says }) {
      const { team, person, channel } = interaction;
      if (!(await surelyApproves(desk, interaction))) return onlyApprovers;
      const { username: login } = await mustBeSignedIn(desk, interaction);
      const by = { actor: person, login, channel };
      const answer = { team, kind, word, person, login, job: '', record: '', says };
      await desk.stateAnswers.add({ ...answer, approves: 1, at: desk.clock.now() });
      await desk.audit.add({ team, ...by, at: desk.clock.now(), event: 'state explained', detail: `${word}: ${says}` });
      return said(`I noted for this workspace: ${code(word, 60)} means ${saidOf(says, kind)}.`);
    },
  }),
  reactTo(takeBack, {
    acts: () => true,
    async perform(desk: Explainer, interaction, { k: kind, w: word }) {
      const { team, person, channel } = interaction;
      const answers = await desk.stateAnswers.on({ team, kind, word });
      const isOwn = answers.length > 0 && answers.every(answer => answer.person === person);
      if (!isOwn && !(await surelyApproves(desk, interaction))) return onlyApprovers;
      await desk.stateAnswers.forget({ team, kind, word });
      const by = await actorOf(desk, interaction, channel);
      await desk.audit.add({ team, ...by, at: desk.clock.now(), event: 'state explanation taken back', detail: word });
      return said(`Taken back. ${await toldBy(desk, interaction, answers)}`);
    },
  }),
];

const onlyApprovers: Content = said('Only approvers can say this, because it affects everybody here.');

/** Names the jobs that were told by answers. */
async function toldBy(desk: Desk<'jobs'>, { team }: Interaction, answers: readonly StateAnswer[]): Promise<string> {
  const ids = [...new Set(answers.flatMap(({ job }) => job || []))];
  const jobs = await Promise.all(ids.slice(0, 20).map(id => desk.jobs.find(id)));
  const titles = jobs.flatMap(job =>
    job && job.state !== 'unreadable' && job.team === team ? plain(describeJob(job).title, 100) : [],
  );
  return titles.length === 0
    ? 'No job’s result rested on it.'
    : `The results of these jobs rested on it, so check them: ${titles.join(', ')}.`;
}
