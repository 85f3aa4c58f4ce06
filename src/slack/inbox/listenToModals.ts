import type {
  AnyMiddlewareArgs,
  App,
  SlackViewMiddlewareArgs,
  ViewResponseAction,
  ViewSubmitAction,
} from '@slack/bolt';
import { Failure, sentence } from '../../ground/failure.ts';
import type { Clerk } from '../../jobs/parts.ts';
import { notice } from '../blocks/blocks.ts';
import { cut, limits } from '../blocks/limits.ts';
import { inputsIn, readSent, type SentModal } from '../blocks/modal.ts';
import { plain } from '../blocks/mrkdwn.ts';
import { ackPatience } from '../connection/eventAck.ts';
import { mustBeAdmitted } from '../desk/admission.ts';
import { whisper } from '../desk/answer.ts';
import type { Desk, Sender, Voice } from '../desk/desk.ts';
import { newInteraction } from '../desk/interaction.ts';
import { viewInAnswer } from '../desk/sendContent.ts';
import {
  faultAt,
  formOfAnotherRelease,
  type ModalAnswer,
  noteInstead,
  type Submission,
  type Submitter,
} from '../desk/submission.ts';
import { carriedBy, whoIn } from '../desk/who.ts';
import { noteTurnedAway } from './doing.ts';

/** The time that a modal has for words of its own about that, in milliseconds, before it gets the general ones. */
const lastWord = 100;

const slow = 'This takes longer than usual, so I do not know yet whether I saved it.';

/** Lets people in, keeps what they filled in, and tells them. */
type FormKeeper = Voice & Clerk & Desk<'people' | 'takeOn' | 'run'>;

/**
 * Listens to every modal. Whoever is not admitted, and what this release did not draw, is turned away, which goes to the
 * trail. Slack has its answer in time, whatever the work does. Two deliveries at once are one submission. They are taken before
 * Bolt goes through its listeners, as commands are.
 */
export function listenToModals<Needs>(app: App, desk: Needs & FormKeeper, submissions: readonly Submission<Needs>[]) {
  const inHand = new Map<string, Promise<ModalAnswer>>();
  app.use(async args => {
    if (!isSubmission(args)) return args.next();
    const { ack, body, view } = args;
    const late = desk.clock.wait(ackPatience).then(() => 'late' as const);
    const { team, person } = whoIn(body);
    const { channel = person, thread } = carriedBy(view);
    const by = { team, person, channel, thread, viewId: view.id, late };
    const sent = readSent(view);
    let isAnswered = false;
    const respond = async (answer: ModalAnswer) => {
      if (isAnswered) return;
      const response = responseTo(desk, team, sent, answer);
      isAnswered = true;
      await ack(response);
    };
    const key = JSON.stringify([team, person, view.id, view.callback_id, view.private_metadata, view.state]);
    const known = inHand.get(key);
    const answering = known ?? answerTo(desk, submissions, by, view.callback_id, sent);
    inHand.set(key, answering);
    const work = answering.then(async answer => {
      if (answer.type === 'kept') return keepInteraction(desk, by, answer, respond);
      await respond(answer);
      if (answer.type === 'shown' && !known) await answer.after?.();
    });
    const done = known ? work : work.finally(() => inHand.delete(key));
    desk.run('take a form', done);
    await Promise.race([done.catch(() => undefined), late.then(() => desk.clock.wait(lastWord))]);
    await respond(faultAt('', `${slow} Submit it again: I’ll do it only once.`));
  });
  app.view({ type: 'view_closed', callback_id: /(?:)/ }, async ({ ack }) => ack());
}

function isSubmission(args: AnyMiddlewareArgs): args is SlackViewMiddlewareArgs<ViewSubmitAction> {
  return 'view' in args && args.body.type === 'view_submission';
}

/** Stores what was filled in before the modal closes. What was stored before is not done again. */
function keepInteraction(
  desk: Voice & Desk<'takeOn'>,
  { team, person, channel, thread, viewId: trigger }: Submitter,
  { action, value }: Extract<ModalAnswer, { type: 'kept' }>,
  respond: (answer: ModalAnswer) => Promise<void>,
): Promise<void> {
  const interaction = newInteraction({ team, person, channel, thread, action, value, trigger, heard: 'form' });
  const ack = (refusal?: string) => respond(refusal === undefined ? { type: 'closed' } : faultAt('', refusal));
  return desk.takeOn(interaction, ack, content => whisper(desk, interaction, content));
}

/** What comes of a submission. Never fails: what goes wrong is the answer. */
async function answerTo<Needs>(
  desk: Needs & FormKeeper,
  submissions: readonly Submission<Needs>[],
  by: Submitter,
  id: string,
  sent: SentModal | undefined,
): Promise<ModalAnswer> {
  const turnAway = (why: string, title: string, told: string) => {
    desk.run('note a form that was turned away', noteTurnedAway(desk, by, id, why));
    return noteInstead(title, plain(told));
  };
  try {
    const refusal = await mustBeAdmitted(desk, by, 'acts').then(() => undefined, sentence);
    if (refusal !== undefined) return turnAway(refusal, 'Not done', refusal);
    const answer = sent && submissions.find(one => one.id === id)?.submit(desk, by, sent);
    return (await answer) ?? turnAway('there is no such form', 'Too old', formOfAnotherRelease);
  } catch (error) {
    const { person } = by;
    desk.log[error instanceof Failure ? 'info' : 'error']({ error, form: id, person }, 'a form could not be taken');
    return faultAt('', sentence(error));
  }
}

/** The answer as Slack takes it. A fault at a block that is not there would leave the modal stuck. */
function responseTo(desk: Sender, team: string, sent: SentModal | undefined, answer: ModalAnswer): ViewResponseAction {
  switch (answer.type) {
    case 'shown':
      return {
        response_action: answer.isOnTop ? 'push' : 'update',
        view: viewInAnswer(desk, team, answer.view),
      };
    case 'faults': {
      const blocks = sent ? inputsIn(sent) : [];
      const faults = Object.entries(answer.at);
      const [first] = blocks;
      if (first === undefined) return { response_action: 'update', view: noteOf(faults.map(([, fault]) => fault)) };
      const errors = faults.map(([block, fault]) => [
        blocks.includes(block) ? block : first,
        cut(fault, limits.errorText),
      ]);
      return { response_action: 'errors', errors: Object.fromEntries(errors) };
    }
    default:
      return { response_action: 'clear' };
  }
}

/** The faults of a modal without fields, in its place. */
function noteOf(faults: readonly string[]) {
  return notice('Not done', faults.map(fault => `:warning: ${plain(fault)}`).join('\n'));
}
