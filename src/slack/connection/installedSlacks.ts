import type { WebClient, WebClientOptions } from '@slack/web-api';
import { LRUCache } from 'lru-cache';
import type { Meter } from '../../ground/meter.ts';
import type { BotTokens } from './botTokens.ts';
import { MeteredClient } from './meteredClient.ts';
import { platformError } from './slackErrors.ts';
import type { Slacks } from './slacks.ts';

/** The maximum number of clients that are kept; the least recently used go first. */
const maxClients = 1_000;

/** The clients of the teams for which the app is installed. */
export function installedSlacks(tokens: BotTokens, options: WebClientOptions, meter: Meter): Slacks {
  const clients = new LRUCache<string, WebClient>({ max: maxClients });
  return {
    of(team) {
      const client = clients.get(team) ?? new TeamClient({ team, tokens }, options, meter);
      clients.set(team, client);
      return client;
    },
  };
}

type Bearer = Readonly<{ team: string; tokens: BotTokens }>;

/**
 * Obtains the team's token at each call. Where Slack refuses a token that was replaced meanwhile, the call is made again:
 * Slack did nothing about it.
 */
class TeamClient extends MeteredClient {
  readonly #bearer: Bearer;

  constructor(bearer: Bearer, options: WebClientOptions, meter: Meter) {
    super(undefined, options, meter);
    this.#bearer = bearer;
  }

  override async apiCall(method: string, options?: Record<string, unknown>) {
    const { team, tokens } = this.#bearer;
    const token = await tokens.of(team);
    try {
      return await super.apiCall(method, { ...options, token });
    } catch (error) {
      const word = platformError(error) ?? '';
      if (!refusals.includes(word) || !(await tokens.isReplaced(team, token, word))) throw error;
      return super.apiCall(method, { ...options, token: await tokens.of(team) });
    }
  }
}

/** Slack's words for a token that it does not take. */
const refusals: readonly string[] = ['account_inactive', 'token_revoked', 'token_expired', 'invalid_auth'];
