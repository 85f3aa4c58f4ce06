import { addresses, goesBack, isWrite } from './faults.ts';
import type { Job } from './jobRows.ts';
import type { Exchange } from './network.ts';
import type { Facts, Found } from './oracles.ts';

/* What must hold of sign-ins: nothing runs with one after its sign-out (14). */

/** What is seen of sign-ins. */
export type SignOutOracle = Readonly<{
  /** A request is sent to the service. */
  sent(exchange: Exchange): void;
  /** Something was written to the store. */
  committed(): void;
  /** The store has gone back: whoever stands as signed in there again has not signed in. */
  wentBack(): void;
  /** A job is being sent from now on. */
  sending(job: Job): void;
}>;

/** A look that was under way at a sign-out reads on for so long at most, in milliseconds. Nothing is changed any more. */
const lastLook = 60_000;

/** Watches the sign-ins of a world. */
export function watchSignOuts(
  { plan, kernel, disk, service, slack }: Pick<Facts, 'plan' | 'kernel' | 'disk' | 'service' | 'slack'>,
  { jobs, found }: Readonly<{ jobs(): readonly Job[]; found: Found }>,
): SignOutOracle {
  /** When each token was last taken from its person, by a sign-out that was kept. */
  const over = new Map<string, number>();
  /** The tokens that were used: one that was not may be of a sign-in that is on its way. */
  const used = new Set<string>();
  const sendingSince = new Map<string, number>();
  let signedIn: ReadonlySet<string> = new Set();
  const signedInNow = () => new Set(disk.rows('select person from credentials').map(({ person }) => String(person)));
  const tokensOf = (person: string) => {
    const name = slack.slack.workspace.people.find(({ id }) => id === person)?.name;
    return [...service.tokens].flatMap(([token, username]) => (username === name ? token : []));
  };

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
      signedIn = signedInNow();
      // In a backup, people are signed in as they were then, and are told so.
      if (goesBack(plan, 'restored')) over.clear();
    },
    committed() {
      const now = signedInNow();
      for (const person of signedIn.difference(now))
        for (const token of tokensOf(person)) if (used.has(token)) over.set(token, kernel.now());
      // A sign-in that was on its way at the sign-out had read the user with its token: it is the newest one.
      for (const person of now.difference(signedIn)) over.delete(tokensOf(person).at(-1) ?? '');
      signedIn = now;
    },
    sending: job => void sendingSince.set(job.id, kernel.now()),
  };
}
