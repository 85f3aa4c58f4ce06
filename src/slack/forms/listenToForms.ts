import type { App, BlockAction, BlockSuggestion, ButtonAction } from '@slack/bolt';
import type { PlainTextOption } from '@slack/types';
import { typedIdentifier } from '../../api/identifiers.ts';
import { isSignedOut, sentence } from '../../ground/failure.ts';
import { within } from '../../ground/within.ts';
import { jobOperation } from '../../operations/catalogue.ts';
import { type Action, inputAction } from '../blocks/action.ts';
import { ackPatience } from '../connection/eventAck.ts';
import { mustBeAdmitted } from '../desk/admission.ts';
import type { Offered, Offering, UseInForm } from '../desk/reaction.ts';
import { showView } from '../desk/views.ts';
import { whoIn } from '../desk/who.ts';
import { emptyForm, explainForm } from './fill/filledLine.ts';
import type { FormChanger, FormDrawer } from './formDesk.ts';
import { form, moreFields, takeTarget } from './formModal.ts';
import { type Metadata, readView, type SeenForm } from './formState.ts';
import { findBlock, partChoices, withFoundPart } from './partFinder.ts';
import { choices, optionsInTime, type Picker, unfilled } from './pickers.ts';
import { choosePreset, followPreset } from './presets/choosePreset.ts';
import { presetChoices } from './presets/presetField.ts';
import { presetBlock } from './presets/presetWords.ts';
import { afterChange, emptied, type OpenedForm, redraw, redrawAsIs, withTarget } from './redraw.ts';
import { signInLead } from './signInLead.ts';
import { redrawLastPage } from './submit/confirmation.ts';

/** Listens to all pickers inside of modals. One that only another release has offers nothing: Slack waits for every answer. */
export function listenToPickers<Needs>(app: App, desk: Needs, pickers: readonly Offering<Needs>[]): void {
  app.options<'block_suggestion'>({ type: 'block_suggestion' }, async ({ ack, body }) => {
    const picker = pickers.find(({ id }) => id === body.action_id);
    await ack((await picker?.offer(desk, body)) ?? nothing);
  });
}

const nothing: Offered = { options: [] };

/** The pickers of the forms of jobs. */
export const formPickers: Offering<FormChanger> = { id: inputAction, offer: offerChoices };

async function offerChoices(desk: FormChanger, body: BlockSuggestion): Promise<Offered> {
  const view = readView(body.view);
  const operation = view && jobOperation(view.operation);
  if (!view || !operation) return nothing;
  const owner = whoIn(body);
  const { value: typed } = body;
  const admitted = <Options>(read: () => Promise<Options[]>) => mustBeAdmitted(desk, owner).then(read, () => []);
  const [block] = body.block_id.split(':');
  if (block === presetBlock) {
    const asked = { channel: view.metadata.channel, typed };
    const groups = admitted(() => presetChoices(desk, owner, operation, asked)).catch(() => []);
    const found = (await within(desk.clock, ackPatience, groups)) ?? [];
    return found.length > 0 ? { option_groups: found } : nothing;
  }
  if (block === findBlock) {
    const asked = { inputs: { ...view.metadata.chosen, ...view.inputs }, typed };
    const parts = admitted(() => partChoices(desk.pages, owner, operation, asked));
    return { options: await optionsInTime(desk.clock, parts) };
  }
  const field = operation.fields.find(({ name }) => name === block);
  if (!field) return nothing;
  const picker = { owner, view, viewId: body.view?.id, operation, field, typed };
  const options = admitted(() => optionsOf(desk, picker));
  return { options: await optionsInTime(desk.clock, options) };
}

/** A picker in an open form. The form's view holds the choices so far. */
type OpenPicker = Omit<Picker, 'chosen'> & Readonly<{ view: SeenForm; viewId: string | undefined }>;

/** The options of a picker; the reason of a failure is one of them. */
async function optionsOf(desk: FormChanger, picker: OpenPicker): Promise<PlainTextOption[]> {
  const { view, field } = picker;
  try {
    return await choices(desk.pages, { ...picker, chosen: { ...view.metadata.chosen, ...view.inputs } });
  } catch (error) {
    desk.log.info({ error, field: field.name }, 'a picker could not be filled');
    if (isSignedOut(error)) desk.run('offer a sign-in in a form', offerSignIn(desk, picker));
    return unfilled(error);
  }
}

async function offerSignIn(desk: FormChanger, { owner, view, viewId, operation }: OpenPicker): Promise<void> {
  if (viewId === undefined) return;
  const lead = await signInLead(desk.greeter, owner, view.metadata.channel);
  const led = form(operation, { ...view, lead, inputs: { ...view.metadata.chosen, ...view.inputs } });
  await showView(desk, { team: owner.team, id: viewId }, led);
}

/** Redraws the form when a decisive field changes, for those alone who are admitted. */
export function listenToRedraws(app: App, desk: FormChanger): void {
  app.action({ action_id: inputAction, type: 'block_actions' }, async ({ ack, body, action }) => {
    await ack();
    const opened = openedForm(body);
    const changed = 'block_id' in action ? action.block_id.split(':')[0] : undefined;
    if (!opened || !changed) return;
    const refusal = mustBeAdmitted(desk, opened.owner).then(() => undefined, sentence);
    const redrawn = refusal.then(why => (why === undefined ? redrawChanged(desk, opened, changed) : undefined));
    desk.run('redraw a form', redrawn);
  });
}

/** Draws a form anew after one of its inputs changed. */
async function redrawChanged(desk: FormChanger, opened: OpenedForm, changed: string): Promise<void> {
  const { owner, operation, seen: now } = opened;
  if (changed === presetBlock) return redraw(desk, opened, await choosePreset(desk, owner, operation, now));
  if (changed === findBlock) return redraw(desk, opened, withFoundPart(operation, now));
  if (now.metadata.pending) return redrawLastPage(desk, opened);
  const before = { ...now, inputs: { ...now.inputs, [changed]: now.metadata.chosen[changed] ?? '' } };
  const after = afterChange(operation, before, changed, now);
  return redraw(desk, opened, await followPreset(desk, opened, before, after));
}

/** A button inside of the form of a job: it draws the form anew. */
function formButton(
  { id }: Pick<Action<unknown>, 'id'>,
  work: (desk: FormDrawer, opened: OpenedForm, used: ButtonAction) => Promise<void>,
): UseInForm<FormDrawer> {
  return {
    id,
    use(desk, body, used) {
      const opened = openedForm(body);
      return opened && used.type === 'button' ? work(desk, opened, used) : undefined;
    },
  };
}

function showing(shown: Pick<Metadata, 'all' | 'explains'>) {
  return (desk: FormDrawer, opened: OpenedForm) => {
    const { metadata, seenNotes: notes } = opened.seen;
    return redrawAsIs(desk, opened, { ...opened.seen, metadata: { ...metadata, ...shown }, notes, isRedrawn: true });
  };
}

/** The buttons inside of forms. They need the form's content, which the uses of other buttons do not carry. */
export const formButtons: readonly UseInForm<FormDrawer>[] = [
  formButton(moreFields, showing({ all: true })),
  formButton(explainForm, showing({ explains: true })),
  formButton(emptyForm, (desk, opened) => redrawAsIs(desk, opened, emptied(opened.seen))),
  formButton(takeTarget, (desk, opened, { value, text }) => {
    const id = typedIdentifier(value ?? '')?.text;
    if (id === undefined) return redrawAsIs(desk, opened, opened.seen);
    return redraw(desk, opened, withTarget(opened.operation, opened.seen, { id, label: text.text }));
  }),
];

/** The form in which something was used; `undefined` if this release cannot read it. */
function openedForm(body: BlockAction): OpenedForm | undefined {
  const seen = readView(body.view);
  const operation = seen && jobOperation(seen.operation);
  if (!seen || !operation || !body.view) return undefined;
  // Whoever used it meanwhile gets another view than the one that it waits for.
  const { isFilling: _, ...metadata } = seen.metadata;
  return { owner: whoIn(body), operation, seen: { ...seen, metadata }, viewId: body.view.id, hash: body.view.hash };
}
