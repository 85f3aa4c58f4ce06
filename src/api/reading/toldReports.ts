import { assumed } from './assumedKeys.ts';
import type { Tree } from './jsonTree.ts';
import type { ReportPaths } from './recordMapping.ts';
import { isYes } from './states.ts';
import { timeOf } from './times.ts';
import { factsAt, isWords, leafAt } from './toldFacts.ts';

/** The facts of a report at the paths of the mapping, under the keys by which each is known. */
export function factsOfReport(item: Tree, paths: ReportPaths): Tree {
  const text = leafAt(item, paths.error, isWords);
  const outcome = leafAt(item, paths.outcome);
  return {
    ...factsAt(item, { kind: paths.kind, user: paths.person, id: paths.number }, isWords),
    ...factsAt(item, { startedat: paths.begin, endedat: paths.end }, value => timeOf(value) !== undefined),
    ...factsAt(item, { attempt: paths.attempt, maxattempts: paths.attempts }, isWords),
    // Its key tells whether a text is an error, or a remark that is one where the work has failed; and what a yes means.
    ...(text && { [assumed.explanation.includes(text.key) ? text.key : 'error']: text.value }),
    ...(outcome && {
      [isYes(outcome.value) !== undefined && isResultKey(outcome.key) ? outcome.key : 'status']: outcome.value,
    }),
  };
}

const isResultKey = (key: string) => assumed.reported.state.includes(key);
