import { isTree, plainKey } from '../reading/jsonTree.ts';

/*
 * Passwords in the texts of records and of the service are masked wherever more than one person may look. They are
 * recognised by their place, not by their content: at times more than a password is masked, but no password is spared
 * for its content.
 */

/** The text in place of a password. */
export const mask = '•••';

/** Names of secrets, as the last part of a key. */
const secretName =
  '(?:password|passwd|passphrase|passwort|kennwort|pwd|(?<![a-z])(?:pass|pw)|secret|token|credentials?|(?:api|access|account|private|secret)[_-]?key|accesssignature)';
const key = `[\\w.$-]{0,60}${secretName}`;
/**
 * The longest password that is looked for across what usually ends one, in characters. Without an end, texts that repeat
 * the beginning of a place would be read to their end each time.
 */
const longest = 500;
const inQuotes = `"(?:[^"\\\\]|\\\\.)*"|'(?:[^'\\\\]|\\\\.)*'`;

/**
 * A place where a password stands: the text `before` it, and the password itself. `sure` if nothing else looks like
 * that.
 */
type PasswordPlace = Readonly<{ sure: boolean; pattern: RegExp }>;

const places: readonly PasswordPlace[] = [
  // {"password": "x"}, password='x', password "x"
  {
    sure: true,
    pattern: new RegExp(`(?<before>["']?${key}["']?\\s*(?::=|=>|[:=])\\s*(?:\\[\\s*)?)(?:${inQuotes})`, 'gi'),
  },
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
    pattern: new RegExp(
      `(?<before>(?<![\\w.$?&-])${key}\\s*=>?\\s*)(?:\\{[^}]*\\}|[^;\\n]{1,${longest}}(?=;)|[^\\s"'<>]+)`,
      'gi',
    ),
  },
  { sure: false, pattern: new RegExp(`(?<before>(?<![\\w.$-])${key}\\s*:\\s*)[^\\s"'<>]+`, 'gi') },
  // --password x, mysql -px; a name such as app-token has that within it
  {
    sure: true,
    pattern: new RegExp(`(?<before>(?<![\\p{L}\\p{N}_-])--?${key}\\s+)(?!-)[^\\s"'<>]+`, 'giu'),
  },
  { sure: false, pattern: new RegExp(`(?<before>--?${key}\\s+)(?!-)[^\\s"'<>]+`, 'gi') },
  {
    sure: true,
    pattern: /(?<before>(?<![\w-])[\w-]{0,60}(?:mysql|mariadb)[\w-]{0,60}(?![\w-])[^\n]{0,500}?\s-p)(?!ort\b)[^\s]+/gi,
  },
  {
    sure: true,
    pattern: new RegExp(`(?<before>\\bidentified\\s+by\\s+(?:values\\s+|password\\s+)?)(?:${inQuotes}|[^\\s;]+)`, 'gi'),
  },
  { sure: true, pattern: /(?<before>\b(?:bearer|basic)\s+)(?=\S*\d)[\w.~+/=-]{8,}/gi },
  // scheme://user:x@host, where x may have a slash unless it looks like a port
  {
    sure: true,
    pattern: /(?<before>:\/\/[^\s:/?#@"'<>[\]]*:)(?:[^\s/?#"'<>]*(?=@)|(?!\d{1,5}[/?#])[^\s"'<>]{0,500}(?=@))/g,
  },
  // The same where a text was cut before its @
  { sure: true, pattern: /(?<before>:\/\/[^\s:/?#@"'<>[\]]*:)(?!\d{1,5}(?:[/?#…]|$))[^\s/?#"'<>@…]+(?=…$)/g },
  // user:x@tcp(host), user:x@host:3306
  { sure: true, pattern: /(?<before>(?<![\w/:@.-])[\w.-]+:)[^\s:/@"'<>]+(?=@(?:\w+\(|[\w.-]+(?::\d|\/)))/g },
  // Oracle: user/x@//host, user/x@host:1521, user/x@host/service, user/x@(DESCRIPTION=…); and user/x@alias
  {
    sure: true,
    pattern: /(?<before>(?<![\w$#/.@])(?:[\w$#]+|"[^"]+")\/)(?:"[^"]*"|[^\s/@"']+)(?=@(?:\/\/|\(|[\w.-]+[:/]))/g,
  },
  { sure: true, pattern: /(?<before>\bjdbc:oracle:\w+:[\w$#]+\/)(?:"[^"]*"|[^\s/@"']+)(?=@)/gi },
  { sure: false, pattern: /(?<before>(?<![\w$#/.@])(?:[\w$#]+|"[^"]+")\/)(?:"[^"]*"|[^\s/@"']+)(?=@[\w(])/g },
  { sure: true, pattern: /(?<before>\b(?:sqlplus|rman|expdp|impdp|sqlldr)\b[^\n]{0,500}?\s[\w$#]{1,128}\/)[^\s@]+/gi },
];

/** Most texts have none of these signs, and so no password. */
const anySign = new RegExp(
  `${secretName}|://|@|\\bidentified\\b|\\bbearer\\b|\\bbasic\\b|\\s-p|sqlplus|rman|expdp|impdp|sqlldr`,
  'i',
);

/** Masks the passwords in a text of the service, even where one is only likely. */
export function maskPasswords(text: string): string {
  return masked(text, places);
}

/** Masks only the sure passwords in anybody's text, so that names stay as they are. */
export function maskSurePasswords(text: string): string {
  return masked(text, surePlaces);
}

/** The maximum length of a text that may hold a password, in characters. Nothing shows more of one. */
const maxText = 4_000;

const surePlaces = places.filter(({ sure }) => sure);

function masked(text: string, where: readonly PasswordPlace[]): string {
  if (!anySign.test(text)) return text;
  return where.reduce((before, { pattern }) => before.replace(pattern, `$<before>${mask}`), text.slice(0, maxText));
}

/** Whether a value with a name is a password, by its name or by what stands in it. */
export function isNamedPassword(name: string, value: string): boolean {
  const text = `${name}=${value}`;
  return maskSurePasswords(text) !== text;
}

/** The passwords among the named values of a request, such as its database parameters (spec §2). */
export function passwordsIn(request: unknown): readonly string[] {
  if (Array.isArray(request)) return request.flatMap(passwordsIn);
  if (!isTree(request)) return [];
  const [name, value] = [String(request.name), String(request.value)];
  const isOwn = request.value !== undefined && isNamedPassword(name, value) && !plain.test(value.trim());
  return [...(isOwn ? [value] : []), ...Object.values(request).flatMap(passwordsIn)];
}

/** Masks a value of a record whole where a key on its path names a secret, else only the passwords in it. */
export function maskValue(path: string, value: string): string {
  const isSecret = path.split('.').some(part => secretKey.test(plainKey(part)));
  return isSecret && !plain.test(value.trim()) ? mask : maskPasswords(value);
}

/** Values that are no passwords, whatever their names are. */
const plain = /^(true|false|null|yes|no|on|off|)$/i;

const secretKey = new RegExp(`${secretName.replaceAll('[_-]?', '')}$`);
