import type { Person } from '../../protocol.ts';

/** The number of colours that the style sheet has for avatars. */
const COLOURS = 8;

function colourOf(id: string): number {
  let sum = 0;
  for (const character of id) sum = (sum * 31 + (character.codePointAt(0) ?? 0)) % 9973;
  return sum % COLOURS;
}

/** A person's initials on a colour that stays theirs; apps have their own shape. */
export function Avatar({ person, small = false }: { person: Person | undefined; small?: boolean }) {
  const name = person?.realName || person?.name || '?';
  const initials = name
    .split(/\s+/)
    .slice(0, 2)
    .map(word => word.charAt(0).toUpperCase())
    .join('');
  const kind = person?.isBot ? 'avatar app' : 'avatar';
  return (
    <span class={small ? `${kind} small` : kind} data-colour={colourOf(person?.id ?? '')} aria-hidden="true">
      {initials}
    </span>
  );
}
