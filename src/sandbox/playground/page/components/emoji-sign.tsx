/** An emoji, in the page's own font: it looks alike on every machine, with an emoji font or without. */
export function EmojiSign({ character, name }: { character: string; name: string }) {
  const label = name ? `:${name}:` : character;
  return (
    <span class="emoji" role="img" aria-label={label} title={label}>
      {character}
    </span>
  );
}
