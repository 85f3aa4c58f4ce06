import { namesBodyAlone, namesOther, saysUnread } from '../answers/bodyRefusals.ts';
import { type Answer, isGood, sentenceIn } from '../answers/serviceAnswer.ts';
import type { Call } from '../call.ts';

/*
 * The bodies that the specification calls plain strings can be meant in two ways (spec §4.1): the bare text, as its
 * database examples send it, or a JSON string literal, as its environment examples do.
 */

/** The two forms of such a body. */
export const plainForms = ['json', 'bare'] as const;
export type PlainForm = (typeof plainForms)[number];

/** Resetting cannot be taken back, so a person asks for the second try of it. */
const onlyByPerson = '/database/reset';

/** The operations of which a second run changes nothing, by the last part of their paths. */
const harmless = /\/(refresh|enable|start)$/;

/**
 * Chooses the form of such bodies: that of the examples, or the other one once the service has taken it for the same
 * operation. A `fixed` form, which the operator has set, is never changed.
 */
export function plainBodies(fixed: PlainForm | undefined) {
  const known = new Map<string, PlainForm>();
  /** The form for the next reset of a record by whoever had the last one refused. */
  const again = new Map<string, Readonly<{ token: string; form: PlainForm }>>();
  return {
    formOf({ path, body }: Call, token: string): PlainForm {
      if (typeof body !== 'string') return 'json';
      const asked = path === onlyByPerson ? again.get(body) : undefined;
      const usual = known.get(path) ?? (path.startsWith('/environment/') ? 'json' : 'bare');
      return fixed ?? (asked?.token === token ? asked.form : usual);
    },
    /** The form for a second try after this refusal; `undefined` where the refusal stands. */
    other({ body, path }: Call, tried: PlainForm, { refusal, token }: Refused): PlainForm | undefined {
      if (fixed !== undefined || typeof body !== 'string') return undefined;
      if (refusal.status < 500) again.delete(body);
      if (!mayBeMisread(body, path, refusal)) return undefined;
      const other = tried === 'json' ? 'bare' : 'json';
      if (path !== onlyByPerson) return other;
      again.set(body, { token, form: other });
      return undefined;
    },
    /** Notes the form in which the service took a call. */
    took({ path, body }: Call, form: PlainForm): void {
      if (typeof body !== 'string') return;
      known.set(path, form);
      again.delete(body);
    },
  };
}

/** A refusal, and the token of whoever asked. */
type Refused = Readonly<{ refusal: Answer; token: string }>;

/** Whether a refusal may be of the form of a body, so that nothing was done: by its status, and by its words. */
function mayBeMisread(body: string, path: string, answer: Answer): boolean {
  const said = (sentenceIn(answer) ?? answer.text).slice(0, maxSaid);
  // An identifier in quotes of its own was read with those of the JSON.
  const isQuoted = [`"\\"${body}\\""`, `""${body}""`, `'"${body}"'`].some(quoted => said.includes(quoted));
  const isUnread = isQuoted || saysUnread(said);
  if (answer.status >= 500) return isUnread && harmless.test(path);
  if (isGood(answer)) return isUnread || namesBodyAlone(said);
  return [400, 415, 422].includes(answer.status) && (isUnread || !namesOther(said));
}

/** The maximum part of a refusal that is read, in characters. */
const maxSaid = 2_000;
