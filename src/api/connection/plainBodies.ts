import { type Answer, sentenceIn, statusMeant } from '../answers/serviceAnswer.ts';
import type { Call } from '../call.ts';

/*
 * The bodies that the specification calls plain strings can be meant in two ways (spec §4.1): a JSON string literal, as
 * its environment examples send it, or the bare text, as its database examples do.
 */

/** The two forms of such a body. */
export const plainForms = ['json', 'bare'] as const;
export type PlainForm = (typeof plainForms)[number];

/** Resetting cannot be taken back, so a person asks for the second try of it. */
const onlyByPerson = '/database/reset';

/**
 * Remembers the form for each group of paths. A `fixed` form, which the operator has set, is never changed.
 */
export function plainBodies(fixed: PlainForm | undefined) {
  const known = new Map<string, PlainForm>();
  const groupOf = ({ path }: Call) => path.split('/')[1] ?? '';
  const flipped = (form: PlainForm) => (form === 'json' ? 'bare' : 'json');
  return {
    formOf: (call: Call) => fixed ?? known.get(call.path) ?? known.get(groupOf(call)) ?? 'json',
    /** The form for a second try after this refusal; `undefined` where the refusal stands. */
    other(call: Call, tried: PlainForm, refusal: Answer) {
      if (fixed !== undefined || typeof call.body !== 'string') return undefined;
      // Until one form was taken, an identifier that the service does not know may be one that it reads with quotes.
      const mayBeMisread = !known.has(groupOf(call)) && isUnknown(call.body, refusal);
      if (!mayBeMisread && !isAboutBody(call.body, refusal)) return undefined;
      if (call.path !== onlyByPerson) return flipped(tried);
      known.set(call.path, flipped(tried));
      return undefined;
    },
    /** Notes that the service took a call in this form. */
    took(call: Call, form: PlainForm) {
      if (typeof call.body !== 'string') return;
      known.set(groupOf(call), form);
      known.delete(call.path);
    },
  };
}

const aboutBody =
  /\b(body|payload|json|media type|content[- ]type|quotes?|quoted|malformed|unexpected (token|character|end))\b/i;
const badId =
  /\b(invalid|malformed|bad|unknown|unrecogni[sz]ed|illegal|not a valid|no valid)\b.{0,40}\b(identifier|id)\b/i;
const idIsBad = /\b(identifier|id)\b.{0,40}\b(invalid|malformed|bad|unknown|unrecogni[sz]ed|illegal|not valid)\b/i;

/** Whether a refusal says that there is no such record, or quotes the identifier. */
function isUnknown(body: string, answer: Answer): boolean {
  const status = statusMeant(answer);
  return status === 404 || ((status === 400 || status === 422) && (sentenceIn(answer) ?? '').includes(`"${body}"`));
}

/** Whether a refusal names the body, or the identifier as one that cannot be read. */
function isAboutBody(body: string, answer: Answer): boolean {
  const status = statusMeant(answer);
  if (status === 415) return true;
  if (status !== 400 && status !== 422) return false;
  const said = (sentenceIn(answer) ?? answer.text).slice(0, 2_000);
  // An identifier in quotes of its own was read with those of the JSON.
  const isQuoted = said.includes(`"\\"${body}\\""`) || said.includes(`""${body}""`) || said.includes(`'"${body}"'`);
  return isQuoted || aboutBody.test(said) || badId.test(said) || idIsBad.test(said);
}
