import { parseIdentifier } from '../../../api/identifiers.ts';
import { writeOperation } from '../../../operations/catalogue.ts';
import { compareRecords, type Marks } from '../../../records/sameRecord.ts';
import type { Baseline, Fact, HeldRecord, ShownMarks } from '../../../store/jobs/rows/data.ts';
import { isPlan, type Job } from '../../../store/jobs/rows/job.ts';
import type { Parts } from '../../parts.ts';
import { factsOfStep, markStep } from '../../plans/planFacts.ts';
import { factOf, nameAmong } from '../facts/fact.ts';

/*
 * The holder of a clone: whoever has its lease, else whoever made it by a job of Dolly's. Whoever held or made what had its
 * identifier before holds another one. Who holds what a request deletes is kept with the request, so that they hear of its
 * end when nothing shows the clone any more.
 */

/** Knows who holds clones. */
type HolderReader = Parts<'jobs' | 'keepersOf'>;

/** A clone that a request deletes, who holds it, and the job that deletes it, once there is one. */
export type HeldClone = HeldRecord & Readonly<{ done: Job | undefined }>;

/** The holders of records, by record, which are recognised by what was shown of each. */
export async function holdersByRecord(
  { jobs, keepersOf }: HolderReader,
  team: string,
  shown: ShownMarks,
): Promise<ReadonlyMap<string, string>> {
  const ids = Object.keys(shown);
  if (ids.length === 0) return new Map();
  const [keepers, claimants] = await Promise.all([keepersOf(team, ids), jobs.claimantsOf(team, ids)]);
  const found = Object.entries(shown).flatMap(([id, marks]) => {
    const isThis = (one: Marks | undefined) => one && compareRecords(one, marks).is === 'same';
    const person = [keepers.get(id), claimants.get(id)].find(isThis)?.person;
    return person === undefined ? [] : [[id, person] as const];
  });
  return new Map(found);
}

/**
 * Adds to the facts of a request the holder of each clone that it deletes. A holder is shown, and never compared: a clone that
 * changes hands is the one that was approved. `held` names them but for whoever asks.
 */
export async function addHolders(
  parts: HolderReader & Parts<'people'>,
  job: Job,
  facts: readonly Fact[],
): Promise<Readonly<{ facts: readonly Fact[]; held: readonly HeldRecord[] }>> {
  const { team } = job;
  const clones = clonesDeletedBy(job).map(({ record, step }) => ({
    ...{ record, step },
    marks: marksIn(step === undefined ? facts : factsOfStep(facts, step)),
  }));
  const holders = await holdersByRecord(
    parts,
    team,
    Object.fromEntries(clones.map(({ record, marks }) => [record, marks])),
  );
  const found = clones.map(async ({ record, step, marks }) => {
    const person = holders.get(record);
    if (person === undefined) return [];
    const name = (await parts.people.nameOf({ team, person })) ?? person;
    const fact = factOf('holder', person === job.person ? `${name}, who asks` : name, '');
    return [
      { facts: step === undefined ? [fact] : markStep([fact], step), record, name: marks.name ?? record, person },
    ];
  });
  const all = (await Promise.all(found)).flat();
  return {
    facts: [...facts, ...all.flatMap(one => one.facts)],
    held: all.flatMap(({ facts: _, ...one }) => (one.person === job.person ? [] : [one])),
  };
}

/** Notes in the baseline of a deletion that nobody was asked about who holds the clone, but for whoever asked. */
export async function withHolder(
  parts: HolderReader,
  job: Job,
  baseline: Baseline | undefined,
): Promise<Baseline | undefined> {
  const { target } = baseline ?? {};
  if (!baseline || !target || job.approval || !deletesClone(job)) return baseline;
  const holder = (await holdersByRecord(parts, job.team, { [job.target]: target })).get(job.target);
  return holder === undefined || holder === job.person ? baseline : { ...baseline, heldBy: holder };
}

/**
 * The clones that a job deletes or has deleted and that others hold than whoever asked. `jobs` are those of a plan's steps.
 * What nobody was asked about is told once it was sent; what a part of a batch asks for is told by that part.
 */
export async function heldClonesOf(
  { jobs: stored }: Parts<'jobs'>,
  job: Job,
  jobs: readonly Job[] = [],
): Promise<readonly HeldClone[]> {
  const clones = clonesDeletedBy(job).map(({ record, operation }) => ({
    record,
    done: isPlan(job) ? jobs.findLast(one => one.target === record && one.operation === operation) : job,
  }));
  if (job.approval)
    return (job.approval.terms.held ?? []).map(one => ({
      ...one,
      done: clones.find(({ record }) => record === one.record)?.done,
    }));
  const found = clones.map(async ({ record, done }) => {
    if (!done || done.sentAt === null || done.approval) return [];
    const { heldBy: person, target } = (await stored.asRunning(done.id))?.baseline ?? {};
    return person === undefined ? [] : [{ record, name: target?.name ?? record, person, done }];
  });
  return (await Promise.all(found)).flat();
}

/** Whether a request can delete a clone, by itself or in one of its steps. */
export function mayDeleteClones(job: Job): boolean {
  return clonesDeletedBy(job).length > 0;
}

/** The clones that a request deletes, each with the index of its step in a plan. */
function clonesDeletedBy(job: Job): readonly Readonly<{ record: string; operation: string; step?: number }>[] {
  const { operation, target } = job;
  if (!isPlan(job)) return deletesClone(job) ? [{ record: target, operation }] : [];
  return job.steps.flatMap((one, step) =>
    typeof one.target === 'string' && deletesClone({ operation: one.operation, target: one.target })
      ? [{ record: one.target, operation: one.operation, step }]
      : [],
  );
}

function deletesClone({ operation, target }: Pick<Job, 'operation' | 'target'>): boolean {
  return writeOperation(operation)?.deletes === true && parseIdentifier(target)?.noun === 'clone';
}

function marksIn(facts: readonly Fact[]): ShownMarks[string] {
  const created = Number(facts.find(({ key }) => key === 'created')?.compared ?? '');
  return { name: nameAmong(facts), ...(created > 0 ? { madeAt: created } : {}) };
}
