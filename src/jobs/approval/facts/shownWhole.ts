import { mask, maskSurePasswords } from '../../../api/secrets/passwords.ts';
import { asksForAccount } from '../../../operations/requests/workflowRequest.ts';
import { withoutHidden } from '../../../records/legible.ts';
import type { Fact } from '../../../store/jobs/rows/data.ts';
import { newSalt } from './digest.ts';
import { type Bound, digestOf, holdsSecret, itemsOf, type ShownValue } from './items.ts';

/*
 * Those who approve read all that a request binds. What no message shows as it is is refused before anybody is asked,
 * whoever asks: a person, a plan, a schedule or a workflow. Nothing is refused for its length but what stands in a block.
 */

/**
 * Max characters as Slack counts them: of all values on the pages behind a card's button, of what a schedule or a workflow
 * does in one block, and of one text of that.
 */
const longest = { pages: 100_000, block: 1_500 } as const;
type LimitedPlace = keyof typeof longest;

/** The digest of a request and its facts, with the salt of one that holds a secret; or why nobody could read all of it. */
export function digestOfShown(
  request: Bound,
  facts: readonly Fact[],
): Readonly<{ digest: string; salt?: string }> | Readonly<{ fault: string }> {
  const items = itemsOf(request, facts);
  const typed = items.flatMap(({ kind, shown }) => (kind === 'value' ? shown : []));
  // The values of a schedule or of a workflow's step were looked at when its request was made.
  const fault = asksForAccount(request.operation) ? undefined : faultOfShown(typed, 'pages');
  if (fault !== undefined) return { fault };
  if (!items.some(holdsSecret)) return { digest: digestOf(request, items) };
  const salt = newSalt();
  return { digest: digestOf(request, itemsOf(request, facts, salt), salt), salt };
}

/**
 * Writes the values of a standing permission as its request has them, in one field; or says in a sentence why they, or
 * the texts that say what it is, cannot be shown in full.
 */
export function showPermission(
  what: Readonly<Record<string, string>>,
  shown: readonly ShownValue[],
): Readonly<{ fault: string } | { details?: string }> {
  const fault = faultOfShown(Object.entries(what), 'block') ?? faultOfShown(shown, 'pages');
  if (fault !== undefined) return { fault };
  return shown.length === 0 ? {} : { details: JSON.stringify(shown) };
}

/** Says in a sentence why some values cannot be shown in full in a place; `undefined` where they can. */
function faultOfShown(shown: readonly ShownValue[], place: LimitedPlace): string | undefined {
  const hidden = shown.find(([, text]) => !isShownAsItIs(text));
  if (hidden)
    return `Nobody could approve this: “${hidden[0]}” contains a password, or characters that a message cannot show as they are.`;
  return lengthOf(shown.map(([label, text]) => `${label}: ${text}`).join('\n')) > longest[place]
    ? 'It has too many inputs to be approved, because approvers must read all of them. Use fewer or shorter ones.'
    : undefined;
}

function isShownAsItIs(text: string): boolean {
  return withoutHidden(maskSurePasswords(text)) === text && !/[`…]/.test(text) && !text.includes(mask);
}

/** The number of characters that Slack's escapes make of a text. */
function lengthOf(text: string): number {
  return text.replace(/&/g, '&amp;').replace(/[<>]/g, '&lt;').length;
}
