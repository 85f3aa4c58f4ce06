import { expect, test } from 'vitest';
import { endOfSignInIn } from '../../../src/api/answers/signInEnd.ts';

/* Until when a sign-in lasts, as services tell it in ways that the specification does not show. */

const now = Date.UTC(2026, 10, 30, 8);
const inAnHour = now + 3_600_000;

test.each<[string, unknown, number | undefined]>([
  ['seconds, as OAuth tells them', { access_token: 'x', expires_in: 3_600 }, inAnHour],
  ['seconds in another spelling, as a text', { data: { token: 'x', expiresIn: '3600' } }, inAnHour],
  ['a point in time with its zone', { token: 'x', expiresAt: '2026-11-30T09:00:00Z' }, inAnHour],
  ['seconds since the epoch, as tokens have them', { exp: inAnHour / 1_000 }, inAnHour],
  ['milliseconds since the epoch', { session: { validUntil: inAnHour } }, inAnHour],
  ['the one of several that is still to come', { expires: '2026-11-29T09:00:00Z', expiresIn: 3_600 }, inAnHour],
  ['a time without a zone, which may be hours off', { expiresAt: '2026-11-30 09:00:00' }, undefined],
  ['a time that is over', { exp: now / 1_000 - 1 }, undefined],
  ['no end for years', { expires_in: 999_999_999 }, undefined],
  ['a word', { expiresIn: 'never', expires: 'soon' }, undefined],
  ['other numbers', { passwordExpired: false, userId: 3_600, refresh: { count: 5 } }, undefined],
  ['nothing', 'a-bare-token', undefined],
])('the end of a sign-in is read only where it is told for certain: %s', (_, told, end) => {
  expect(endOfSignInIn(told, now)).toBe(end);
});
