/** A parsed command. */
export type Command = Readonly<{
  words: readonly string[];
  /** `field=value` words, by the name as typed. */
  inputs: Readonly<Record<string, string>>;
}>;

const quotes = { '"': '"', "'": "'", '“': '”', '‘': '’', '„': '“', '«': '»' } as const;
const entities = { '&lt;': '<', '&gt;': '>', '&amp;': '&' } as const;

/**
 * Splits the text of a slash command into words and `field=value` pairs. Quotes of any style keep blanks together, also
 * behind the `=`; Slack's escapes are undone; an unclosed quote is an ordinary character.
 */
export function readCommand(text: string): Command {
  const words: string[] = [];
  const inputs: Record<string, string> = {};
  for (const { word, quoted } of split(
    text.replace(/&(lt|gt|amp);/g, entity => (isEntity(entity) ? entities[entity] : entity)),
  )) {
    const pair = quoted ? null : /^([A-Za-z][A-Za-z]*)=(.*)$/s.exec(word);
    if (pair?.[1] !== undefined && pair[2] !== undefined)
      Object.defineProperty(inputs, pair[1], { value: pair[2], enumerable: true, configurable: true, writable: true });
    else words.push(word);
  }
  return { words, inputs };
}

/** Takes a word such as `reason=…` out of the inputs of a command; its name may be typed in any case. */
export function takeInput(
  inputs: Command['inputs'],
  name: string,
): { text: string | undefined; others: Command['inputs'] } {
  const entries = Object.entries(inputs);
  const isIt = ([typed]: readonly [string, string]) => typed.toLowerCase() === name;
  return { text: entries.find(isIt)?.[1], others: Object.fromEntries(entries.filter(entry => !isIt(entry))) };
}

/**
 * Writes a command so that {@link readCommand} reads the same command. The only exception is a word that has closing
 * quotes of every style.
 */
export function writeCommand({ words, inputs }: Command): string {
  const pairs = Object.entries(inputs).map(([name, value]) => `${name}=${quote(value, false)}`);
  return [...words.map(word => quote(word, true)), ...pairs].join(' ');
}

function quote(text: string, first: boolean): string {
  const escaped = text.replace(/&(?=(lt|gt|amp);)/g, '&amp;');
  const plain = text !== '' && !/[\s"'“”‘’„«»]/.test(text) && !(first && /^[A-Za-z]+=/.test(text));
  if (plain) return escaped;
  const [open, close] = Object.entries(quotes).find(([, end]) => !text.includes(end)) ?? ['"', '"'];
  return `${open}${escaped.replaceAll(close, ' ')}${close}`;
}

/**
 * Splits text into words. `quoted` tells that the word began with a quote, so that an `=` inside it is no assignment.
 */
function* split(text: string): Generator<{ word: string; quoted: boolean }> {
  let word = '';
  let begun = false;
  let quoted = false;
  for (let at = 0; at < text.length; at++) {
    const character = text[at] ?? '';
    const end =
      isQuote(character) && (word === '' || word.endsWith('=')) ? text.indexOf(quotes[character], at + 1) : -1;
    if (end >= 0) {
      quoted ||= word === '';
      word += text.slice(at + 1, end);
      begun = true;
      at = end;
    } else if (/\s/.test(character)) {
      if (begun) yield { word, quoted };
      word = '';
      begun = false;
      quoted = false;
    } else {
      word += character;
      begun = true;
    }
  }
  if (begun) yield { word, quoted };
}

function isQuote(character: string): character is keyof typeof quotes {
  return Object.hasOwn(quotes, character);
}

function isEntity(text: string): text is keyof typeof entities {
  return Object.hasOwn(entities, text);
}
