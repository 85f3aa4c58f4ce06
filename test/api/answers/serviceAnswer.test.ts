import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type Answer, refusesRead, saysRefused, sentenceIn } from '../../../src/api/answers/serviceAnswer.ts';
import { tokensIn } from '../../../src/api/answers/tokenInAnswer.ts';
import { oneLine } from '../../../src/api/reading/jsonTree.ts';

const jwt = 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJiZW4ifQ.c2lnbmF0dXJl';

function answer(body: unknown, headers: Record<string, string> = {}): Answer {
  return { status: 200, headers, text: JSON.stringify(body) ?? '', body };
}
function asText(text: string): Answer {
  return { status: 200, headers: {}, text, body: undefined };
}
/** What an answer says, as people read it. */
function messageIn(given: Pick<Answer, 'text' | 'body'>): string | undefined {
  return oneLine(sentenceIn(given) ?? '');
}

describe('the token', () => {
  test.each([
    ['a text', asText('tok-en.1234')],
    ['a text with a line end', asText('tok-en.1234\n')],
    ['a text with its scheme', asText('Bearer tok-en.1234')],
    ['a JSON string', answer('tok-en.1234')],
    ['a JSON string with its scheme', answer('bearer tok-en.1234')],
    ['token', answer({ token: 'tok-en.1234' })],
    ['access_token', answer({ access_token: 'tok-en.1234', token_type: 'Bearer', expires_in: 3600 })],
    ['accessToken', answer({ accessToken: 'Bearer tok-en.1234' })],
    ['JWT', answer({ JWT: 'tok-en.1234' })],
    ['authorization', answer({ authorization: 'Bearer tok-en.1234' })],
    ['the value of a token', answer({ token: { value: 'tok-en.1234', expires: '2026-11-21T10:00:00Z' } })],
    [
      'deep inside',
      answer({ status: 'SUCCESS', object: { session: { user: 'ben', auth: { token: 'tok-en.1234' } } } }),
    ],
    ['the object of an envelope', answer({ objectType: 'SUCCESS_RESULT', status: 'SUCCESS', object: 'tok-en.1234' })],
    ['an element of a list', answer({ tokens: [{ token: 'tok-en.1234' }] })],
    ['the authorization header', answer({ status: 'SUCCESS' }, { authorization: 'Bearer tok-en.1234' })],
    ['another header', answer({}, { 'x-auth-token': 'tok-en.1234' })],
    ['a header beside no body', { ...asText(''), headers: { 'access-token': 'tok-en.1234' } }],
  ])('the token in an answer is found as %s', (_, found) => {
    expect(tokensIn(found)).toEqual(['tok-en.1234']);
  });

  test('a token is taken from a key that says little where nothing else is one', () => {
    const held = { data: { type: 'token', attributes: { value: 'tok-en.123456', expires: 3600 } } };
    expect(tokensIn(answer(held))).toEqual(['tok-en.123456']);
    expect(tokensIn(answer({ status: 'SUCCESS', result: 'tok-en.123456' }))).toEqual(['tok-en.123456']);
    expect(tokensIn(answer({ session: 'abcdef-123456', token: 'tok-en.1234' }))).toEqual(['tok-en.1234']);
    expect(tokensIn(answer({ csrf: { value: 'no-csrf-123456' }, refresh: { value: 'no-refresh-123' } }))).toEqual([]);
    expect(tokensIn(answer({ result: 'You are signed in', data: 'USER-123456789', value: 'short' }))).toEqual([]);
  });

  test('a token is recognised by its look under a key that nobody thought of', () => {
    expect(tokensIn(answer({ granted: { thing: jwt } }))).toEqual([jwt]);
  });

  test.each([
    [{ refresh_token: 'no-refresh', access_token: 'tok-en.1234' }],
    [{ refreshToken: 'no-refresh', token: 'tok-en.1234' }],
    [{ refresh: { token: 'no-refresh' }, access: { token: 'tok-en.1234' } }],
    [{ csrfToken: 'no-csrf', token: 'tok-en.1234' }],
    [{ 'X-XSRF-TOKEN': 'no-csrf', jwt: 'tok-en.1234' }],
  ])('the token of a sign-in is told from tokens of another purpose: %j', body => {
    expect(tokensIn(answer(body))).toEqual(['tok-en.1234']);
  });

  test('of several tokens in an answer the most suitable comes first, each once', () => {
    const body = {
      id_token: 'third-id',
      token: 'second-token',
      data: { accessToken: 'first-access' },
      again: { token: 'second-token' },
    };
    expect(tokensIn(answer(body, { token: 'last-header' }))).toEqual([
      'first-access',
      'second-token',
      'third-id',
      'last-header',
    ]);
  });

  test.each([
    ['an envelope', answer({ objectType: 'SUCCESS_RESULT', status: 'SUCCESS', object: null })],
    ['a sentence', asText('You are signed in')],
    ['a page', asText('<html><body>hello</body></html>')],
    ['nothing', asText('')],
    ['a number', answer(12345)],
    ['null', answer(null)],
    ['a token that is no text', answer({ token: 12345, access_token: true, jwt: null })],
    ['a token with blanks', answer({ token: 'a b c d e' })],
    ['a token with a line break', answer({ token: 'abcd\r\nX-Evil: 1' })],
    ['three letters', answer({ token: 'abc' })],
    ['10,000 letters', answer({ token: 'x'.repeat(10_000) })],
    ['a type of token', answer({ token_type: 'Bearer', tokenExpiry: '2026-11-21' })],
    ['only a refresh token', answer({ refreshToken: 'no-refresh' })],
  ])('no token is found in %s', (_, found) => {
    expect(tokensIn(found)).toEqual([]);
  });

  test('each token that is found can stand in a header, whatever is answered', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.string({ unit: 'binary' }), (body, text) => {
        for (const token of [
          ...tokensIn(answer(body)),
          ...tokensIn(asText(text)),
          ...tokensIn(answer({ token: text })),
        ])
          expect(() => new Headers({ authorization: `Bearer ${token}` })).not.toThrow();
      }),
    );
  });
});

describe('the message', () => {
  test.each([
    [{ message: 'It is locked' }],
    [{ error: 'It is locked' }],
    [{ error: 'CONFLICT', message: 'It is locked' }],
    [{ status: 409, error: 'Conflict', message: 'It is locked', path: '/service/database/delete' }],
    [{ error: { code: 'E-17', message: 'It is locked' } }],
    [{ errors: [{ code: 'E-17', detail: 'It is locked' }] }],
    [{ errors: ['It is locked'] }],
    [{ error_description: 'It is locked', error: 'access_denied' }],
    [{ type: 'about:blank', title: 'It is locked', status: 409 }],
    [{ type: 'about:blank', title: 'Conflict', detail: 'It is locked', status: 409 }],
    [{ objectType: 'ERROR_RESULT', status: 'ERROR', object: { errorMessage: 'It is locked' } }],
    [{ Fault: { Reason: { Text: 'It is locked' } } }],
    [{ success: false, messages: ['It is locked'] }],
    [{ error_code: 'E-17', error_text: 'It is locked' }],
    [{ exception: 'LockedException', message: ' It is\n\tlocked ' }],
    ['It is locked'],
    [[{ message: 'It is locked' }]],
  ])('a refusal’s message is found in %j', body => {
    expect(messageIn({ body, text: JSON.stringify(body) })).toBe('It is locked');
  });

  test.each([
    ['It is locked'],
    ['  It is locked\r\n'],
    ['<html><head><title>It is locked</title></head><body>…</body></html>'],
    ['<html><title>409</title><body><h1>It is locked</h1></body></html>'],
    ['<!DOCTYPE html><h1 class="x"> It is locked </h1>'],
  ])('a refusal’s message is found in the text %j', text => {
    expect(messageIn({ body: undefined, text })).toBe('It is locked');
  });

  test.each([
    [{}],
    [null],
    [[]],
    [{ status: 500 }],
    [{ message: '' }],
    [{ message: null }],
    [{ code: 'E-17' }],
    [{ message: 17 }],
  ])('no message is found in %j', body => {
    expect(messageIn({ body, text: JSON.stringify(body) })).toBeUndefined();
  });
  test.each([[''], ['  \n'], ['<html><body><p>-- 17 --</p></body></html>'], ['<svg']])(
    'no message is found in the text %j',
    text => {
      expect(messageIn({ body: undefined, text })).toBeUndefined();
    },
  );

  test('a message from the service is told as one line of at most 300 characters', () => {
    const message = messageIn({ body: { message: `a\u0007\n${'b'.repeat(2_000)}` }, text: '' });
    expect(message).toMatch(/^a b+…$/);
    expect(message).toHaveLength(300);
  });

  test('a message from the service is one line or none, whatever is answered', () => {
    fc.assert(
      fc.property(fc.jsonValue(), body => {
        const message = messageIn({ body, text: JSON.stringify(body) });
        expect(
          message === undefined || (/\S/.test(message) && message.length <= 300 && !/[\n\r\0]/.test(message)),
        ).toBe(true);
      }),
    );
  });
});

describe('a refusal in an answer of success', () => {
  test.each([
    [{ status: 'ERROR' }],
    [{ status: 'failed', message: 'no' }],
    [{ status: 'REFUSED' }],
    [{ status: 409 }],
    [{ statusCode: '403' }],
    [{ result: 'FAILURE' }],
    [{ success: false }],
    [{ ok: false }],
    [{ objectType: 'ERROR_RESULT' }],
    [{ error: 'It is locked' }],
    [{ error: { message: 'It is locked' } }],
    [{ errors: [{ message: 'It is locked' }] }],
    [{ error: true }],
    [{ response: { status: 'ERROR' } }],
    [{ code: 500, msg: 'It is locked', data: null }],
    [{ code: '403' }],
    [{ code: -1, data: null }],
    [{ returnCode: 409 }],
    [{ errorCode: 'E-17', message: 'It is locked' }],
    [{ errcode: 40_001, errmsg: 'It is locked' }],
    [{ error: { code: 'E-17', message: null } }],
  ])('a refusal is seen in the successful answer %j', body => {
    expect(saysRefused(body)).toBe(true);
  });

  test.each([
    [{ objectType: 'SUCCESS_RESULT', status: 'SUCCESS', object: null }],
    [{ status: 'ACCEPTED', job: 7 }],
    [{ status: 202 }],
    [{ success: true, error: null }],
    [{ status: 'OK', errors: [] }],
    [{ error: '' }],
    [{ error: false }],
    [{ code: 0, msg: 'success', data: null }],
    [{ code: 200 }],
    [{ code: 20_000, data: {} }],
    [{ code: true }],
    [{ errorCode: 0, errorMessage: null }],
    [{ errorCode: '', error: 'none' }],
    [{ status: 'SUCCESS', error: {}, errors: {} }],
    [{ error: { code: 0, message: 'OK' } }],
    [{}],
    [null],
    ['ERROR'],
    [undefined],
    [[{ id: 'MYSQL_LIVE_SERVER-1', error: 'disk full' }]],
    [{ object: [{ id: 'MYSQL_CLONE_SERVER-1', status: 'FAILED', error: 'disk full' }] }],
    [{ databases: [{ status: 'ERROR' }] }],
  ])('no refusal is seen in the successful answer %j', body => {
    expect(saysRefused(body)).toBe(false);
  });

  test.each([
    [{ id: 'MYSQL_CLONE_SERVER-1', name: 'qa', status: 'FAILED', error: 'disk full' }],
    [{ data: { id: 'MYSQL_CLONE_SERVER-1', status: 'ERROR' } }],
    [{ serverId: 'MYSQL_CLONE_SERVER-1', status: 'FAILED', error: 'disk full' }],
    [{ clone_id: 'MYSQL_CLONE_SERVER-1', status: 'FAILED' }],
    [{ metadata: { id: 'MYSQL_CLONE_SERVER-1' }, status: 'FAILED' }],
    [{ id: 'PROJECT-1', code: 450, errorCode: 'E-17' }],
    [{ 'MYSQL_CLONE_SERVER-1': { name: 'qa' }, status: 'FAILED' }],
  ])('no refusal is seen in a record that failed: %j', body => {
    expect(refusesRead(body)).toBe(false);
  });

  test.each([
    [{ status: 'ERROR', message: 'No such record' }],
    [{ error: { message: 'No such record', database: 'MYSQL_CLONE_SERVER-1' } }],
    [{ success: false, source: 'MYSQL_CLONE_SERVER-1' }],
    [{ success: false, error: { message: 'No such record', databaseId: 'MYSQL_CLONE_SERVER-1' } }],
    [{ code: 500, msg: 'Internal error', data: null }],
  ])('a refusal is seen in an answer to a GET that holds no record: %j', body => {
    expect(refusesRead(body)).toBe(true);
  });
});
