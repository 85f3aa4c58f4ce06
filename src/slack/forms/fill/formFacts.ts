import { typedIdentifier, type Vendor } from '../../../api/identifiers.ts';
import { isMountBase } from '../../../api/reading/jsonTree.ts';
import type { Mention } from '../../../api/reading/mentions.ts';
import type { RecordView } from '../../../api/reading/recordView.ts';
import { minute } from '../../../ground/durations.ts';
import { notedIn } from '../../../ground/failure.ts';
import { mapInSlices } from '../../../ground/slices.ts';
import type { LeftOutValue } from '../../../jobs/approval/facts/secretValues.ts';
import { defaultsByPolicy } from '../../../jobs/approval/policy/fieldRules.ts';
import type { FactReader } from '../../../jobs/parts.ts';
import { isAbsolute, writeValues } from '../../../operations/fields.ts';
import {
  type Field,
  fieldsFor,
  isRenewal,
  type JobOperation,
  targetNouns,
  vendorOf,
} from '../../../operations/operation.ts';
import type { EarlierRequest, FormFacts, Neighbour, PossibleValue } from '../../../operations/prefill/formFacts.ts';
import { isUnique, placeField, prefill } from '../../../operations/prefill/prefill.ts';
import { nowByEither } from '../../../records/records.ts';
import { latestSnapshot, sortOut, type UnfitSnapshot, unfitAt } from '../../../records/snapshots.ts';
import type { Owner } from '../../../store/vault.ts';
import type { Desk } from '../../desk/desk.ts';
import type { FormState } from '../formState.ts';
import { type ChoiceReader, holdersOf, labelOf, lacksSoftware } from '../pickers.ts';
import { readRenewal } from '../plans/renewal.ts';

/** A form that is to be filled in. `like` is the request that it repeats, if it repeats one. */
export type Unfilled = Readonly<{
  owner: Owner;
  operation: JobOperation;
  inputs: FormState['inputs'];
  like?: EarlierRequest | undefined;
  /** The fields that stay empty. */
  left?: readonly string[] | undefined;
}>;

/**
 * The facts for a form, and names for the identifiers among them: those that the records show now, and those that
 * earlier requests remember. `notes` are sentences about what the facts lack.
 */
export type Gathered = Readonly<{
  facts: FormFacts;
  labels: Readonly<Record<string, string>>;
  remembered?: Readonly<Record<string, string>>;
  notes?: readonly string[];
  /** What is left out of them, since it is not for this person. */
  left?: readonly LeftOutValue[];
  /** The snapshots of no use among those that the form can choose. */
  unfit?: readonly UnfitSnapshot[];
}>;

/** Of so many databases on one environment, only the last ones are read for more than their ports. */
const readWhole = 500;
/** The time after the end of a job in which lists that are remembered may not show its record, in milliseconds. */
const unlisted = minute;

/**
 * Reads the facts from which a form is filled in: the person's earlier requests, the records as that person sees them,
 * and what is under way. A fact that cannot be read is left out.
 */
export async function gatherFacts(desk: FactReader & Desk<'fieldRules'>, form: Unfilled): Promise<Gathered> {
  const { owner, operation, like } = form;
  if (isRenewal(operation)) {
    const { made, ...others } = await readRenewal(desk, owner, operation, form.inputs[operation.target]);
    const unfit = await unfitSnapshots(desk, { ...form, inputs: { ...made?.texts, ...form.inputs } });
    return { facts: { earlier: [], possible: {}, made }, unfit, ...others };
  }
  const place = placeField(operation);
  const placing = operation.fields.find(({ name }) => name === place);
  const [own, places, called] = await Promise.all([
    desk.jobs.earlier(owner, operation.name).catch(noted(desk, 'earlier requests')),
    placing ? possibleFor(desk, form, placing) : undefined,
    nameOfTarget(desk, form).catch(noted(desk, 'the name of the target')),
  ]);
  const requests = (own ?? []).map(({ values, targetName }) => ({
    texts: writeValues(values),
    targetName: targetName ?? undefined,
  }));
  const earlier = like ? [like, ...requests] : requests;
  const atFirst = { earlier, possible: place && places ? { [place]: places } : {} };
  // The rest depends on the environment, which may be filled in, too.
  const isOpenPlace = ({ name }: Field) => name === place && !form.left?.includes(name);
  const { texts } = prefill(operation, form.inputs, atFirst, isOpenPlace);
  const chosen = { ...form, inputs: { ...form.inputs, ...texts } };
  const wasUsed = ({ name }: Field) => earlier.some(request => request.texts[name]);
  const fields = operation.fields.filter(
    field =>
      !['target', 'environment'].includes(field.role ?? '') &&
      !(chosen.inputs[field.name] || field.fill === 'never') &&
      (!field.seldom || field.role === 'snapshot' || wasUsed(field)),
  );
  const [unfit, lists, around, pending] = await Promise.all([
    unfitSnapshots(desk, chosen),
    Promise.all(fields.map(async field => [field.name, await possibleFor(desk, chosen, field)] as const)),
    needsNeighbours(operation) ? readNeighbours(desk, chosen).catch(noted(desk, 'the databases around')) : undefined,
    pendingThere(desk, chosen).catch(noted(desk, 'requests under way')),
  ]);
  const known = lists.flatMap(([name, values]) => (values ? [[name, values] as const] : []));
  const possible: FormFacts['possible'] = { ...atFirst.possible, ...Object.fromEntries(known) };
  const labels = { ...called };
  for (const { id, label } of unfit) if (label !== undefined) labels[id.text] = label;
  for (const { value, label } of Object.values(possible).flat()) if (label !== undefined) labels[value] = label;
  const remembered = Object.assign({}, ...(own ?? []).toReversed().map(request => request.labels));
  const there = around?.there && pending ? [...around.there, ...pending] : undefined;
  const goesBackTo = await wayBack(desk, form).catch(noted(desk, 'the latest snapshot'));
  if (goesBackTo?.label) labels[goesBackTo.id.text] ??= goesBackTo.label;
  const more = {
    byPolicy: defaultsByPolicy(desk, operation),
    goesBackTo: goesBackTo?.id.text,
    place: place && chosen.inputs[place],
  };
  return { facts: { ...around, earlier, possible, there, ...more }, labels, remembered, unfit };
}

/** The snapshots of no use that a form can choose by hand; none where they cannot be read. */
export async function unfitSnapshots(
  desk: Desk<'records' | 'clock' | 'log'>,
  { owner, operation, inputs }: Pick<Unfilled, 'owner' | 'operation' | 'inputs'>,
): Promise<readonly UnfitSnapshot[]> {
  const field = fieldsFor(operation, inputs).find(({ role }) => role === 'snapshot');
  const [holder] = field ? holdersOf(field, inputs) : [];
  if (!holder) return [];
  const found = await desk.records.of(owner).parts(holder, 'snapshot').catch(noted(desk, 'its snapshots'));
  return sortOut(found?.parts ?? [], nowByEither(desk)).unfit;
}

/** The name that the target has now: a request may know it by an earlier one. */
async function nameOfTarget(desk: FactReader, { owner, operation, inputs }: Unfilled): Promise<Record<string, string>> {
  const target = inputs[operation.target];
  if (target === undefined || !typedIdentifier(target)) return {};
  const found = await desk.records.of(owner).find(target, targetNouns(operation));
  return found.type === 'one' && found.name !== undefined ? { [target]: found.name } : {};
}

/** Logs that some facts cannot be read. The form is then filled in without them. */
function noted(desk: Desk<'log'>, what: string) {
  return notedIn(desk.log, `${what} could not be read to fill in a form`);
}

/** All values that a field may have; `undefined` where that is not known. */
async function possibleFor(desk: ChoiceReader, form: Unfilled, field: Field) {
  const { owner, operation, inputs } = form;
  const records = desk.records.of(owner);
  const { widget, dependsOn } = field;
  const target = typedIdentifier(inputs[operation.target] ?? '');
  const reading = async (): Promise<readonly PossibleValue[] | undefined> => {
    if (widget.type === 'text' && widget.part && target) {
      const parts = (await records.one(target))?.parts.filter(({ type }) => type === widget.part);
      return parts?.map(({ name, of }) => ({ value: name, of }));
    }
    if (widget.type !== 'record' || !fieldsFor(operation, inputs).includes(field)) return undefined;
    const [holder] = holdersOf(field, inputs);
    if (holder) {
      const [zone, ...seen] = await Promise.all([
        desk.people.zoneOf(owner),
        ...widget.nouns.map(noun => records.parts(holder, noun)),
      ]);
      const now = nowByEither(desk);
      return seen
        .flatMap(one => one.parts)
        .filter(part => part.id.noun !== 'snapshot' || unfitAt(part, now) === undefined)
        .map(part => ({ value: part.id.text, label: labelOf(part, zone) }));
    }
    if (dependsOn) return undefined;
    const { records: listed, cut } = await records.list(widget.nouns);
    const vendor = vendorOf(operation, inputs);
    const fitting = listed.filter(record => field.role !== 'environment' || isUsable(record, vendor));
    // Of a list that is not whole, nobody knows what else there is.
    return cut ? undefined : fitting.map(({ id, name }) => ({ value: id.text, label: name }));
  };
  return reading().catch(noted(desk, `what may stand in ${field.name}`));
}

/** Whether work for a vendor can be done on an environment, as far as its record shows it. */
function isUsable(record: RecordView, vendor: Vendor | undefined): boolean {
  return record.state?.class !== 'disabled' && !lacksSoftware(record, vendor);
}

/**
 * The snapshot to which work goes back that names none, where a backup can be made before: the target is in order, and
 * its record shows the time of each snapshot that can be used (spec §3, rule 4).
 */
async function wayBack(desk: FactReader, { owner, operation, inputs }: Unfilled): Promise<Mention | undefined> {
  const target = typedIdentifier(inputs[operation.target] ?? '');
  if (operation.rewinds === undefined || target?.noun !== 'live') return undefined;
  const record = await desk.records.of(owner).one(target);
  return record?.state?.class === 'ok' ? latestSnapshot(record, nowByEither(desk)) : undefined;
}

/** Whether anything of a form follows the databases around the work. */
function needsNeighbours({ fields }: JobOperation): boolean {
  return fields.some(isUnique);
}

type TargetFacts = Pick<FormFacts, 'there' | 'isCut' | 'siblings' | 'target'>;

/** The target, its clones, and the databases on the environment of the work. */
async function readNeighbours(desk: Desk<'records'>, { owner, operation, inputs }: Unfilled): Promise<TargetFacts> {
  const { records, cut } = await desk.records.of(owner).list(['live', 'clone']);
  const [source, place] = [inputs[operation.target], inputs[placeField(operation) ?? '']];
  const [here, made]: RecordView[][] = [[], []];
  let target: RecordView | undefined;
  await mapInSlices(records, record => {
    if (record.id.text === source) target = record;
    // A record that does not show its environment may be on this one.
    if (place && (!record.environment || record.environment.id.text === place)) here?.push(record);
    if (record.source?.id.text === source && record.id.noun === 'clone') made?.push(record);
  });
  const firstWhole = (here?.length ?? 0) - readWhole;
  let at = 0;
  return {
    isCut: cut,
    target: target && neighbourOf(target),
    there: await mapInSlices(here ?? [], record => neighbourOf(record, at++ >= firstWhole)),
    siblings: await mapInSlices((made ?? []).slice(-readWhole), record => neighbourOf(record)),
  };
}

function neighbourOf(record: RecordView, isWhole = true): Neighbour {
  const { id, name, port, source, state } = record;
  const isFailed = state?.class === 'failed';
  const known = { isClone: id.noun === 'clone', isFailed, vendor: id.vendor, name, port, sourceName: source?.label };
  if (!isWhole) return known;
  const mountBase = record.values.find(value => isMountBase(value) && isAbsolute(value.value))?.value;
  return { ...known, mountBase, mentions: record.mentions.map(mention => mention.id.text) };
}

/** What is being made on the environment by requests whose records may not be listed yet. */
export async function pendingThere(
  { jobs, clock }: Desk<'jobs' | 'clock'>,
  { owner, operation, inputs }: Pick<Unfilled, 'owner' | 'operation' | 'inputs'>,
): Promise<readonly Neighbour[]> {
  const place = inputs[placeField(operation) ?? ''];
  if (!place) return [];
  const taken = await jobs.taken(owner.team, place, unlistedSince(clock.now()));
  return taken.map(({ port, name, path }) => ({
    ...{ isClone: false, vendor: undefined, port: port ?? undefined, name: name ?? undefined },
    mountBase: path ?? undefined,
  }));
}

/** The time of the earliest end of a job whose record may not be listed yet. */
export function unlistedSince(now: number): number {
  return now - unlisted;
}
