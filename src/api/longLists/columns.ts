/**
 * A fact of many records, packed: its different values as JSON, a line each, and for each record the line of its value,
 * 0 for none. A transfer and a string take the place of thousands of objects, which would stop the thread that receives
 * them.
 */
export type PackedColumn = Readonly<{ lines: string; at: Uint32Array<ArrayBuffer> }>;

/** How values that many records have in common are found: `key` may be the same for others, which `isSame` tells. */
export type Sharing<T> = Readonly<{ key(value: T): string; isSame(one: T, other: T): boolean }>;

/** Packs a fact of each record, in their order. Without `sharing`, each value has a line of its own. */
export function columnPacker<T>(count: number, sharing?: Sharing<T>) {
  const known = new Map<string, { value: T; line: number }[]>();
  const lines: string[] = [];
  const at = new Uint32Array(count);
  let next = 0;
  const lineOf = (value: T): number => {
    if (!sharing) return lines.push(JSON.stringify(value));
    const key = sharing.key(value);
    const alike = known.get(key) ?? [];
    const same = alike.find(other => sharing.isSame(other.value, value));
    if (same) return same.line;
    const line = lines.push(JSON.stringify(value));
    // Of thousands under one key, hardly any are the same.
    if (alike.length < maxAlike) alike.push({ value, line });
    known.set(key, alike);
    return line;
  };
  return {
    add(value: T | undefined): void {
      if (value !== undefined) at[next] = lineOf(value);
      next += 1;
    },
    packed: (): PackedColumn => ({ lines: lines.join('\n'), at }),
  };
}

const maxAlike = 50;

/** Reads a packed fact by the number of its record. Records with the same value share it. */
export function columnReader<T>({ lines, at }: PackedColumn): (record: number) => T | undefined {
  let texts: readonly string[] | undefined;
  const values: T[] = [];
  return record => {
    const line = at[record] ?? 0;
    if (line === 0) return undefined;
    texts ??= lines.split('\n');
    const known = values[line];
    if (known !== undefined) return known;
    const value: T = JSON.parse(texts[line - 1] ?? 'null');
    values[line] = value;
    return value;
  };
}
