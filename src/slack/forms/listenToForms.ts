import type { App } from '@slack/bolt';
import type { PlainTextOption } from '@slack/types';
import { isSignedOut, sentence } from '../../ground/failure.ts';
import type { Inputs } from '../../jobs/newJob.ts';
import { writeOperation } from '../../operations/catalogue.ts';
import { inputAction } from '../blocks/action.ts';
import { option } from '../blocks/blocks.ts';
import { mustBeAdmitted } from '../desk/admission.ts';
import type { Desk } from '../desk/desk.ts';
import { showView } from '../desk/views.ts';
import { whoIn } from '../desk/who.ts';
import { readView } from './formState.ts';
import { form } from './modal.ts';
import { choices, type Picker } from './pickers.ts';
import { redrawForm } from './redraw.ts';
import { signInLead } from './signInLead.ts';
import { answerToSubmit } from './submitForm.ts';

/** Slack waits 3 s for an answer. Work that takes longer than this, in milliseconds, is answered without its result. */
const ackPatience = 2_500;

/** Listens to forms: pickers, redraws and submits. */
export function listenToForms(app: App, desk: Desk): void {
  listenToPickers(app, desk);
  listenToRedraws(app, desk);
  app.view({ callback_id: /\./, type: 'view_submission' }, async ({ ack, body, view }) => {
    const answer = await answerToSubmit(desk, whoIn(body), view, after(ackPatience, 'late' as const));
    await (answer ? ack(answer) : ack());
  });
  app.view({ type: 'view_closed', callback_id: /.*/ }, async ({ ack }) => ack());
}

function listenToPickers(app: App, desk: Desk): void {
  app.options<'block_suggestion'>({ action_id: inputAction }, async ({ ack, body }) => {
    const view = readView(body.view);
    const operation = view && writeOperation(view.operation);
    const field = operation?.fields.find(({ name }) => name === body.block_id.split(':')[0]);
    if (!view || !operation || !field) return ack({ options: [] });
    const picker = { owner: whoIn(body), view, viewId: body.view?.id, operation, field, typed: body.value };
    const options = mustBeAdmitted(desk, picker.owner).then(
      () => optionsOf(desk, picker),
      () => [],
    );
    // Late choices are ready for the next letter that the person types.
    const late = [option('-', 'Still loading …', 'Type a letter to ask again')];
    await ack({ options: await Promise.race([options, after(ackPatience, late)]) });
  });
}

/** A picker in an open form. The form's view holds the choices so far. */
type OpenPicker = Omit<Picker, 'chosen'> &
  Readonly<{ view: NonNullable<ReturnType<typeof readView>>; viewId: string | undefined }>;

/**
 * The options of a picker. Slack shows no error in a picker, so the reason of a failure is one of the options; the
 * field refuses it if it is chosen.
 */
async function optionsOf(desk: Desk, picker: OpenPicker): Promise<PlainTextOption[]> {
  const { view, field } = picker;
  try {
    return await choices(desk, { ...picker, chosen: { ...view.metadata.chosen, ...view.inputs } });
  } catch (error) {
    desk.log.info({ error, field: field.name }, 'a picker could not be filled');
    if (isSignedOut(error)) desk.run('offer a sign-in in a form', offerSignIn(desk, picker));
    return [option('-', sentence(error), 'An identifier can be typed in full')];
  }
}

async function offerSignIn(desk: Desk, { owner, view, viewId, operation }: OpenPicker): Promise<void> {
  if (viewId === undefined) return;
  const lead = await signInLead(desk, owner, view.metadata.channel);
  await showView(desk, viewId, form(operation, { ...view, lead, inputs: { ...view.metadata.chosen, ...view.inputs } }));
}

/** Redraws the form when a decisive field changes. */
function listenToRedraws(app: App, desk: Desk): void {
  app.action({ action_id: inputAction, type: 'block_actions' }, async ({ ack, body, action }) => {
    await ack();
    const now = readView(body.view);
    const operation = now && writeOperation(now.operation);
    const changed = 'block_id' in action ? action.block_id.split(':')[0] : undefined;
    if (!now || !operation || !changed || !body.view) return;
    const before = {
      ...now,
      inputs: { ...now.inputs, ...erased(now.inputs, changed), ...pick(now.metadata.chosen, changed) },
    };
    const { id, hash } = body.view;
    const view = redrawForm(operation, before, changed, now);
    desk.run('redraw a form', desk.slack.views.update({ view_id: id, hash, view }));
  });
}

/** Resolves with `value` after `ms` milliseconds. Does not keep the process alive. */
function after<T>(ms: number, value: T): Promise<T> {
  return new Promise<T>(resolve => setTimeout(resolve, ms, value).unref());
}

function pick(chosen: Readonly<Record<string, string>>, name: string): Record<string, string> {
  return chosen[name] === undefined ? {} : { [name]: chosen[name] };
}

function erased(inputs: Inputs, name: string): Record<string, string> {
  return name in inputs ? { [name]: '' } : {};
}
