import { capital } from '../ground/wording.ts';

/**
 * The sentences about a job of an operation, as data. Values stand in braces: `{name}` of the target, `{result}` of the
 * record that the job made, `{place}` of the work, `{snapshot}` (“of today 2:00”) and its `{age}`, or the name of any
 * field. A part in brackets is left out where a value in it is unknown.
 */
export type Phrases = Readonly<{
  /** The request, after a person’s name and “asks to”. */
  asks: string;
  /** The work while it runs. */
  running: string;
  /** The result, which is said only when the records show it. */
  done: string;
  /** More about the result, in the same sentence. */
  detail?: string;
  /** The beginning of the sentence that says why nothing was done. */
  undone: string;
}>;

/**
 * The phrases of work on its target alone: `stop {name}`, `Stopping {name}`, `{name} is stopped`, `Not stopped`. `what` and
 * a blank may stand before the name: `the environment `.
 */
export function phrasesOf(asks: string, running: string, done: string, what = ''): Phrases {
  const name = `${what}{name}`;
  return {
    ...{ asks: `${asks} ${name}`, running: `${running} ${name}` },
    ...{ done: `${capital(name)} is ${done}`, undone: `Not ${done}` },
  };
}

/** The values of a job for its phrases, by name. An unknown value is absent. */
export type PhraseValues = Readonly<Record<string, string | undefined>>;

const value = /\{(\w+)\}/g;

/** Fills the values into a phrase. A value that is unknown outside of brackets leaves nothing in its place. */
export function fillPhrase(phrase: string, values: PhraseValues): string {
  const isKnown = (part: string) => [...part.matchAll(value)].every(([, name = '']) => values[name] !== undefined);
  const fill = (part: string) => part.replace(value, (_, name: string) => values[name] ?? '');
  return phrase
    .split(/(\[[^\]]*\])/)
    .map(part => (part.startsWith('[') ? (isKnown(part) ? fill(part.slice(1, -1)) : '') : fill(part)))
    .join('');
}

/** The values of a request by the names of their fields, each as `called` says it; none that is a list. */
export function calledValues(
  values: Readonly<Record<string, unknown>>,
  called: (text: string) => string,
): PhraseValues {
  return Object.fromEntries(
    Object.entries(values).flatMap(([name, value]) =>
      typeof value === 'object' ? [] : [[name, called(String(value))]],
    ),
  );
}
