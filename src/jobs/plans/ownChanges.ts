import type { JobOperation } from '../../operations/operation.ts';
import type { Fact } from '../../store/jobs/rows/data.ts';
import type { Job } from '../../store/jobs/rows/job.ts';
import { keyOf } from '../approval/facts/fact.ts';

/** The records that a plan's steps have worked on so far, and whether the target of the next step is among them. */
export type OwnChanges = Readonly<{ records: ReadonlySet<string>; isOnTarget: boolean }>;

/**
 * Collects what the earlier steps of a plan, and earlier tries of the step itself, did. An earlier step that was not sent
 * was to delete what was gone already.
 */
export function ownChangesBefore(job: Pick<Job, 'id' | 'target' | 'step'>, steps: readonly Job[]): OwnChanges {
  const done = steps.filter(
    ({ id, sentAt, step }) => id !== job.id && (sentAt !== null || (step ?? 0) < (job.step ?? 0)),
  );
  const records = new Set(done.flatMap(({ target, claimed }) => (claimed === null ? [target] : [target, claimed])));
  return { records, isOnTarget: records.has(job.target) };
}

/**
 * Leaves out of a reading what the plan itself changes: its own records among the dependents, and the state of a target
 * that an earlier step worked on. Dependents do not count at all for a step that does them no harm: a clone that was
 * deleted to be renewed has to be made again, even if somebody else cloned its source meanwhile.
 */
export function withoutOwnChanges(
  facts: readonly Fact[],
  { records, isOnTarget }: OwnChanges,
  { deletes, rewinds }: Pick<JobOperation, 'deletes' | 'rewinds'>,
): readonly Fact[] {
  const isHarmless = !deletes && rewinds === undefined;
  return facts.flatMap(fact => {
    const key = keyOf(fact);
    if ((key === 'state' && isOnTarget) || (key === 'dependents' && isHarmless)) return [];
    if (key !== 'dependents') return [fact];
    const isOwn = (text: string) => [...records].some(id => text === id || text.endsWith(`(${id})`));
    const left = fact.compared.split(' ').filter(id => !records.has(id));
    const value = fact.value
      .split(', ')
      .filter(one => !isOwn(one))
      .join(', ');
    return [{ ...fact, compared: left.join(' '), value: value === '' ? 'none' : value }];
  });
}
