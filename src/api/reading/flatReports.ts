import { assumed } from './assumedKeys.ts';
import { plainKey, type Tree } from './jsonTree.ts';
import { deniesErrors, readOutcome } from './outcomes.ts';
import { isYes } from './states.ts';
import { usualClass } from './stateWords.ts';

/* Reports that are no objects of their own: facts side by side in a record, and single words about the work of now. */

/** Words in the place for the work of now that say "well" of a record, and of work maybe a step: `OPEN`. */
export function stepsIn(node: Tree): readonly (readonly [key: string, word: string])[] {
  return Object.entries(node).flatMap(([rawKey, value]) => {
    const key = plainKey(rawKey);
    const isStep = typeof value === 'string' && isWorkText(key, value) && usualClass(value) === 'ok' && !saysHow(value);
    return isStep ? [[key, value] as const] : [];
  });
}

/** Facts by the name of each, with the key under which it stands where that alone leads to it. */
type Facts = readonly (readonly [fact: string, value: unknown, rawKey?: string])[];

/** The facts of reports in the object itself, by work: side by side (`lastJobState`, `lastJobError`), or in one word. */
export function flatReportsIn(node: Tree): ReadonlyMap<string, Facts> {
  const works = new Map<string, Facts>();
  const add = (work: string, key: string, value: unknown, rawKey?: string) =>
    works.set(work, [...(works.get(work) ?? []), rawKey === undefined ? [key, value] : [key, value, rawKey]]);
  for (const [rawKey, value] of Object.entries(node)) {
    const key = plainKey(rawKey);
    const [, work, fact] = (assumed.flatReport.exec(key) ?? []).filter(part => part !== undefined);
    if (work !== undefined && fact !== undefined) add(work, fact, value, rawKey);
    // A number may stand for work, or measure it: nobody knows.
    else if (isNumberOfWork(key, value)) add(key, 'status', String(value));
    else if (assumed.underWay.test(key) && value === true) add(key, 'status', 'RUNNING');
    else if (typeof value !== 'string') continue;
    // `busyWith: "BACKUP"` and `lastJob: "FAILED"` are reports, too.
    else if (assumed.underWay.test(key) && !deniesErrors(value))
      works.set(key, Object.entries({ status: 'RUNNING', kind: value }));
    else if (assumed.report.test(key) && saysHow(value)) add(key, 'status', value, rawKey);
    else if (isWorkOfNow(key, value)) works.set(key, Object.entries({ status: 'RUNNING', kind: value }));
  }
  return works;
}

/** Whether a number stands in the place for the work of now: `activity: 200`. A text there may name the work by its number. */
function isNumberOfWork(key: string, value: unknown): boolean {
  const isPlace = assumed.now.test(key) || (assumed.underWay.test(key) && typeof value === 'number');
  return isPlace && /^[1-9]\d*$/.test(String(value));
}

/** Whether a text that does not say how work goes names the work itself: `currentOperation: "BACKUP"`. */
function isWorkOfNow(key: string, value: string): boolean {
  return isWorkText(key, value) && ['busy', 'unknown'].includes(usualClass(value));
}

/** Whether a text stands in the place for the work of now, and says more than whether there is any. */
function isWorkText(key: string, value: string): boolean {
  return assumed.now.test(key) && isYes(value) === undefined && !deniesErrors(value) && !assumed.level.test(value);
}

/** The work that an object of now names, which has neither a state nor a time: `activity: {current: "BACKUP"}`. */
export function workOfNow(key: string, item: Tree): Tree {
  const named = Object.entries(item).find(([name]) => assumed.workOfNow.includes(plainKey(name)))?.[1];
  return typeof named === 'string' && isWorkOfNow(key, named) ? { status: 'RUNNING', kind: named } : {};
}

/** Whether a text is the state of work, as `FAILED` is and `RESTORE` is not. */
function saysHow(word: string): boolean {
  const outcome = readOutcome(word);
  return outcome === 'busy' ? /ing\b|progress|pending|queued/i.test(word) : outcome !== 'unknown';
}
