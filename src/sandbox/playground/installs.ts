import type { Clock } from '../../ground/clock.ts';
import { limits } from './limits.ts';
import { secret } from './random.ts';
import { SlackError } from './slackError.ts';

/** The app's own name and password towards Slack, as its page of settings shows them. */
export type Client = Readonly<{ id: string; secret: string }>;

/** One installation of the app: in a workspace (T…), or in a whole organisation (E…). */
export type Install = Readonly<{ team: string; by: string; scopes: string }>;

/** A bot token as `oauth.v2.access` gives it. */
export type GivenToken = Readonly<{ install: Install; token: string; refresh?: string; seconds?: number }>;

/** The installations of the app, and the tokens that they gave out. */
export type Installs = {
  /** The installation for which a bot token stands. @throws SlackError invalid_auth, token_expired, account_inactive */
  of(token: string): Install;
  isInstalled(team: string): boolean;
  all(): Install[];
  /** A person allows the installation. @returns the code, which may be exchanged once, within ten minutes */
  allow(install: Install, redirect: string): string;
  /** @throws SlackError invalid_code, bad_redirect_uri */
  exchange(code: string, redirect: string): GivenToken;
  /** @throws SlackError invalid_refresh_token */
  refresh(token: string): GivenToken;
  /** Takes the app out of a workspace: its tokens are worth nothing from now on. */
  remove(team: string): void;
};

type Token = { install: Install; until: number; isDead: boolean };
type Code = { install: Install; redirect: string; at: number };

/**
 * @param rotates whether tokens expire (the app's setting `token_rotation_enabled`)
 * @param first the token of the installation that was there before all others
 */
export function newInstalls(clock: Clock, rotates: () => boolean, first: { token: string; team: string }): Installs {
  const initial: Install = { team: first.team, by: '', scopes: '' };
  const installs = new Map<string, Install>();
  const tokens = new Map<string, Token>();
  const codes = new Map<string, Code>();
  const refreshes = new Map<string, Install>();
  if (first.token !== '') {
    installs.set(first.team, initial);
    tokens.set(first.token, { install: initial, until: Infinity, isDead: false });
  }

  function give(install: Install): GivenToken {
    installs.set(install.team, install);
    if (!rotates()) {
      // Slack gives the same token again, as long as the app stays installed.
      const known = [...tokens].find(
        ([, one]) => one.install.team === install.team && !one.isDead && one.until === Infinity,
      );
      const token = known?.[0] ?? `xoxb-${secret()}`;
      tokens.set(token, { install, until: Infinity, isDead: false });
      return { install, token };
    }
    const token = `xoxe.xoxb-1-${secret()}`;
    const refresh = `xoxe-1-${secret()}`;
    tokens.set(token, { install, until: clock.now() + limits.rotatedToken, isDead: false });
    refreshes.set(refresh, install);
    return { install, token, refresh, seconds: limits.rotatedToken / 1_000 };
  }

  return {
    of(token) {
      const given = tokens.get(token);
      if (given === undefined) throw new SlackError('invalid_auth');
      if (given.isDead) throw new SlackError('account_inactive');
      if (clock.now() >= given.until) throw new SlackError('token_expired');
      return given.install;
    },
    isInstalled: team => installs.has(team),
    all: () => [...installs.values()],
    allow(install, redirect) {
      const code = secret();
      codes.set(code, { install, redirect, at: clock.now() });
      return code;
    },
    exchange(code, redirect) {
      const given = codes.get(code);
      codes.delete(code);
      if (given === undefined || clock.now() - given.at > limits.code) throw new SlackError('invalid_code');
      if (given.redirect !== redirect) throw new SlackError('bad_redirect_uri');
      return give(given.install);
    },
    refresh(token) {
      const install = refreshes.get(token);
      refreshes.delete(token);
      if (install === undefined || !installs.has(install.team)) throw new SlackError('invalid_refresh_token');
      return give(install);
    },
    remove(team) {
      installs.delete(team);
      for (const token of tokens.values()) if (token.install.team === team) token.isDead = true;
      for (const [token, install] of refreshes) if (install.team === team) refreshes.delete(token);
    },
  };
}
