import { type Identifier, nounNames } from '../../api/identifiers.ts';
import { keyOf } from '../../jobs/approval/facts/fact.ts';
import type { Fact } from '../../store/jobs/rows/data.ts';
import { bold, plain } from '../blocks/limits.ts';

/** A fact of a target as people name it: without the identifier behind a name. Plain text. */
export function factIn(facts: readonly Fact[], key: string): string | undefined {
  const fact = facts.find(one => keyOf(one) === key);
  return fact?.value.replace(` (${fact.compared})`, '');
}

/** What a target is, by its facts: "physical clone of crm on *test*, RUNNING". Mrkdwn. */
export function describeTarget(facts: readonly Fact[], { noun }: Pick<Identifier, 'noun'>): string {
  const [type, source, of, place, state] = ['type', 'source', 'of', 'environment', 'state'].map(key =>
    factIn(facts, key),
  );
  const one = noun ? nounNames[noun].one.replace(/^an? /, '') : 'record';
  const from = source ?? of;
  return [
    `${noun === 'clone' && type !== undefined ? `${plain(type, 20)} ` : ''}${one}`,
    from === undefined ? '' : ` of ${plain(from, 80)}`,
    place === undefined ? '' : ` on ${bold(place, 80)}`,
    state === undefined ? '' : `, ${plain(state, 60)}`,
  ].join('');
}
