import type { Fact } from '../../../store/jobs/rows/data.ts';
import { keyOf } from './fact.ts';

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
  const match = (some: readonly Fact[], others: readonly Fact[]) =>
    some.length === others.length && some.every((one, at) => others[at] && isSame(key, one, others[at]));
  // A fact without data to compare counts as absent.
  const withData = (facts: readonly Fact[]) => facts.filter(({ compared }) => compared !== '');
  return match(was, is) || match(withData(was), withData(is));
}

function isSame(key: string, was: Fact, is: Fact): boolean {
  // The meaning of a word may have been learned meanwhile; the same word is the same state.
  if (key === 'state' && was.value === is.value) return true;
  return was.compared === is.compared;
}
