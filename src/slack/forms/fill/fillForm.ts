import { Failure, notedIn } from '../../../ground/failure.ts';
import { within } from '../../../ground/within.ts';
import { leftOutNotes } from '../../../jobs/approval/facts/secretValues.ts';
import type { FactReader } from '../../../jobs/parts.ts';
import { type Field, fieldsFor, type JobOperation } from '../../../operations/operation.ts';
import { backUpField } from '../../../operations/plans/backUpFirst.ts';
import { isUnique, prefill } from '../../../operations/prefill/prefill.ts';
import { cautionAgainst } from '../../../records/snapshots.ts';
import type { Preset } from '../../../store/tables/presets.ts';
import type { Owner } from '../../../store/vault.ts';
import type { Desk } from '../../desk/desk.ts';
import { cautionOf } from '../../records/targetWords.ts';
import { type FormState, type RecentTarget, withResets } from '../formState.ts';
import { fillOpen } from '../presets/fillFromPreset.ts';
import { type Gathered, gatherFacts, type Unfilled } from './formFacts.ts';

/** The longest wait for facts before a form is shown without them, in milliseconds: nobody should see it change. */
export const atOnce = 250;
/** The longest wait for facts while a person looks at a form that is not complete, in milliseconds. */
export const fillPatience = 3_000;
/** The note above a form for which the facts did not come in time. */
export const unfilledNote = 'The service did not answer in time, so I filled nothing in for you.';

/** The note above a form in which something is filled in as free that databases may have which no list shows. */
const guessedNote =
  ':warning: The service shows only some of its databases, so a value filled in as free may already be taken.';

/**
 * The content of a form with its empty fields filled in from facts. Fields that the person sees get a new block, since
 * Slack would keep the empty one.
 */
export function fillState(
  operation: JobOperation,
  state: FormState,
  { facts, labels, remembered, notes = [], unfit = [] }: Gathered,
  isWanted: (field: Field) => boolean = () => true,
): FormState {
  // A box that stands there empty was left empty, or emptied: an empty box sends nothing that would tell.
  const backup = backUpField(operation)?.name ?? '';
  const isDeclined = state.shown?.includes(backup) && !state.inputs[backup];
  const wanted = isDeclined ? { ...facts, goesBackTo: undefined } : facts;
  const isOpen = (field: Field) => isWanted(field) && !state.metadata.left?.includes(field.name);
  const { texts, origins: found } = prefill(operation, state.inputs, wanted, isOpen);
  // Where others are of no use, the only one to choose is not the only one that is shown.
  const origins = found.snapshot === 'only' && unfit.length > 0 ? { ...found, snapshot: 'latest' as const } : found;
  const names = { ...remembered, ...state.labels, ...labels };
  const whole = { ...state.inputs, ...texts };
  // The texts of a preset may wait for the port that was filled in.
  const inputs = state.metadata.preset ? fillOpen(operation, whole, names) : whole;
  const isNew = (name: string) => inputs[name] !== state.inputs[name] && state.shown?.includes(name);
  const isGuess = facts.isCut && operation.fields.some(field => isUnique(field) && texts[field.name]);
  const resets = withResets(state.resets, Object.keys(inputs).filter(isNew));
  return {
    ...state,
    inputs,
    labels: names,
    resets,
    notes: [...state.notes, ...notes, ...(isGuess ? [guessedNote] : []), ...snapshotNote(operation, inputs, unfit)],
    metadata: { ...state.metadata, filled: { ...state.metadata.filled, ...origins } },
  };
}

/** The caution about the snapshot that a form names, or leaves to the service. */
export function snapshotNote(
  operation: JobOperation,
  inputs: FormState['inputs'],
  unfit: NonNullable<Gathered['unfit']>,
): readonly string[] {
  const field = fieldsFor(operation, inputs).find(({ role }) => role === 'snapshot');
  const caution = field && cautionAgainst(unfit, inputs[field.name]);
  return caution ? [cautionOf(caution)] : [];
}

/** Whether anything may be filled into a form. */
export function isToFill(operation: JobOperation, { inputs, metadata }: FormState): boolean {
  return !metadata.plain && inputs[operation.target] !== undefined && operation.fields.length > 1;
}

/** The most targets that a form offers as buttons. */
const mostRecent = 3;

/** The targets that the person used last with this operation, the latest first; none if the store takes too long. */
export async function recentInTime(
  desk: Desk<'jobs' | 'clock' | 'log'>,
  owner: Owner,
  operation: JobOperation,
): Promise<readonly RecentTarget[]> {
  // Whoever deleted something does not delete it again.
  if (operation.deletes || operation.fields.length === 1) return [];
  const reading = within(desk.clock, atOnce, desk.jobs.earlier(owner, operation.name));
  const requests = (await reading.catch(unread(desk))) ?? [];
  const targets = requests.flatMap(({ values, targetName }): RecentTarget[] => {
    const id = values[operation.target];
    return typeof id === 'string' ? [{ id, label: targetName ?? id }] : [];
  });
  return [...Map.groupBy(targets, ({ id }) => id).values()].flatMap(([one]) => one ?? []).slice(0, mostRecent);
}

/** The content of a form, filled in from the facts if they come within `longest` milliseconds; else it says that. */
export async function filledInTime(
  desk: FactReader & Desk<'fieldRules'>,
  { owner, operation, like }: Omit<Unfilled, 'inputs' | 'left'>,
  state: FormState,
  longest: number,
): Promise<FormState> {
  const { inputs, metadata } = state;
  const reading = gatherFacts(desk, { owner, operation, inputs, like, left: metadata.left });
  const gathered = await inTime(desk, longest, reading);
  return gathered ? fillState(operation, state, gathered) : { ...state, notes: [...state.notes, unfilledNote] };
}

/**
 * The texts with those that follow from the records, as a form that nobody sees would have them: the next free port, and
 * so on. `preset` fills what they leave open. @throws {Failure} where the records cannot be read now, or where a part of
 * them is not for this person and nobody would see that it is missing
 */
export async function filledUnseen(
  desk: FactReader & Desk<'fieldRules'>,
  { owner, operation, inputs }: Pick<Unfilled, 'owner' | 'operation' | 'inputs'>,
  { labels, preset }: Pick<FormState, 'labels'> & Readonly<{ preset?: Preset | undefined }>,
  isWanted?: (field: Field) => boolean,
): Promise<Pick<FormState, 'inputs' | 'labels'>> {
  const from = preset ? { preset: { i: preset.id, n: preset.name } } : {};
  const metadata = { request: '', channel: '', chosen: {}, labels: {}, ...from };
  const state = { metadata, inputs, labels, resets: {}, notes: [] };
  if (!isToFill(operation, state)) return state;
  const gathered = await gatherFacts(desk, { owner, operation, inputs });
  const [unsaid] = leftOutNotes((gathered.left ?? []).filter(({ field }) => !inputs[field]));
  if (unsaid !== undefined) throw new Failure('input', unsaid);
  return fillState(operation, state, gathered, isWanted);
}

/** The facts, if they come in time. */
export function inTime(
  desk: Desk<'clock' | 'log'>,
  longest: number,
  reading: Promise<Gathered>,
): Promise<Gathered | undefined> {
  return within(desk.clock, longest, reading).catch(unread(desk));
}

function unread(desk: Desk<'log'>) {
  return notedIn(desk.log, 'a form is shown without what could be filled in');
}
