import { assumed } from './assumedKeys.ts';
import { type Leaf, textAt } from './jsonTree.ts';
import { announcesMore } from './moreToCome.ts';
import { deniesErrors, leavesOpen, type Outcome, outcomeOfAll, readOutcome, wentWell } from './outcomes.ts';
import { readPhrase } from './phrases.ts';
import { isYes } from './states.ts';

/* How the words of one report, which may be several, say together that its work ended. */

export type ReportOutcome = Exclude<Outcome, 'warned'>;

/**
 * The outcome that a report's own words give, and the one that decides it. `when` is a time or a number of its work; one that has
 * neither, nor a kind, is a bare word beside the state.
 */
export function outcomeOf(
  said: readonly Leaf[],
  own: readonly Leaf[],
  { kind = '', when }: Readonly<{ kind: string | undefined; when: Leaf | undefined }>,
) {
  const outcomes = said.map(leaf => outcomeIn(leaf, kind));
  const read = outcomeOfAll(outcomes);
  const decisive = said[outcomes.indexOf(read)];
  const told = typeof decisive?.value === 'string' ? textAt(decisive) : undefined;
  const isBare =
    kind === '' && when === undefined && told !== undefined && leavesOpen(told) && !outcomes.includes('done');
  const outcome = isBare || (wentWell(read) && isLeftOpen(said, own)) ? 'unknown' : plainly(read);
  // What one try came to is no end of the work as long as another one is to come.
  const isOpen = outcome !== 'done' && outcome !== 'busy';
  return { outcome: isOpen && announcesMore(own.map(factIn)) ? 'busy' : outcome, told };
}

const factIn = ({ path, value }: Leaf) => ({ path: path.join('.'), value });

/** Whether something beside a word that says *done* says otherwise, or says how the work ended in a word that nobody knows. */
function isLeftOpen(said: readonly Leaf[], own: readonly Leaf[]): boolean {
  const results = said.flatMap(({ path: [key = ''], value }) =>
    assumed.reported.result.includes(key) && typeof value === 'string' ? readOutcome(value) : [],
  );
  const isBlank = said.every(
    ({ value }) => typeof value !== 'string' || readOutcome(value) !== 'unknown' || deniesErrors(value),
  );
  const isAgainst = ({ path, value }: Leaf) => {
    if (path.length !== 1) return false;
    if (assumed.reported.faults.includes(path[0] ?? '')) return typeof value === 'number' && value !== 0;
    return assumed.explanation.includes(path[0] ?? '') && ['failed', 'partial'].includes(readOutcome(String(value)));
  };
  return (!isBlank && results.length > 0 && !results.some(wentWell)) || own.some(isAgainst);
}

/** The outcome that a word gives, or the key of a yes or a no, such as `success`. */
function outcomeIn({ path: [key = ''], value }: Leaf, kind: string): Outcome {
  const yes = isYes(value);
  if (yes === undefined) return typeof value === 'string' ? outcomeFor(value, kind) : 'unknown';
  const named = readOutcome(key.replace(/^is/, ''));
  if (yes) return named === 'failed' || wentWell(named) ? named : 'unknown';
  return wentWell(named) ? 'failed' : 'unknown';
}

/** A past form of the work's own verb says that it was done: a stop is STOPPED. */
function outcomeFor(word: string, kind: string): Outcome {
  const [past = '', ...more] = readPhrase(word).words;
  const isOwn = (verb: string) => verb.length >= 4 && past.startsWith(verb.replace(/e$/, ''));
  return more.length === 0 && past.endsWith('ed') && readPhrase(kind).words.some(isOwn) ? 'done' : readOutcome(word);
}

/** A report that warns is done: its word says the rest. */
export function plainly(outcome: Outcome): ReportOutcome {
  return outcome === 'warned' ? 'done' : outcome;
}
