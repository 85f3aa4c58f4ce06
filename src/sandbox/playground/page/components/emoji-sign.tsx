import { bareEmoji } from '../emoji.ts';
import { DRAWINGS } from '../emoji-drawings.ts';

/** An emoji: drawn where we have a drawing, else the character as the machine's fonts show it. */
export function EmojiSign({ character, name }: { character: string; name: string }) {
  const label = name ? `:${name}:` : character;
  const drawing = DRAWINGS[bareEmoji(character)];
  if (!drawing) {
    return (
      <span class="emoji" role="img" aria-label={label} title={label}>
        {character}
      </span>
    );
  }
  return (
    <svg class="drawn-emoji" viewBox="0 0 20 20" role="img" aria-label={label}>
      <title>{label}</title>
      {drawing.map(({ d, colour, line }) =>
        line === undefined ? (
          <path key={d} d={d} fill={colour} />
        ) : (
          <path
            key={d}
            d={d}
            fill="none"
            stroke={colour}
            stroke-width={line}
            stroke-linecap="round"
            stroke-linejoin="round"
          />
        ),
      )}
    </svg>
  );
}
