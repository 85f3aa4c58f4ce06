import { bareEmoji } from '../emoji.ts';

/** A filled circle with a sign on it: the look of most status emoji. */
type Drawing = { fill: string; shape: 'circle' | 'square' | 'triangle' | 'none'; sign: string; signFill?: string };

const DRAWINGS: Readonly<Record<string, Drawing>> = {};

/** An emoji. The common signs of state are drawn, so that they look alike on machines without an emoji font. */
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
  return null;
}
