import { keyed } from '../../ground/lookalikes.ts';

/**
 * Reads the text of a message as it was typed: without the mention of Dolly and the marks of code, bold and quotes; with
 * the names of people and channels, and with addresses, as they were typed. The escapes stay, which the reader of commands
 * undoes (docs.slack.dev/messaging/formatting-message-text).
 * @param bot the id of Dolly's user in Slack; where it is unknown, the mention that the text begins with is Dolly's
 */
export function typedText(text: string, bot: string | undefined): string {
  const named = text.replace(/<([^<>]*)>[,:;.!?]*/g, (whole, inside: string, at: number) => {
    const [id = '', label = ''] = divided(inside);
    if (id === `@${bot}` || (bot === undefined && at === 0 && id.startsWith('@'))) return ' ';
    return shown(id, label) + whole.slice(inside.length + 2);
  });
  // Slack formats messages, and leaves slash commands as they are typed.
  return withoutCode(named)
    .replace(/(?<![^\s(])\*([^*\s](?:[^*\n]*[^*\s])?)\*(?![^\s,.;:!?)])/g, '$1')
    .replace(/^&gt; ?/gm, '')
    .trim();
}

/**
 * Reads a message or the text of a slash command without the marks of code, and with what a keyboard has in place of what a
 * phone or a web page made of it.
 */
export function withoutCode(text: string): string {
  const plain = text.replace(/```\n?([^`]*?)\n?```/g, ' $1 ').replace(/`([^`\n]*)`/g, '$1');
  return keyed(plain).trim();
}

/** The parts of what stands in angle brackets, before and behind the first `|`. */
function divided(inside: string): [string, string] {
  const at = inside.indexOf('|');
  return at < 0 ? [inside, ''] : [inside.slice(0, at), inside.slice(at + 1)];
}

/** A person, a channel, a group, a moment or an address as it was typed; the brackets stay where only an id is known. */
function shown(id: string, label: string): string {
  if (/^[@#]/.test(id)) return label === '' ? `<${id}>` : `${id[0]}${label.replace(/^[@#]/, '')}`;
  if (id.startsWith('!')) return label === '' ? id.replace(/^!(here|channel|everyone)$/, '@$1') : label;
  return label === '' ? id.replace(/^(mailto|tel):/, '') : label;
}
