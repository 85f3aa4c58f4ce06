import type { Clock } from '../../ground/clock.ts';
import { limits } from './limits.ts';
import { secret } from './random.ts';
import { SlackError } from './slackError.ts';

const kept = 10_000;

/** Keeps a long-lived playground from growing: what is that old has expired anyway. */
function forgetOldest(known: Map<string, unknown>) {
  const [oldest] = known.keys();
  if (known.size >= kept && oldest !== undefined) known.delete(oldest);
}

/** Trigger ids: each opens one view, within three seconds, for the person whose gesture it stands for. */
export type Triggers = {
  issue(user: string, app: string): string;
  /**
   * @param app the bot that uses it: a trigger is for the app of one workspace
   * @throws SlackError expired_trigger_id, exchanged_trigger_id or invalid_trigger_id
   */
  redeem(id: string, app: string): { user: string };
};

/** `life` is how long each may be used, in milliseconds. */
export function newTriggers(clock: Clock, life: number = limits.trigger): Triggers {
  const known = new Map<string, { user: string; app: string; at: number; used: boolean }>();
  return {
    issue(user, app) {
      const at = clock.now();
      const id = `${at}.${known.size}.${secret()}`;
      forgetOldest(known);
      known.set(id, { user, app, at, used: false });
      return id;
    },
    redeem(id, app) {
      const trigger = known.get(id);
      if (trigger === undefined || trigger.app !== app) throw new SlackError('invalid_trigger_id');
      if (trigger.used) throw new SlackError('exchanged_trigger_id');
      if (clock.now() - trigger.at > life) throw new SlackError('expired_trigger_id');
      trigger.used = true;
      return trigger;
    },
  };
}

/** The uses of a response URL. */
export type ResponseUrl = {
  /** The workspace whose app may answer. */
  team: string;
  channel: string;
  user: string;
  /** The message whose button was pressed. A slash command has none, so it can replace nothing. */
  ts?: string;
};

/** Response URLs: five uses, thirty minutes. */
export type ResponseUrls = {
  /** @returns the secret last part of the URL */
  issue(use: ResponseUrl): string;
  /** @throws SlackError used_url, expired_url or invalid_url */
  redeem(id: string): ResponseUrl;
};

export function newResponseUrls(clock: Clock): ResponseUrls {
  const known = new Map<string, ResponseUrl & { at: number; uses: number }>();
  return {
    issue(use) {
      const id = secret();
      forgetOldest(known);
      known.set(id, { ...use, at: clock.now(), uses: 0 });
      return id;
    },
    redeem(id) {
      const url = known.get(id);
      if (url === undefined) throw new SlackError('invalid_url');
      if (clock.now() - url.at > limits.responseUrlLife) throw new SlackError('expired_url');
      if (url.uses >= limits.responseUrlUses) throw new SlackError('used_url');
      url.uses += 1;
      return url;
    },
  };
}
