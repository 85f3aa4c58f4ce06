import { decodeHTML } from 'entities/decode';

/** Labels of the reason in a server's error page, the most telling first. */
const labels = [
  'message',
  'faultstring',
  'reason',
  'error message',
  'errormessage',
  'detail',
  'details',
  'error',
  'description',
  'cause',
];

/** Lines without a reason: they name only the page, the server or the status. */
const empty = [
  /^(http\s*)?(status\s*(code)?\s*[:=]?\s*)?\d{3}\b\W*(\w+\s*){0,4}$/i,
  /^(error|http error|status|status report|type status report|type exception report|exception report|bad request|unauthorized|forbidden|not found|method not allowed|conflict|gone|internal server error|bad gateway|service unavailable|gateway time-?out|an error (has )?occurred)\W*$/i,
  /^(nginx|openresty|apache|microsoft-iis|iis|jetty|tomcat|cloudflare|caddy|varnish|powered by|server at)\b/i,
  /whitelabel error page|no explicit mapping for \/error|^there was an unexpected error/i,
  /^at [\w.$<>]+\(/,
];

/** The maximum part of a page that is read, in characters, and the maximum number of its lines in a sentence. */
const maxPage = 20_000;
const maxLines = 3;

/**
 * The reason that an error page (HTML or XML) gives: the text that it labels as its message, else its first lines that
 * say more than the status and the server's name, else its first line with words. `undefined` where it has no words.
 */
export function reasonIn(page: string): string | undefined {
  const lines = linesOf(page.slice(0, maxPage));
  for (const label of labels) {
    const labelled = new RegExp(`^${label}\\s*[:=–-]?\\s+(.+)$`, 'i');
    const alone = new RegExp(`^${label}\\s*:?$`, 'i');
    const at = lines.findIndex((line, index) => labelled.test(line) || (alone.test(line) && index + 1 < lines.length));
    const line = lines[at];
    const said = line === undefined ? undefined : (labelled.exec(line)?.[1] ?? lines[at + 1]);
    if (said !== undefined && isTelling(said)) return said;
  }
  const told = lines.filter(isTelling).slice(0, maxLines);
  if (told.length > 0)
    return told
      .map((line, at) => (at + 1 < told.length ? `${line.replace(/(?<![.:\s])[.:\s]+$/, '')}.` : line))
      .join(' ');
  return lines.find(line => /\p{L}{2}/u.test(line));
}

function isTelling(line: string): boolean {
  return /\p{L}{2}/u.test(line) && !empty.some(pattern => pattern.test(line));
}

/** The visible lines of a page, block by block. A label and its text share a line. */
function linesOf(page: string): string[] {
  const shown = page
    .replace(/<!--[\s\S]*?(-->|$)|<!\[CDATA\[|\]\]>/g, '')
    .replace(/<(script|style|svg|template|noscript)\b[\s\S]*?(<\/\1\s*>|$)/gi, ' ')
    .replace(
      /<(?!\/)(?:\w+:)?(message|faultstring|reason|detail|details|description|error_?message)\b[^<>]*>/gi,
      '\n$1: ',
    )
    .replace(/<\/?(b|strong|i|em|u|span|a|code|font|small|th|td|dt|dd|label|abbr|tt|kbd|q)\b[^<>]*>/gi, ' ')
    .replace(/<[^<>]*>|<[^<>]*$/g, '\n');
  const lines = decodeHTML(shown)
    .split('\n')
    .map(line => line.replace(/[\s\u00a0]+/g, ' ').trim());
  return [...new Set(lines.filter(line => line !== ''))];
}
