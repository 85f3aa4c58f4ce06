import { isTree, oneLine, plainKey, splitWords, type Tree } from '../reading/jsonTree.ts';

/* Assumptions about answers that list a fault for each field (spec §7 shows none). */
const assumed = {
  /** Keys below which faults are listed. */
  lists: splitWords(
    'errors error fielderrors validationerrors violations constraintviolations faults issues details detail problems invalidparams invalidfields invalid messages modelstate suberrors causes validation fields params parameters',
  ),
  /** Keys of lists that hold nothing but the names of missing fields. */
  missing: splitWords(
    'missing missingfields missingfield missingparameters missingparams missingproperties missingproperty requiredfields required',
  ),
  /** Keys of the field's name in an entry. */
  field: splitWords(
    'field fieldname path propertypath property param parameter parametername name loc location pointer source attribute instancepath datapath key',
  ),
  /** Keys of the words in an entry. */
  words: splitWords('message defaultmessage msg reason error description detail text title errormessage'),
} as const;

/** A word that says all of a fault. */
const wholeFault = /^(?:required|missing|invalid|blank|empty|null)$/i;
const letters = /\p{L}{2}/u;

/** Max faults that are read, max levels below the body, and max keys of one object. */
const maxFaults = 30;
const maxDepth = 6;
const maxKeys = 1_000;
/** Max characters of the words or the name of a fault that are read. */
const maxWords = 1_000;

/** Whether words are those of a fault: a phrase, or one word that says it all. */
function isTelling(text: string): boolean {
  const words = text.split(/\s+/);
  return (
    wholeFault.test(text) || words.some((word, at) => at > 0 && letters.test(word) && letters.test(words[at - 1] ?? ''))
  );
}

/**
 * The faults that an answer lists, as `field: words`, in the usual shapes: an object of fields, each with its words or a
 * list of them; a list of objects that name field and words; a list of sentences; the names of missing fields.
 */
export function fieldErrorsIn(body: unknown): readonly string[] {
  const found: string[] = [];
  const note = (name: string, said: string) => {
    const [field, words] = [name.slice(0, maxWords), said.slice(0, maxWords)];
    const line = oneLine(field === '' || words.includes(field) ? words : `${field}: ${words}`);
    if (line !== undefined && found.length < maxFaults && !found.includes(line)) found.push(line);
  };
  /** `field` is the name of the field that the node is about, where it is known. */
  const visit = (node: unknown, key: string, field: string, depth: number): void => {
    if (depth > maxDepth || found.length >= maxFaults) return;
    if (Array.isArray(node)) visitList(node.slice(0, maxFaults), key, field, depth);
    else if (isTree(node)) {
      const words = textUnder(node, assumed.words);
      const name = nameUnder(node) || field;
      if (name !== '' && words !== undefined) note(name, words);
      else for (const [below, value] of entriesOf(node)) visit(value, below, fieldFor(below, value), depth + 1);
    } else if (isText(node) && field !== '') note(field, node);
  };
  const visitList = (names: readonly unknown[], key: string, field: string, depth: number): void => {
    if (assumed.missing.includes(plainKey(key)) && names.every(isText)) note('', `missing: ${names.join(', ')}`);
    else
      for (const item of names)
        if (field === '' && isText(item) && letters.test(item.slice(0, maxWords))) note('', item);
        else visit(item, key, field, depth + 1);
  };
  // Without a sentence of its own, an answer may be nothing but its fields with their words.
  const isWordless = isTree(body) && textUnder(body, assumed.words) === undefined;
  if (isTree(body))
    for (const [key, value] of entriesOf(body)) {
      const isList = assumed.lists.includes(plainKey(key)) || assumed.missing.includes(plainKey(key));
      // At the top, words alone are the answer's own sentence; a list of them belongs to the field of its key.
      const isOfField = Array.isArray(value) && value.length > 0 && value.every(isText) && !isOwnKey(key);
      const isFault = isWordless && isText(value) && isTelling(value.slice(0, maxWords)) && !isOwnKey(key);
      if (isList) visit(value, key, '', 1);
      else if (isOfField || isFault) visit(value, key, key, 1);
    }
  return found;
}

/** The name of the field that a node under a key is about; empty where the key is no field's. */
function fieldFor(key: string, value: unknown): string {
  return isOwnKey(key) || (isTree(value) && assumed.lists.includes(plainKey(key))) ? '' : key;
}

function isOwnKey(key: string): boolean {
  const plain = plainKey(key);
  const own: readonly string[] = [...assumed.words, ...assumed.field, ...assumed.lists];
  return own.includes(plain) || ['code', 'status', 'type', 'objecttype', 'timestamp'].includes(plain);
}

function textUnder(node: Tree, keys: readonly string[]): string | undefined {
  for (const key of keys) {
    const found = entriesOf(node).find(([own, value]) => plainKey(own) === key && isText(value) && value !== '');
    if (found) return String(found[1]);
  }
  return undefined;
}

/** The name of a field as an entry gives it: a text, the parts of a path, or a text in an object. */
function nameUnder(node: Tree): string {
  for (const key of assumed.field) {
    const value = entriesOf(node).find(([own]) => plainKey(own) === key)?.[1];
    if (isText(value) && value !== '') return value;
    if (Array.isArray(value) && value.length > 0)
      return value
        .slice(0, maxDepth)
        .map(part => String(part).slice(0, maxWords))
        .join('.');
    if (isTree(value)) return Object.values(value).find(isText) ?? '';
  }
  return '';
}

function entriesOf(node: Tree): readonly (readonly [string, unknown])[] {
  return Object.entries(node).slice(0, maxKeys);
}

function isText(value: unknown): value is string {
  return typeof value === 'string';
}
