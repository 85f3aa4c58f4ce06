import pLimit from 'p-limit';
import { writeOperation } from '../../operations/catalogue.ts';
import { manyTargets } from '../../operations/plans/batch.ts';
import type { Session } from '../../records/records.ts';
import type { Job, NewStep, Plan } from '../../store/jobs/rows/job.ts';
import { transitionOf } from '../advance.ts';
import { findObstacle } from '../approval/checks.ts';
import { openInquiry } from '../approval/inquiry.ts';
import type { Inquirer, Mover } from '../parts.ts';
import { operationOf } from '../request.ts';
import { knownValues, targetOfStep } from './stepWords.ts';

/** A batch of which targets need approval: their indexes, those that the same people decide on together. */
export type Split = Readonly<{ type: 'split'; login: string; asks: readonly (readonly number[])[] }>;

/** Max targets that are read at once. */
const readAtOnce = 6;

/**
 * Says which targets of a batch need approval, as if each were asked for alone; `undefined` where none does. What is
 * forbidden is told when its turn comes.
 * @throws {Failure} where the records that this rests on cannot be read now
 */
export async function splitOf(parts: Inquirer, batch: Plan<'new'>, session: Session): Promise<Split | undefined> {
  const { credential, records } = session;
  const inTurn = pLimit(readAtOnce);
  const judge = async (step: Plan['steps'][number], at: number) => {
    const [operation, target] = [writeOperation(step.operation), targetOfStep(step)];
    if (!operation || !target) return [];
    const asked = { operation, values: knownValues(step), target, reason: batch.purpose };
    const question = { owner: batch, credential, records, ...asked };
    const inquiry = openInquiry(parts, question, 'now');
    if (await findObstacle(inquiry)) return [];
    const verdict = await inquiry.verdict();
    return verdict.type === 'approve' ? [{ at, deciders: [...verdict.approvers].sort().join(' ') }] : [];
  };
  const found = (await Promise.all(batch.steps.map((step, at) => inTurn(() => judge(step, at))))).flat();
  const asks = [...Map.groupBy(found, ({ deciders }) => deciders).values()].map(some => some.map(({ at }) => at));
  return asks.length > 0 ? { type: 'split', login: credential.username, asks } : undefined;
}

/**
 * Begins a batch of which some targets need approval: they become a batch of their own for each group of people who
 * decide, which waits for it. All are written at once, so that nobody is asked twice.
 */
export async function beginBatch(
  { jobs, clock }: Mover,
  batch: Plan<'new' | 'approved'>,
  { login, asks }: Split,
): Promise<Job | undefined> {
  const now = clock.now();
  const [first, ...others] = asks.map((some, at) => batchToApprove(batch, some, at, now));
  const transition = transitionOf(batch, { type: 'begun', login }, now);
  return first && transition && jobs.beginStep(batch, transition, first, ...others);
}

function batchToApprove(batch: Plan<'new' | 'approved'>, asks: readonly number[], group: number, now: number): NewStep {
  const { id, team, person, runsAs, channel, thread, purpose, operation, labels, asShown } = batch;
  const steps = asks.flatMap(at => batch.steps[at] ?? []);
  const [first] = steps;
  const part = group === 0 ? 'asks' : `asks-${group}`;
  if (!first) throw new Error(`the batch ${id} has nothing to approve`);
  return {
    ...{ id: `${id}-${part}`, requestKey: JSON.stringify([id, part]), team, person, runsAs, channel, purpose },
    ...(thread === null ? {} : { thread }),
    ...(asShown === undefined ? {} : { asShown }),
    ...{ operation, labels, values: knownValues(first), target: String(first.target), createdAt: now },
    ...{ targetName: manyTargets(operationOf(batch), steps.length), steps },
    ...{ plan: id, step: 0, login: null, approval: undefined },
  };
}
