import { plainKey } from '../reading/jsonTree.ts';

/*
 * Passwords that stand inside what records and services say: they are masked wherever more than one person may look. What
 * is recognised is a spelling of a place where one belongs, so more is masked at times, and never less for its content.
 */

/** What stands in place of a password. */
export const mask = '•••';

/** Names of what is secret, as the last part of a key. */
const secretName =
  '(?:password|passwd|passphrase|passwort|kennwort|pwd|(?<![a-z])(?:pass|pw)|secret|token|credentials?|(?:api|access|account|private|secret)[_-]?key|accesssignature)';
const key = `[\\w.$-]{0,60}${secretName}`;
const inQuotes = `"(?:[^"\\\\]|\\\\.)*"|'(?:[^'\\\\]|\\\\.)*'`;

/** A place where a password stands: `before` it, and the password itself. `sure` where nothing else looks like that. */
type Place = Readonly<{ sure: boolean; pattern: RegExp }>;

const places: readonly Place[] = [
  // {"password": "x"}, password='x', password "x"
  { sure: true, pattern: new RegExp(`(?<before>["']?${key}["']?\\s*(?::=|=>|[:=])\\s*\\[?\\s*)(?:${inQuotes})`, 'gi') },
  // <password>x</password>, name="password" value="x", PASSWORD('x')
  { sure: true, pattern: new RegExp(`(?<before><(?:[\\w:-]{0,60}${secretName})(?:\\s[^<>]*)?>)[^<]+`, 'gi') },
  { sure: true, pattern: new RegExp(`(?<before>=\\s*["']?${key}["']?\\s+value\\s*=\\s*)(?:${inQuotes})`, 'gi') },
  { sure: true, pattern: new RegExp(`(?<before>\\b${key}\\s*\\(\\s*)(?:${inQuotes})`, 'gi') },
  { sure: false, pattern: new RegExp(`(?<before>\\b${key}\\s+)(?:${inQuotes}|“[^”]*”)`, 'gi') },
  // ?password=x&user=y
  { sure: true, pattern: new RegExp(`(?<before>[?&]${key}=)[^&\\s"'<>]+`, 'gi') },
  // (PASSWORD=x)
  { sure: true, pattern: new RegExp(`(?<before>\\(\\s*${key}\\s*=\\s*)[^)]+`, 'gi') },
  // User Id=y;Password=x;Host=z, {x}
  {
    sure: true,
    pattern: new RegExp(`(?<before>(?<![\\w.$?&-])${key}\\s*=>?\\s*)(?:\\{[^}]*\\}|[^;\\n]+(?=;)|[^\\s"'<>]+)`, 'gi'),
  },
  { sure: false, pattern: new RegExp(`(?<before>(?<![\\w.$-])${key}\\s*:\\s*)[^\\s"'<>]+`, 'gi') },
  // --password x, mysql -px
  { sure: true, pattern: new RegExp(`(?<before>--?${key}\\s+)(?!-)[^\\s"'<>]+`, 'gi') },
  { sure: true, pattern: /(?<before>\b(?:mysql|mariadb)[\w-]*\b[^\n]*?\s-p)(?!ort\b)[^\s]+/gi },
  {
    sure: true,
    pattern: new RegExp(`(?<before>\\bidentified\\s+by\\s+(?:values\\s+|password\\s+)?)(?:${inQuotes}|[^\\s;]+)`, 'gi'),
  },
  { sure: true, pattern: /(?<before>\b(?:bearer|basic)\s+)(?=\S*\d)[\w.~+/=-]{8,}/gi },
  // scheme://user:x@host, where x may have a slash unless it looks like a port
  { sure: true, pattern: /(?<before>:\/\/[^\s:/?#@"'<>[\]]*:)(?:[^\s/?#"'<>]*(?=@)|(?!\d{1,5}[/?#])[^\s"'<>]*(?=@))/g },
  // The same where a text was cut before its @
  { sure: true, pattern: /(?<before>:\/\/[^\s:/?#@"'<>[\]]*:)(?!\d{1,5}(?:[/?#…]|$))[^\s/?#"'<>@…]+(?=…$)/g },
  // user:x@tcp(host), user:x@host:3306
  { sure: true, pattern: /(?<before>(?<![\w/:@.-])[\w.-]+:)[^\s:/@"'<>]+(?=@(?:\w+\(|[\w.-]+(?::\d|\/)))/g },
  // Oracle: user/x@//host, user/x@host:1521, user/x@host/service, user/x@(DESCRIPTION=…); and user/x@alias
  {
    sure: true,
    pattern: /(?<before>(?<![\w/.@])(?:[\w$#]+|"[^"]+")\/)(?:"[^"]*"|[^\s/@"']+)(?=@(?:\/\/|\(|[\w.-]+[:/]))/g,
  },
  { sure: true, pattern: /(?<before>\bjdbc:oracle:\w+:[\w$#]+\/)(?:"[^"]*"|[^\s/@"']+)(?=@)/gi },
  { sure: false, pattern: /(?<before>(?<![\w/.@])(?:[\w$#]+|"[^"]+")\/)(?:"[^"]*"|[^\s/@"']+)(?=@[\w(])/g },
  { sure: true, pattern: /(?<before>\b(?:sqlplus|rman|expdp|impdp|sqlldr)\b[^\n]*?\s[\w$#]+\/)[^\s@]+/gi },
];

/** Most texts have none of these signs, and so no password. */
const anySign = new RegExp(
  `${secretName}|://|@|\\bidentified\\b|\\bbearer\\b|\\bbasic\\b|\\s-p|sqlplus|rman|expdp|impdp|sqlldr`,
  'i',
);

/** A text of the service with the passwords in it masked, also where it is only likely that one stands there. */
export function maskPasswords(text: string): string {
  return masked(text, places);
}

/** A text of anybody with those passwords masked that are one for sure: names stay what they are. */
export function maskSurePasswords(text: string): string {
  return masked(text, surePlaces);
}

/** Nothing shows more of a text that may hold a password, in characters. */
const mostOfText = 4_000;

const surePlaces = places.filter(({ sure }) => sure);

function masked(text: string, where: readonly Place[]): string {
  if (!anySign.test(text)) return text;
  return where.reduce((before, { pattern }) => before.replace(pattern, `$<before>${mask}`), text.slice(0, mostOfText));
}

/** A value of a record with what is secret in it masked, by what it says and by the keys that lead to it. */
export function maskValue(path: string, value: string): string {
  const isSecret = path.split('.').some(part => secretKey.test(plainKey(part)));
  return isSecret && !/^(true|false|null|yes|no|)$/i.test(value.trim()) ? mask : maskPasswords(value);
}

const secretKey = new RegExp(`${secretName.replaceAll('[_-]?', '')}$`);
