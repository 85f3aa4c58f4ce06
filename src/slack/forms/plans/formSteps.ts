import { type Identifier, typedIdentifier } from '../../../api/identifiers.ts';
import type { RecordView } from '../../../api/reading/recordView.ts';
import { digestOfPermitted } from '../../../jobs/approval/facts/digest.ts';
import { ownersOfClones } from '../../../jobs/approval/people/cloneOwner.ts';
import { shownMarks } from '../../../jobs/approval/sameAsShown.ts';
import { leftOutIn, teardownNow } from '../../../jobs/plans/teardownNow.ts';
import { jobOperation } from '../../../operations/catalogue.ts';
import { isRenewal, type PlanOperation } from '../../../operations/operation.ts';
import { afterBackupOf } from '../../../operations/plans/afterBackup.ts';
import { planAfterBackup } from '../../../operations/plans/backUpFirst.ts';
import { mostSteps, type PlanStep } from '../../../operations/plans/plan.ts';
import { planRenewal } from '../../../operations/plans/renew.ts';
import type { Teardown } from '../../../operations/plans/teardown.ts';
import type { ShownMarks } from '../../../store/jobs/rows/data.ts';
import type { Owner } from '../../../store/vault.ts';
import { plain } from '../../blocks/mrkdwn.ts';
import type { Desk } from '../../desk/desk.ts';
import type { CheckedForm, Metadata } from '../formState.ts';
import type { Notes } from './treeLines.ts';

/** The block in which the page of a teardown asks what stays. */
export const leaveOutBlock = 'leaveOut';
/** The plan that a form asks for, nothing where it asks for one request alone, or the field that is wrong. */
export type FormSteps =
  | Readonly<{ type: 'alone' }>
  | Readonly<{ type: 'plan'; operation: PlanOperation; steps: readonly PlanStep[]; asShown?: ShownMarks }>
  | Readonly<{ type: 'fault'; field: string; sentence: string }>
  /** The records show another tree than the page did. */
  | Readonly<{ type: 'changed' }>;

type Form = CheckedForm & Readonly<{ metadata: Pick<Metadata, 'labels' | 'seen'> }>;

/**
 * Makes the steps of a checked form, of which `byValues` follow from its values alone. Those of a teardown follow from the
 * records of now, and count only if they are the ones that the person saw.
 * @throws {Failure} where the records of a teardown cannot be read
 */
export async function stepsOf(
  desk: Desk<'jobs' | 'keepersOf' | 'records'>,
  form: Form,
  byValues: FormSteps,
): Promise<FormSteps> {
  const { operation, metadata } = form;
  if (operation.type !== 'plan' || operation.makes !== 'teardown') return byValues;
  const seen = await seenTeardown(desk, form);
  const { steps = [] } = seen?.teardown ?? {};
  const fault = faultOfTeardown(steps);
  if (fault !== undefined) return { type: 'fault', field: leaveOutBlock, sentence: fault };
  return seen && digestOfSteps(seen) === metadata.seen
    ? { type: 'plan', operation, steps, asShown: seen.asShown }
    : { type: 'changed' };
}

/** The sentence that keeps a teardown from being asked for; `undefined` where nothing does. */
export function faultOfTeardown(steps: readonly PlanStep[]): string | undefined {
  if (steps.length === 0) return 'Nothing is left to delete: everything here stays.';
  if (steps.length > mostSteps)
    return `This takes ${steps.length} steps, and one plan can have at most ${mostSteps}. Leave out some branches, and tear them down separately.`;
  return undefined;
}

/** Makes the steps that follow from the values of a form alone. A teardown has none of those. */
export function stepsByValues({ operation, values, metadata }: Form): FormSteps {
  const isAfterBackup = operation.type === 'write' && values.backUpFirst === true;
  const plan = isAfterBackup ? jobOperation(afterBackupOf(operation)) : operation;
  if (!(isRenewal(operation) || isAfterBackup) || plan?.type !== 'plan') return { type: 'alone' };
  const made = isAfterBackup
    ? planAfterBackup(operation, values, metadata.labels)
    : planRenewal(values, metadata.labels);
  return made.ok
    ? { type: 'plan', operation: plan, steps: made.steps }
    : { type: 'fault', field: made.field, sentence: made.sentence };
}

/** The teardown of a form as the records show it, at most a few seconds old; `undefined` where its target is none. */
export async function seenTeardown(
  desk: Desk<'jobs' | 'keepersOf' | 'records'>,
  { owner, operation, values }: Pick<Form, 'owner' | 'operation' | 'values'>,
  notBefore = 0,
): Promise<SeenTeardown | undefined> {
  const target = typedIdentifier(String(values[operation.target] ?? ''));
  return target && readTeardown(desk, owner, target, { leftOut: leftOutIn(values.leaveOut), notBefore });
}

/** A short text that changes with the steps, and with the records that they are about. The page of a teardown carries it. */
export function digestOfSteps({ teardown, asShown }: Pick<SeenTeardown, 'teardown' | 'asShown'>): string {
  return digestOfPermitted(
    teardown.steps.map(({ operation, target }) => {
      const { name, madeAt } = asShown[String(target)] ?? {};
      return [operation, target, name ?? null, madeAt ?? null];
    }),
  );
}

/** A teardown as the records show it to one person now. */
export type SeenTeardown = Readonly<{
  teardown: Teardown;
  /** The places and owners of the records of the tree. */
  notes: Notes;
  /** Whether the list of databases was cut short. */
  isCut: boolean;
  /** What tells the records of the steps from others that have their identifiers later, as far as the list shows it. */
  asShown: ShownMarks;
  recordOf(id: string): Pick<RecordView, 'name' | 'state'> | undefined;
}>;

/**
 * Reads the records around a target, and plans its teardown without the branches that are left out.
 * @param notBefore the age that the records may have, as a time in milliseconds since the epoch
 * @throws {Failure} where the databases or the target cannot be read
 */
export async function readTeardown(
  desk: Desk<'jobs' | 'keepersOf' | 'records'>,
  owner: Owner,
  target: Identifier,
  { leftOut, notBefore }: Readonly<{ leftOut: readonly string[]; notBefore: number }>,
): Promise<SeenTeardown> {
  const { list, alone } = desk.records.of(owner, notBefore);
  const source = {
    alone: (id: Identifier) => alone(id),
    list: (noun: 'live' | 'environment') => list(noun === 'live' ? ['live', 'clone'] : [noun]),
  };
  const { teardown, known, isCut } = await teardownNow(source, target, leftOut);
  return {
    teardown,
    notes: await notesOn(desk, owner, teardown, known),
    isCut,
    asShown: shownMarks(teardown.steps.flatMap(({ target: id }) => known.get(String(id)) ?? [])),
    recordOf: id => known.get(id),
  };
}

/** The places of the records of a tree, and whose they are. */
async function notesOn(
  desk: Desk<'jobs' | 'keepersOf'>,
  { team }: Owner,
  { tree }: Teardown,
  known: ReadonlyMap<string, RecordView>,
): Promise<Notes> {
  const ids = [...tree.nodes.keys()];
  const records = ids.flatMap(id => known.get(id) ?? []);
  const ownerOf = await ownersOfClones(desk, team, records);
  return new Map(
    ids.map(id => {
      const record = known.get(id);
      const environment = record?.environment;
      const { person, named = undefined } = record ? ownerOf(record) : {};
      const owner = person === undefined ? named && plain(named, 60) : `<@${person}>`;
      return [
        id,
        {
          place: id === tree.root || !environment ? undefined : plain(environment.label ?? environment.id.text, 60),
          owner: owner && `owned by ${owner}`,
        },
      ] as const;
    }),
  );
}
