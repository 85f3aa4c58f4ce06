import { createHash } from 'node:crypto';
import { z } from 'zod';
import type { Job } from '../../store/tables/job.ts';

/*
 * Facts as they are kept and compared. A request may wait longer than a release lasts, so what is compared is data: keys
 * and values that no release words otherwise. Labels and values are for readers.
 */

/**
 * One thing that an approver sees of the target. `compared` stands for it where it is held against a later reading: it is
 * empty for what may change without a change of what was approved. Rows of older releases have no keys.
 */
const Fact = z.object({
  key: z.string().optional(),
  label: z.string(),
  value: z.string(),
  compared: z.string().optional(),
});
export type Fact = z.infer<typeof Fact>;

/** What facts are called, by their keys, which stay as they are. */
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
} as const;
type Key = keyof typeof labels;

/** What may change without a change of what was approved, whatever a row says. */
const neverCompared: ReadonlySet<string> = new Set<Key>(['snapshots', 'from', 'beware']);

/** A fact; without `compared`, the value itself is the data. */
export function fact(key: Key, value: string | undefined, compared?: string): Fact {
  const text = (value ?? '').slice(0, 500);
  return { key, label: labels[key], value: text, compared: compared ?? text };
}

/** A value of the record, as it stands there. */
export function valueFact(path: string, value: string): Fact {
  return { key: `value ${path}`, label: `${path.charAt(0).toUpperCase()}${path.slice(1)}`, value, compared: value };
}

/** The facts kept with a job. */
export function factsIn(job: Job): readonly Fact[] {
  return job.facts === null ? [] : z.array(Fact).parse(JSON.parse(job.facts));
}

/** The identifier that a fact of a job holds, such as that of the database of a snapshot. */
export function idIn(job: Job, key: Key): string | undefined {
  return factsIn(job).find(one => keyOf(one) === key.toLowerCase())?.compared;
}

/** A digest over what is asked and what an approver sees, by which a click is about this card: 16 hexadecimal digits of a SHA-256. */
export function digestOf({ operation, inputs }: Pick<Job, 'operation' | 'inputs'>, facts: readonly Fact[]): string {
  const seen = facts.map(one => [keyOf(one), one.compared ?? one.value]);
  return createHash('sha256')
    .update(JSON.stringify([operation, inputs, seen]))
    .digest('hex')
    .slice(0, 16);
}

/** What differs between two readings, a sentence for each fact. */
export function differences(before: readonly Fact[], now: readonly Fact[]): readonly string[] {
  const keys = [...new Set([...before, ...now].map(keyOf))];
  return keys.flatMap(key => {
    const [was = [], is = []] = [before, now].map(facts => facts.filter(one => keyOf(one) === key));
    if (isSame(key, was, is)) return [];
    const show = (facts: readonly Fact[]) => facts.map(({ value }) => value).join(', ') || 'not shown';
    return [`${(is[0] ?? was[0])?.label} was ${show(was)}, and is ${show(is)}.`];
  });
}

function isSame(key: string, was: readonly Fact[], is: readonly Fact[]): boolean {
  if (neverCompared.has(key)) return true;
  const areSame = (some: readonly Fact[], others: readonly Fact[]) =>
    some.length === others.length && some.every((one, at) => others[at] && isSameFact(key, one, others[at]));
  // What has no data is as good as not there.
  const telling = (facts: readonly Fact[]) => facts.filter(({ compared }) => compared !== '');
  return areSame(was, is) || areSame(telling(was), telling(is));
}

function isSameFact(key: string, was: Fact, is: Fact): boolean {
  // What a word means may have been learned meanwhile; the same word is the same state.
  if (key === 'state' && was.value === is.value) return true;
  if (was.compared !== undefined && is.compared !== undefined) return was.compared === is.compared;
  return dataIn(was.value) === dataIn(is.value) || was.value === is.compared || is.value === was.compared;
}

/** What a text of an older release says: the identifier behind a name, or a moment to the minute. */
function dataIn(value: string): string {
  const id = /\(([A-Z_]+-\d+)\)$/.exec(value)?.[1];
  const at = /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d/.test(value) ? Date.parse(value.replace(/ UTC$/, 'Z')) : Number.NaN;
  return id ?? (Number.isNaN(at) ? value : new Date(at).toISOString().slice(0, 16));
}

/** The key of a fact, in lower case; that of a row of an older release is told by its label. */
function keyOf({ key, label }: Fact): string {
  if (key !== undefined) return key.toLowerCase();
  const known = Object.entries(labels).find(([, text]) => text === label)?.[0];
  return (known ?? `value ${label}`).toLowerCase();
}
