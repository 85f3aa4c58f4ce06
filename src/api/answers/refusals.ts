import { pauseAsked } from '../../ground/clock.ts';
import { Failure, type FailureKind } from '../../ground/failure.ts';
import { asClause } from '../../ground/wording.ts';
import { oneLine } from '../reading/jsonTree.ts';
import { maskPasswords } from '../secrets/passwords.ts';
import type { Quotes } from '../secrets/secrets.ts';
import { fieldErrorsIn } from './fieldErrors.ts';
import { refusalNames } from './refusalWords.ts';
import { type Answer, isAccepted, isGood, refusesRead, sentenceIn, statusMeant } from './serviceAnswer.ts';

/** The beginning of the sentence for a refusal of the request, before the service's own words. */
export const refusedRequest = 'The service refused';
/** The beginning of the sentence for a right that the person lacks. */
export const lackedRight = 'The service does not allow you to do this';
/** The beginning of the sentence for an endpoint that this service lacks. */
const notOffered = 'The service does not offer this';

/**
 * The kind of failure and the sentence for each status of a refusal. The first row whose range holds the status counts.
 */
const meanings: readonly Readonly<{
  from: number;
  to: number;
  kind: FailureKind;
  says: string;
  /** The sentence leaves out the service's own words. */
  isWordless?: true;
}>[] = [
  {
    from: 300,
    to: 399,
    kind: 'unreadable',
    says: 'The service redirects elsewhere (HTTP {status}). Check SERVICE_URL and SERVICE_PREFIX',
    isWordless: true,
  },
  { from: 401, to: 401, kind: 'signed-out', says: 'Your sign-in at the service is no longer valid', isWordless: true },
  { from: 403, to: 403, kind: 'forbidden', says: lackedRight },
  { from: 404, to: 404, kind: 'missing', says: 'The service does not know it (any more)' },
  { from: 405, to: 405, kind: 'missing', says: notOffered },
  { from: 408, to: 408, kind: 'unreadable', says: 'The service answered with an error (HTTP {status})' },
  { from: 410, to: 410, kind: 'missing', says: 'The service does not know it (any more)' },
  { from: 429, to: 429, kind: 'busy', says: 'The service asks me to wait', isWordless: true },
  { from: 500, to: 999, kind: 'unreadable', says: 'The service answered with an error (HTTP {status})' },
  { from: 0, to: 999, kind: 'refused', says: refusedRequest },
];

/** The result of trying a token: the service honours it for some read, for none (`over`), or does not tell. */
export type TokenStanding = 'honoured' | 'over' | 'unknown';

/** Whether an answer leads to a page where people sign in, as that of some services does where the token is over. */
function leadsToSignIn({ status, headers }: Answer): boolean {
  return status >= 300 && status < 400 && /log-?[io]n|sign-?in|sso|auth/i.test(headers.location ?? '');
}

/** Whether a refusal may be about the token, so that the token is worth a trial. */
export function doubtsToken(answer: Answer): boolean {
  const status = statusMeant(answer);
  return (
    status === 401 ||
    leadsToSignIn(answer) ||
    (status < 500 && status !== 404 && status !== 429 && refusalNames('token', sentenceIn(answer) ?? ''))
  );
}

/** The standing of a token, read from the answer to a harmless read. */
export function standingIn(answer: Answer): TokenStanding {
  const isRefused = !isGood(answer) || refusesRead(answer.body);
  if (!isRefused) return typeof answer.body === 'object' && answer.body !== null ? 'honoured' : 'unknown';
  const status = statusMeant(answer);
  const said = sentenceIn(answer) ?? '';
  if (refusalNames('token', said) || leadsToSignIn(answer)) return 'over';
  if (status === 403) return 'honoured';
  return status === 401 && !refusalNames('right', said) ? 'over' : 'unknown';
}

/**
 * The failure for an answer that refuses: one sentence, with the service's own words where it has any (spec §7 shows
 * none). Words that quote a secret are left out of the sentence and of the cause. `standing` tells a lost sign-in from
 * a missing right, whether the status is 401 or 403. Where it is `unknown`, the words of a 401 decide.
 */
export function refusalOf(answer: Answer, quotes: Quotes, standing: TokenStanding = 'unknown'): Failure {
  const status = statusFor(answer, standing);
  const meaning = meanings.find(({ from, to }) => status >= from && status <= to);
  const { kind, says, isWordless } = meaning ?? { kind: 'refused', says: refusedRequest, isWordless: undefined };
  const message = `${says.replace('{status}', String(status))}${isWordless ? '.' : quoted(answer, quotes)}`;
  const { 'retry-after': header, date } = answer.headers;
  const mayWait = kind === 'busy' || (header !== undefined && (status >= 500 || status === 408));
  const retryAfter = mayWait ? { retryAfter: pauseAsked(header, date) } : {};
  return new Failure(kind, message, { cause: causeOf(answer, quotes), ...retryAfter });
}

function statusFor(answer: Answer, standing: TokenStanding): number {
  const { status } = answer;
  const meant = isGood(answer) && !isAccepted(answer) ? statusMeant(answer) : status;
  if (standing === 'over') return 401;
  if (meant !== 401) return meant;
  if (standing === 'honoured') return 403;
  const said = sentenceIn(answer) ?? '';
  return refusalNames('right', said) && !refusalNames('token', said) ? 403 : 401;
}

/** Whether an answer to a sign-in that refuses says that the password is wrong. */
export function refusesPassword(answer: Answer): boolean {
  return [400, 401, 403].includes(answer.status) || isGood(answer);
}

/** The failure of a sign-in. Only kind `refused` means that the password is wrong. */
export function signInRefusalOf(answer: Answer, quotes: Quotes): Failure {
  if (refusesPassword(answer)) {
    const said = asClause(quoted(answer, quotes));
    return new Failure(
      'refused',
      `The service did not accept this user name and password${said}. Check both and try again.`,
      { cause: causeOf(answer, quotes) },
    );
  }
  return refusalOf(answer, quotes);
}

/** The account of a failed answer for the log: its status and its beginning, unless that quotes a secret. */
export function causeOf({ status, text }: Pick<Answer, 'status' | 'text'>, quotes: Quotes): string {
  const beginning = text.slice(0, maxCause);
  // Twice as much is searched, so that a secret across the cut is found.
  return quotes(text.slice(0, 2 * maxCause))
    ? `HTTP ${status}, with a text that I left out because it quotes a secret`
    : `HTTP ${status} ${maskPasswords(beginning)}`;
}

const maxCause = 500;

/** Max characters of a refusal's faults of fields. */
const maxFaults = 700;

/**
 * The end of a sentence: the service's own words, if it has any that may be shown, and the faults of single fields that
 * they leave out.
 */
function quoted(answer: Answer, quotes: Quotes): string {
  const said = sentenceIn(answer);
  const whole = said?.replace(/\s+/g, ' ');
  const faults = fieldErrorsIn(answer.body).filter(fault => !whole?.includes(fault.replace(/…$/, '')));
  if ([...(said === undefined ? [] : [said]), ...faults].some(text => quotes(text))) return '.';
  // Words that a fault repeats are said there, with the field that they are about.
  const own =
    said === undefined || faults.some(fault => fault.includes(said)) ? undefined : oneLine(maskPasswords(said));
  const shown = faults.map(fault => maskPasswords(fault));
  while (shown.join('; ').length > maxFaults) shown.pop();
  const line = [...(own === undefined ? [] : [own.replace(ending, '')]), ...shown].join('; ');
  return line === '' ? '.' : `: “${line.replace(ending, '')}”.`;
}

/** The blanks and full stops at the end of a sentence. */
const ending = /(?<![.\s])[.\s]+$/;
