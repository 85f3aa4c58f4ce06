/** Characters that show nothing: joiners, marks of direction, soft hyphens. A phone or a web page leaves them in a text. */
const invisible = /[\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2064\u2066-\u2069\ufeff]/g;

/**
 * Reads the text of a message as it was typed: without the mention of Dolly and the marks of code, bold and quotes; with
 * the names of people and channels, and with addresses, as they were typed; with plain dashes where a phone made long
 * ones. The escapes stay, which the reader of commands undoes (docs.slack.dev/messaging/formatting-message-text).
 * @param bot the id of Dolly's user in Slack; where it is unknown, the mention that the text begins with is Dolly's
 */
export function typedText(text: string, bot: string | undefined): string {
  return text
    .replace(/<([^<>]*)>[,:;.!?]*/g, (whole, inside: string, at: number) => {
      const [id = '', label = ''] = divided(inside);
      if (id === `@${bot}` || (bot === undefined && at === 0 && id.startsWith('@'))) return ' ';
      return shown(id, label) + whole.slice(inside.length + 2);
    })
    .replace(/```\n?([^`]*?)\n?```/g, ' $1 ')
    .replace(/`([^`\n]*)`/g, '$1')
    .replace(/(?<![^\s(])\*([^*\s](?:[^*\n]*[^*\s])?)\*(?![^\s,.;:!?)])/g, '$1')
    .replace(/^&gt; ?/gm, '')
    .replace(invisible, '')
    .replace(/[\u2010-\u2013\u2212]/g, '-')
    .replace(/[\u2014\u2015]/g, '--')
    .trim();
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
