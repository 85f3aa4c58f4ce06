import { z } from 'zod';
import { mask, maskSurePasswords } from '../../../api/secrets/passwords.ts';
import type { FieldValue, JobOperation, Values } from '../../../operations/operation.ts';
import { asksForAccount } from '../../../operations/requests/workflowRequest.ts';
import { withoutHidden } from '../../../records/legible.ts';
import type { Fact } from '../../../store/jobs/rows/data.ts';
import type { Job } from '../../../store/jobs/rows/job.ts';
import { digestOf, digestOfPermitted } from './digest.ts';
import { isSecret, isSecretParam } from './secretValues.ts';

/*
 * Those who approve read all values of a request. What cannot be shown in full is refused before anybody is asked,
 * whoever asks: a person, a plan, a schedule or a workflow.
 */

/**
 * A value of a request for people: its label, and its text letter for letter. Of a password, `secret` says the length and
 * a digest in place of the text, so that no two requests with different ones look alike.
 */
export const ShownValue = z.tuple([z.string(), z.string(), z.string().optional()]).readonly();
export type ShownValue = z.infer<typeof ShownValue>;

/**
 * Max characters as Slack counts them: of all values of a request on its card, of those on the pages behind its button,
 * of what a schedule or a workflow does in one block, of the values in a list, and of one value where it stands in one
 * piece.
 */
const longest = { card: 4_000, pages: 100_000, block: 1_500, row: 600, value: 2_500 } as const;
type Place = Exclude<keyof typeof longest, 'value'>;

/** The digest of a request and its facts; or a sentence that says why nobody could read all that it covers. */
export function digestOfShown(
  operation: JobOperation,
  job: Pick<Job, 'operation' | 'values' | 'labels' | 'steps'>,
  facts: readonly Fact[],
): Readonly<{ digest: string } | { fault: string }> {
  // The values of a schedule or of a workflow's step were looked at when its request was made.
  const fault = asksForAccount(operation.name) ? undefined : faultOfShown(shownValues(operation, job), 'pages');
  return fault === undefined ? { digest: digestOf(job, facts) } : { fault };
}

/** Lists the values of a request besides its target: each field, and of parameters each one. */
export function shownValues(
  operation: Pick<JobOperation, 'fields' | 'target'>,
  { values, labels }: Readonly<{ values: Values; labels: Readonly<Record<string, string>> }>,
): readonly ShownValue[] {
  return Object.entries(values).flatMap(([name, value]): ShownValue[] => {
    if (name === operation.target) return [];
    const label = operation.fields.find(field => field.name === name)?.label ?? name;
    if (typeof value === 'object')
      return value.map(param => {
        const { name: called, type, value: given } = param;
        return isSecretParam(param)
          ? [label, `${called}:${type}=`, secretNote(String(given))]
          : [label, `${called}:${type}=${given}`];
      });
    const text = String(value);
    const called = labels[text];
    // Two records may have one name, and only the identifier tells them apart.
    return [shownText(label, called === undefined || called === text ? text : `${called} (${text})`)];
  });
}

/** A text of a request for people, letter for letter, or what tells a password from another one. */
export function shownText(label: string, text: string): ShownValue {
  return isSecret(text) ? [label, 'all of it', secretNote(text)] : [label, text];
}

/** Says of a password what tells it from another one, and as little more as that takes. */
function secretNote(text: string): string {
  return `${text.length} characters, digest ${digestOfPermitted([text]).slice(0, 8)}`;
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

/** Reads the values of a standing permission from its request. */
export function readShown(written: FieldValue | undefined): readonly ShownValue[] {
  return typeof written === 'string' ? z.array(ShownValue).parse(JSON.parse(written)) : [];
}

/** Says in a sentence why the values of a request cannot be shown in full in a place; `undefined` where they can. */
export function faultOfShown(shown: readonly ShownValue[], place: Place): string | undefined {
  const hidden = shown.find(([, text]) => !isShownAsItIs(text));
  if (hidden)
    return `Nobody could approve this: “${hidden[0]}” has a password, or characters that no message shows as they are.`;
  const isTooLong = place !== 'pages' && shown.some(([, text]) => lengthOf(text) > longest.value);
  return isTooLong || lengthOf(shown.map(([label, text]) => `${label}: ${text}`).join('\n')) > longest[place]
    ? 'It has too many inputs to be approved: those who decide must read all of them. Use fewer or shorter ones.'
    : undefined;
}

function isShownAsItIs(text: string): boolean {
  return withoutHidden(maskSurePasswords(text)) === text && !/[`…]/.test(text) && !text.includes(mask);
}

/** The number of characters that Slack's escapes make of a text. */
function lengthOf(text: string): number {
  return text.replace(/&/g, '&amp;').replace(/[<>]/g, '&lt;').length;
}
