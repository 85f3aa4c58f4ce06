import { meaningIn } from '../../ground/wording.ts';
import { memoByKey, splitWords } from './jsonTree.ts';
import { deniesAll, readPhrase } from './phrases.ts';
import { outcomeNames } from './recordMapping.ts';
import { names, nounsOfWork, stateWords, wordsOfWork } from './stateWords.ts';

/**
 * How work ended, or that it goes on. What came to its end with warnings is `warned`, and what was done in part `partial`; work
 * that ended with errors has `failed`. What no rule knows is `unknown`, which is neither good nor bad.
 */
export type Outcome = 'done' | 'warned' | 'partial' | 'failed' | 'busy' | 'unknown';

/** The meanings of words for work, which the specification does not show (spec §6). */
const outcomeWords = {
  busy: [
    ...wordsOfWork,
    ...splitWords(
      'running active started restarted initiated begun paused suspended onhold held blocked stalled delayed deferred lauft laeuft gestartet',
    ),
  ],
  failed: [
    ...stateWords.failed,
    ...splitWords(
      'killed unsuccessful unsuccessfully notsuccessful notsuccessfully nichterfolgreich interrupted missed severed evicted abandoned exceeded rolledback backedout denied refused expired abgebrochen annule annulee cancelado cancelada annullato',
    ),
  ],
  /** That it goes on after all. */
  again: splitWords('retry retrying resuming restarting'),
  /** That it ended, which is bad news where nothing better is said beside it: “terminated successfully”. */
  cut: splitWords('stopped terminated'),
  done: splitWords(
    'success successful successfully succeeded completed complete done finished ok okay passed erledigt erfolgreich abgeschlossen termine terminee reussi reussie completada completado completato concluido',
  ),
} as const;

/** Reads an outcome such as COMPLETED_WITH_WARNINGS, “Completed (0 errors)” or “45 %”. */
export const readOutcome = memoByKey((text): Outcome => {
  const meaning = meaningIn(text);
  const meant = outcomeNames.find(name => name === meaning);
  if (meant) return meant;
  const share = shareDone(text);
  const phrase = readPhrase(text);
  const { hasErrors, hasWarnings, isPartial } = phrase;
  const has = (kind: keyof typeof outcomeWords) => names(phrase, outcomeWords[kind]);
  const isWarning = hasWarnings || (phrase.words.length <= 3 && phrase.words.some(word => /^warn(ings?)?$/.test(word)));
  const hasFailed = has('failed') || (has('cut') && !has('done') && !isWarning);
  const failedInPart = hasFailed && isPartial && /part\w*fail/.test(phrase.whole);
  if (has('again')) return 'busy';
  // RUNNING WITH ERRORS goes on, and so does what finalizes a part that failed.
  if ((phrase.isWork || has('busy')) && (!hasFailed || failedInPart)) return 'busy';
  if (hasFailed) return failedInPart ? 'partial' : 'failed';
  if (share !== undefined && share < 100) return 'busy';
  if (isPartial) return 'partial';
  if (hasErrors) return 'failed';
  if ((isWarning || has('done')) && phrase.isRestricted) return 'unknown';
  if (isWarning) return 'warned';
  if (has('done') || share !== undefined) return 'done';
  return names(phrase, nounsOfWork) ? 'busy' : 'unknown';
});

/** Whether the text of an error says that there is none: by nothing, by a word for that, or because all is well. */
export const deniesErrors = memoByKey((text): boolean => {
  const isNothing = /^(none|nothing|null|nil|n\/?a|not applicable|keine?r?|false|0|0x0+|\[\]|\{\}|[-–—]+|)$/i;
  return isNothing.test(text.trim()) || deniesAll(text) || readOutcome(text) === 'done';
});

/** How much of the work is done, where a text says nothing else or says so of being complete: “45 %”, “45% complete”. */
function shareDone(text: string): number | undefined {
  const [, alone, before, behind] =
    /^ *(\d{1,3})(?:[.,]\d+)? ?% *$|(\d{1,3})(?:[.,]\d+)? ?% (?:complete|completed|done)\b|\b(?:complete|completed|done)[: (]{1,3}(\d{1,3})(?:[.,]\d+)? ?%/i.exec(
      text,
    ) ?? [];
  const share = alone ?? before ?? behind;
  return share === undefined ? undefined : Number(share);
}

/**
 * Whether a text only warns, or only says that something stopped: of what, and whether work is over, what stands beside it must
 * tell.
 */
export function leavesOpen(text: string): boolean {
  const phrase = readPhrase(text);
  const isCut = names(phrase, outcomeWords.cut);
  if (names(phrase, [...outcomeWords.done, ...outcomeWords.failed])) return false;
  return readOutcome(text) === (isCut ? 'failed' : 'warned');
}

/** Whether a text says of work that is over that a part of it was done: “3 of 4 done”, which is progress of other work. */
export function saysShare(text: string): boolean {
  const phrase = readPhrase(text);
  return phrase.isShare && names(phrase, outcomeWords.done);
}

/** Whether an outcome tells that work came to its end as it should, warnings or not. */
export function wentWell(outcome: Outcome): boolean {
  return outcome === 'done' || outcome === 'warned';
}

/** Whether a text is the outcome of work or of a request, and nothing else, rather than the state of a record. */
export function isOutcome(text: string): boolean {
  const { whole } = readPhrase(text);
  return outcomeWords.done.includes(whole) || /^(successresult|notfound)$/.test(whole);
}

/** The outcome that several words of one report give together. A failure outweighs work in progress, which outweighs success. */
export function outcomeOfAll(outcomes: readonly Outcome[]): Outcome {
  const ranked = ['failed', 'busy', 'partial', 'warned', 'done'] as const;
  return ranked.find(outcome => outcomes.includes(outcome)) ?? 'unknown';
}
