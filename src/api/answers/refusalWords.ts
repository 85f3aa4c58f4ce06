/** Patterns by which the words of a refusal show its subject. */
const words = {
  /** A token that is no longer valid. */
  token: [
    [
      /\b(token|session|jwt|credentials?)\b/i,
      /\b(expired|invalid|unknown|revoked|missing|required|not (known|valid|recogni[sz]ed|found)|no longer valid)\b/i,
    ],
    [/\b(expired|invalid|unknown|revoked|missing)\b/i, /\b(token|session|jwt)\b/i],
    [/\bunauthenticated\b|\bnot (authenticated|signed in|logged in)\b/i],
  ],
  /** A right that a person lacks. */
  right: [
    [
      /\b(may|must|can|could|does|do|is|are) ?not\b/i,
      /\b(allow|call|permit|entitle|use|access|perform|execute|authori[sz]ed)/i,
    ],
    [
      /\b(permissions?|privileges?|entitlements?|rights?|roles?|forbidden|insufficient|not (allowed|permitted|entitled)|only (admin|operator|owner|dba)\w*)\b/i,
    ],
  ],
} as const satisfies Readonly<Record<string, readonly RefusalSign[]>>;

/** Whether a text says something of a subject. */
export function refusalNames(subject: keyof typeof words, text: string): boolean {
  return hasSign(text, words[subject]);
}

/** A pattern, or a second one behind the first place of the first one. */
export type RefusalSign = readonly [RegExp, RegExp?];

/**
 * Whether a line of a text has one of the signs. Two searches read a text once each; as one pattern, the second would be
 * looked for behind every place of the first.
 */
export function hasSign(text: string, signs: readonly RefusalSign[]): boolean {
  return text.split(/[\n\r\u2028\u2029]/).some(line => signs.some(([first, then]) => isIn(line, first, then)));
}

function isIn(line: string, first: RegExp, then: RegExp | undefined): boolean {
  const found = first.exec(line);
  if (!found) return false;
  return then === undefined || then.test(line.slice(found.index + found[0].length));
}

/** Words by which an answer says that there is no such record, whatever its status is (spec §7 shows none). */
const notFound =
  /\bnot (be )?(found|known|exist\w*)\b|\b(does|do|did)(n.t| not) exist\b|\bno (such|longer)\b|\bno \w+ (with|for|found)\b|\bunknown\b|\bnon-?existent\b|\bnicht gefunden\b|\b404\b/i;

/** Words that say of something else that it is not there: a right of the person's, or the reason of a fault. */
const elsewhere =
  /\b(permi(ssions?|tted)|privileges?|rights?|access|roles?|entitle\w*|authori[sz]\w+|no longer allowed)\b|\bunknown (errors?|reason|cause|exception|failure|fault|problem)\b/i;

/** Whether the words of an answer say that there is no such record. */
export function saysAbsent(text: string): boolean {
  return notFound.test(text) && !elsewhere.test(text);
}
