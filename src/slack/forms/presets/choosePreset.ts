import type { JobOperation } from '../../../operations/operation.ts';
import type { Owner } from '../../../store/vault.ts';
import type { Desk } from '../../desk/desk.ts';
import type { FormChanger } from '../formDesk.ts';
import { type FormState, withResets } from '../formState.ts';
import { signInLead } from '../signInLead.ts';
import { fillOpen, inputsFound, textsOfPreset } from './fillFromPreset.ts';
import { maySeePreset, presetBlock, withPresetChosen } from './presetWords.ts';

/**
 * The content of an open form after a person chose a preset in it: the values of the preset, and all others as they
 * were, without those that Dolly had filled in.
 */
export async function choosePreset(
  desk: FormChanger,
  owner: Owner,
  operation: JobOperation,
  now: FormState,
): Promise<FormState> {
  const { [presetBlock]: id, ...inputs } = now.inputs;
  const { preset: _, filled = {}, plain: __, ...metadata } = now.metadata;
  const preset = await presetOf(desk, id);
  if (!preset || !maySeePreset(preset, { ...owner, channel: metadata.channel })) {
    const notes = id === undefined ? [] : [':warning: Somebody deleted this preset.'];
    return { ...now, metadata: { ...metadata, filled }, inputs, notes, isRedrawn: true };
  }
  desk.run('note that a preset was used', desk.presets.used(preset.id, desk.clock.now()));
  const texts = await textsOfPreset(desk, owner, operation, preset);
  const typedByHand = Object.entries(inputs).filter(([name]) => filled[name] === undefined);
  const chosen = withPresetChosen(Object.fromEntries(typedByHand), {
    texts: texts.inputs,
    before: await filledBefore(desk, owner, operation, now),
    typed: metadata.typed ?? [],
  });
  const { labels: before } = now;
  const found = await inputsFound(desk.pages, owner, operation, { inputs: chosen, labels: before, preset });
  const { inputs: filledIn, labels, left, signedOut } = found;
  return {
    ...now,
    metadata: { ...metadata, preset: { i: preset.id, n: preset.name }, left },
    ...{ inputs: filledIn, labels, isRedrawn: true },
    resets: resetsOf(operation, now, filledIn),
    notes: [...texts.notes, ...found.notes],
    lead: signedOut ? await signInLead(desk.greeter, owner, metadata.channel) : [],
  };
}

/**
 * The content of a form after its source was changed: texts that its preset had filled in with the name of the source
 * before follow the new one.
 */
export async function followPreset(
  desk: Desk<'credentials' | 'people' | 'clock' | 'presets'>,
  { owner, operation }: Readonly<{ owner: Owner; operation: JobOperation }>,
  before: FormState,
  now: FormState,
): Promise<FormState> {
  if (!now.metadata.preset || before.inputs[operation.target] === now.inputs[operation.target]) return now;
  const [was, is] = await Promise.all([
    filledBefore(desk, owner, operation, before),
    filledBefore(desk, owner, operation, now),
  ]);
  const following = Object.entries(is).filter(([name, text]) => text !== was[name] && now.inputs[name] === was[name]);
  const inputs = { ...now.inputs, ...Object.fromEntries(following) };
  return { ...now, inputs, resets: resetsOf(operation, now, inputs) };
}

/** The texts that the preset of a form fills in, with the names that are chosen in it. */
async function filledBefore(
  desk: Desk<'credentials' | 'people' | 'clock' | 'presets'>,
  owner: Owner,
  operation: JobOperation,
  { inputs, metadata, labels }: FormState,
) {
  const preset = await presetOf(desk, metadata.preset?.i);
  if (!preset) return {};
  const texts = await textsOfPreset(desk, owner, operation, preset);
  const chosen = Object.fromEntries(Object.entries(inputs).filter(([name]) => !(name in texts.inputs)));
  const { [operation.target]: target } = inputs;
  const whole = { ...chosen, ...texts.inputs, ...(target ? { [operation.target]: target } : {}) };
  const filled = fillOpen(operation, whole, labels);
  return Object.fromEntries(Object.keys(texts.inputs).map(name => [name, filled[name] ?? '']));
}

async function presetOf(desk: Desk<'presets'>, id: string | undefined) {
  return id === undefined ? undefined : desk.presets.find(id);
}

/** One more reset for each field whose value changes: Slack keeps what stands in an input of the same id. */
function resetsOf(
  operation: JobOperation,
  { inputs, resets }: Pick<FormState, 'inputs' | 'resets'>,
  next: Readonly<Record<string, string>>,
): Record<string, number> {
  const names = operation.fields.map(({ name }) => name);
  const changed = names.filter(name => (inputs[name] ?? '') !== (next[name] ?? ''));
  return withResets(resets, changed);
}
