import { refusalNames, saysAbsent } from '../answers/refusalWords.ts';
import { type Answer, isGood, sentenceIn } from '../answers/serviceAnswer.ts';
import type { Call } from '../call.ts';
import { parseIdentifier } from '../identifiers.ts';

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
  return {
    formOf({ path, body }: Call): PlainForm {
      if (typeof body !== 'string') return 'json';
      return fixed ?? known.get(path) ?? (path.startsWith('/environment/') ? 'json' : 'bare');
    },
    /** The form for a second try after this refusal; `undefined` where the refusal stands. */
    other({ body, path }: Call, tried: PlainForm, refusal: Answer): PlainForm | undefined {
      if (fixed !== undefined || typeof body !== 'string' || !mayBeMisread(body, path, refusal)) return undefined;
      const other = tried === 'json' ? 'bare' : 'json';
      if (path !== onlyByPerson) return other;
      known.set(path, other);
      return undefined;
    },
    /** Notes that the service took a call in the other form. */
    took: ({ path }: Call, other: PlainForm) => void known.set(path, other),
  };
}

/** Whether a refusal may be of the form of a body, so that nothing was done: by its status, and by its words. */
function mayBeMisread(body: string, path: string, answer: Answer): boolean {
  const said = (sentenceIn(answer) ?? answer.text).slice(0, maxSaid);
  // An identifier in quotes of its own was read with those of the JSON.
  const isQuoted = [`"\\"${body}\\""`, `""${body}""`, `'"${body}"'`].some(quoted => said.includes(quoted));
  const isUnread = isQuoted || refusalNames('unread', said);
  if (refusalNames('state', said) || refusalNames('right', said)) return false;
  if (answer.status >= 500) return isUnread && harmless.test(path);
  const isRecord = said.split(/[^\w-]+/).some(word => word === body || parseIdentifier(word)?.noun !== undefined);
  if (!isUnread && (isRecord || saysAbsent(said))) return false;
  return isGood(answer) ? isUnread || refusalNames('body', said) : [400, 415, 422].includes(answer.status);
}

/** The maximum part of a refusal that is read, in characters. */
const maxSaid = 2_000;
