import { keysOf } from '../../ground/keys.ts';
import { memoByKey } from './jsonTree.ts';

/*
 * How the short texts of a service are built, whatever they speak of: what they deny, count and restrict. What the words
 * mean stands in two tables, since RUNNING is good news of a record and none of work: stateWords.ts has the states of
 * records, outcomes.ts the outcomes of work.
 */

export type Phrase = Readonly<{
  /** The words one by one, in plain letters. A denied one stands with its denial (`notrunning`). */
  words: readonly string[];
  /** The words, each two neighbors as one, and all of them as one: a table is asked for each of these. */
  terms: ReadonlySet<string>;
  /** All of its words in one. */
  whole: string;
  /** Whether it tells of errors or warnings beside something else, by a number or after “with”; these are no words then. */
  hasErrors: boolean;
  hasWarnings: boolean;
  /** Whether it says that something holds for a part alone: “partially”, “2 of 3 succeeded”, “1 failed, 12 succeeded”. */
  isPartial: boolean;
  /**
   * Whether it restricts what it says in a way that no rule knows: a denial of something else, “with data loss”, “almost”,
   * “1 of 2”, “request completed”.
   */
  isRestricted: boolean;
  /** Whether it is a share alone, “3 of 4 done”: of work that is over a part was done, of other work it is the progress. */
  isShare: boolean;
  /** Whether a word in -ing says that something goes on, such as VALIDATING; a table may know it as a lasting state. */
  isWork: boolean;
}>;

/** What may be counted, denied, or come with something else. */
const things = {
  errors:
    'errors?|errs?|failures?|failed|faults?|fehlern?|fehlgeschlagene?|erreurs?|errores|erros?|errore|errori|fallos?|falhas?|corrupt(?:ed|ions?)?',
  /** “With issues” and “with exceptions” are what some products say for warnings. */
  warnings: 'warnings?|warns?|warnung(?:en)?|avertissements?|advertencias?|avvisi|avviso|avisos?|exceptions?|issues?',
  left: 'skipped|omitted|excluded|missed|ubersprungene?',
  good: 'succeeded|successful(?:ly)?|success(?:es)?|passed|ok|erfolgreich',
} as const;

const thing = `(?:${Object.values(things).join('|')})`;
const isOne = (kind: keyof typeof things, noun: string) => new RegExp(`^(?:${things[kind]})$`).test(noun);
const many = '(?:\\(s\\))?';
const end = `${many}(?![a-z])`;
/** Up to two words between a number or a denial and its thing: “0 allocation errors”, “9 document(s) restored successfully”. */
const between = `(?:[a-z]+${many} ){0,2}?`;
/** “no errors or warnings”, “without errors”. */
const denied = new RegExp(
  `(?<![a-z])(?:(?:with|mit|avec|con|com) )?(?:no|nothing|without|zero|ohne|keine?|sans|aucune?|sin|ningun[ao]?|senza|nessun[ao]?|sem|nenhuma?|free of) ${between}${thing}${end}(?: ?(?:,|or|and|nor|oder|und|et|ou|y|e) ?${thing}${end})*`,
  'g',
);
/** “error-free”, “fehlerfrei”. */
const free = new RegExp(`(?<![a-z])${thing} ?(?:free|frei)(?![a-z])`, 'g');
/** “with errors”, “w/ one or more errors”, “mit 3 Warnungen”, “In Progress/Failures”, “Running (errors)”. */
const added = new RegExp(
  `(?:(?<![a-z])(?:with|w|mit|avec|con|com)(?![a-z])(?: ?/)?|(?<=[a-z])/|\\() ?(?:(\\d+) |(?:[a-z]+ ){0,3}?)(${thing})${end}`,
  'g',
);
/** “2 of 3 succeeded”, “0 of 3 databases failed”. */
const share = new RegExp(`(?<![\\d./-])(\\d+) ?(?:of|/|von|sur|de) ?(\\d+) ${between}(${thing})${end}`, 'g');
/** “success: false”. */
const untrue = new RegExp(`(?<![a-z])(${things.good}) ?[:=] ?(?:false|no|nein)(?![a-z])`, 'g');
/** “errors: 0”, “errors: none”, “failed (3)”, “Failed 0, Passed 4”, but not the number that the next thing has: “Passed: 0 failures”. */
const countAfter = new RegExp(
  `(?<![a-z])(${thing})${many} ?(?:[:=] ?(\\d+|none|nil|keine|aucune?)(?! ${thing}${many}(?! ?[:=a-z]))|\\((\\d+)\\)|(0)(?=[,;]|$))(?![\\d/%]|[.,]\\d)`,
  'g',
);
/** “0 failed”, “2 warning(s)”. */
const countBefore = new RegExp(`(?<![\\d.,/%-])(\\d+) ${between}(${thing})${end}`, 'g');

/** “1 of 2”, where it is not said what of. */
const openShare = /(?<![\d./-])(\d+) ?(?:of|\/|von|sur|de) ?(\d+)(?![\d./-])/;
const badCode = /\b(?:exit|return) ?(?:code|status)? ?[:=]? ?[1-9]/;

const negations = ['not', 'no', 'nicht', 'pas', 'non', 'never'];
const partly =
  /^(partial(ly)?|partly|zumteil|incomplete(ly)?|half|teilweise|unvollstandig|partiel(le(ment)?)?|parcial(mente)?|parzial[ei](mente)?)$/;

/** Words that restrict others, and those of which something else than the work is done. */
const restricting =
  /^(with|mit|avec|con|com|but|however|although|except|aber|mais|pero|almost|nearly|presque|casi|if|unless|until|when|will|would|should|may|might|could|cannot|cant|unable|(is|was|did|does|could|has)n|tobe|tocomplete|tofinish|request|phase|step|stage|(job|task)(created|submitted)|cancel|cancellation|undo|rollback|revert)$/;

/** Reads a phrase such as CREATE_FAILED, “Completed (0 errors)”, “terminé avec des avertissements”. */
export const readPhrase = memoByKey((given): Phrase => {
  const counted = { errors: 0, warnings: 0, left: 0, good: 0 };
  const count = (noun: string, number: string) => {
    const kind = keysOf(counted).find(name => isOne(name, noun)) ?? 'left';
    counted[kind] += Number(number) || 0;
    // “12 succeeded” says that they did.
    return kind === 'good' && (Number(number) || 0) > 0 ? ` ${noun} ` : ' ';
  };
  const text = plainText(given)
    .replace(denied, ' ')
    .replace(free, ' ')
    .replace(added, (_all, number = '1', noun) => count(noun, number))
    .replace(share, (_all, some, all, noun) => {
      if (isOne('good', noun)) counted.errors += Number(all) - Number(some);
      return count(noun, some);
    })
    .replace(untrue, () => count('failed', '1'))
    .replace(countAfter, (_all, noun, number, inBrackets, none) => count(noun, number ?? inBrackets ?? none))
    .replace(countBefore, (_all, number, noun) => count(noun, number));
  const parts = text.split(/[^a-z]+/).filter(Boolean);
  const words = parts.flatMap((part, at) => {
    if (negations.includes(part)) return `${part}${parts[at + 1] ?? ''}`;
    return negations.includes(parts[at - 1] ?? '') ? [] : part;
  });
  const [, some, all] = openShare.exec(text) ?? [];
  const pairs = words.map((word, at) => `${words[at - 1] ?? ''}${word}`);
  const whole = parts.join('');
  const isLess = Number(some) < Number(all);
  return {
    ...{ words, whole, terms: new Set([...words, ...pairs, whole]) },
    hasErrors: counted.errors > 0,
    hasWarnings: counted.warnings > 0,
    isPartial:
      counted.left > 0 ||
      (counted.errors > 0 && counted.good > 0) ||
      [...words, ...pairs].some(word => partly.test(word)),
    isRestricted:
      parts.some(part => negations.includes(part)) ||
      [...words, ...pairs].some(word => restricting.test(word)) ||
      isLess ||
      badCode.test(text),
    isShare: isLess && words.length <= 2,
    isWork: words.some(isWorkInProgress),
  };
});

const ofErrors = new RegExp(`(?<![a-z])(?:${things.errors})`);

/** Whether a phrase speaks of errors, and only to deny them. */
export function deniesAll(given: string): boolean {
  const { words, hasErrors, hasWarnings } = readPhrase(given);
  const isBare = words.every(word => /^(found|detected|reported|was|were|and|or)$/.test(word));
  return isBare && !hasErrors && !hasWarnings && ofErrors.test(plainText(given));
}

/** Max characters of a text that are read as a phrase: what is longer is no status. */
const longest = 1_000;

/** A text in plain lower-case letters, digits and the marks beside numbers: CREATE_FAILED, `createFailed` and `créé` as words. */
function plainText(text: string): string {
  return (
    text
      .slice(0, longest)
      .replace(/([a-z])([A-Z])|([A-Z])(?=[A-Z][a-z])/g, '$1$3 $2')
      .normalize('NFD')
      .replace(/\p{M}/gu, '')
      .toLowerCase()
      .replace(/[^a-z0-9:=(),;/%.]+/g, ' ')
      .replaceAll('under way', 'underway')
      // To fail over, or back, is no failure.
      .replace(/\bfail(ed|ing)? ?(?:over|back)\b/g, 'switch$1')
      // Neither is what these are called, or what was before.
      .replace(/\b(?:fail safe|fault toleran\w*|crash consisten\w*|after (?:an? )?(?:crash|failure|error))\b/g, ' ')
  );
}

/** Words in -ing that name no work: names of things, and words that only relate others. */
const noWork =
  /^(warning|nothing|anything|everything|something|string|missing|during|according|including|using|following|regarding|concerning|remaining|existing|outstanding)$/;

function isWorkInProgress(word: string): boolean {
  return /^[a-z]{3,}ing$/.test(word) && !noWork.test(word) && !isDenied(word);
}

function isDenied(word: string): boolean {
  return negations.some(negation => word.startsWith(negation) && word.length > negation.length + 3);
}
