import type { RichTextBlock, RichTextElement } from '@slack/types';
import { maskSurePasswords } from '../../api/secrets/passwords.ts';
import { legible, withoutHidden, withoutMarkup } from '../../records/legible.ts';
import { cut } from './limits.ts';
import { partsByTime } from './moments.ts';
import { withinBlanks } from './mrkdwn.ts';

/** A piece of a line: text that shows letter for letter, or a moment in each reader's own time zone. */
export type Piece = string | Readonly<{ at: number; format?: string }>;

/** A line of rich text, in which text of people and of the service makes no link, no mention and no emoji. */
export function richLine(pieces: readonly Piece[], max: number): RichTextBlock {
  let left = max;
  const elements = pieces.flatMap((piece): RichTextElement[] => {
    if (typeof piece !== 'string') return [dateOf(piece)];
    const text = left > 0 ? cut(textOf(piece), left) : '';
    left -= text.length;
    return text === '' ? [] : [{ type: 'text', text }];
  });
  const [first, ...rest] = elements;
  return richBlock({ type: 'rich_text_section', elements: first ? [first, ...rest] : [{ type: 'text', text: '–' }] });
}

/** A sentence as pieces: the times that Dolly or the service wrote into it become moments. */
export function piecesOf(sentence: string): readonly Piece[] {
  return partsByTime(sentence).map(part => (typeof part === 'string' ? part : { at: part }));
}

/**
 * Text of the service or a command as it is, line by line, which a reader can copy whole. It shows no password, at most
 * `max` characters, and at most `longest` lines.
 */
export function preformatted(text: string, max: number, longest = 20): RichTextBlock {
  const lines = maskSurePasswords(text)
    .split(/\r\n|[\n\r\u2028\u2029]/)
    .map(line => (line.trim() === '' ? '' : /^\s*/.exec(line)?.[0].replaceAll('\t', '  ') + withoutHidden(line)));
  const shown =
    lines.length > longest ? [...lines.slice(0, longest), `… and ${lines.length - longest} more lines`] : lines;
  const whole = cut(withoutMarkup(shown.join('\n').trim()) || '–', max);
  return richBlock({ type: 'rich_text_preformatted', elements: [{ type: 'text', text: whole }] });
}

function richBlock(part: RichTextBlock['elements'][number]): RichTextBlock {
  return { type: 'rich_text', elements: [part] };
}

/** Text that shows letter for letter. Blanks at its ends part it from the next piece, and stay. */
function textOf(text: string): string {
  const { before, inner, after } = withinBlanks(text);
  return inner === '' ? ' ' : `${before && ' '}${withoutMarkup(legible(inner))}${after && ' '}`;
}

function dateOf({ at, format = '{date_short_pretty} {time}' }: Exclude<Piece, string>): RichTextElement {
  const fallback = `${new Date(at).toISOString().slice(0, 19).replace('T', ' ')} UTC`;
  return { type: 'date', timestamp: Math.floor(at / 1000), format, fallback };
}
