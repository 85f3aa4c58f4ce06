import type { App } from '@slack/bolt';
import type { ModalView } from '@slack/types';
import { z } from 'zod';
import { parseJson } from '../../api/reading/tree.ts';
import { sentence } from '../../ground/failure.ts';
import { canBeRead } from '../../ground/lookalikes.ts';
import { actorOf } from '../../jobs/actor.ts';
import { breakGlass } from '../../jobs/approval/breakGlass.ts';
import { type Click, type ClickOutcome, rejectNonRequester } from '../../jobs/approval/click.ts';
import { approve, deny } from '../../jobs/approval/decide.ts';
import { approvalsIn, decisionsIn, termsIn } from '../../jobs/approval/decisions.ts';
import { allApprovers } from '../../jobs/approval/rules.ts';
import { asked } from '../../jobs/parts.ts';
import { askAnew, withdraw } from '../../jobs/requesterActions.ts';
import type { Job } from '../../store/tables/job.ts';
import type { Owner } from '../../store/vault.ts';
import { type Content, mrkdwn, said } from '../blocks/blocks.ts';
import { cut, limits, moment, plain } from '../blocks/limits.ts';
import { mustBeAdmitted, mustBeSignedIn } from '../desk/admission.ts';
import { answerClick, whisper } from '../desk/answer.ts';
import type { Desk } from '../desk/desk.ts';
import { newUse, type Use } from '../desk/use.ts';
import { openView } from '../desk/views.ts';
import { whoIn } from '../desk/who.ts';
import { inputAction } from '../forms/formState.ts';
import { approvalList, withMentions } from '../messages/approvalCard.ts';
import { refused } from '../signIn/signIn.ts';
import { ackClick, clicked } from '../uses/keptUses.ts';
import { waitingFor } from './waitingFor.ts';

/** What a button brings back (approvalCard.ts), and a form with where it was asked for. */
const Value = z.object({ j: z.string(), d: z.string().nullable(), reason: z.string().optional() });
const Pending = Value.extend({ c: z.string() });

/** So many approvals are listed at once. */
const mostListed = 5;

/** `approvals`: what this person may decide on now. @throws {Failure} `signed-out` */
export async function approvals(desk: Desk, owner: Owner): Promise<Content> {
  await mustBeSignedIn(desk, owner);
  const all = await waitingFor(desk, owner);
  return approvalList(all.slice(0, mostListed), all.length);
}

/** Listens to the buttons of approval, and to the forms that ask for a reason. */
export function listenToDecisions(app: App, desk: Desk): void {
  app.action({ action_id: /^approval\./, type: 'block_actions' }, async ({ ack, body, action, respond }) => {
    const tell = (content: Content) => answerClick(desk, body, respond, content);
    const use = clicked(body, action.action_id, action.type === 'button' ? (action.value ?? '') : '');
    // These open a form for the reason.
    const asksWhy = use.action === 'approval.deny' || use.action === 'approval.glass';
    if (!asksWhy) return desk.takeOn(use, ackClick(ack, tell), tell);
    await ack();
    desk.run(
      'answer a decision',
      decideOn(desk, use).then(content => content && tell(content)),
    );
  });

  app.view({ callback_id: /^(deny|glass)$/, type: 'view_submission' }, async ({ ack, body, view }) => {
    const owner = whoIn(body);
    const pending = Pending.safeParse(parseJson(view.private_metadata));
    const reason = view.state.values.reason?.[inputAction]?.value?.trim() ?? '';
    if (!canBeRead(reason))
      return ack({ response_action: 'errors', errors: { reason: 'Say why, for those who read it later.' } });
    const channel = pending.data?.c ?? owner.person;
    const value = JSON.stringify({ ...pending.data, reason });
    const use = newUse({ ...owner, channel, trigger: view.id, action: view.callback_id, value });
    const refuse = (sentence: string) => ack({ response_action: 'errors', errors: { reason: sentence } });
    await desk.takeOn(
      use,
      refusal => (refusal === undefined ? ack() : refuse(refusal)),
      content => whisper(desk, owner.person, channel, content),
    );
  });
}

/** What comes of a button of approval, or of the form with the reason that two of them open. */
export function decideOn(desk: Desk, use: Use): Promise<Content | undefined> {
  const asked = Value.safeParse(parseJson(use.value)).data;
  const what = use.action.replace('approval.', '');
  return answered(desk, use, what, asked, async (job, click) => {
    const decide = use.action === 'deny' ? deny : use.action === 'glass' ? breakGlass : undefined;
    if (decide) return woken(desk, toldOf(desk, await decide(desk, job, click, asked?.reason ?? '')));
    return answerTo(desk, job, click, what, use.trigger);
  });
}

/** What a person is told of a click that is about the request in `value`. What is turned away is in the trail, too. */
async function answered(
  desk: Desk,
  who: Owner & { channel: string },
  what: string,
  value: z.infer<typeof Value> | undefined,
  answer: (job: Job, click: Click) => Promise<Content | undefined>,
): Promise<Content | undefined> {
  try {
    await mustBeAdmitted(desk, who).catch(async (error: unknown) => {
      await turnAway(desk, who, what, sentence(error));
      throw error;
    });
    const job = value && (await desk.jobs.find(value.j));
    if (job?.team === who.team) return await answer(job, { ...who, digest: value?.d ?? '' });
    await turnAway(desk, who, what, 'there is no such request');
    return said('I do not know this request.');
  } catch (error) {
    return refused(desk, who, who.channel, 'approvals', error);
  }
}

/** Writes a click to the trail that is about no request, or of somebody who may make none. What it brought is not kept. */
async function turnAway(desk: Desk, who: Owner & { channel: string }, what: string, why: string): Promise<void> {
  const by = await actorOf(desk, who, who.channel);
  const detail = `${cut(what, 40)}: ${why}`;
  await desk.audit.add({ ...by, team: who.team, at: desk.clock.now(), event: 'refused', detail });
}

async function answerTo(
  desk: Desk,
  job: Job,
  click: Click,
  what: string,
  trigger: string,
): Promise<Content | undefined> {
  if (what === 'approve') return woken(desk, toldOf(desk, await approve(desk, job, click)));
  if (what === 'deny' || what === 'glass') {
    // What certainly is refused is so before a reason is typed in vain.
    const isInVain = job.state !== 'awaiting' || (job.person === click.person) === (what === 'deny');
    if (isInVain) return toldOf(desk, await (what === 'deny' ? deny : breakGlass)(desk, job, click, ''));
    await openView(desk, trigger, reasonForm(job, click, what));
    return undefined;
  }
  const own = what === 'anew' ? askAnew : what === 'withdraw' ? withdraw : undefined;
  if (!own) {
    await turnAway(desk, click, what, 'there is no such button');
    return said('I do not know this button.');
  }
  if (job.person !== click.person) return toldOf(desk, await rejectNonRequester(desk, { job, click, act: what }));
  return woken(desk, said(await own(desk, job, click.channel)));
}

function woken(desk: Desk, content: Content): Content {
  desk.wake();
  desk.tell();
  return content;
}

/** What the person who clicked is told. */
function toldOf({ policy }: Desk, outcome: ClickOutcome): Content {
  if (outcome.type === 'refused')
    return said(
      `:no_entry: ${withMentions(plain(outcome.sentence, 1000), [...allApprovers(policy), ...policy.emergency])}`,
    );
  const { job } = outcome;
  if (outcome.type === 'late') return said(`It is too late to decide: ${howDecided(job)}.`);
  switch (job.state) {
    case 'awaiting': {
      const missing = (termsIn(job)?.approvals ?? 1) - approvalsIn(job).length;
      const others = missing === 1 ? 'one of somebody else' : `${missing} of other people`;
      return said(`Your approval counts. It needs ${others}, too.`);
    }
    case 'denied':
      return said('You denied it. Nothing is sent.');
    default:
      return said(
        job.emergency === null
          ? 'You approved it. It goes on now.'
          : 'It runs without approval now, and everybody concerned is told.',
      );
  }
}

function howDecided(job: Job): string {
  if (!stateIsDecision(job)) return stateSaid[job.state];
  if (job.emergency !== null) return `<@${job.person}> runs it without approval`;
  const by = decisionsIn(job).at(-1);
  return `${stateSaid[job.state]}${by ? ` by <@${by.person}>, ${moment(by.at)}` : ''}`;
}

function stateIsDecision({ state }: Job): boolean {
  return state === 'approved' || state === 'denied' || state === 'sending' || state === 'running';
}

const stateSaid = {
  new: 'it is being read anew',
  awaiting: 'its time was over',
  approved: 'it was approved',
  denied: 'it was denied',
  void: 'its approval is void, since something changed',
  sending: 'it was approved, and is being sent',
  running: 'it was approved, and is under way',
  succeeded: 'it is done',
  failed: 'it failed',
  unconfirmed: 'it was sent',
  finished: 'it was sent',
  withdrawn: 'it was withdrawn',
  expired: 'its time was over',
} as const satisfies Record<Job['state'], string>;

function reasonForm(job: Job, { channel, digest }: Click, what: 'deny' | 'glass'): ModalView {
  const { operation, values } = asked(job);
  const title = `${operation.title(values)} of ${plain(job.targetName ?? job.target, 100)}`;
  const lead =
    what === 'deny'
      ? `You deny the *${title}* that <@${job.person}> asked for. One denial is enough.`
      : `:rotating_light: The *${title}* then runs at once, without approval. ${job.cardPlace === null ? 'The channel' : `<#${job.cardPlace}>`} is told so, and why, and so is the audit trail.`;
  return {
    type: 'modal',
    callback_id: what,
    title: { type: 'plain_text', text: what === 'deny' ? 'Deny' : 'Run without approval' },
    submit: { type: 'plain_text', text: what === 'deny' ? 'Deny' : 'Run it now' },
    close: { type: 'plain_text', text: 'Cancel' },
    private_metadata: JSON.stringify({ j: job.id, d: digest, c: channel }),
    blocks: [
      { type: 'section', text: mrkdwn(cut(lead, limits.sectionText)) },
      {
        type: 'input',
        block_id: 'reason',
        label: { type: 'plain_text', text: 'Why' },
        element: {
          type: 'plain_text_input',
          action_id: inputAction,
          multiline: true,
          max_length: 500,
          focus_on_load: true,
        },
      },
    ],
  };
}
