import { isRecord } from '../src/sandbox/playground/json.ts';
import type { StoredMessage } from '../src/sandbox/playground/messages.ts';

/** The first text that somebody reads in some blocks: a title or a sentence, not the words on a button. */
function firstText(value: unknown): string | undefined {
  if (Array.isArray(value)) {
    for (const one of value) {
      const found = firstText(one);
      if (found !== undefined) return found;
    }
    return undefined;
  }
  if (!isRecord(value) || value.type === 'button') return undefined;
  const { text, title, caption } = value;
  for (const own of [title, text, caption]) if (typeof own === 'string' && own.trim() !== '') return own;
  return firstText(Object.values(value).filter(inner => typeof inner === 'object'));
}

const wordsOf = (text: string): string[] => text.match(/[\p{L}\p{N}]+/gu) ?? [];

/**
 * Tells what a message's `text` leaves out of the first thing that its blocks say. A phone's lock screen and a screen
 * reader have the text only, so it must say that.
 * @returns nothing where the text says it
 */
export function leftUnsaid({ text, blocks }: Pick<StoredMessage, 'text' | 'blocks'>): string | undefined {
  const first = firstText(blocks);
  if (first === undefined) return undefined;
  const said = new Set(wordsOf(text));
  const missing = wordsOf(first.split('\n')[0] ?? '').filter(word => !said.has(word));
  return missing.length === 0 ? undefined : `“${text.slice(0, 80)}” does not say “${missing.slice(0, 8).join(' ')}”`;
}
