import { cut } from './limits.ts';
import { escaped } from './mrkdwn.ts';

/**
 * Lines as texts in code style, `max` of them at most: as many lines as fit, each whole or marked as cut. `room` is the max
 * length of a text, in characters; `many` is the number of lines that stand in the texts.
 */
export function codePages(lines: readonly string[], max: number, room: number): { texts: string[]; many: number } {
  const texts: string[] = [];
  let many = 0;
  let text = '';
  for (const line of lines) {
    const shown = cut(inCode(line.trimEnd()), room - 1);
    if (text !== '' && text.length + shown.length + 1 > room) {
      texts.push(text);
      text = '';
      if (texts.length === max) break;
    }
    text = text === '' ? shown : `${text}\n${shown}`;
    many += 1;
  }
  if (text !== '') texts.push(text);
  return { texts: texts.map(body => `\`\`\`\n${body}\n\`\`\``), many };
}

/** Text for a code block. It can neither end the block nor mention or link. */
function inCode(text: string): string {
  return escaped(text.toWellFormed()).replaceAll('`', 'ˋ');
}
