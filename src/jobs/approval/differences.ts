import type { Fact } from '../../store/jobs/data.ts';
import { type FactKey, keyOf } from './fact.ts';

/** Facts that may change without a change of what was approved, even if a row of an older release compares them. */
const neverCompared: ReadonlySet<string> = new Set<FactKey>(['snapshots', 'from', 'beware']);

/** Compares two readings of a target: a sentence for each fact that differs. */
export function differencesBetween(before: readonly Fact[], now: readonly Fact[]): readonly string[] {
  const keys = [...new Set([...before, ...now].map(keyOf))];
  return keys.flatMap(key => {
    const [was = [], is = []] = [before, now].map(facts => facts.filter(one => keyOf(one) === key));
    if (areSame(key, was, is)) return [];
    const show = (facts: readonly Fact[]) => facts.map(({ value }) => value).join(', ') || 'not shown';
    return [`${(is[0] ?? was[0])?.label} was ${show(was)}, and is ${show(is)}.`];
  });
}

function areSame(key: string, was: readonly Fact[], is: readonly Fact[]): boolean {
  if (neverCompared.has(key)) return true;
  const match = (some: readonly Fact[], others: readonly Fact[]) =>
    some.length === others.length && some.every((one, at) => others[at] && isSame(key, one, others[at]));
  // A fact without data to compare counts as absent.
  const withData = (facts: readonly Fact[]) => facts.filter(({ compared }) => compared !== '');
  return match(was, is) || match(withData(was), withData(is));
}

function isSame(key: string, was: Fact, is: Fact): boolean {
  // The meaning of a word may have been learned meanwhile; the same word is the same state.
  if (key === 'state' && was.value === is.value) return true;
  if (was.compared !== undefined && is.compared !== undefined) return was.compared === is.compared;
  return dataIn(was.value) === dataIn(is.value) || was.value === is.compared || is.value === was.compared;
}

/** The data in a text of an older release: the identifier behind a name, or a moment to the minute. */
function dataIn(value: string): string {
  const id = /\(([A-Z_]+-\d+)\)$/.exec(value)?.[1];
  const at = /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d/.test(value) ? Date.parse(value.replace(/ UTC$/, 'Z')) : Number.NaN;
  return id ?? (Number.isNaN(at) ? value : new Date(at).toISOString().slice(0, 16));
}
