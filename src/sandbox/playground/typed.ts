import type { Json } from './json.ts';
import type { Slack } from './slack.ts';

/** Addresses and names of hosts that Slack makes links of by itself, and the punctuation before them. */
const link = /(^|[\s(])(https?:\/\/[^\s<>|]*[^\s<>|.,;:!?)])/g;
const mail = /(^|[\s(])([\w.+-]+@[\w-]+(?:\.[\w-]+)*\.[a-z]{2,})(?=$|[\s),;:!?.])/gi;
const host =
  /(^|[\s(])((?:[a-z\d](?:[a-z\d-]*[a-z\d])?\.)+(?:com|net|org|io|dev|eu|de|ch|es|fr|it|uk|example))(?=$|[\s),;:!?/])/gi;

/**
 * Text as Slack keeps what a person types: escaped, with mentions as ids. In a message, though not in a command, it also
 * makes links of addresses, of hosts and of e-mail addresses (docs.slack.dev/messaging/formatting-message-text).
 */
export function stored({ people, channels }: Slack['workspace'], typed: string): string {
  const escaped = typed.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
  return escaped
    .replace(link, '$1<$2>')
    .replace(mail, '$1<mailto:$2|$2>')
    .replace(host, '$1<http://$2|$2>')
    .replace(/(^|\s)@([\w-]+)/g, (whole: string, before: string, name: string) => {
      const person = people.find(candidate => candidate.name === name.toLowerCase());
      return person === undefined ? whole : `${before}<@${person.id}>`;
    })
    .replace(/(^|\s)#([\w-]+)/g, (whole: string, before: string, name: string) => {
      const channel = channels.find(candidate => candidate.kind !== 'dm' && candidate.name === name);
      return channel === undefined ? whole : `${before}<#${channel.id}|${channel.name}>`;
    });
}

const plain = (text: string) => text.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&');

/** The element of a rich text for one part of a stored text: `<@U…>`, `<#C…|name>`, `<address|words>`, or words. */
function richPart(part: string): Json {
  const [, sign = '', inner = ''] = /^<([@#]?)([^>]*)>$/.exec(part) ?? [];
  if (inner === '') return { type: 'text', text: plain(part) };
  const [target = '', words] = inner.split('|');
  if (sign === '@') return { type: 'user', user_id: target };
  if (sign === '#') return { type: 'channel', channel_id: target };
  return { type: 'link', url: plain(target), ...(words === undefined ? {} : { text: plain(words) }) };
}

/** The block that Slack makes of what a person typed, beside the text. */
export function richText(text: string): Json {
  const elements = text
    .split(/(<[^>]*>)/)
    .filter(Boolean)
    .map(richPart);
  return { type: 'rich_text', block_id: 'typed', elements: [{ type: 'rich_text_section', elements }] };
}
