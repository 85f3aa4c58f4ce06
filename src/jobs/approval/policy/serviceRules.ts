import { type Identifier, parseIdentifier, typedIdentifier } from '../../../api/identifiers.ts';
import type { RecordView } from '../../../api/reading/recordView.ts';
import { Failure, failureBut, nothingBut } from '../../../ground/failure.ts';
import { inRow } from '../../../ground/wording.ts';
import { obstaclesTo } from '../../../operations/availability.ts';
import { fieldsFor } from '../../../operations/operation.ts';
import { backUpField } from '../../../operations/plans/backUpFirst.ts';
import { isDeleted, type RecordReader } from '../../../records/recordReader.ts';
import { nowByEither } from '../../../records/records.ts';
import { listIfShown, readWhole } from '../../../records/shown.ts';
import {
  cautionAgainst,
  latestOf,
  ownSnapshots,
  snapshotsOf,
  sortOut,
  unfitWords,
} from '../../../records/snapshots.ts';
import { nameAndId } from '../facts/fact.ts';
import { dependentsOf } from '../facts/facts.ts';
import type { Finding, Gate, GateResult } from '../facts/findings.ts';
import type { Inquiry } from '../inquiry.ts';

/*
 * The service's own rules (spec §3), as far as records show the facts that they need. The service decides, so each
 * finding is a hint, and a fact that no record shows is `hidden`, never `passed`. A request that breaks rule 1 or 2 is
 * stopped where it needs approval: nobody is asked to approve a request that the service would refuse.
 */

/** Max records that are named in one sentence. */
const maxNamed = 6;

type Findings = Promise<readonly Finding[]>;

/** An inquiry whose target was read. `record` is the target's record, or the one of a snapshot's database. */
type Seen = Inquiry & Readonly<{ target: Identifier; records: RecordReader; record: RecordView | undefined }>;

async function readIn(inquiry: Inquiry): Promise<Seen | undefined> {
  const { target, records, reading } = inquiry;
  const inspection = await reading();
  if (!target || !records || !inspection || inspection instanceof Failure) return undefined;
  return { ...inquiry, target, records, record: inspection.record };
}

const finding = (gate: Gate, result: GateResult, sentence: string): Finding => ({ gate, result, sentence });

/** A finding at which a request that needs approval stops: nobody is asked to approve it in vain. */
async function breach(gate: Gate, sentence: string, { verdict }: Inquiry): Promise<Finding> {
  const { type } = await verdict();
  return { ...finding(gate, 'failed', sentence), stops: type === 'approve' ? 'refused' : undefined };
}

/** Checks for states in which the operation changes nothing, and for operations that only virtual clones have. */
export async function checkState(inquiry: Inquiry): Findings {
  const { operation, target, record, records } = (await readIn(inquiry)) ?? {};
  if (!operation || !target || !records || record?.id.text !== target.text) return [];
  const obstacles = obstaclesTo(operation, record);
  if (obstacles.some(({ about }) => about === 'kind'))
    return [finding('state', 'failed', 'It is a physical clone; this is for virtual ones.')];
  const { state } = record;
  const isEnvironment = target.noun === 'environment';
  if (!state) return isEnvironment ? [] : [finding('state', 'hidden', 'The record shows no state.')];
  if (state.class === 'unknown') return [finding('state', 'hidden', `It is ${state.word}, a word that I do not know.`)];
  if (obstacles.some(({ about }) => about === 'state')) {
    const others = (await records.list(target.noun ?? 'live').catch(nothingBut()))?.records ?? [];
    if (obstaclesTo(operation, { id: record.id, state: record.state, others }).some(({ about }) => about === 'state'))
      return [finding('state', 'failed', `It is already ${state.word}, so this changes nothing.`)];
  }
  // The next gate shows the state of an environment.
  return isEnvironment ? [] : [finding('state', 'passed', `It is ${state.word}.`)];
}

/** Checks rule 1: nothing is executed on a disabled environment until it is enabled again. */
export async function checkEnvironment(inquiry: Inquiry): Findings {
  const seen = await readIn(inquiry);
  // Users and projects are on no environment.
  if (!seen || seen.target.noun === 'user' || seen.target.noun === 'project') return [];
  const { operation, values, target, record, records } = seen;
  const field = operation.fields.find(({ role }) => role === 'environment');
  const chosen = field && parseIdentifier(String(values[field.name] ?? ''));
  if (field && !chosen) return [finding('environment', 'hidden', 'None is named yet: the form asks for it.')];
  const id = chosen ?? (target.noun === 'environment' ? target : record?.environment?.id);
  if (!id) return [finding('environment', 'hidden', 'The record shows none.')];
  const listed = record?.id.text === id.text ? record : await environmentIn(records, id);
  if (listed instanceof Failure) return [finding('environment', 'hidden', `${id.text}: ${listed.message}`)];
  const name = nameAndId(listed?.name, id.text);
  if (!listed) return [finding('environment', 'hidden', `No record shows ${name}.`)];
  if (!listed.state || listed.state.class === 'unknown')
    return [finding('environment', 'hidden', `The record of ${name} shows no state that I know.`)];
  return obstaclesTo(operation, { id: target, place: listed }).some(({ about }) => about === 'environment')
    ? [await breach('environment', `${name} is ${listed.state.word}, so nothing runs on it.`, inquiry)]
    : [finding('environment', 'passed', `${name} is ${listed.state.word}.`)];
}

async function environmentIn(records: RecordReader, id: Identifier): Promise<RecordView | Failure | undefined> {
  const list = await records.list('environment').catch(failureBut());
  if (list instanceof Failure) return list;
  const listed = list.records.find(record => record.id.text === id.text);
  // A list that is cut leaves records out, which their own GETs show.
  return listed ?? (list.cut ? records.one(id).catch(failureBut()) : undefined);
}

/** Checks rules 2 and 3: a record on which clones depend cannot be deleted. Whether one that failed counts is not stated. */
export async function checkDependents(inquiry: Inquiry): Findings {
  const seen = await readIn(inquiry);
  if (!seen?.operation.deletes || seen.target.noun === 'user') return [];
  const { operation, target, records } = seen;
  const list = (await listIfShown(records, 'live')) ?? { records: [], cut: true };
  const isRule = target.noun === 'live' || target.noun === 'clone' || target.noun === 'snapshot';
  // The rules are about clones, and a deleted record may still be listed.
  const counts = (one: RecordView) => !isDeleted(one) && (!isRule || one.id.noun === 'clone');
  const dependents = (await dependentsOf(target, list.records)).filter(counts);
  if (dependents.length > 0) {
    const some = dependents.map(({ id, name }) => nameAndId(name, id.text));
    const sentence = `${inRow(some, maxNamed)} ${dependents.length === 1 ? 'depends' : 'depend'} on it`;
    const isObstacle = obstaclesTo(operation, { id: target, dependents }).some(({ about }) => about === 'dependents');
    if (isObstacle) return [await breach('dependents', `${sentence}.`, inquiry)];
    const open = isRule ? 'whether a clone that failed counts' : 'whether that stops a deletion';
    return [finding('dependents', 'hidden', `${sentence}; ${open} is not specified.`)];
  }
  return !list.cut && tellsOrigins(list.records, target)
    ? [finding('dependents', 'passed', 'The records show none.')]
    : [finding('dependents', 'hidden', 'The records do not fully show what depends on what.')];
}

/** Whether records show their origins. Only then does it mean something that none of them names the target. */
function tellsOrigins(records: readonly RecordView[], { noun }: Identifier): boolean {
  return records.some(({ source, environment, mentions }) => {
    if (noun === 'environment') return environment !== undefined;
    if (noun === 'project') return mentions.some(({ id }) => id.noun === 'project');
    return source !== undefined;
  });
}

/** Checks rule 3: the last snapshot stays; and an operation on a snapshot needs one. */
export async function checkSnapshots(inquiry: Inquiry): Findings {
  const seen = await readIn(inquiry);
  if (!seen) return [];
  const said = seen.target.noun === 'snapshot' ? lastSnapshot(seen) : await usedSnapshot(seen);
  return said ? [finding('snapshot', ...said)] : [];
}

type Said = readonly [GateResult, string];

function lastSnapshot({ operation, target, record }: Seen): Said {
  const all = record ? new Set(snapshotsOf(record)).size : 0;
  if (!record || all === 0) return ['hidden', 'I see no record that shows whose snapshot it is.'];
  const holder = nameAndId(record.name, record.id.text);
  return obstaclesTo(operation, { id: target, snapshots: all }).some(({ about }) => about === 'snapshot')
    ? ['failed', `It is the last snapshot of ${holder} that the records show.`]
    : ['passed', `${holder} has ${all} snapshots.`];
}

/** The snapshot from which an operation starts: one of its target, or of the source that another field names. */
async function usedSnapshot({ operation, values, target, records, parts, ...seen }: Seen): Promise<Said | undefined> {
  const backup = backUpField(operation);
  if (backup?.feeds && values[backup.name] === true)
    return ['passed', 'The backup made first provides the snapshot that is used.'];
  const field = fieldsFor(operation, values).find(({ role }) => role === 'snapshot');
  const [of = ''] = Object.keys(field?.dependsOn ?? {});
  const id = typedIdentifier(String(values[of] ?? ''));
  if (!field || !id) return undefined;
  const isTarget = id.text === target.text;
  const holder = isTarget ? seen.record : await readWhole(records, id).catch(failureBut('signed-out'));
  if (holder instanceof Failure) return ['hidden', `${id.text}: ${holder.message}`];
  const whose = isTarget ? 'It' : nameAndId(holder?.name, id.text);
  if (!holder || snapshotsOf(holder).length === 0) return ['hidden', `${whose} shows none.`];
  return sayWhich(holder, { whose, chosen: values[field.name], now: nowByEither(parts) });
}

/** Says which snapshot of a record is used: the `chosen` one, else the one that the service chooses. */
function sayWhich(
  holder: RecordView,
  { whose, chosen, now }: Readonly<{ whose: string; chosen: unknown; now: number }>,
): Said {
  const all = [...new Set(snapshotsOf(holder))];
  const sorted = sortOut(ownSnapshots(holder), now);
  const { usable, unfit } = sorted;
  const has = `${whose} has ${all.length}`;
  if (typeof chosen === 'string') {
    const caution = cautionAgainst(unfit, chosen);
    if (caution) return ['hidden', `${chosen} ${caution.why}: the service may refuse it.`];
    return all.includes(chosen)
      ? ['passed', `${has}, and ${chosen} is one of them.`]
      : ['hidden', `${has}; ${chosen} is not among those shown.`];
  }
  if (usable.length === 0 && unfit.length > 0) {
    const reasons = unfit.map(({ id, label, why }) => `${label ?? id.text} ${unfitWords[why].says}`);
    return ['hidden', `${has}, and none can be used now: ${inRow(reasons, maxNamed)}.`];
  }
  const caution = cautionAgainst(unfit, undefined);
  if (caution) {
    const newest = `${caution.name}, the newest one shown, ${caution.why}`;
    return ['hidden', `${has}; the service chooses (none was named), perhaps an older one: ${newest}.`];
  }
  const latest = latestOf(sorted);
  const name = latest ? `: ${nameAndId(latest.label, latest.id.text)}` : '';
  return ['passed', `${has}; the latest is used (none was named)${name}.`];
}
