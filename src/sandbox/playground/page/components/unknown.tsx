import { string } from '../blocks.ts';

/** A part of a message that the playground cannot draw: it is shown in red with its JSON, and never dropped. */
export function Unknown({ what, json }: { what: string; json: unknown }) {
  return (
    <div class="unknown" role="alert">
      <b>
        The playground can't draw this {what}: {string(json, 'type') || 'no type'}
      </b>
      {/* A long one scrolls, by the keyboard, too. */}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls. */}
      <pre tabIndex={0}>{JSON.stringify(json, null, 2)}</pre>
    </div>
  );
}
