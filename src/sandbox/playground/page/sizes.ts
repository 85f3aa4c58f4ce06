const UNITS = ['KB', 'MB', 'GB'] as const;

/** A number of bytes as people read it: `812 bytes`, `1.4 KB`, `20 MB`. */
export function sizeText(bytes: number): string {
  if (bytes === 1) return '1 byte';
  if (bytes < 1024) return `${bytes} bytes`;
  let size = bytes / 1024;
  let unit: (typeof UNITS)[number] = UNITS[0];
  for (const larger of UNITS.slice(1)) {
    // A size that would be shown as 1024 of a unit is one of the next unit.
    if (Math.round(size) < 1024) break;
    size /= 1024;
    unit = larger;
  }
  return `${size < 10 ? Number(size.toFixed(1)) : Math.round(size)} ${unit}`;
}
