import { isPlainWord, type NamedField, namedFieldsIn, type TextWord, textWordsIn } from './namedFields.ts';
import { type Field, type FieldValue, fieldsFor, type JobOperation } from './operation.ts';

/**
 * What the words of a refusal say about one field of the request: that it is missing, or that its value is wrong. How a
 * service words a refusal is not specified (spec §7), so names and labels are looked for in any spelling.
 */
export type Complaint = Readonly<{
  field: Field;
  type: 'missing' | 'wrong';
  /** The words about the field: a part of the refusal. */
  says: string;
  /** Whether the words name a condition, such as another field: then they say nothing of other requests. */
  isConditional: boolean;
}>;

/** A request whose refusal is read: a field that was left empty is absent from its values. */
type Refused = Readonly<{ operation: JobOperation; values: Readonly<Record<string, FieldValue | undefined>> }>;

/** Max characters of a refusal that are read. */
const maxRead = 4_000;

const not = `(?:\\s?not|n['’]?t)`;
const given = '(?:given|set|specified|provided|supplied|present|passed|sent|filled(?: in)?|defined|entered|chosen)';
const nothing = '(?:null|nil|none|empty|blank|undefined|omitted|missing|absent|left (?:out|empty|blank))';

/** Words that say the contrary of "missing", although they hold its words; and that something else is not there. */
const unwanted = new RegExp(
  [
    `\\b(?:not|no longer|never|isn['’]t|aren['’]t|without being) (?:\\w+ )?(?:required|needed|mandatory|necessary)\\b`,
    `(?:\\bnot|n['’]t|\\bno longer|\\bnever) (?:\\w+ )?(?:needs?|requires?|expects?|lacks?)\\b`,
    `(?:\\bnot|n['’]t) (?:missing|absent|omitted)\\b`,
    `\\b(?:must|may|can|could|should|shall)${not} be (?:${given}|used)\\b`,
    `\\b(?:must|may|can|could|should|shall|might|will|to) (?:also )?be (?:${nothing}|ignored)\\b`,
    '\\b(?:needs?|requires?|expects?|lacks?) no\\b',
    '\\b(?:missing|absent|empty) (?:on|at|under)\\b',
    '\\brequired to\\b|\\boptional\\b',
  ].join('|'),
  'i',
);
/** An identifier: then the words are about a record. */
const identifier = /\b[A-Z][A-Z_]+-\d+\b/;
const missing = new RegExp(
  [
    '\\b(?:required|missing|mandatory|obligatory|compulsory|necessary|needed|absent|omitted)\\b',
    '\\b(?:needs?|requires?|lacks?|expects?)(?=[ :])',
    `\\b(?:must|should|has to|have to|needs? to|shall) be ${given}\\b`,
    `\\b(?:must|may|can|could|should|shall|ca|mus)${not} be ${nothing}\\b`,
    `\\bcannot be ${nothing}\\b`,
    `\\b(?:not|never|isn['’]t|wasn['’]t|aren['’]t|weren['’]t) (?:been )?${given}\\b`,
    `\\b(?:is|are|was|were|be|got|received|found|value)\\s(?:a )?(?:null|nil|empty|blank|undefined|nothing)\\b`,
    `\\bno (?:value|[\\w ]{1,40} (?:was |were |is |are )?${given})\\b`,
    '\\bnot[- ]null\\b|\\bnotnull\\b|\\bnotblank\\b|\\bnotempty\\b',
    '\\b(?:please|must|should|you have to) (?:provide|specify|supply|enter|give|set|choose|add|fill in)\\b',
  ].join('|'),
  'i',
);
const wrong =
  /\b(invalid|wrong|illegal|malformed|incorrect|unknown|unsupported|unexpected|already|taken|reserved|forbidden|used|exceeds?|expected|between|greater|less|larger|smaller|longer|shorter|too|at (?:least|most)|out of|not|no such|cannot|can['’]t|must|should|does|may only|in use|occupied|busy|is no|are no)\b/i;
const condition =
  /\b(any of|either|one of|at least one|unless|if|when|whenever|where|depend(s|ing)|instead of|or else|otherwise|alternatively|except|only|once|until|before|after|in case|as long as|defaults?)\b/i;

/** Words that join what follows to what stands before them. */
const joining = new Set(['of', 'for', 'in', 'on', 'from', 'with', 'by', 'at', 'under', 'within', 'as']);
/** Words that a field may be joined to: its value is missing, and not the thing that it belongs to. */
const holders = new Set(['value', 'values', 'entry', 'validation']);
/** Words after which the name of a field stands for itself, whatever stands before them. */
const articles = new Set(['a', 'an', 'the', 'this', 'your', 'field', 'parameter', 'property', 'argument', 'attribute']);
/** The end of a thought inside of a sentence. */
const boundary = /[:|–—()[\]{}<>/?]|\s-\s/;

/** A part of a sentence: what it complains of, if it says so itself, and the fields that it names. */
type ComplaintPart = {
  says: string;
  fields: readonly Field[];
  mood: Complaint['type'] | undefined;
  /** Whether the complaint stands before the fields, so that it holds for the ones that follow, too. */
  leads: boolean;
  /** Whether it holds nothing but the name of a field, as in a list of them. */
  isName: boolean;
};

/**
 * Reads the complaints in the words of a refusal: fields that were left empty and are said to be missing, and fields
 * that were given and are said to be wrong. None where the words name no field. A field is missing only where the words
 * say so of the field itself: not of something else whose name holds that of the field. A condition, a field that the
 * request had, and words such as "not required" are no proof that a field is needed.
 */
export function complaintsIn(words: string, { operation, values }: Refused): readonly Complaint[] {
  const shown = fieldsFor(operation, values).filter(({ sent }) => sent !== false);
  const names = new Set(shown.map(({ name }) => name));
  const found = new Map<string, Complaint>();
  const read = words.slice(0, maxRead);
  const own = /“(.*)”/s.exec(read)?.[1] ?? read;
  for (const clause of own.split(/[;\n]|[.!?](?=\s|$|["”’)\]])/)) {
    const isConditional = condition.test(clause) || isChoice(clause, operation);
    for (const { fields, mood, says } of piecesOf(clause, operation))
      for (const field of fields) {
        const isGiven = values[field.name] !== undefined;
        if (!mood || found.has(field.name) || !names.has(field.name) || isGiven === (mood === 'missing')) continue;
        // The latest one is used where none is named (spec §3, rule 4), so such words mean that there is none.
        if (mood === 'missing' && field.role === 'snapshot') continue;
        found.set(field.name, { field, type: mood, says: (isConditional ? clause : says).trim(), isConditional });
      }
  }
  return shown.flatMap(({ name }) => found.get(name) ?? []);
}

/** Whether a clause names fields of which one is enough. */
function isChoice(clause: string, { fields }: JobOperation): boolean {
  const parts = clause.split(/\bor\b/i);
  return parts.length > 1 && parts.filter(part => namedFieldsIn(part, textWordsIn(part), fields).length > 0).length > 1;
}

/** The parts of a clause. One that says nothing itself belongs to the complaint before it, or else after it. */
function piecesOf(clause: string, operation: JobOperation): readonly ComplaintPart[] {
  const pieces = clause.split(/,|&|\b(?:and|but|or|nor)\b/).map(says => pieceOf(says, operation));
  const followers = followersOf(pieces);
  let led: ComplaintPart | undefined;
  let before: ComplaintPart | undefined;
  for (const [at, piece] of pieces.entries()) {
    const { next, isListed } = followers[at] ?? {};
    if (next === piece) {
      led = piece.leads ? piece : undefined;
      if (piece.mood === 'wrong') before = piece;
    } else {
      // What is missing is a list of names, without anything between them.
      if (led?.mood === 'missing' && !piece.isName) led = undefined;
      const giver = led ?? (isListed ? next : undefined) ?? before;
      if (giver && piece.fields.length > 0) Object.assign(piece, { mood: giver.mood, says: clause });
    }
  }
  return pieces;
}

/**
 * The piece that says something itself at each place or behind it, and whether what stands before it there may be a list
 * that it is about. They are looked for once, from the end.
 */
function followersOf(pieces: readonly ComplaintPart[]) {
  let next: ComplaintPart | undefined;
  let isListed = true;
  return pieces
    .toReversed()
    .map(piece => {
      if (piece.mood !== undefined) next = piece;
      isListed = piece.mood !== undefined || next?.mood !== 'missing' || (isListed && piece.isName);
      return { next, isListed };
    })
    .toReversed();
}

function pieceOf(says: string, operation: JobOperation): ComplaintPart {
  const words = textWordsIn(says);
  const named = namedFieldsIn(says, words, operation.fields);
  const [first] = named;
  const firstAt = first && words[first.first]?.at;
  const isName = named.length <= 1 && words.every(({ text }, at) => isPlainWord(text) || isIn(named, at));
  const contrary = unwanted.exec(says) ?? identifier.exec(says);
  const sign = contrary ? null : missing.exec(says);
  const meant = sign ? meantBy(sign, { says, words, named }) : undefined;
  const leadsAt = (index: number) => firstAt === undefined || index < firstAt;
  if (sign && meant) return { says, fields: meant, mood: 'missing', leads: leadsAt(sign.index), isName: false };
  // In "port: 80" the field comes first, so what follows is about it.
  const isAbout = firstAt !== undefined && /:\s*\S/.test(says.slice(firstAt));
  const other = contrary ?? wrong.exec(says);
  const mood = other || isAbout ? ('wrong' as const) : undefined;
  const leads = other !== null && leadsAt(other.index);
  return { says, fields: named.map(({ field }) => field), mood, leads, isName };
}

/** A piece with its words, and the fields that they name. */
type Sentence = Readonly<{ says: string; words: readonly TextWord[]; named: readonly NamedField[] }>;

/**
 * The fields of a piece of which its sign says that they are missing; none where it names no field and says nothing of
 * anything else, and `undefined` where it speaks of something else.
 */
function meantBy(sign: RegExpExecArray, sentence: Sentence): readonly Field[] | undefined {
  const { words, named } = sentence;
  const from = words.findIndex(({ end }) => end > sign.index);
  const to = words.findLastIndex(({ at }) => at < sign.index + sign[0].length);
  if (named.length === 0)
    return words.every(({ text }, at) => (at >= from && at <= to) || isPlainWord(text)) ? [] : undefined;
  const meant = named.filter(one => {
    // "No port given"
    if (one.first <= to && one.last >= from)
      return isGlue(from + 1, one.first, sentence) && isGlue(one.last + 1, to + 1, sentence) && ends(to + 1, sentence);
    if (one.last < from)
      return begins(one.first, sentence) && isGlue(one.last + 1, from, sentence) && ends(to + 1, sentence);
    return opens(from, sentence) && isGlue(to + 1, one.first, sentence) && ends(one.last + 1, sentence);
  });
  return meant.length > 0 ? meant.map(({ field }) => field) : undefined;
}

function isIn(named: readonly NamedField[], at: number): boolean {
  return named.some(({ first, last }) => at >= first && at <= last);
}

/** Whether the words between two places join what stands there, and name nothing else. */
function isGlue(from: number, to: number, { words, named }: Sentence): boolean {
  return words
    .slice(from, to)
    .every(({ text }, offset) => !isIn(named, from + offset) && (isPlainWord(text) || joining.has(text)));
}

/** Whether a thought ends before the word at this place. */
function isBoundary(at: number, { says, words }: Sentence): boolean {
  const [before, after] = [words[at - 1], words[at]];
  return !before || !after || boundary.test(says.slice(before.end, after.at));
}

/** Whether the name at this place stands for itself: it belongs to no other thing that stands before it. */
function begins(first: number, sentence: Sentence): boolean {
  const { words, named } = sentence;
  let hasArticle = false;
  for (let at = first; !isBoundary(at, sentence); at--) {
    const { text = '' } = words[at - 1] ?? {};
    if (isIn(named, at - 1)) return false;
    if (joining.has(text)) return holders.has(words[at - 2]?.text ?? '');
    if (!isPlainWord(text) && !/^\d+$/.test(text)) return hasArticle;
    hasArticle ||= articles.has(text);
  }
  return true;
}

/** Whether nothing stands before the sign at this place that could be what lacks the field. */
function opens(from: number, sentence: Sentence): boolean {
  for (let at = from; !isBoundary(at, sentence); at--) {
    const { text = '' } = sentence.words[at - 1] ?? {};
    if (isIn(sentence.named, at - 1) || !(isPlainWord(text) || joining.has(text) || /^\d+$/.test(text))) return false;
  }
  return true;
}

/** Whether nothing follows, from this place on, that makes the words about something else. */
function ends(from: number, sentence: Sentence): boolean {
  for (let at = from; !isBoundary(at, sentence); at++) if (!isGlue(at, at + 1, sentence)) return false;
  return true;
}
