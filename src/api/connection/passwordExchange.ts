import { Failure } from '../../ground/failure.ts';
import { refusalOf, refusesPassword, signInRefusalOf } from '../answers/refusals.ts';
import { isAccepted, isGood } from '../answers/serviceAnswer.ts';
import { tokensIn } from '../answers/tokenInAnswer.ts';
import type { Json } from '../call.ts';
import { quotesAny } from '../secrets/secrets.ts';
import type { TokenTrials } from './tokenTrials.ts';
import type { Transport } from './transport.ts';

/** Exchanges a password for a token; `answered` receives each answer that may have facts about the user. */
type PasswordExchange = (username: string, password: string, answered?: (body: unknown) => void) => Promise<string>;

/**
 * Exchanges passwords for tokens (spec §5). @throws {Failure} `refused` where the password is wrong, and another kind
 * where that is not known
 */
export function exchangePassword(send: Transport['send'], standingOf: TokenTrials): PasswordExchange {
  return async (username, password, answered) => {
    const body: Json = { username, password };
    const ask = (path: string) => send({ method: 'POST', path, body });
    const fromToken = await ask('/user/user/token');
    const tokens = isAccepted(fromToken) ? tokensIn(fromToken) : [];
    if (isAccepted(fromToken)) answered?.(fromToken.body);
    if (tokens.length > 0) return bestOf(tokens, standingOf);
    // The answer of signin tells a wrong password from a token endpoint in trouble. It may also hold the token.
    const fromSignin = await ask('/user/user/signin');
    if (!isAccepted(fromSignin)) {
      // Where signin itself is in trouble, a 401 of the token endpoint still says that the password is wrong.
      const isTold = isGood(fromToken) || (fromToken.status === 401 && !refusesPassword(fromSignin));
      throw signInRefusalOf(isTold && !isAccepted(fromToken) ? fromToken : fromSignin, quotesAny([password]));
    }
    answered?.(fromSignin.body);
    const others = tokensIn(fromSignin);
    if (others.length > 0) return bestOf(others, standingOf);
    if (isAccepted(fromToken))
      throw new Failure('unreadable', 'The service accepted the password, but I find no token in its answer.');
    // This is no refusal: a right password must not count as a wrong one.
    const { message } = refusalOf(fromToken, quotesAny([password]));
    throw new Failure('unreadable', `Your password is right, but the service gave no token: ${message}`);
  };
}

/**
 * The first of several tokens that the service does not refuse; the very first where it refuses all. A single token is
 * not tried.
 */
async function bestOf(tokens: readonly string[], standingOf: TokenTrials): Promise<string> {
  const [first = '', ...others] = tokens;
  for (const token of others.length > 0 ? tokens : []) if ((await standingOf(token)) !== 'over') return token;
  return first;
}
