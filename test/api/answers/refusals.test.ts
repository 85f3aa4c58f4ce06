import { describe, expect, test } from 'vitest';
import { doubtsToken, refusalOf, signInRefusalOf, standingIn } from '../../../src/api/answers/refusals.ts';
import type { Answer } from '../../../src/api/answers/serviceAnswer.ts';
import { quotesAny } from '../../../src/api/secrets/secrets.ts';

const clean = quotesAny([]);

function answer(status: number, body: unknown = {}, headers: Record<string, string> = {}): Answer {
  return { status, headers, text: JSON.stringify(body), body };
}
const saying = (status: number, message: string) => answer(status, { message });

describe('a refusal is for the token or for a right, by status, words and what the token is good for:', () => {
  test.each([
    [saying(401, 'user viewer may not call DELETE'), 'honoured', 'forbidden'],
    [saying(401, 'user viewer may not call DELETE'), 'unknown', 'forbidden'],
    [saying(401, 'You lack the role OPERATOR'), 'unknown', 'forbidden'],
    [saying(401, 'Unauthorized'), 'unknown', 'signed-out'],
    [saying(401, 'Unauthorized'), 'honoured', 'forbidden'],
    [saying(401, 'Your role token is invalid'), 'unknown', 'signed-out'],
    [saying(403, 'Token expired'), 'over', 'signed-out'],
    [saying(403, 'Token expired'), 'honoured', 'forbidden'],
    [answer(200, { success: false, code: 401 }), 'over', 'signed-out'],
    [answer(200, { success: false, code: 401 }), 'honoured', 'forbidden'],
    [answer(200, { success: false, message: 'The session has expired' }), 'honoured', 'refused'],
  ] as const)('the refusal %j, with a token that is %s, is of the kind %s', (refused, standing, kind) => {
    expect(refusalOf(refused, clean, standing).kind).toBe(kind);
  });

  test.each([
    [saying(401, 'x'), true],
    [saying(403, 'JWT expired at 07:15'), true],
    [saying(403, 'not authenticated'), true],
    [saying(400, 'The access token is not valid'), true],
    [saying(403, 'Operators only'), false],
    [saying(404, 'unknown token'), false],
    [saying(429, 'too many requests for this token: expired quota'), false],
    [saying(500, 'token expired'), false],
  ])('the refusal %j makes the token worth a try: %s', (refused, expected) => {
    expect(doubtsToken(refused)).toBe(expected);
  });

  test.each([
    [answer(200, []), 'honoured'],
    [answer(200, { success: false, code: 401 }), 'over'],
    [saying(403, 'Operators only'), 'honoured'],
    [saying(403, 'Token expired'), 'over'],
    [saying(401, 'Unauthorized'), 'over'],
    [saying(401, 'user viewer may not list users'), 'unknown'],
    [saying(404, ''), 'unknown'],
    [saying(429, ''), 'unknown'],
    [saying(503, ''), 'unknown'],
    [{ ...answer(200), text: '<html>', body: undefined }, 'unknown'],
  ] as const)('a harmless reading that is answered with %j says that the token is %s', (answered, expected) => {
    expect(standingIn(answered)).toBe(expected);
  });
});

test.each([
  [answer(302), 'unreadable'],
  [answer(408), 'unreadable'],
  [answer(404), 'missing'],
  [answer(410), 'missing'],
  [answer(405), 'missing'],
  [answer(409), 'refused'],
  [answer(429, {}, { 'retry-after': '7' }), 'busy'],
  [answer(500), 'unreadable'],
  [answer(999), 'unreadable'],
  [answer(100), 'refused'],
] as const)('the answer %j is a failure of the kind %s, in one sentence', (refused, kind) => {
  const failure = refusalOf(refused, clean);
  expect(failure.kind).toBe(kind);
  expect(failure.message).toMatch(/^The service [^{}]*\.$/);
});

test('a refusal tells the service’s words without their passwords, and none that quote a secret', () => {
  const said = saying(409, 'No way to mysql://app:hunter2@db. ');
  expect(refusalOf(said, clean).message).toBe('The service refused: “No way to mysql://app:•••@db”.');
  expect(String(refusalOf(said, clean).cause)).not.toContain('hunter2');
  expect(refusalOf(said, quotesAny(['way to mysql'])).message).toBe('The service refused.');
  expect(String(refusalOf(said, quotesAny(['way to mysql'])).cause)).not.toContain('mysql');
});

test('a refusal of which one part quotes a secret tells its other parts', () => {
  const refused = answer(400, { message: 'Wrong password', request: { password: 'hunter2-hunter2' } });
  const { message, cause } = signInRefusalOf(refused, quotesAny(['hunter2-hunter2']));
  expect(message).toBe(
    'The service did not accept this user name and password: “Wrong password”. Check both and try again.',
  );
  expect(String(cause)).not.toContain('hunter2');
});

test('no part of a secret stays where the log cuts an answer', () => {
  const secret = 'a-secret-that-is-long-enough';
  for (let before = 470; before < 500; before++)
    expect(String(refusalOf(saying(409, `${'x'.repeat(before)}${secret}`), quotesAny([secret])).cause)).not.toContain(
      'a-sec',
    );
});
