import { addresses, goesBack, isWrite } from './faults.ts';
import type { Job } from './jobRows.ts';
import type { Login, Logins } from './logins.ts';
import type { Exchange } from './network.ts';
import type { Facts, Found } from './oracles.ts';

/* What must hold of sign-ins: nothing runs with one after its sign-out (14). */

/** What is seen of sign-ins. */
export type SignOutOracle = Readonly<{
  /** A request is sent to the service. */
  sent(exchange: Exchange): void;
  /** People signed in, or were signed out. */
  changed(logins: ReturnType<Logins['committed']>): void;
  /** The store has gone back: whoever stands as signed in there again has not signed in. */
  wentBack(): void;
  /** A job is being sent from now on. */
  sending(job: Job): void;
}>;

/** A look that was under way at a sign-out reads on for so long at most, in milliseconds. Nothing is changed any more. */
const lastLook = 60_000;

/** A sign-out was asked for within this time, in milliseconds: a clock may be off by as much. */
const asked = 70 * 60_000;

/** Watches the sign-ins of a world. */
export function watchSignOuts(
  { plan, kernel, disk, service }: Pick<Facts, 'plan' | 'kernel' | 'disk' | 'service'>,
  { jobs, found }: Readonly<{ jobs(): readonly Job[]; found: Found }>,
): SignOutOracle {
  /** When each token was last taken from its person, by a sign-out that was kept. */
  const over = new Map<string, number>();
  /** The tokens that were used: one that was not may be of a sign-in that is on its way. */
  const used = new Set<string>();
  /** When the token of each person was given out. */
  const issued = new Map<string, number>();
  const sendingSince = new Map<string, number>();
  const tokensOf = ({ username }: Login) =>
    [...service.tokens].flatMap(([token, name]) => (username === name ? token : []));

  /** Whether a sign-in ended because somebody, or the service, ended it. */
  function checkAsked({ person, username }: Login): void {
    const isKnown =
      disk.rows('select person from credentials where person = ?', person).length > 0 ||
      service.endedAt(username) > (issued.get(person) ?? 0) ||
      // Of two who are signed in as one user, nobody can tell whose token ended.
      disk.rows("select distinct person from audit where event = 'signed in' and login = ?", username).length > 1 ||
      disk.rows(
        "select id from audit where event in ('signed out', 'put back') and person = ? and at > ?",
        person,
        kernel.now() - asked,
      ).length > 0;
    if (!isKnown) found('14 signed out', `${person} was signed out, and neither they nor the service asked for that`);
  }

  /** Whether another person is signed in as the same user: whose token is whose, nobody can tell then. */
  const isShared = ({ username }: Login) =>
    disk.rows('select person from credentials where username = ?', username).length > 0;

  return {
    sent(exchange) {
      if (exchange.url.hostname !== addresses.service) return;
      const token = exchange.headers.authorization?.replace('Bearer ', '') ?? '';
      const ended = over.get(token);
      used.add(token);
      // What was begun before the sign-out goes on: its request is on its way then.
      const begun =
        isWrite(exchange) &&
        jobs().some(job => job.state === 'sending' && (sendingSince.get(job.id) ?? 0) < (ended ?? 0));
      if (ended !== undefined && !begun && kernel.now() > ended + (isWrite(exchange) ? 0 : lastLook))
        found('14 signed out', `${exchange.method} ${exchange.url.pathname} runs with a sign-in that was ended`);
    },
    wentBack() {
      // In a backup, people are signed in as they were then, and are told so.
      if (!goesBack(plan, 'restored')) return;
      over.clear();
      issued.clear();
    },
    changed({ out, in: entered }) {
      for (const { person, username } of entered) issued.set(person, service.issuedAt(username) ?? 0);
      for (const login of out) checkAsked(login);
      for (const login of out)
        if (!isShared(login)) for (const token of tokensOf(login)) if (used.has(token)) over.set(token, kernel.now());
      // A sign-in that was on its way at the sign-out had read the user with its token: it is the newest one.
      for (const login of entered) over.delete(tokensOf(login).at(-1) ?? '');
    },
    sending: job => void sendingSince.set(job.id, kernel.now()),
  };
}
