import { identifiersAmong } from '../../api/identifiers.ts';
import { readOutcome } from '../../api/reading/outcomes.ts';
import { isYes } from '../../api/reading/states.ts';
import { usualClass } from '../../api/reading/stateWords.ts';
import { timeOf } from '../../api/reading/times.ts';
import { mask, maskValue } from '../../api/secrets/passwords.ts';

/** Words without which nobody could tell how records were read: what they say of states, of outcomes and of kinds of work. */
type KeptWords = ReadonlySet<string>;

/**
 * Makes the function that replaces names and texts in data, the same text by the same one each time. Identifiers, numbers, times,
 * yes and no stay, and so do `words` and those of which Dolly knows what they mean.
 */
export function namesReplaced(words: KeptWords): (data: unknown) => unknown {
  const others = new Map<string, string>();
  const otherOf = (text: string): string => {
    const known = others.get(text) ?? `text-${others.size + 1}`;
    others.set(text, known);
    return known;
  };
  const replaceText = (path: string, text: string): string => {
    if (maskValue(path, text) === mask) return mask;
    return tellsNobody(text, words) ? text : otherOf(text);
  };
  const replace = (path: string, data: unknown): unknown => {
    if (typeof data === 'string') return replaceText(path, data);
    if (Array.isArray(data)) return data.map(one => replace(path, one));
    if (typeof data !== 'object' || data === null) return data;
    // A key may be a name: `{databases: {orders: …}}`. Those that a program would use stay.
    const all = Object.entries(data).map(([key, value]) => {
      const isName = others.has(key) || !/^[A-Za-z_][\w-]{0,60}$/.test(key);
      return [isName ? otherOf(key) : key, replace(path === '' ? key : `${path}.${key}`, value)] as const;
    });
    return Object.fromEntries(all);
  };
  return data => replace('', data);
}

function tellsNobody(text: string, words: KeptWords): boolean {
  if (text === '' || words.has(text) || isYes(text) !== undefined) return true;
  if (/^[\d.,:% +-]+$/.test(text) || timeOf(text) !== undefined) return true;
  if (identifiersAmong([text]).some(id => id.text === text)) return true;
  // A word of which the meaning is known, but for a text in which it stands with others, which may be names.
  const isShort = /^[A-Za-z]+(?:[ _-][A-Za-z]+){0,3}$/.test(text);
  return isShort && (usualClass(text) !== 'unknown' || readOutcome(text) !== 'unknown');
}
