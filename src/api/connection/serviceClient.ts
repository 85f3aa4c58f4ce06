import { Failure } from '../../ground/failure.ts';
import { causeOf, doubtsToken, refusalOf } from '../answers/refusals.ts';
import { type Answer, isAccepted, isGood, pagesIn, refusesRead } from '../answers/serviceAnswer.ts';
import { type Call, isListCall, nounsOf } from '../call.ts';
import { openLongLists } from '../longLists/longLists.ts';
import { withPages } from '../reading/recordList.ts';
import type { Mapping } from '../reading/recordMapping.ts';
import { type Conceal, concealer } from '../secrets/conceal.ts';
import { passwordsIn } from '../secrets/passwords.ts';
import { type Quotes, quotesAny } from '../secrets/secrets.ts';
import { exchangePassword } from './passwordExchange.ts';
import { type PlainForm, plainBodies } from './plainBodies.ts';
import { openTokenTrials } from './tokenTrials.ts';
import { firstCharacters, type MayLeave, openTransport, type ServiceOptions, wholeAnswer } from './transport.ts';

/** The service as one person sees it through a token. Every method throws {@link Failure} and nothing else, but what a `mayLeave` throws. */
export type Service = {
  /** Scheme, host and port, for messages. */
  readonly url: string;
  /**
   * Exchanges a password for a token (spec §5). Only a failure of kind `refused` means that the password is wrong.
   * `answered` receives each answer that may have facts about the user.
   */
  signIn(username: string, password: string, answered?: (body: unknown) => void): Promise<string>;
  /**
   * Sends one write, once; again only where the service refused it for the form of its body. `mayLeave` is asked as it
   * leaves. Returning means that the service accepted it (spec §1.3), not that the work is done. A
   * failure of kind `unclear` means that its acceptance is unknown. One of `signed-out` means that the service honours
   * the token for no harmless read either.
   */
  submit(token: string, call: Call, mayLeave?: MayLeave): Promise<void>;
  /**
   * Sends one GET and returns its JSON, without the texts in it that quote the token; of a long list, a `LongList`.
   * `measured` receives the length of the answer. Fails with `signed-out` as `submit` does.
   */
  fetch(token: string, call: Call, measured?: (size: number) => void): Promise<unknown>;
  /** By how many milliseconds the service's clock is ahead of ours, as its last answer said; 0 where it did not. */
  ahead(): number;
  close(): Promise<void>;
};

/** How the service is reached; `mapping` says how long lists are read. */
type Connection = ServiceOptions & Readonly<{ mapping?: Mapping | undefined }>;

/** Connects to the service. */
export function connectService({ mapping = {}, ...options }: Connection): Service {
  const { send, read, ahead, close } = openTransport(options);
  const longLists = openLongLists(options.clock);
  const standingOf = openTokenTrials(send);
  const conceal = concealer();
  const plain = plainBodies(options.plainBody);
  /** The failure for a refusal. Where the token may be the reason, it is tried first. */
  const failureOf: FailureOf = async (answer, asked) =>
    refusalOf(answer, quotesOf(asked), doubtsToken(answer) ? await standingOf(asked.token) : 'honoured');
  return {
    url: options.url,
    ahead,
    async close() {
      await Promise.all([close(), longLists.close()]);
    },
    signIn: exchangePassword(send, standingOf),
    async fetch(token, call, measured) {
      const answer = await read(call, token);
      measured?.('shared' in answer ? answer.shared.size : answer.text.length);
      if ('shared' in answer && isListCall(call) && isGood(answer)) {
        const how = { path: call.path, token, nouns: nounsOf(call), mapping, pages: pagesIn(answer) };
        const list = await longLists.read(answer.shared, how);
        if (list === 'no record') throw noRecord({ ...answer, text: firstCharacters(answer) }, { call, token });
        if (list !== 'refusal') return list;
      }
      return recordsIn(await wholeAnswer(answer), { call, token }, { failureOf, conceal });
    },
    async submit(token, call, mayLeave) {
      const submitAs = (form: PlainForm) =>
        send(form === 'bare' ? { ...call, isBare: true } : call, token, mayLeave).catch((error: unknown) => {
          throw error instanceof Failure && error.kind !== 'unsent' ? unclear(error.message, error.cause) : error;
        });
      const form = plain.formOf(call, token);
      const answer = await submitAs(form);
      // What was refused for the form of its body was not done, so the other form is no second write.
      const other = isAccepted(answer) ? undefined : plain.other(call, form, { refusal: answer, token });
      await mustBeAccepted(other === undefined ? answer : await submitAs(other), { call, token }, failureOf);
      plain.took(call, other ?? form);
    },
  };
}

/** What was asked, and with whose token. */
type SentCall = Readonly<{ call: Call; token: string }>;
type FailureOf = (answer: Answer, asked: SentCall) => Promise<Failure>;

/** Tells answers that quote the token, or a password of the request. */
function quotesOf({ call, token }: SentCall): Quotes {
  return quotesAny([token, ...passwordsIn(call.body)]);
}

/**
 * The JSON of an answer to a GET, without the texts in it that quote the token. @throws {Failure} where it is no record
 */
async function recordsIn(
  answer: Answer,
  asked: SentCall,
  { failureOf, conceal }: Readonly<{ failureOf: FailureOf; conceal: Conceal }>,
): Promise<object> {
  const { body } = answer;
  if (!isGood(answer) || refusesRead(body)) throw await failureOf(answer, asked);
  // An empty list is still a list. An empty answer for one record means that there is no such record.
  if (!isListCall(asked.call) && (answer.text.trim() === '' || body === null))
    throw new Failure('missing', 'The service does not know it (any more).');
  if (typeof body === 'object' && body !== null) {
    const whole = isListCall(asked.call) ? withPages(body, pagesIn(answer)) : body;
    if (await conceal({ text: answer.text, body: whole }, asked.token)) return whole;
  }
  throw noRecord(answer, asked);
}

function noRecord(answer: Pick<Answer, 'status' | 'text'>, asked: SentCall): Failure {
  const why = `The service answered ${asked.call.path} with something that is not a record. Check SERVICE_URL.`;
  return new Failure('unreadable', why, { cause: causeOf(answer, quotesOf(asked)) });
}

/**
 * @throws {Failure} where the answer to a write is a refusal; `unclear` where it shows neither refusal nor acceptance
 */
async function mustBeAccepted(answer: Answer, asked: SentCall, failureOf: FailureOf): Promise<void> {
  if (isAccepted(answer)) {
    // An answer that is not JSON is no success envelope (spec §1.4): it may be a proxy's page, or what this service
    // sends.
    if (answer.body !== undefined || answer.text.trim() === '') return;
    const cause = causeOf(answer, quotesOf(asked));
    throw unclear('The service answered, but not with its success envelope.', cause);
  }
  const failure = await failureOf(answer, asked);
  // The write may have been done before a redirect or a server error was answered, unless that is for the sign-in.
  const { status } = answer;
  const isDefinite =
    isGood(answer) || failure.kind === 'signed-out' || (status >= 400 && status < 500 && status !== 408);
  throw isDefinite ? failure : unclear(failure.message, failure.cause);
}

function unclear(message: string, cause: unknown): Failure {
  return new Failure('unclear', message, { cause });
}
