import { endOfSignInIn } from '../../api/answers/signInEnd.ts';
import { quotesAny } from '../../api/secrets/secrets.ts';
import { minute } from '../../ground/durations.ts';
import { Failure, kindOf, notedIn, sentence } from '../../ground/failure.ts';
import { within } from '../../ground/within.ts';
import { learnIdentity } from '../../jobs/approval/people/identity.ts';
import type { Mover } from '../../jobs/parts.ts';
import type { Owner } from '../../store/vault.ts';
import { mustBeAdmitted } from '../desk/admission.ts';
import type { Desk } from '../desk/desk.ts';

/** The words of a sign-in form, and the place of the sign-in: a channel, or `page`. */
type Login = Readonly<{ username: string; password: string; channel: string }>;

/** Exchanges names and passwords for tokens, and takes up what waited for a sign-in. */
export type Exchanger = Mover & Desk<'audit' | 'people' | 'service' | 'records' | 'log' | 'tries' | 'signsIn'>;

/**
 * Exchanges a password for a token, stores it sealed, and lets the person's waiting jobs go on. The outcome goes to the
 * trail, with `channel`: the place of the sign-in, or `page`.
 * @throws {Failure} without asking the service: `forbidden` if the person may not use Dolly, `busy` after too many
 * refused passwords
 */
export async function signIn(desk: Exchanger, { team, person }: Owner, { username, password, channel }: Login) {
  const name = username.trim();
  if (name === '' || password === '') throw new Failure('input', 'Type both your user name and your password.');
  try {
    await exchange(desk, { team, person }, { username: name, password, channel });
  } catch (error) {
    // Text in the wrong field may be a password, so only a known name is logged and written to the trail.
    const isKnown = await desk.credentials.knows(team, name);
    const why = sentence(error);
    const quotes = quotesAny(isKnown ? [] : [name]);
    const isQuoted = quotes(why) || (error instanceof Failure && quotes(String(error.cause)));
    desk.log.info({ person, ...(isQuoted ? { kind: kindOf(error) } : { error }) }, 'a sign-in failed');
    const detail = isQuoted ? 'The service did not accept this user name and password.' : why;
    const entry = { team, person, actor: person, login: isKnown ? name : null, channel, detail };
    await desk.audit.add({ ...entry, event: 'sign-in refused', at: desk.clock.now() });
    throw error;
  }
}

async function exchange(desk: Omit<Exchanger, 'audit'>, owner: Owner, { username: name, password, channel }: Login) {
  await mustBeAdmitted(desk, owner, 'signs in');
  const attempt = await desk.tries.begin(owner, name, desk.clock.now());
  if ('until' in attempt) {
    const retryAfter = attempt.until - desk.clock.now();
    // Rounded up, so that a person who returns then is let in. The page does not know the person's time zone.
    const minutes = Math.ceil(retryAfter / minute);
    const pause = minutes === 1 ? 'minute' : `${minutes} minutes`;
    throw new Failure('busy', `Too many wrong passwords: I accept no other one for the next ${pause}.`, { retryAfter });
  }
  let answer: unknown;
  const answered = (body: unknown) => {
    answer = body;
  };
  const token = await desk.service.signIn(name, password, answered).catch(async (error: unknown) => {
    // An outage of the service is no refusal of the password.
    if (!(error instanceof Failure && refusals.has(error.kind))) await desk.tries.forgive(attempt.id);
    throw error;
  });
  await Promise.all([desk.tries.forgive(attempt.id), desk.tries.clear(owner, name)]);
  const learning = within(desk.clock, patience, learnIdentity(desk.records.trial(token), token, name, answer));
  const untold = notedIn(desk.log, 'the service did not tell who signed in; it is asked again', {
    person: owner.person,
  });
  const learned = await learning.catch(untold);
  const now = desk.clock.now();
  const until = endOfSignInIn(answer, now);
  const identity = learned && (until === undefined ? learned : { ...learned, until });
  await desk.signsIn(owner, name);
  await desk.credentials.keep(owner, name, token, now, channel, identity);
}

/** Max wait of a sign-in for the user's identity, in milliseconds: somebody looks at the page. */
const patience = 3_000;

/** The kinds of failures that mean a wrong or insufficient password. */
const refusals: ReadonlySet<string> = new Set<Failure['kind']>(['refused', 'signed-out', 'forbidden']);
