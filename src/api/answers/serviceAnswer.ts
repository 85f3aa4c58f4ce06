import { parseIdentifier } from '../identifiers.ts';
import { assumed as ofRecords } from '../reading/assumedKeys.ts';
import { isTree, leaves, mostRead, plainKey, ranked, splitWords, type Tree } from '../reading/jsonTree.ts';
import { deniesErrors } from '../reading/outcomes.ts';
import { reasonIn } from './reasonInPage.ts';

/* Assumptions about answers that are no records: errors, refusals (spec §5.4, §6 and §7 show none). */
const assumed = {
  /** Keys of the sentence in an error answer. */
  message: splitWords(
    'message errormessage errordescription error detail details description reason msg messages errortext statusmessage statustext errors fault exception title text cause',
  ),
  error: splitWords('error errors errormessage fault exception'),
  /** Keys of a record's own identifier. */
  ownId: [...ofRecords.plainId, ...ofRecords.id.filter(key => key.endsWith('id'))],
  /** Keys of the real status in an answer whose HTTP status is a success. */
  status: splitWords('status statuscode httpstatus code errorcode'),
  /** Keys of a code of the outcome, and of one that only a fault has. */
  code: splitWords('code returncode retcode responsecode resultcode'),
  faultCode: splitWords('errorcode errcode errno'),
  /** Real statuses that say more than "refused". */
  telling: [401, 403, 404, 410, 429],
  refusedWord: /^(error|fail(ed|ure)?|refused|rejected|ko|nok|denied|invalid)$/i,
} as const;

/**
 * The parts of an HTTP answer that are used. Header names are lower case; `body` is `undefined` where the text is no
 * JSON.
 */
export type Answer = Readonly<{
  status: number;
  headers: Readonly<Record<string, string>>;
  text: string;
  body: unknown;
}>;

/** The service's own words, as far as anything reads of an answer. */
export function sentenceIn(answer: Pick<Answer, 'text' | 'body'>): string | undefined {
  return sentenceOf(answer)?.slice(0, mostRead.characters);
}

function sentenceOf({ text, body }: Pick<Answer, 'text' | 'body'>): string | undefined {
  if (typeof body === 'string') return isPage(body) ? reasonIn(body) : body;
  if (body === undefined) return isPage(text) ? reasonIn(text) : text;
  const sentences = leaves(body).filter(leaf => typeof leaf.value === 'string' && /\p{L}{2}/u.test(leaf.value));
  // In `{error: {code, message}}` the message is the sentence, in `{error: "…"}` the error is.
  const deepest =
    ranked(sentences, assumed.message).find(leaf => leaf.key.includes('message')) ??
    ranked(sentences, assumed.message)[0];
  const below = sentences.find(leaf => leaf.path.some(part => assumed.error.includes(part)));
  const said = deepest ?? below;
  if (said === undefined) return undefined;
  const sentence = String(said.value);
  return isPage(sentence) ? reasonIn(sentence) : sentence;
}

function isPage(text: string): boolean {
  return /^\s*<[!?a-z]/i.test(text);
}

/** The real status of a refusal: a telling number in the body, else the HTTP status. */
export function statusMeant({ status, body }: Answer): number {
  const found = leaves(body).find(
    ({ key, path, value }) =>
      path.length <= 2 && assumed.status.includes(key) && assumed.telling.some(telling => telling === Number(value)),
  );
  return found ? Number(found.value) : status;
}

/** Whether the body of a successful answer says that the service refuses. */
export function saysRefused(body: unknown, depth = 0): boolean {
  if (!isTree(body) || depth > 10) return false;
  return Object.entries(body).some(([rawKey, value]) => {
    const key = plainKey(rawKey);
    if (key === 'success' || key === 'ok' || key === 'succeeded') return value === false;
    if (key === 'objecttype') return typeof value === 'string' && /error|fail/i.test(value);
    if (key === 'status' || key === 'result' || key === 'outcome') {
      return (
        (typeof value === 'string' && assumed.refusedWord.test(value)) || (typeof value === 'number' && value >= 400)
      );
    }
    if (key === 'statuscode' || key === 'httpstatus') return Number(value) >= 400;
    if (assumed.code.includes(key)) return isFaultCode(value);
    if (key === 'response' || key === 'data' || key === 'body') return saysRefused(value, depth + 1);
    return (assumed.error.includes(key) || assumed.faultCode.includes(key)) && tellsFault(value);
  });
}

/** Whether a code of an outcome is one of HTTP's for a fault, or below zero: others may mean anything. */
function isFaultCode(value: unknown): boolean {
  const code = Number(value);
  return typeof value !== 'boolean' && ((code >= 400 && code < 600) || code < 0);
}

/** Whether the value under a key of errors tells of one: `{}`, `{code: 0}` and “none” do not. */
function tellsFault(value: unknown): boolean {
  if (Array.isArray(value)) return value.length > 0;
  const said = isTree(value) ? leaves(value).map(leaf => leaf.value) : [value];
  return said.some(one => {
    if (typeof one !== 'string') return one === true || (typeof one === 'number' && one !== 0);
    return !deniesErrors(one);
  });
}

/** What the headers of a list say of further pages, as its body may say it; `undefined` where they say nothing. */
export function pagesIn({ status, headers }: Pick<Answer, 'status' | 'headers'>): Tree | undefined {
  const told = Object.entries(headers).filter(([name]) => /^x-(total-count|total|total-pages|next-page)$/.test(name));
  const next = status === 206 || /\brel="?next\b/i.test(headers.link ?? '');
  return told.length > 0 || next ? { ...Object.fromEntries(told), next } : undefined;
}

/** Whether an answer with a status of success is one: its body does not say that the service refuses. */
export function isAccepted(answer: Answer): boolean {
  return isGood(answer) && !saysRefused(answer.body);
}

/** Whether an answer is a success by its HTTP status (spec §7 shows no other sign). */
export function isGood({ status }: Pick<Answer, 'status'>): boolean {
  return status >= 200 && status < 300;
}

/**
 * Whether the body of a successful GET says that the service refuses. A record with an identifier of its own is no
 * refusal, even if its state is FAILED and it holds an error.
 */
export function refusesRead(body: unknown): boolean {
  return saysRefused(body) && !holdsRecord(body);
}

function holdsRecord(body: unknown, depth = 0): boolean {
  if (!isTree(body) || depth > 2) return false;
  return Object.entries(body).some(([rawKey, value]) => {
    const key = plainKey(rawKey);
    const id = assumed.ownId.includes(key) && typeof value === 'string' ? value : rawKey;
    // An error may name the record that it is about.
    return parseIdentifier(id) !== undefined || (!assumed.error.includes(key) && holdsRecord(value, depth + 1));
  });
}
