import { stateWords } from '../reading/stateWords.ts';

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
  /** The body, or its form. */
  body: [[/\b(body|payload|json|media[- ]?type|content[- ]?type|quotes?|quoted)\b/i]],
  /** A body that could not be read. */
  unread: [
    [
      /\b(can ?not|can.t|could(n.t| not)|unable|not valid|fail\w*|errors?|exceptions?|invalid|malformed|bad|un(expected|known|supported))\b/i,
      /\b(body|payload|json|media[- ]?type|content[- ]?type|pars\w+|deseriali[sz]\w+|decod\w+|unmarshal\w*)\b/i,
    ],
    [
      /\b(json( parse| syntax)?|body|payload|media[- ]?type|content[- ]?type|syntax|pars(e|ing))\b/i,
      /^\W*(is |was |has |must be )?(an? )?(errors?|exception|invalid|malformed|unsupported|unreadable|missing|empty|required|expected|fail\w*|not (valid|readable|supported|acceptable|json|an?\b)|(cannot|could not) be)\b/i,
    ],
    [/\b(un(expected|recogni[sz]ed|terminated)|illegal)\b/i, /^ (tokens?|characters?|symbol|end|eof|string)\b/i],
    [/\bexpect(ed|ing)\b/i, /^.{0,20}\b(json|string|object|array|value|literal|begin_\w+)\b/i],
    [/\b(un|not )(readable|parse?able)\b/i],
  ],
  /** The state that a record is in, or what goes on there. */
  state: [
    [
      new RegExp(
        `\\b(already|(is|are|still|be) (?!missing|string|expecting)\\w+ing|in use|in progress|under ?way|another (job|task|operation)|depend(s|ents?)?|state|busy|running|active|online|enabled|started|ready|${[...stateWords.disabled, ...stateWords.stopped].join('|')})\\b`,
        'i',
      ),
    ],
  ],
} as const satisfies Readonly<Record<string, readonly (readonly RegExp[])[]>>;

/**
 * Whether a line of a text has one of the signs: a pattern, or a second one behind the first place of the first one. Two
 * searches read a text once each; as one pattern, the second would be looked for behind every place of the first.
 */
export function refusalNames(subject: keyof typeof words, text: string): boolean {
  const signs: readonly (readonly RegExp[])[] = words[subject];
  return text.split(/[\n\r\u2028\u2029]/).some(line => signs.some(([first, then]) => isIn(line, first, then)));
}

function isIn(line: string, first: RegExp | undefined, then: RegExp | undefined): boolean {
  const found = first?.exec(line);
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
