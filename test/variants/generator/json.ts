import type { Dialect } from './dialect.ts';

export type Json = { [key: string]: unknown };

/** Writes keys as this service does. Values stay as they are. */
export function restyled(value: unknown, style: Dialect['keys']): unknown {
  if (Array.isArray(value)) return value.map(one => restyled(one, style));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [styled(key, style), restyled(one, style)]));
}

function styled(key: string, style: Dialect['keys']): string {
  if (/-\d+$/.test(key)) return key;
  const parts = key
    .replace(/([a-z])([A-Z])/g, '$1_$2')
    .toLowerCase()
    .split('_');
  const capital = (part: string) => part.charAt(0).toUpperCase() + part.slice(1);
  switch (style) {
    case 'camel':
      return key;
    case 'snake':
      return parts.join('_');
    case 'kebab':
      return parts.join('-');
    case 'upper':
      return parts.join('_').toUpperCase();
    case 'Pascal':
      return parts.map(capital).join('');
  }
}
