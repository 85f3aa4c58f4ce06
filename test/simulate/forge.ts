import { z } from 'zod';
import { signatureHeaders } from '../../src/sandbox/playground/signature.ts';
import { inboundOf } from './inbound.ts';
import type { Exchange, Network, Wire } from './network.ts';
import type { ActOf } from './plan.ts';
import { oneOfAKind } from './random.ts';
import { parsed } from './requests.ts';
import { keys } from './sides.ts';

/* Requests that Slack or a browser would never send so: somebody else does, with what they have seen go by. */

/**
 * What somebody must not get done, as it is sent; `undefined` where nothing has gone by yet. `much later` is anything that
 * was said before, as Slack sends it once more; `old` a press of a button that was pressed before, on a message that may have
 * changed. @param pick a number from 0 to 1 that chooses among what has gone by
 */
export function forge({ how }: ActOf<'forge'>, { exchanges }: Network, now: number, pick: number): Wire | undefined {
  const all = exchanges.flatMap(exchange => inboundOf(exchange) ?? []);
  if (how === 'other site') {
    const login = all.findLast(({ kind }) => kind === 'sign-in')?.exchange;
    return login && { ...wireOf(login), headers: { ...login.headers, origin: 'https://elsewhere.invalid' } };
  }
  if (how === 'much later') {
    const done = all.filter(({ kind }) => kind !== 'choices' && kind !== 'sign-in' && kind !== 'step');
    const one = oneOfAKind(done, ({ kind }) => kind, pick)?.exchange;
    return one && signed(one, one.body, keys.SLACK_SIGNING_SECRET, now);
  }
  const clicks = all.filter(({ kind }) => kind === 'click');
  const click = (how === 'old' ? oneOfAKind(clicks, ({ name }) => name, pick) : clicks.at(-1))?.exchange;
  const payload = Click.safeParse(parsed(new URLSearchParams(click?.body).get('payload') ?? '')).data;
  if (!click || !payload) return undefined;
  if (how === 'again') return signed(click, click.body, keys.SLACK_SIGNING_SECRET, now);
  if (how === 'unsigned') return signed(click, click.body, 'a guess', now);
  const { team, actions } = payload;
  const changed = {
    ...payload,
    ...(how === 'other team' ? { team: { ...team, id: 'T0OTHER001' } } : {}),
    ...(how === 'other release' ? { actions: actions.map(one => ({ ...one, action_id: `${one.action_id}2` })) } : {}),
    ...(how === 'old'
      ? { trigger_id: `${now}.1.old`, actions: actions.map(one => ({ ...one, action_ts: `${now / 1_000}` })) }
      : {}),
  };
  return signed(
    click,
    new URLSearchParams({ payload: JSON.stringify(changed) }).toString(),
    keys.SLACK_SIGNING_SECRET,
    now,
  );
}

const Click = z.looseObject({
  team: z.looseObject({ id: z.string() }),
  actions: z.array(z.looseObject({ action_id: z.string() })),
});

function signed(like: Exchange, body: string, secret: string, now: number): Wire {
  const given = Object.entries({ ...like.headers, ...signatureHeaders(secret, Math.floor(now / 1_000), body) });
  return {
    ...wireOf(like),
    headers: Object.fromEntries(given.map(([name, value]) => [name.toLowerCase(), value])),
    body,
  };
}

function wireOf({ method, url, headers, body }: Wire): Wire {
  return { method, url, headers, body };
}
