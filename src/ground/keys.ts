/** Whether a text is a key of a table. */
export function isKeyOf<Key extends string>(table: Readonly<Partial<Record<Key, unknown>>>, text: string): text is Key {
  return Object.hasOwn(table, text);
}

/** The keys of a table, in its order. */
export function keysOf<Key extends string>(table: Readonly<Partial<Record<Key, unknown>>>): readonly Key[] {
  return Object.keys(table).filter(key => isKeyOf(table, key));
}
