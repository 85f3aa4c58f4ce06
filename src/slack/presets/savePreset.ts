import { quotesAny } from '../../api/secrets/secrets.ts';
import { Failure } from '../../ground/failure.ts';
import { actorOf } from '../../jobs/actor.ts';
import { jobOperation } from '../../operations/catalogue.ts';
import type { JobOperation } from '../../operations/operation.ts';
import { maxPresets, type Preset, type PresetContent, type PresetSaved } from '../../store/tables/presets.ts';
import { bold, code } from '../blocks/mrkdwn.ts';
import { mustBeSignedIn } from '../desk/admission.ts';
import type { Desk, Doorkeeper } from '../desk/desk.ts';
import type { Speaker } from '../desk/interaction.ts';
import { faultAt, type ModalAnswer, noteInstead, onSubmit } from '../desk/submission.ts';
import { presetCommand, presetHolders } from './presetActions.ts';
import { nameFault, presetModal } from './presetForm.ts';
import { type PresetNames, readPresetText } from './presetText.ts';
import { mustChange, mustServeWorkspace } from './rights.ts';

type Read = NonNullable<ReturnType<typeof presetModal.read>>;
/** What the form asks for, with its operation and the person. */
type PresetWish = Read['carried'] & Read['fields'] & Readonly<{ known: JobOperation; speaker: Speaker }>;

const gone = 'Somebody changed or deleted this preset in the meantime. Close this form and open the preset again.';

/** Saves or changes a preset: gives the faults of the form, or the note that it is saved. */
export const presetSubmission = onSubmit(
  presetModal,
  async (desk: Doorkeeper & Desk<'names' | 'homes' | 'presets'>, { team, person, channel, carried, fields }) => {
    const known = jobOperation(carried.operation);
    if (!known?.presets) return noteInstead('Too old', 'These values can no longer be saved as a preset.');
    const speaker = { team, person, channel };
    await mustBeSignedIn(desk, speaker);
    const saving = save(desk, { ...carried, ...fields, known, speaker });
    return saving.catch((error: unknown) => {
      // Another choice there may be allowed.
      if (error instanceof Failure && error.kind === 'forbidden') return faultAt('scope', error.message);
      throw error;
    });
  },
);

async function save(desk: Doorkeeper & Desk<'names' | 'homes' | 'presets'>, form: PresetWish): Promise<ModalAnswer> {
  const { speaker, known, name, text, names, seen } = form;
  const unfit = nameFault(name);
  if (unfit !== undefined) return faultAt('name', unfit);
  const inputs = readPresetText(known, text, names);
  if (typeof inputs === 'string') return faultAt('values', inputs);
  const credential = await desk.credentials.find(speaker);
  if (credential && quotesAny([credential.token])(name))
    return faultAt('name', 'The name contains your sign-in at the service. Choose another one.');
  if (credential && text.includes(credential.token))
    return faultAt('values', 'The values contain your sign-in at the service. A preset holds no secrets.');
  const before = seen && (await desk.presets.find(seen.id));
  if (seen && before?.team !== speaker.team) return faultAt('name', gone);
  if (before) await mustChange(desk, speaker, before);
  const holder = holderOf(form, before);
  if (form.scope === 'workspace') await mustServeWorkspace(desk, speaker);
  if (holder === undefined) return faultAt('scope', 'Only the person who saved it can make it their own again.');
  const content = { scope: form.scope, holder, name, inputs, labels: labelsOf(inputs, names) };
  const by = await actorOf(desk, speaker, speaker.channel);
  const deed = { by, now: desk.clock.now(), ...eventOf(content, before) };
  const { team, person } = speaker;
  const made = { id: form.request, team, person, operation: known.name };
  const saved = seen
    ? await desk.presets.change(seen, content, deed)
    : await desk.presets.add({ ...content, ...made, createdAt: deed.now }, deed);
  return answerTo(desk, form, saved);
}

async function answerTo(desk: Desk<'names' | 'homes'>, { known, speaker, name }: PresetWish, saved: PresetSaved) {
  switch (saved.type) {
    case 'changed':
      return faultAt('name', gone);
    case 'full':
      return faultAt('scope', `At most ${maxPresets} presets fit there. Delete one first.`);
    case 'taken':
      return faultAt(
        'name',
        `A preset named ${saved.by.name} already exists there. Choose another name, or change that one.`,
      );
    case 'saved': {
      await desk.homes.ask(speaker);
      const whom = presetHolders(saved.preset, speaker.person);
      const interaction = presetCommand(desk.names, known, { name });
      return noteInstead(
        'Saved',
        `:white_check_mark: ${bold(name)} is saved ${whom}.\n${interaction} fills the form with it; ${code(`${desk.names.db} presets`)} shows all presets.`,
      );
    }
  }
}

/** The person or the channel that has a preset; `undefined` where somebody else's would become a person's own. */
function holderOf({ scope, speaker }: PresetWish, before: Preset | undefined): string | undefined {
  if (scope === 'workspace') return '';
  if (scope === 'channel') return before?.scope === 'channel' ? before.holder : speaker.channel;
  return before === undefined || before.person === speaker.person ? speaker.person : undefined;
}

/** The labels of the identifiers that stand for a name. */
function labelsOf(inputs: Readonly<Record<string, string>>, names: PresetNames): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(names).flatMap(([field, { id, name }]) => (inputs[field] === id ? [[id, name]] : [])),
  );
}

/** The event of a change as the trail names it, with the preset and the people who have it. */
function eventOf(content: PresetContent, before: Preset | undefined): { event: string; detail: string } {
  const whom = { me: 'for themselves', channel: `for the channel ${content.holder}`, workspace: 'for the workspace' };
  const detail = `${content.name}, ${whom[content.scope]}`;
  if (before === undefined) return { event: 'preset saved', detail };
  if (before.scope !== content.scope || before.holder !== content.holder) return { event: 'preset shared', detail };
  if (before.name !== content.name) return { event: 'preset renamed', detail: `${before.name} is now ${detail}` };
  return { event: 'preset changed', detail };
}
