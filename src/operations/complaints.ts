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

/** Words that say the contrary of "missing", although they hold its words. */
const unwanted = new RegExp(
  `\\b(?:not|no longer|never|isn['’]t|aren['’]t|without being) (?:\\w+ )?(?:required|needed|mandatory|necessary)\\b|\\b(?:must|may|can|could|should|shall)${not} be (?:${given}|used)\\b|\\brequired to\\b|\\b[A-Z][A-Z_]+-\\d+\\b`,
);
const missing = new RegExp(
  [
    '\\b(?:required|missing|mandatory|obligatory|compulsory|necessary|needed|absent|omitted)\\b',
    '\\b(?:needs?|requires?|lacks?|expects?) (?:a|an|the|at least|also|more|field|value|parameter)?\\b',
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
const condition = /\b(any of|either|one of|at least one|unless|if|when|whenever|where|depending|instead of|or else)\b/i;

/** A part of a sentence: what it complains of, if it says so itself, and the fields that it names. */
type Piece = {
  says: string;
  fields: readonly Field[];
  mood: Complaint['type'] | undefined;
  /** Whether the complaint stands before the fields, so that it holds for the ones that follow, too. */
  leads: boolean;
};

/**
 * Reads the complaints in the words of a refusal: fields that were left empty and are said to be missing, and fields
 * that were given and are said to be wrong. None where the words name no field. A condition, a field that the request
 * had, and words such as "not required" are no proof that a field is needed.
 */
export function complaintsIn(words: string, { operation, values }: Refused): readonly Complaint[] {
  const shown = fieldsFor(operation, values).filter(({ sent }) => sent !== false);
  const found = new Map<string, Complaint>();
  for (const clause of words.slice(0, maxRead).split(/[;\n]|[.!?](?=\s|$|["”’)\]])/)) {
    const isConditional = condition.test(clause);
    for (const { fields, mood, says } of piecesOf(clause, operation))
      for (const field of fields) {
        const isGiven = values[field.name] !== undefined;
        if (!mood || found.has(field.name) || !shown.includes(field) || isGiven === (mood === 'missing')) continue;
        found.set(field.name, { field, type: mood, says: says.trim(), isConditional });
      }
  }
  return shown.flatMap(({ name }) => found.get(name) ?? []);
}

/** The parts of a clause. One that says nothing itself belongs to the complaint before it, or else after it. */
function piecesOf(clause: string, operation: JobOperation): readonly Piece[] {
  const pieces = clause.split(/,|&|\b(?:and|but|or|nor)\b/).map(says => pieceOf(says, operation));
  const moods = pieces.map(({ mood }) => mood);
  let led: Piece | undefined;
  for (const [at, piece] of pieces.entries()) {
    if (moods[at] !== undefined) led = piece.leads ? piece : undefined;
    else if (piece.fields.length > 0) {
      const next = pieces.find((_, other) => other > at && moods[other] !== undefined);
      const giver = led ?? next ?? pieces.findLast((_, other) => other < at && moods[other] !== undefined);
      Object.assign(piece, { mood: giver?.mood, says: giver === undefined ? piece.says : clause });
    }
  }
  return pieces;
}

function pieceOf(says: string, operation: JobOperation): Piece {
  const [first, ...more] = mentionsIn(says, operation.fields);
  const fields = first ? [first, ...more].map(({ field }) => field) : [];
  const sign = unwanted.test(says) ? undefined : missing.exec(says);
  // In "port: 80" the field comes first, so what follows is about it.
  const isAbout = first !== undefined && /:\s*\S/.test(says.slice(first.at));
  const other = sign ? undefined : (unwanted.exec(says) ?? wrong.exec(says));
  const mood = sign ? ('missing' as const) : other || isAbout ? ('wrong' as const) : undefined;
  const leads = mood !== undefined && (!first || (sign ?? other ?? { index: first.at }).index < first.at);
  return { says, fields, mood, leads };
}

/** The fields that a text names, in its order, with their places. A longer name is found before a shorter one in it. */
function mentionsIn(text: string, fields: readonly Field[]): readonly Readonly<{ field: Field; at: number }>[] {
  const tokens = [...text.matchAll(/[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+/g)].map(({ 0: word, index }) => ({
    word: word.toLowerCase(),
    index,
  }));
  const names = fields
    .flatMap(field => spellingsOf(field).map(spelling => ({ field, spelling })))
    .toSorted((one, other) => other.spelling.length - one.spelling.length);
  const taken = new Set<number>();
  const found = new Map<Field, number>();
  for (const { field, spelling } of names)
    for (const [at, { index }] of tokens.entries()) {
      const length = taken.has(at) ? 0 : lengthOf(spelling, tokens.slice(at));
      if (length === 0) continue;
      for (let offset = 0; offset < length; offset++) taken.add(at + offset);
      found.set(field, Math.min(index, found.get(field) ?? index));
    }
  return [...found].map(([field, at]) => ({ field, at })).toSorted((one, other) => one.at - other.at);
}

/** The number of the first words that are a name when they are written together; 0 where they are not. */
function lengthOf(spelling: string, words: readonly Readonly<{ word: string }>[]): number {
  let left = spelling;
  for (const [at, { word }] of words.entries()) {
    if (!left.startsWith(word)) return 0;
    left = left.slice(word.length);
    if (left === '') return at + 1;
  }
  return 0;
}

/** The name and the label of a field as one word in lower case; a label also without what stands in brackets. */
function spellingsOf({ name, label }: Field): readonly string[] {
  const texts = [name, label, label.replace(/\s*\(.*\)/, '')];
  return [...new Set(texts.map(text => text.toLowerCase().replace(/[^a-z0-9]/g, '')))].filter(text => text.length > 2);
}
