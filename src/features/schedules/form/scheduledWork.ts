import { check, type Inputs } from '../../../jobs/newJob.ts';
import type { FactReader } from '../../../jobs/parts.ts';
import type { JobOperation } from '../../../operations/operation.ts';
import type { Named } from '../../../records/find.ts';
import { plain } from '../../../slack/blocks/mrkdwn.ts';
import type { Desk } from '../../../slack/desk/desk.ts';
import type { Speaker } from '../../../slack/desk/interaction.ts';
import { filledUnseen } from '../../../slack/forms/fill/fillForm.ts';
import { fitChoices, lookUp, recordInputs } from '../../../slack/forms/fill/inputsInWords.ts';
import { stepsByValues } from '../../../slack/forms/plans/formSteps.ts';
import { readAsked } from '../../../slack/forms/presets/askedPreset.ts';
import { fillOpen } from '../../../slack/forms/presets/fillFromPreset.ts';
import { openFields } from '../../../slack/forms/presets/presetWords.ts';
import { takeReason } from '../../../slack/words/commandText.ts';
import type { Preset } from '../../../store/tables/presets.ts';
import type { FoundWork } from '../scheduleActs.ts';

/** The work that was found, or one sentence in mrkdwn about what is wrong, with records that may have been meant. */
type ReadWork =
  | (FoundWork & Readonly<{ type: 'found' }>)
  | Readonly<{ type: 'fault'; sentence: string; near: readonly Named[] }>;

/** Texts by field as they were typed, with names of the identifiers among them as far as they are known. */
export type TypedWork = Readonly<{
  operation: JobOperation;
  inputs: Inputs;
  labels?: Readonly<Record<string, string>>;
  /** The preset that fills in the rest, where the person chose one. */
  preset?: Preset;
}>;

/** Reads the work of a schedule from what was typed. */
export type WorkReader = FactReader & Desk<'fieldRules' | 'credentials' | 'names' | 'presets' | 'run'>;

/**
 * Finds the records that typed texts name, and fills in the rest from a preset and from what the records show, as the
 * form of the operation does.
 * @throws {Failure} `signed-out`, or where the records cannot be read now
 */
export async function readWork(desk: WorkReader, speaker: Speaker, typed: TypedWork): Promise<ReadWork> {
  const { operation } = typed;
  const { team, person } = speaker;
  const { why, others } = takeReason(typed.inputs);
  const asked = await readAsked(desk, operation, { ...speaker, inputs: others, preset: typed.preset });
  if (asked.notes.length > 0) return fault(asked.notes.join('\n'));
  const records = recordInputs(operation, asked.inputs);
  const found = await lookUp(desk, speaker, { operation, typed: records });
  if (found.fault) throw found.fault;
  if (found.notes.length > 0) return fault(found.notes.join('\n'), found.near);
  const fitted = fitChoices(operation, { ...asked.inputs, ...found.inputs });
  if (fitted.notes.length > 0) return fault(fitted.notes.join('\n'));
  const known = { ...asked.preset?.labels, ...typed.labels, ...found.labels };
  const asForm = { owner: { team, person }, operation, inputs: fitted.inputs };
  const { inputs: filled, labels } = await filledUnseen(desk, asForm, { labels: known });
  const inputs = fillOpen(operation, filled, labels);
  const [open] = openFields(inputs);
  if (open !== undefined) return fault(`${plain(open)} needs a value in place of the word in braces.`);
  const checked = check(operation, inputs);
  if (!checked.ok) return fault(plain(Object.values(checked.faults).join(' '), 500));
  const { values } = checked;
  const form = { owner: { team, person }, operation, inputs, values };
  const plan = stepsByValues({ ...form, metadata: { request: '', channel: speaker.channel, labels } });
  if (plan.type === 'fault') return fault(plain(plan.sentence, 500));
  return { type: 'found', operation, values, labels, purpose: why };
}

function fault(sentence: string, near: readonly Named[] = []): ReadWork {
  return { type: 'fault', sentence, near };
}
