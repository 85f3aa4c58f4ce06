import type { Found } from '../../records/find.ts';
import { type Content, said } from '../blocks/blocks.ts';
import { code, plain } from '../blocks/limits.ts';

/** The one record that typed words name; else what to say about them. `nouns` are such records in words, as in “clones”. */
export function foundOne(
  found: Found,
  { typed, noun, nouns, usage }: Readonly<{ typed: string; noun: string; nouns: string; usage: string }>,
): Extract<Found, { type: 'one' }> | Content {
  switch (found.type) {
    case 'one':
      return found;
    case 'wrong':
      return said(plain(found.sentence, 500));
    case 'several': {
      const ids = found.records.slice(0, 8).map(({ id }) => code(id.text));
      return said(
        `${found.records.length} ${nouns} are called ${code(typed, 60)}. Name one by its identifier: ${ids.join(', ')}.`,
      );
    }
    case 'none': {
      const close = found.close.map(({ id, name }) => code(name ?? id.text, 60));
      const offer = close.length > 0 ? `Did you mean ${close.join(' or ')}?` : usage;
      return said(`No ${noun} is called ${code(typed, 60)}. ${offer}`);
    }
  }
}
