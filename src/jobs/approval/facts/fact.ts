import type { Fact } from '../../../store/jobs/rows/data.ts';
import type { Job } from '../../../store/jobs/rows/job.ts';

/*
 * Facts as they are kept and compared. A request may wait longer than a release lasts, so facts are compared as data:
 * by keys and values that no release words otherwise. Labels and values are for readers.
 */

/** The labels of facts by their keys. The keys are stored, so they never change. */
const labels = {
  identifier: 'Identifier',
  name: 'Name',
  vendor: 'Vendor',
  of: 'Of',
  state: 'State',
  environment: 'Environment',
  source: 'Source',
  port: 'Port',
  type: 'Type',
  created: 'Created',
  project: 'Project',
  snapshots: 'Snapshots',
  from: 'Made from',
  dependents: 'Dependents',
  beware: 'Beware',
  holder: 'Holder',
} as const;
type FactKey = keyof typeof labels;

/** Makes a fact, its value cut to 500 characters. Without `compared`, the value itself is compared. */
export function factOf(key: FactKey, value: string | undefined, compared?: string): Fact {
  const text = (value ?? '').slice(0, 500);
  return { key, label: labels[key], value: text, compared: compared ?? text };
}

/** Makes a fact of a value that stands in the record at `path`. */
export function valueFactOf(path: string, value: string): Fact {
  return { key: `value ${path}`, label: `${path.charAt(0).toUpperCase()}${path.slice(1)}`, value, compared: value };
}

/** The identifier in a fact of a job, such as that of the database of a snapshot. */
export function idIn(job: Job, key: FactKey): string | undefined {
  return job.approval?.facts.find(one => keyOf(one) === key.toLowerCase())?.compared;
}

/** The name that the target of some facts has; `undefined` where no record shows one. */
export function nameAmong(facts: readonly Fact[]): string | undefined {
  return facts.find(({ key, value }) => key === 'name' && value !== '')?.value;
}

/** The key of a fact in lower case: the path of a value may be written with other capitals. */
export function keyOf({ key }: Fact): string {
  return key.toLowerCase();
}

/** A record by its name, with the identifier behind it; by the identifier alone where it has no other name. */
export function nameAndId(name: string | undefined, id: string): string {
  return name === undefined || name === id ? id : `${name} (${id})`;
}
