import type { App } from '@slack/bolt';
import { z } from 'zod';
import { parseJson } from '../../api/reading/jsonTree.ts';
import { sentence } from '../../ground/failure.ts';
import { canBeRead } from '../../ground/lookalikes.ts';
import { actorOf } from '../../jobs/actor.ts';
import { breakGlass } from '../../jobs/approval/breakGlass.ts';
import { type Click, rejectNonRequester } from '../../jobs/approval/click.ts';
import { approve, deny } from '../../jobs/approval/decide.ts';
import { askAnew, withdraw } from '../../jobs/requesterActions.ts';
import type { Job } from '../../store/jobs/job.ts';
import { type Content, said } from '../blocks/blocks.ts';
import { cut } from '../blocks/limits.ts';
import { mustBeAdmitted } from '../desk/admission.ts';
import { answerClick, whisper } from '../desk/answer.ts';
import type { Desk } from '../desk/desk.ts';
import { newUse, type Use } from '../desk/use.ts';
import { openView } from '../desk/views.ts';
import { whoIn } from '../desk/who.ts';
import { unreadableJob } from '../messages/unreadable.ts';
import { refused } from '../signIn/signIn.ts';
import { ackClick, clicked } from '../uses/keptUses.ts';
import { clickAnswer } from './clickAnswer.ts';
import { type ReasonedAct, readReasonForm, reasonedActs, reasonForm } from './reasonForm.ts';

/** The value of a button (approvalCard.ts) or of a form: the job, the digest of its card, and the reason. */
const Value = z.object({ j: z.string(), d: z.string().nullable(), reason: z.string().optional() });

/** A click on a job that is there, with what it brought. */
type Request = Readonly<{ job: Job; click: Click; reason: string; trigger: string }>;
type Act = (desk: Desk, request: Request) => Promise<Content | undefined>;

/** The act of each button, and of each form with a reason. Names are stored with uses, so they never change. */
const acts: Readonly<Record<string, Act>> = {
  'approval.approve': async (desk, { job, click }) =>
    afterChange(desk, clickAnswer(desk.policy, await approve(desk, job, click))),
  'approval.deny': (desk, request) => askForReason(desk, request, 'deny'),
  'approval.glass': (desk, request) => askForReason(desk, request, 'glass'),
  'approval.withdraw': (desk, request) => onlyForRequester(desk, request, 'withdraw', withdraw),
  'approval.anew': (desk, request) => onlyForRequester(desk, request, 'anew', askAnew),
  deny: async (desk, { job, click, reason }) =>
    afterChange(desk, clickAnswer(desk.policy, await deny(desk, job, click, reason))),
  glass: async (desk, { job, click, reason }) =>
    afterChange(desk, clickAnswer(desk.policy, await breakGlass(desk, job, click, reason))),
};

/** Listens to the buttons of approval, and to the forms that ask for a reason. */
export function listenToDecisions(app: App, desk: Desk): void {
  app.action({ action_id: /^approval\./, type: 'block_actions' }, async ({ ack, body, action, respond }) => {
    const tell = (content: Content) => answerClick(desk, body, respond, content);
    const use = clicked(body, action.action_id, action.type === 'button' ? (action.value ?? '') : '');
    const opensForm = reasonedActs.some(act => use.action === `approval.${act}`);
    if (!opensForm) return desk.takeOn(use, ackClick(ack, tell), tell);
    await ack();
    desk.run(
      'answer a decision',
      decideOn(desk, use).then(content => content && tell(content)),
    );
  });

  app.view({ callback_id: /^(deny|glass)$/, type: 'view_submission' }, async ({ ack, body, view }) => {
    const owner = whoIn(body);
    const { pending, reason } = readReasonForm(view);
    const refuse = (why: string) => ack({ response_action: 'errors', errors: { reason: why } });
    if (!canBeRead(reason)) return refuse('Say why, for those who read it later.');
    const channel = pending?.c ?? owner.person;
    const value = JSON.stringify({ ...pending, reason });
    const use = newUse({ ...owner, channel, trigger: view.id, action: view.callback_id, value });
    await desk.takeOn(
      use,
      refusal => (refusal === undefined ? ack() : refuse(refusal)),
      content => whisper(desk, owner.person, channel, content),
    );
  });
}

/**
 * Does the act of a button of approval, or of a form with a reason, and gives the answer to the person. The trail also has
 * the clicks that are turned away.
 */
export async function decideOn(desk: Desk, use: Use): Promise<Content | undefined> {
  const { team, person, channel, trigger } = use;
  try {
    await mustBeAdmitted(desk, use).catch(async (error: unknown) => {
      await recordTurnedAway(desk, use, sentence(error));
      throw error;
    });
    const value = Value.safeParse(parseJson(use.value)).data;
    const job = value && (await desk.jobs.find(value.j));
    if (job?.team !== team) {
      await recordTurnedAway(desk, use, 'there is no such request');
      return said('I do not know this request.');
    }
    if (job.state === 'unreadable') {
      await recordTurnedAway(desk, use, 'another release made the request');
      return said(unreadableJob);
    }
    const act = acts[use.action];
    if (!act) {
      await recordTurnedAway(desk, use, 'there is no such button');
      return said('I do not know this button.');
    }
    const click = { team, person, channel, digest: value?.d ?? '' };
    return await act(desk, { job, click, reason: value?.reason ?? '', trigger });
  } catch (error) {
    return refused(desk, use, channel, 'approvals', error);
  }
}

/** Opens the form for the reason, unless the act would certainly be refused: then nobody types a reason in vain. */
async function askForReason(desk: Desk, { job, click, trigger }: Request, act: ReasonedAct) {
  const isByRequester = job.person === click.person;
  if (job.state !== 'awaiting' || isByRequester === (act === 'deny')) {
    const outcome = await (act === 'deny' ? deny : breakGlass)(desk, job, click, '');
    return clickAnswer(desk.policy, outcome);
  }
  await openView(desk, trigger, reasonForm(job, click, act));
  return undefined;
}

async function onlyForRequester(
  desk: Desk,
  { job, click }: Request,
  act: string,
  perform: (desk: Desk, job: Job, channel: string) => Promise<string>,
): Promise<Content> {
  if (job.person !== click.person) return clickAnswer(desk.policy, await rejectNonRequester(desk, { job, click, act }));
  return afterChange(desk, said(await perform(desk, job, click.channel)));
}

/** Starts the work on what a click changed, before the person is told. */
function afterChange(desk: Desk, content: Content): Content {
  desk.wake();
  desk.tell();
  return content;
}

/** Writes a click to the trail that is about no known request, or whose person may make none. Its value is not kept. */
async function recordTurnedAway(desk: Desk, { team, person, channel, action }: Use, why: string): Promise<void> {
  const by = await actorOf(desk, { team, person }, channel);
  const detail = `${cut(action.replace('approval.', ''), 40)}: ${why}`;
  await desk.audit.add({ ...by, team, at: desk.clock.now(), event: 'refused', detail });
}
