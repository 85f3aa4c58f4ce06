/**
 * A fact of many records, packed: its different values as JSON, a line each, and for each record the line of its value,
 * 0 for none. A transfer and a string take the place of thousands of objects, which would stop the thread that receives
 * them.
 */
export type PackedColumn = Readonly<{ lines: string; at: Uint32Array<ArrayBuffer> }>;

/** Packs a fact of each record, in their order. */
export function columnPacker(count: number) {
  const keys = new Map<string, number>();
  const lines: string[] = [];
  const at = new Uint32Array(count);
  let next = 0;
  return {
    /** Adds the value of the next record. Values with the same key are the same. */
    add(value: unknown, key: string): void {
      if (value !== undefined) {
        const known = keys.get(key) ?? lines.push(JSON.stringify(value));
        keys.set(key, known);
        at[next] = known;
      }
      next += 1;
    },
    packed: (): PackedColumn => ({ lines: lines.join('\n'), at }),
  };
}

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
