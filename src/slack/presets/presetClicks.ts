import { randomUUID } from 'node:crypto';
import type { ModalView } from '@slack/types';
import { type LeftOutValue, textsWithoutSecrets } from '../../jobs/approval/facts/secretValues.ts';
import type { Inputs } from '../../jobs/newJob.ts';
import type { Judge } from '../../jobs/parts.ts';
import { operationOf } from '../../jobs/request.ts';
import { jobOperation } from '../../operations/catalogue.ts';
import type { JobOperation } from '../../operations/operation.ts';
import type { Preset } from '../../store/tables/presets.ts';
import { type Content, said } from '../blocks/message.ts';
import { mustBeAllowed, mustBeSignedIn } from '../desk/admission.ts';
import type { Desk, Doorkeeper, Voice } from '../desk/desk.ts';
import type { Interaction, Speaker } from '../desk/interaction.ts';
import { isChannel } from '../desk/placeKinds.ts';
import { reactTo } from '../desk/reaction.ts';
import { openView } from '../desk/views.ts';
import { type FormOpener, openForm } from '../forms/openForm.ts';
import { maySeePreset, presetBlock, presetsFor } from '../forms/presets/presetWords.ts';
import { commandCalled, type Lexicon } from '../house.ts';
import { jobActions } from '../messages/jobActions.ts';
import { onJob } from '../messages/jobClicks.ts';
import { deletionForm } from './deletePreset.ts';
import { presetActions } from './presetActions.ts';
import { presetForm } from './presetForm.ts';
import { presetList } from './presetList.ts';
import { suggestPreset } from './presetText.ts';
import { changeable, mustChange } from './rights.ts';

const unknown = 'I can’t find this preset: somebody deleted it, or it is not shared with you.';

/** Finds the presets that a person may use. */
type PresetReader = Desk<'credentials' | 'presets'>;

/** Opens a form, where the person may ask for its operation. */
type FormMaker = Doorkeeper & Readonly<{ forms: FormOpener }>;

/** Reacts to the buttons of presets, and to the one of a job's message that saves its values. */
export const presetReactions = [
  reactTo(presetActions.interaction, {
    perform: (desk: PresetReader & FormMaker, interaction, id) => onPreset(desk, interaction, id, openWith),
  }),
  reactTo(presetActions.menu, {
    perform: (desk: PresetReader & Voice & Doorkeeper & Desk<'house'>, interaction, { a, p }) =>
      onPreset(desk, interaction, p, menuActs[a]),
  }),
  reactTo(jobActions.preset, {
    perform: (desk: Voice & Desk<'jobs' | 'credentials'>, interaction, id) =>
      onJob(desk, interaction, id, async job => {
        const operation = operationOf(job);
        if (!operation.presets) return said('I cannot save this job’s values as a preset.');
        await mustBeSignedIn(desk, interaction);
        // Others will read it, or its person will show it to them.
        const { texts, left } = textsWithoutSecrets(operation.fields, job.values);
        await openView(desk, interaction, saveForm(interaction, operation, texts, job.labels, left));
        return undefined;
      }),
  }),
];

/** The acts of the menu beside a preset. */
const menuActs = {
  change: openChange,
  delete: openDeletion,
  schedule: async ({ house }, interaction, { preset, operation }) => {
    const schedule = commandCalled(house, 'schedule');
    if (!schedule) return said('I no longer run work on a schedule.');
    const words = ['schedule', ...operation.words];
    return schedule.answer(undefined, interaction, { words, inputs: { [presetBlock]: preset.name } });
  },
} as const satisfies Record<string, OnPreset<Voice & Doorkeeper & Desk<'house'>>>;

/** Lists presets. */
type PresetLister = Judge & Desk<'credentials' | 'presets'> & Lexicon;

/** `presets`: those that a person may use in this channel, or those of them that contain the words. */
export async function listPresets(desk: PresetLister, interaction: Speaker, words: readonly string[]) {
  await mustBeSignedIn(desk, interaction);
  const presets = await desk.presets.of(interaction, interaction.channel);
  const sorted = [...new Set(presets.map(({ operation }) => operation))].flatMap(name => {
    const own = presetsFor({ name }, presets, interaction.channel);
    const elsewhere = presets.filter(preset => preset.operation === name && !own.includes(preset));
    return [...own, ...elsewhere];
  });
  const rights = await changeable(desk, interaction, sorted);
  return presetList(sorted, { person: interaction.person, words, lexicon: desk, changeable: rights });
}

/** The form that saves values of an operation as a new preset. */
export function saveForm(
  { channel }: Pick<Speaker, 'channel'>,
  operation: JobOperation,
  inputs: Inputs,
  labels: Readonly<Record<string, string>>,
  secrets: readonly LeftOutValue[] = [],
): ModalView {
  const draft = { request: randomUUID(), operation, channel, name: '', scope: 'me', labels, secrets } as const;
  return presetForm({ ...draft, ...suggestPreset(operation, inputs), scopes: scopesIn(channel) });
}

/** The people for whom a preset can be saved in a place: a direct message is no channel. */
function scopesIn(channel: string) {
  return isChannel(channel) ? (['me', 'channel', 'workspace'] as const) : (['me', 'workspace'] as const);
}

type AskedPreset = Readonly<{ preset: Preset; operation: JobOperation }>;

/** An act on a preset that the person may see. */
type OnPreset<Needs> = (desk: Needs, interaction: Interaction, asked: AskedPreset) => Promise<Content | undefined>;

async function onPreset<Needs>(
  desk: Needs & PresetReader,
  interaction: Interaction,
  id: string,
  act: OnPreset<Needs>,
): Promise<Content | undefined> {
  const preset = await desk.presets.find(id);
  const operation = preset && jobOperation(preset.operation);
  if (!preset || !operation || !maySeePreset(preset, interaction)) return said(unknown);
  await mustBeSignedIn(desk, interaction);
  return act(desk, interaction, { preset, operation });
}

async function openWith(desk: FormMaker, interaction: Interaction, { preset, operation }: AskedPreset) {
  await mustBeAllowed(desk, interaction, operation);
  await openForm(desk.forms, operation, { ...interaction, inputs: {}, preset });
  return undefined;
}

async function openChange(desk: Voice & Doorkeeper, interaction: Interaction, { preset, operation }: AskedPreset) {
  await mustChange(desk, interaction, preset);
  const { name, scope, inputs, labels, id, revision } = preset;
  const isElsewhere = scope === 'channel' && preset.holder !== interaction.channel;
  const scopes = isElsewhere ? (['me', 'channel', 'workspace'] as const) : scopesIn(interaction.channel);
  const draft = { request: randomUUID(), operation, channel: interaction.channel, name, scope, inputs, labels };
  await openView(desk, interaction, presetForm({ ...draft, seen: { id, revision }, scopes }));
  return undefined;
}

async function openDeletion(desk: Voice & Doorkeeper, interaction: Interaction, { preset, operation }: AskedPreset) {
  await mustChange(desk, interaction, preset);
  await openView(desk, interaction, deletionForm(preset, operation, interaction));
  return undefined;
}
