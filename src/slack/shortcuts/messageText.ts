import { isTree } from '../../api/reading/jsonTree.ts';
import { unescaped } from '../blocks/mrkdwn.ts';

/** Max characters that are read of a message; Slack cuts the text of a message at 40,000. */
const maxText = 100_000;
/** Max depth of blocks inside of blocks. */
const maxDepth = 30;

/** Keys whose values nobody reads: ids, kinds, looks, times and addresses. */
const technical =
  /^(id|type|subtype|ts|user|users|team|color|style|mode|mimetype|filetype|edited|reactions|metadata|level|status|mrkdwn_in|(url|permalink|thumb|bot|user)_.*|.*_(id|ids|ts|url|link|type))$/;

/**
 * The text that people read in a message of any app, a line for each piece: its text, attachments, blocks and names of
 * files. Slack's escapes are undone. Kinds of blocks need not be known.
 */
export function textOfMessage(message: unknown): string {
  const pieces: string[] = [];
  let room = maxText;
  const collect = (value: unknown, depth: number) => {
    if (room <= 0 || depth > maxDepth) return;
    if (typeof value === 'string') {
      pieces.push(value.slice(0, room));
      room -= value.length + 1;
    } else if (Array.isArray(value)) {
      for (const part of value) collect(part, depth + 1);
    } else if (isTree(value)) {
      for (const [key, part] of Object.entries(value)) {
        // The value of a button or an option is nothing that anybody reads.
        const isHidden = key === 'value' && 'text' in value;
        if (!isHidden && !technical.test(key)) collect(part, depth + 1);
      }
    }
  };
  collect(message, 0);
  return unescaped(pieces.join('\n'));
}
