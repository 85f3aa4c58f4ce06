import { parseIdentifier } from '../identifiers.ts';
import { leaves, splitWords } from '../reading/jsonTree.ts';
import type { Answer } from './serviceAnswer.ts';

/* Where the token stands in an answer, which the specification does not show (spec §5.4, §7). */
const assumed = {
  token: splitWords(
    'accesstoken token jwt bearertoken bearer authtoken apitoken sessiontoken idtoken accesskey xauthtoken xaccesstoken authorization',
  ),
  /** Keys inside a token that is an object. */
  tokenValue: splitWords('value token accesstoken jwt string raw'),
  /** Keys that hold a token where nothing else in the answer does, and the fewest characters of such a one. */
  lonelyToken: splitWords(
    'value raw string key secret credential ticket session sessionid sid data result response content',
  ),
  lonelyLength: 12,
  /** Keys of tokens for another purpose. */
  otherToken: /refresh|csrf|xsrf/,
  tokenHeaders: ['authorization', 'x-auth-token', 'x-access-token', 'access-token', 'x-token', 'token'],
} as const;

/** The rank of what is a token only where nothing else is one. */
const lonelyRank = 70;

function mayBeToken(value: unknown): boolean {
  return String(value).length >= assumed.lonelyLength && !parseIdentifier(String(value));
}

/** The tokens that an answer to token or signin may hold, best first (spec §5.4: the place is not shown). */
export function tokensIn(answer: Answer): readonly string[] {
  const found: { token: string; rank: number }[] = [];
  const add = (value: unknown, rank: number) => {
    if (typeof value !== 'string') return;
    const token = value.trim().replace(/^bearer\s+/i, '');
    if (/^[\x21-\x7e]{4,8192}$/.test(token)) found.push({ token, rank });
  };
  if (typeof answer.body === 'string') add(answer.body, 0);
  // A bare token has no blanks and is no mark-up.
  if (answer.body === undefined && !/[\s<>{}]/.test(answer.text.trim().replace(/^bearer\s+/i, ''))) add(answer.text, 0);
  for (const { key, path, value } of leaves(answer.body)) {
    if (path.some(part => assumed.otherToken.test(part))) continue;
    const named = assumed.token.indexOf(key);
    const parent = assumed.token.findIndex(name => path.slice(0, -1).includes(name));
    if (named >= 0) add(value, named);
    else if (parent >= 0 && assumed.tokenValue.includes(key)) add(value, 20 + parent);
    else if (typeof value === 'string' && /^(bearer\s+)?eyJ[\w-]+\.[\w-]+\.[\w-]*$/i.test(value)) add(value, 40);
    else if (key === 'object' && !parseable(value)) add(value, 50);
    else if (assumed.lonelyToken.includes(key) && mayBeToken(value)) add(value, lonelyRank);
  }
  for (const name of assumed.tokenHeaders) add(answer.headers[name], 60);
  const named = found.filter(({ rank }) => rank < lonelyRank);
  const best = named.length > 0 ? named : found;
  return [...new Set(best.sort((a, b) => a.rank - b.rank).map(entry => entry.token))];
}

function parseable(value: unknown): boolean {
  return typeof value !== 'string' || /[\s<>{}]/.test(value);
}
