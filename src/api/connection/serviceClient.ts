import { Failure } from '../../ground/failure.ts';
import {
  causeOf,
  doubtsToken,
  isGood,
  refusalOf,
  signInRefusalOf,
  standingIn,
  type TokenStanding,
} from '../answers/refusals.ts';
import { type Answer, refusesRead, saysRefused, tokensIn } from '../answers/serviceAnswer.ts';
import { type Call, isListCall, type Json, lists } from '../call.ts';
import { conceal } from '../secrets/conceal.ts';
import { quotesAny } from '../secrets/secrets.ts';
import { openTransport, type ServiceOptions } from './transport.ts';

/** The service as one person sees it through a token. Every method throws {@link Failure} and nothing else. */
export type Service = {
  /** For messages: scheme, host and port. */
  readonly url: string;
  /**
   * Exchanges a password for a token (spec §5). Only a failure of kind `refused` says that the password is wrong.
   * `answered` is given each answer that may speak of the user.
   */
  signIn(username: string, password: string, answered?: (body: unknown) => void): Promise<string>;
  /**
   * Sends one write, once. Returning means that the service accepted it (spec §1.3), not that anything is done.
   * A failure of kind `unclear` means that nobody knows whether it was accepted; one of `signed-out` that the token is
   * honoured for no harmless read either.
   */
  submit(token: string, call: Call): Promise<void>;
  /**
   * Sends one GET and returns its JSON, without the texts in it that quote the token; `measured` is told how many
   * characters it came as. Fails with `signed-out` as `submit` does.
   */
  fetch(token: string, call: Call, measured?: (size: number) => void): Promise<unknown>;
  close(): Promise<void>;
};

/** The harmless reads by which a token is tried, those with the shortest answers first. */
const probes = [lists.projects, lists.users, lists.environments, lists.databases];

/** Connects to the service. */
export function connectService(options: ServiceOptions): Service {
  const { url } = options;
  const { send, close } = openTransport(options);
  const trials = new Map<string, Promise<TokenStanding>>();

  /** Whether the service honours a token for anything. Who asks at the same time shares the requests. */
  function standingOf(token: string): Promise<TokenStanding> {
    const trial = trials.get(token) ?? tryOut(token).finally(() => trials.delete(token));
    trials.set(token, trial);
    return trial;
  }

  async function tryOut(token: string): Promise<TokenStanding> {
    let found: TokenStanding = 'unknown';
    for (const probe of probes) {
      const standing = await send(probe, token).then(standingIn, (): TokenStanding => 'unknown');
      if (standing === 'honoured') return standing;
      if (standing === 'over') found = standing;
    }
    return found;
  }

  /** The failure that a refusal means; where it may be for the token, that is tried first. */
  async function refused(answer: Answer, token: string): Promise<Failure> {
    return refusalOf(answer, quotesAny([token]), doubtsToken(answer) ? await standingOf(token) : 'honoured');
  }

  return {
    url,
    close,

    async fetch(token, call, measured) {
      const answer = await send(call, token);
      measured?.(answer.text.length);
      const { body } = answer;
      if (!isGood(answer) || refusesRead(body)) throw await refused(answer, token);
      // A list is there even if it is empty; of one record, nothing at all means that it is not there.
      if (!isListCall(call) && (answer.text.trim() === '' || body === null))
        throw new Failure('missing', 'The service does not know it (any more).');
      if (typeof body !== 'object' || body === null || !(await conceal(body, token))) {
        throw new Failure(
          'unreadable',
          `The service answered ${call.path} with something that is no record. Check SERVICE_URL.`,
          { cause: causeOf(answer, quotesAny([token])) },
        );
      }
      return body;
    },

    async submit(token, call) {
      const answer = await send(call, token).catch((error: unknown) => {
        throw error instanceof Failure && error.kind !== 'unsent' ? unclear(error.message, error.cause) : error;
      });
      const cause = () => causeOf(answer, quotesAny([token]));
      if (isGood(answer)) {
        if (saysRefused(answer.body)) throw await refused(answer, token);
        // Anything but JSON is no success envelope (spec §1.4): it may be a proxy's page, or the service's way.
        if (answer.body === undefined && answer.text.trim() !== '')
          throw unclear('The service answered, but not with its success envelope.', cause());
        return;
      }
      const failure = await refused(answer, token);
      // A redirect may be the answer to what was done, as an error of the server may.
      const isDefinite = answer.status >= 400 && answer.status < 500 && answer.status !== 408;
      throw isDefinite ? failure : unclear(failure.message, failure.cause);
    },

    async signIn(username, password, answered) {
      const credentials: Json = { username, password };
      const quotes = quotesAny([password]);
      const ask = (path: string) => send({ method: 'POST', path, body: credentials });
      const fromToken = await ask('/user/user/token');
      const isTokenGood = isGood(fromToken) && !saysRefused(fromToken.body);
      let tokens = isTokenGood ? tokensIn(fromToken) : [];
      if (isTokenGood) answered?.(fromToken.body);
      if (tokens.length === 0) {
        // signin tells a wrong password from a token endpoint in trouble, and may be where the token comes from.
        const fromSignin = await ask('/user/user/signin');
        if (!isGood(fromSignin) || saysRefused(fromSignin.body))
          throw signInRefusalOf(isGood(fromToken) && !isTokenGood ? fromToken : fromSignin, quotes);
        tokens = tokensIn(fromSignin);
        answered?.(fromSignin.body);
        if (tokens.length === 0 && !isTokenGood) {
          // No refusal: a password that is right must not count as a wrong one.
          const { message } = refusalOf(fromToken, quotes);
          throw new Failure('unreadable', `Your password is right, but the service gave no token: ${message}`);
        }
      }
      const [first, ...others] = tokens;
      if (first === undefined)
        throw new Failure(
          'unreadable',
          'The service accepted the password, but its answer holds nothing like a token.',
        );
      for (const token of others.length > 0 ? tokens : []) if ((await standingOf(token)) !== 'over') return token;
      return first;
    },
  };
}

function unclear(message: string, cause: unknown): Failure {
  return new Failure('unclear', message, { cause });
}
