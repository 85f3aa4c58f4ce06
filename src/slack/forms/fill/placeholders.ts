import { isKeyOf } from '../../../ground/keys.ts';
import { momentIn } from '../../blocks/moments.ts';

/** The words that a preset may hold in braces, each with its meaning for people. */
export const placeholders = {
  me: 'your user name at the service',
  date: 'today’s date, such as 20261124',
  source: 'the name of the database or clone',
  port: 'the next free port, as far as records show',
} as const;

type Placeholder = keyof typeof placeholders;

/** The values of placeholders, as far as they are known. */
export type PlaceholderValues = Readonly<Partial<Record<Placeholder, string>>>;

/**
 * A text whose placeholders are filled in. `open` are those without a value so far. `unknown` are words in braces that
 * are no placeholders. Both stand in the text as they were.
 */
export type Filled = Readonly<{ text: string; open: readonly Placeholder[]; unknown: readonly string[] }>;

const braces = /\{([A-Za-z][\w-]{0,30})\}/g;

/** Fills in the placeholders of a text. A value is put in letter for letter, and never read as a placeholder itself. */
export function fillPlaceholders(template: string, values: PlaceholderValues): Filled {
  const open = new Set<Placeholder>();
  const unknown = new Set<string>();
  const text = template.replace(braces, (whole, word: string) => {
    const name = word.toLowerCase();
    if (!isKeyOf(placeholders, name)) unknown.add(whole);
    else if (values[name] === undefined) open.add(name);
    else return values[name];
    return whole;
  });
  return { text, open: [...open], unknown: [...unknown] };
}

/** The placeholders in a text, whether or not they have a value. */
export function placeholdersIn(text: string): readonly Placeholder[] {
  return fillPlaceholders(text, {}).open;
}

/** The day of a moment in a time zone, in digits alone, since names of databases take no hyphens. */
export function dateDigits(at: number, zone?: string): string {
  return momentIn(zone, at).slice(0, 10).replaceAll('-', '');
}
