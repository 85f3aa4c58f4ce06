import { day, second } from '../../ground/durations.ts';
import { readTime } from '../../ground/timeText.ts';
import { leaves } from '../reading/jsonTree.ts';

/*
 * Until when a sign-in lasts, where its answer or its token tells. The specification shows neither (spec §5), so the keys are
 * those of OAuth 2.0 (RFC 6749) and of tokens (RFC 7519), in the spellings of services.
 */

/** Keys of a length of time in seconds, and of a point in time. */
const lengths = /^(expires?_?in|expiry_?seconds|ttl|lifetime|max_?age)$/i;
const times =
  /^(exp|expires|expiry|expires?_?(at|on|time)|expir(y|ation)_?(at|date|time)?|valid_?(until|to)|not_?after)$/i;
/** A sign-in that would last longer than this is told by something else, in milliseconds. */
const longest = 400 * day;

/** The end of a sign-in as some data tells it, in milliseconds since the epoch; `undefined` where it tells none after `now`. */
export function endOfSignInIn(told: unknown, now: number): number | undefined {
  const ends = leaves(told).flatMap(({ key, value }) => {
    const length = lengths.test(key) && /^\d+$/.test(String(value)) ? Number(value) * second : undefined;
    return length !== undefined ? [now + length] : times.test(key) ? zonedIn(value) : [];
  });
  return ends.find(at => at > now && at < now + longest);
}

/** A time counts only with its zone: a promise may not be hours off. */
function zonedIn(value: unknown): readonly number[] {
  const time = readTime(value);
  return time?.isZoned ? [time.at] : [];
}
