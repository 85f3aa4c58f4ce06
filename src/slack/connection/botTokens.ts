import type { WebClient } from '@slack/web-api';
import type { Logger } from 'pino';
import { z } from 'zod';
import type { Clock } from '../../ground/clock.ts';
import { hour } from '../../ground/durations.ts';
import type { BotToken, Installations, OpenedInstallation } from '../../store/tables/installations.ts';
import { platformError, Refused } from './slackErrors.ts';

/** The bot tokens of the teams for which the app is installed. */
export type BotTokens = Readonly<{
  /**
   * The token of a team, which is renewed in time.
   * @throws {Refused} `not_installed` where the app is not installed there, or may not be
   */
  of(team: string): Promise<string>;
  /**
   * Hears that Slack refused a token with this word. Gives whether there is another one meanwhile, so that the call can be
   * made again.
   * @throws {Refused} `not_installed` where the app is not installed there, or not any more: a token that was revoked ends
   * its installation
   */
  isReplaced(team: string, token: string, word: string): Promise<boolean>;
}>;

type BotTokenNeeds = Readonly<{
  installations: Pick<Installations, 'find' | 'lock' | 'renew' | 'unlock' | 'end'>;
  /** The teams that may have the app installed. */
  allowed: readonly string[];
  clock: Clock;
  log: Logger;
  /** Gets a new token from Slack for the one that renews it, which works once. */
  renew(renewal: string): Promise<BotToken>;
  /** Called when an installation has ended. */
  ended(team: string): void;
}>;

/** A token is renewed so long before it ends, in milliseconds: Slack's last for twelve hours. */
const renewedBefore = 2 * hour;
/** The pause between two looks for the token that another process is getting, in milliseconds, and the number of looks. */
const lookEvery = 500;
const maxLooks = 20;
/** The pause after a failed renewal, in milliseconds: each call of Slack would ask again. */
const restAfterFailure = 30_000;
/** The pause between two tries to store a new token, in milliseconds. */
const keepEvery = 5_000;
/** Slack's words for a token that never works again (docs.slack.dev/reference/methods/auth.test). */
const dead: readonly string[] = ['account_inactive', 'token_revoked'];

/**
 * Gives and renews {@link BotTokens}. The store is read at each call, so an installation, its end and a new token count at
 * once in every process. One process at a time renews a token: the one that renews it works only once.
 */
export function botTokensIn(needs: BotTokenNeeds): BotTokens {
  const { installations, allowed, clock } = needs;
  /** Renewals by team, each until its new token is stored. */
  const renewals = new Map<string, Promise<string>>();
  /** The time until which no token is asked for again after Slack gave none, by team and by the steady clock. */
  const rests = new Map<string, number>();
  const find = (team: string) => (allowed.includes(team) ? installations.find(team) : Promise.resolve(undefined));
  const renewOnce = (found: OpenedInstallation): Promise<string> => {
    const underWay = renewals.get(found.team);
    if (underWay) return underWay;
    if (clock.steady() < (rests.get(found.team) ?? 0)) return Promise.resolve(found.token);
    const failed = () => rests.set(found.team, clock.steady() + restAfterFailure);
    const renewing = renewToken(needs, found, failed);
    const renewal = renewing.then(({ token }) => token);
    renewals.set(found.team, renewal);
    const over = () => renewals.delete(found.team);
    renewing.then(({ kept }) => kept).then(over, over);
    return renewal;
  };
  return {
    async of(team) {
      const found = await find(team);
      if (!found) throw new Refused('not_installed');
      const { token, renewal, expiresAt } = found;
      const isFresh = renewal === undefined || expiresAt === undefined || expiresAt - clock.now() > renewedBefore;
      return isFresh ? token : renewOnce(found);
    },
    async isReplaced(team, token, word) {
      const found = await find(team);
      if (!found) throw new Refused('not_installed');
      if (found.token !== token) return true;
      if (word === 'token_expired' && found.renewal !== undefined) return (await renewOnce(found)) !== token;
      if (!dead.includes(word)) return false;
      await endInstallation(needs, found, `Slack refused its token: ${word}.`);
      throw new Refused('not_installed');
    },
  };
}

const Renewed = z.object({ access_token: z.string(), refresh_token: z.string(), expires_in: z.number() });

/** Asks Slack for a new bot token (docs.slack.dev/authentication/using-token-rotation). */
export function renewalOf(
  { clientId, clientSecret }: Readonly<{ clientId: string; clientSecret: string }>,
  slack: WebClient,
  clock: Clock,
): (renewal: string) => Promise<BotToken> {
  return async renewal => {
    const answer = await slack.oauth.v2.access({
      ...{ client_id: clientId, client_secret: clientSecret },
      ...{ grant_type: 'refresh_token', refresh_token: renewal },
    });
    const { access_token: token, refresh_token: next, expires_in: seconds } = Renewed.parse(answer);
    return { token, renewal: next, expiresAt: clock.now() + seconds * 1_000 };
  };
}

type EndNeeds = Pick<BotTokenNeeds, 'clock' | 'log' | 'ended'> &
  Readonly<{ installations: Pick<Installations, 'end'> }>;

/** Ends an installation whose token works no more. */
export async function endInstallation(
  { installations, clock, log, ended }: EndNeeds,
  found: OpenedInstallation,
  why: string,
): Promise<void> {
  if (!(await installations.end(found, why, clock.now()))) return;
  log.warn({ team: found.team, why }, 'the app is not installed any more');
  ended(found.team);
}

/** A token to go on with; `kept` ends once the store has it, if it is a new one. */
type Renewal = Readonly<{ token: string; kept?: Promise<void> }>;

/** Renews a token, or waits for the process that does so. Gives the old token where Slack gives no new one in time. */
async function renewToken(needs: BotTokenNeeds, found: OpenedInstallation, failed: () => void): Promise<Renewal> {
  const { installations, clock, log, renew } = needs;
  const { team, token, renewal, expiresAt = 0 } = found;
  if (renewal === undefined) return { token };
  if (!(await installations.lock(found, clock.now()))) {
    for (let look = 0; look < maxLooks; look++) {
      const now = await installations.find(team);
      if (now?.seal !== found.seal) return { token: now?.token ?? token };
      if (expiresAt > clock.now()) break;
      await clock.wait(lookEvery);
    }
    return { token };
  }
  try {
    const fresh = await renew(renewal);
    const isSettled = await keepToken(needs, found, fresh);
    return { token: fresh.token, ...(isSettled ? {} : { kept: keepLater(needs, found, fresh) }) };
  } catch (error) {
    const isOver = expiresAt <= clock.now();
    log.error({ error, team, isOver }, 'the bot token could not be renewed');
    failed();
    await installations.unlock(found);
    if (platformError(error) === 'invalid_refresh_token' && isOver)
      await endInstallation(needs, found, 'Slack no longer renews its token.');
    return { token };
  }
}

/** Stores a new token; `false` where that may be tried again. */
async function keepToken(
  { installations, log }: Pick<BotTokenNeeds, 'installations' | 'log'>,
  { team, token }: OpenedInstallation,
  fresh: BotToken,
): Promise<boolean> {
  try {
    const now = await installations.find(team);
    // It was installed anew, or has ended.
    if (now?.token !== token) return true;
    const isKept = await installations.renew(now, fresh);
    if (isKept) log.info({ team }, 'the bot token was renewed');
    return isKept;
  } catch (error) {
    log.error({ error, team }, 'the new bot token could not be stored yet');
    return false;
  }
}

/** Slack gives a token once: a store in trouble is tried again, and so is a row that was sealed anew meanwhile. */
async function keepLater(needs: BotTokenNeeds, found: OpenedInstallation, fresh: BotToken): Promise<void> {
  const end = needs.clock.steady() + renewedBefore;
  do await needs.clock.wait(keepEvery);
  while (!(await keepToken(needs, found, fresh)) && needs.clock.steady() < end);
}
