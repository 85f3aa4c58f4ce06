import { recordCall } from '../../../api/call.ts';
import { type Identifier, typedIdentifier } from '../../../api/identifiers.ts';
import { Failure } from '../../../ground/failure.ts';
import type { Inputs } from '../../../jobs/newJob.ts';
import type { Field, JobOperation } from '../../../operations/operation.ts';
import type { Preset } from '../../../store/tables/presets.ts';
import type { Owner } from '../../../store/vault.ts';
import { bold, plain, recordNamed } from '../../blocks/mrkdwn.ts';
import type { Desk, Seeker } from '../../desk/desk.ts';
import { fitChoices, knownInputs, leftEmpty, lookUp, recordInputs } from '../fill/inputsInWords.ts';
import { dateDigits, fillPlaceholders, type PlaceholderValues } from '../fill/placeholders.ts';
import { holdersOf } from '../pickers.ts';
import { presetTexts } from './presetWords.ts';

/** Inputs of a form, with a sentence for each that cannot be used. */
type InputsWithNotes = Readonly<{ inputs: Inputs; notes: readonly string[] }>;

/** The texts of a preset for a form, with the placeholders that need no record filled in. */
export async function textsOfPreset(
  desk: Desk<'credentials' | 'people' | 'clock'>,
  owner: Owner,
  operation: JobOperation,
  preset: Pick<Preset, 'inputs'>,
): Promise<InputsWithNotes> {
  const [credential, zone] = await Promise.all([desk.credentials.find(owner), desk.people.zoneOf(owner)]);
  const me: PlaceholderValues = credential ? { me: credential.username } : {};
  const filled = presetTexts(preset.inputs, { ...me, date: dateDigits(desk.clock.now(), zone) });
  const known = knownInputs(operation, filled.inputs);
  return { inputs: known.inputs, notes: [...filled.notes, ...known.notes] };
}

/** The inputs with those placeholders filled in that rest on the others: on the source, and on the port. */
export function fillOpen(operation: JobOperation, inputs: Inputs, labels: Readonly<Record<string, string>>): Inputs {
  const { [operation.target]: target, port } = inputs;
  const values: PlaceholderValues = {
    ...(target ? { source: labels[target] ?? target } : {}),
    ...(port ? { port } : {}),
  };
  const fields = operation.fields.filter(({ widget }) => widget.type === 'text');
  const filled = fields.flatMap(({ name }) => {
    const text = inputs[name];
    return text === undefined ? [] : [[name, fillPlaceholders(text, values).text] as const];
  });
  return { ...inputs, ...Object.fromEntries(filled) };
}

/** The inputs of a form after their names were looked up. */
type LookedUpInputs = Readonly<{ inputs: Inputs; labels: Readonly<Record<string, string>> }>;

/**
 * The inputs without those of a preset whose records are gone, and without those that belong to them; with a sentence
 * for each. Only a record that the service says it does not have is gone: one that cannot be read stays.
 */
async function withoutGone(
  desk: Seeker,
  owner: Owner,
  { operation, preset, found }: Readonly<{ operation: JobOperation; preset: Preset; found: LookedUpInputs }>,
): Promise<InputsWithNotes> {
  const inputs: Record<string, string> = { ...found.inputs };
  const notes: string[] = [];
  const fields = operation.fields.filter(({ name }) => isFromPreset(preset, name, inputs[name]));
  const checked = await Promise.all(
    fields.map(async field => ({ field, isGone: await isGone(desk, owner, field, found) })),
  );
  for (const { field } of checked.filter(one => one.isGone)) {
    const id = inputs[field.name] ?? '';
    delete inputs[field.name];
    const inside = fields.filter(({ name, dependsOn = {} }) => dependsOn[field.name] === 'value' && name in inputs);
    for (const { name } of inside) delete inputs[name];
    const others =
      inside.length > 0
        ? `, and so ${inside.length === 1 ? 'is' : 'are'} ${inside.map(({ label }) => plain(label)).join(' and ')}`
        : '';
    const which = recordNamed(id, preset.labels[id], bold);
    notes.push(`:warning: ${plain(field.label)}: ${which} no longer exists, so the field is left empty${others}.`);
  }
  return { inputs, notes };
}

/**
 * The texts of a form with the records found for them, of its preset only those that are still there, and with what rests on
 * the others filled in. `left` are the fields that stay empty, since nothing else may stand there.
 */
export async function inputsFound(
  desk: Seeker & Desk<'names'>,
  owner: Owner,
  operation: JobOperation,
  { inputs: typed, labels: before, preset }: LookedUpInputs & Readonly<{ preset?: Preset | undefined }>,
) {
  const records = recordInputs(operation, typed);
  const found = await lookUp(desk, owner, { operation, typed: records });
  const known = preset ? await withoutGone(desk, owner, { operation, preset, found }) : { ...found, notes: [] };
  const others = Object.entries(typed).filter(([name]) => !records.some(field => field.name === name));
  const labels = { ...before, ...preset?.labels, ...found.labels };
  const whole = { ...Object.fromEntries(others), ...known.inputs };
  const fitting = fitChoices(operation, preset ? fillOpen(operation, whole, labels) : whole);
  const notes = [...found.notes, ...known.notes, ...fitting.notes];
  const left = leftEmpty(operation, typed, fitting.inputs);
  return { inputs: fitting.inputs, labels, notes, left, signedOut: found.signedOut };
}

function isFromPreset(preset: Preset, name: string, text: string | undefined): boolean {
  return text !== undefined && preset.inputs[name] === text && typedIdentifier(text) !== undefined;
}

/** Whether the service says that the record of a field is not there any more. A record that it lists has a label. */
async function isGone(desk: Seeker, owner: Owner, field: Field, { inputs, labels }: LookedUpInputs): Promise<boolean> {
  const text = inputs[field.name] ?? '';
  const id = field.widget.type === 'record' ? typedIdentifier(text) : undefined;
  if (!id || labels[text] !== undefined) return false;
  try {
    if (recordCall(id)) return (await desk.records.of(owner, desk.clock.now()).alone(id)) === undefined;
    const [holder] = holdersOf(field, inputs);
    return holder !== undefined && !(await isInside(desk, owner, holder, id));
  } catch (error) {
    desk.log.info({ error, record: text }, 'a record of a preset could not be read');
    return error instanceof Failure && error.kind === 'missing';
  }
}

/** Whether a record shows a part inside of it; `true` as well where it shows no such parts at all. */
async function isInside(desk: Seeker, owner: Owner, holder: Identifier, { text, noun }: Identifier): Promise<boolean> {
  if (noun === undefined) return true;
  const { parts } = await desk.records.of(owner, desk.clock.now()).parts(holder, noun);
  return parts.length === 0 || parts.some(({ id }) => id.text === text);
}
