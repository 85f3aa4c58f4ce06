import { second } from '../../../ground/durations.ts';
import { initialOf } from '../../columns.ts';
import type { Baseline, ShownMarks } from './data.ts';
import type { JobChange, NewJob, NewStep } from './job.ts';
import { type JobRow, jobsTable } from './jobRow.ts';

export function columnsOf(change: JobChange): Partial<JobRow> {
  const { baseline, evidence, impact, labels, terms, facts, decisions, posting, tries, ...rest } = change;
  return {
    ...rest,
    ...(change.endedAt ? { freePort: null, freeName: null } : {}),
    ...(baseline === undefined ? {} : { baseline: baseline && JSON.stringify(baseline) }),
    ...(evidence === undefined ? {} : { evidence: JSON.stringify(evidence) }),
    ...(impact === undefined ? {} : { impact: JSON.stringify(impact) }),
    ...(labels === undefined ? {} : { labels: JSON.stringify(labels) }),
    ...(terms === undefined ? {} : { terms: JSON.stringify(terms) }),
    ...(facts === undefined ? {} : { facts: JSON.stringify(facts) }),
    ...(decisions === undefined ? {} : { decisions: JSON.stringify(decisions) }),
    ...(posting === undefined ? {} : { posting: posting && JSON.stringify(posting) }),
    ...(tries === undefined ? {} : { looks: tries }),
  };
}

/** Time after which a person hears of a job about which nothing else was told, in milliseconds. */
export const longestSilence = 5 * second;

/**
 * Makes the row of a new job: it is due at once. Its first news makes it due to be told, at the latest a long silence;
 * one that tells only failures keeps silent until there is one.
 */
export function newRow({ values, labels, steps, takes, asShown, runsAs = null, ...asked }: NewJob): JobRow {
  const at = asked.createdAt;
  const texts = { inputs: JSON.stringify(values), labels: JSON.stringify(labels) };
  const tellAt = asked.tells === 'failures' ? null : at + longestSilence;
  const { on = null, port = null, name = null, path = null } = takes ?? {};
  const taken = { takesOn: on, takesPort: port, takesName: name, takesPath: path };
  const baseline = baselineAsShown(asShown);
  const before = { baseline: baseline && JSON.stringify(baseline) };
  const own = { ...asked, ...texts, ...taken, ...before, runsAs, dueAt: at, tellAt };
  return { ...fresh, ...own, ...(steps ? { steps: JSON.stringify(steps), step: 0 } : {}) };
}

/** What the column of the baseline holds before there is one: what was shown to whoever asked, if anything was. */
export function baselineAsShown(asShown: ShownMarks | undefined): Baseline | null {
  return asShown === undefined || Object.keys(asShown).length === 0 ? null : { ids: {}, asShown };
}

/** Makes the row of a job that a plan begins: it is due at once, and the plan's message tells of it, unless it is a batch. */
export function stepRow({ approval, plan, step, login, ...asked }: NewStep): JobRow {
  const row = newRow(asked);
  return {
    ...row,
    ...(approval ? { state: 'approved' as const, ...columnsOf(approval) } : {}),
    ...{ plan, step, login, ...(asked.steps ? {} : { tellAt: null }) },
  };
}

/** The columns of a new job's row, except those of the request and of its due times. */
export const fresh = { ...initialOf(jobsTable), state: 'new' };
