import { type Click, mayOpenPage, rejectNonRequester } from '../../jobs/approval/click.ts';
import { approve, type DecisionTaker, deny } from '../../jobs/approval/decide.ts';
import { type HolderHearer, objectAsHolder } from '../../jobs/approval/objectAsHolder.ts';
import { breakGlass, faultOfGlass } from '../../jobs/approval/people/breakGlass.ts';
import { faultOfOwn } from '../../jobs/approval/people/mayDecide.ts';
import type { Clerk, Mover } from '../../jobs/parts.ts';
import { askAnew, withdraw } from '../../jobs/requesterActions.ts';
import type { Job } from '../../store/jobs/rows/job.ts';
import { type Content, said } from '../blocks/message.ts';
import type { Desk, Doorkeeper, Greeter, Voice } from '../desk/desk.ts';
import type { Interaction } from '../desk/interaction.ts';
import { reactTo, reactToForm } from '../desk/reaction.ts';
import { openView, showView } from '../desk/views.ts';
import { noteTurnedAway } from '../inbox/doing.ts';
import { isDecidedOnPages } from '../messages/approval/shownInFull.ts';
import { approvalActions, type SeenRequest } from '../messages/jobActions.ts';
import { unreadableJob } from '../messages/unreadable.ts';
import { answerToFailure } from '../signIn/failureAnswer.ts';
import { clickAnswer, lateBecause } from './clickAnswer.ts';
import { type ReasonedAct, reasoned, reasonForm } from './reasonForm.ts';
import { approvedOnPage, requestPage } from './requestPages.ts';

/** The request that a button or a form is about, with the reason where one was asked for. */
type Decision = SeenRequest & Readonly<{ reason?: string; p?: number }>;

/** A click on a known job, with the reason that came with it and the trigger that may open a form. */
type Request = Readonly<
  { job: Job; click: Click; reason: string; page: number } & Pick<Interaction, 'trigger' | 'view'>
>;
type RequestAct<Needs> = (desk: Needs, request: Request) => Promise<Content | undefined>;

/** Decides, or opens the form for the reason. */
type ReasonAsker = DecisionTaker & Voice;

/** Answers a click on a request, or the form that asks for its reason. */
type ReasonNeeds = Clerk & Greeter & Desk<'jobs' | 'log'>;

/** What is asked before the form of each act, and the name of the act in the trail. */
const before = {
  deny: { name: 'denied', faultOf: (job: Job, click: Click) => faultOfOwn(job, click, 'denied') },
  glass: { name: 'break glass', faultOf: faultOfGlass },
} as const satisfies Record<ReasonedAct, unknown>;

/** Reacts to the buttons of a request, and to the two forms that ask for a reason. */
export const approvalReactions = [
  reactTo(approvalActions.approve, changing('approve', approveOnCard)),
  reactToForm(approvedOnPage, changing('approve', approveIt)),
  reactTo(approvalActions.read, showing('read', openPage)),
  reactTo(approvalActions.deny, asking('deny')),
  reactTo(approvalActions.glass, asking('glass')),
  reactTo(approvalActions.withdraw, forRequester('withdraw', withdraw)),
  reactTo(approvalActions.anew, forRequester('anew', askAnew)),
  reactTo(approvalActions.object, changing('object', objectIt)),
  reasonGiven('deny', deny),
  reasonGiven('glass', breakGlass),
];

/** An act that opens a form, or refuses. An attempt by a person who may not use Dolly goes to the trail. */
function showing<Needs>(what: string, act: RequestAct<Needs>) {
  return {
    turnAway: (desk: Clerk, interaction: Interaction, why: string) => noteTurnedAway(desk, interaction, what, why),
    perform: (desk: Needs & ReasonNeeds, interaction: Interaction, seen: Decision) =>
      decideOn(desk, interaction, { what, seen, act }),
  };
}

/** An act that changes the request. */
function changing<Needs>(what: string, act: RequestAct<Needs>) {
  return { ...showing(what, act), acts: () => true };
}

/** The act of a form with a reason. */
function reasonGiven(act: ReasonedAct, decide: typeof deny) {
  const decided = async (desk: DecisionTaker, { job, click, reason }: Request) =>
    clickAnswer(desk.policy, await decide(desk, job, click, reason));
  return reactToForm(reasoned[act], changing(act, decided));
}

/** Does an act on the request of a click, and answers the person. A click about no known request goes to the trail. */
async function decideOn<Needs>(
  desk: Needs & ReasonNeeds,
  interaction: Interaction,
  { what, seen, act }: Readonly<{ what: string; seen: Decision; act: RequestAct<Needs> }>,
): Promise<Content | undefined> {
  const { team, person, channel, trigger, view } = interaction;
  try {
    const job = await desk.jobs.find(seen.j);
    if (job?.team !== team) {
      await noteTurnedAway(desk, interaction, what, 'there is no such request');
      return said('I do not know this request.');
    }
    if (job.state === 'unreadable') {
      await noteTurnedAway(desk, interaction, what, 'another release made the request');
      return said(unreadableJob);
    }
    const click = { team, person, channel, digest: seen.d ?? '' };
    return await act(desk, {
      job,
      click,
      reason: seen.reason ?? '',
      page: seen.p ?? 0,
      trigger,
      ...(view === undefined ? {} : { view }),
    });
  } catch (error) {
    // After the sign-in, the person goes on with this very request.
    return answerToFailure(desk, interaction, `approvals ${seen.j}`.trim(), error);
  }
}

async function objectIt(desk: HolderHearer, { job, click }: Request): Promise<Content> {
  const outcome = await objectAsHolder(desk, job, click);
  if (outcome.type === 'counted')
    return said(
      'I noted your objection on the card and told the approvers. They decide; your objection alone does not stop it.',
    );
  return outcome.type === 'late'
    ? said(`It is too late to object: ${lateBecause(outcome.job)}.`)
    : clickAnswer(desk.policy, outcome);
}

async function approveIt(desk: DecisionTaker, { job, click }: Request): Promise<Content> {
  return clickAnswer(desk.policy, await approve(desk, job, click));
}

/** Approves on a card that shows all of it. A card of an older release may not: then it is read first. */
function approveOnCard(desk: ReasonAsker, request: Request): Promise<Content | undefined> {
  const { job } = request;
  return job.state === 'awaiting' && isDecidedOnPages(job) ? openPage(desk, request) : approveIt(desk, request);
}

/** Opens a page of a request as it was on its card, or shows it in place of the page that is open. */
async function openPage(desk: ReasonAsker, { job, click, page, view, ...opening }: Request) {
  const asked = { job, click, act: 'approved' };
  const may = await mayOpenPage(desk, asked, current => faultOfOwn(current, click, 'approved'));
  if (may.type !== 'open') return clickAnswer(desk.policy, may);
  const shown = requestPage(job, click, page);
  // Slack lays no more than three windows upon each other, and a request may have more pages.
  await (view === undefined
    ? openView(desk, { team: job.team, ...opening }, shown)
    : showView(desk, { team: job.team, id: view }, shown));
  return undefined;
}

/** Opens the form for the reason. An act that would certainly be refused is refused at once: nobody types in vain. */
function asking(act: ReasonedAct) {
  const { name, faultOf } = before[act];
  return showing(act, async (desk: ReasonAsker, { job, click, trigger }) => {
    const may = await mayOpenPage(desk, { job, click, act: name }, current => faultOf(current, click));
    if (may.type !== 'open') return clickAnswer(desk.policy, may);
    await openView(desk, { team: job.team, trigger }, reasonForm(job, click, act));
    return undefined;
  });
}

function forRequester(act: string, perform: typeof withdraw) {
  return changing(act, async (desk: Mover & Doorkeeper, { job, click }) =>
    job.person === click.person
      ? said(await perform(desk, job, click.channel))
      : clickAnswer(desk.policy, await rejectNonRequester(desk, { job, click, act })),
  );
}
