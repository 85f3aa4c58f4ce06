import { describe, expect, onTestFinished, test } from 'vitest';
import { type Call, put } from '../../../src/api/call.ts';
import type { PlainForm } from '../../../src/api/connection/plainBodies.ts';
import { connectService } from '../../../src/api/connection/serviceClient.ts';
import { testClock } from '../../clock.ts';
import { serveAnswers } from './answering.ts';

/* A body that is no more than an identifier: bare, or a string of JSON (spec §4.1). */

const success = JSON.stringify({ objectType: 'SUCCESS_RESULT', status: 'SUCCESS', object: null });
const id = 'ORACLE_CLONE_DATABASE-12';
const quoted = `"${id}"`;
const [stop, start, reset] = ['stop', 'start', 'reset'].map(word => put(`/database/${word}`, id));
const environment = 'HOST_ENVIRONMENT-4';

type Said = Readonly<{ status: number; says: string }>;
/** The refusal of a body, by what it is; `undefined` where the service takes it. */
type Refuses = (body: string, path: string) => Said | undefined;

async function serve(refuses: Refuses, plainBody?: PlainForm) {
  const bodies: string[] = [];
  const { url } = await serveAnswers(({ method, body, url }) => {
    // Before a sign-in counts as lost, reads are tried.
    if (method === 'PUT') bodies.push(body);
    const refusal = refuses(body, url);
    if (!refusal) return { status: 200, text: success };
    const { status, says } = refusal;
    return { status, text: /^[<{]/.test(says) ? says : JSON.stringify({ status: 'ERROR', message: says }) };
  });
  const service = connectService({ url, prefix: '/service', clock: testClock(), plainBody });
  onTestFinished(() => service.close());
  const submit = (call: Call | undefined) =>
    service.submit('token', call ?? put('/database/stop', id)).then(
      () => 'accepted',
      (error: { kind: string }) => error.kind,
    );
  return { bodies, submit };
}

const isJson = (body: string) => body.startsWith('"');
const jsonOnly =
  (status: number, says: string): Refuses =>
  body =>
    isJson(body) ? undefined : { status, says };
const bareOnly =
  (status: number, says: string): Refuses =>
  body =>
    isJson(body) ? { status, says } : undefined;
const always =
  (status: number, says: string): Refuses =>
  () => ({ status, says });

test('is sent bare for a database, and as JSON for an environment, as the examples do', async () => {
  const { bodies, submit } = await serve(() => undefined);
  for (const word of ['refresh', 'disable', 'enable', 'stop', 'start', 'reset'])
    expect(await submit(put(`/database/${word}`, id))).toBe('accepted');
  for (const word of ['refresh', 'disable', 'enable'])
    expect(await submit(put(`/environment/${word}`, environment))).toBe('accepted');
  expect(bodies).toEqual([...Array(6).fill(id), ...Array(3).fill(`"${environment}"`)]);
});

describe('of a refused body, the other form is tried once', () => {
  test.each([
    [400, "JSON parse error: Unrecognized token 'ORACLE_CLONE_DATABASE': was expecting (JSON String, Number, Array)"],
    [400, `Unexpected token 'O', ${quoted} is not valid JSON`],
    [400, 'Bad Request'],
    [400, '<html><head><title>HTTP Status 400 – Bad Request</title></head></html>'],
    [400, '{"type":"about:blank","title":"Bad Request","status":400,"instance":"/service/database/stop"}'],
    [400, '{}'],
    [400, 'com.google.gson.JsonSyntaxException: Expected a string but was BEGIN_OBJECT at line 1'],
    [415, 'no'],
    [415, "Content-Type 'application/json' is not supported"],
    [422, 'Input should be a valid string'],
    [422, 'Something was wrong with it'],
    [200, 'Malformed payload'],
    [200, 'The request body is missing'],
  ])('after %i %s', async (status, says) => {
    const { bodies, submit } = await serve(jsonOnly(status, says));
    expect(await submit(stop)).toBe('accepted');
    expect(bodies).toEqual([id, quoted]);
  });

  test.each([
    [400, `there is no ""${environment}""`],
    [400, `not an environment: "\\"${environment}\\""`],
    [422, 'invalid environment identifier'],
  ])('after %i %s, where quotes were read as part of it', async (status, says) => {
    const { bodies, submit } = await serve(bareOnly(status, says));
    expect(await submit(put('/environment/disable', environment))).toBe('accepted');
    expect(bodies).toEqual([`"${environment}"`, environment]);
  });

  test('and of two refusals the second one is told', async () => {
    const { bodies, submit } = await serve(body => ({ status: isJson(body) ? 409 : 400, says: 'It is held' }));
    expect(await submit(stop)).toBe('refused');
    expect(bodies).toHaveLength(1);
    const other = await serve(body => (isJson(body) ? { status: 403, says: 'No' } : { status: 400, says: 'No' }));
    expect(await other.submit(stop)).toBe('forbidden');
    expect(other.bodies).toEqual([id, quoted]);
  });
});

test.each([
  [400, `${id} is stopped already`],
  [400, 'The clone is not running'],
  [422, 'Another job is in progress on this database'],
  [400, 'The database in the JSON body is DISABLED'],
  [422, 'Snapshots depend on it'],
  [400, 'Your role does not include this'],
  [422, 'You are not permitted to stop clones'],
  [400, 'No such database'],
  [400, `there is no "${id}"`],
  [422, 'The clone could not be found'],
  [415, `Unknown database ${id}`],
  [400, 'Refresh HOST_ENVIRONMENT-2 first'],
  [401, 'Cannot parse the body'],
  [403, 'invalid identifier'],
  [404, 'no such database'],
  [405, 'unsupported media type'],
  [409, 'the body is busy'],
  [429, 'malformed body'],
  [200, 'Bad Request'],
  [200, 'No such database'],
  [200, 'The agent is not reachable'],
  [500, 'cannot parse the body'],
  [503, 'JSON parse error'],
])('is sent once where the refusal stands: %i %s', async (status, says) => {
  const { bodies, submit } = await serve(always(status, says));
  expect(await submit(stop)).not.toBe('accepted');
  expect(bodies).toEqual([id]);
});

describe('after a fault of the server', () => {
  test.each([
    ['/database/refresh', 500, 'HttpMessageNotReadableException: JSON parse error'],
    ['/database/enable', 500, 'Could not deserialize the payload'],
    ['/database/start', 502, 'Unexpected end of JSON input'],
    ['/environment/refresh', 500, 'Failed to parse the request'],
    ['/environment/enable', 500, 'Unable to decode the body'],
  ])('%s is sent in the other form, since a second run does no harm (%i %s)', async (path, status, says) => {
    const first = path.startsWith('/environment') ? bareOnly(status, says) : jsonOnly(status, says);
    const { bodies, submit } = await serve(first);
    expect(await submit(put(path, id))).toBe('accepted');
    expect(bodies).toHaveLength(2);
  });

  test.each([
    ['/database/refresh', 500, 'Something broke'],
    ['/database/start', 503, ''],
    ['/database/enable', 500, 'The database is ENABLED already'],
    ['/database/stop', 500, 'JSON parse error'],
    ['/database/disable', 500, 'JSON parse error'],
    ['/database/reset', 500, 'JSON parse error'],
    ['/environment/disable', 500, 'JSON parse error'],
  ])('%s is in doubt otherwise (%i %s)', async (path, status, says) => {
    const { bodies, submit } = await serve(always(status, says));
    expect(await submit(put(path, id))).toBe('unclear');
    expect(bodies).toHaveLength(1);
    await submit(put(path, id));
    // Nothing was learned from that.
    expect(new Set(bodies).size).toBe(1);
  });
});

describe('what is remembered', () => {
  test('is the success of the other form, for the one operation', async () => {
    const { bodies, submit } = await serve(jsonOnly(400, 'Bad Request'));
    for (const call of [stop, stop, start, start]) expect(await submit(call)).toBe('accepted');
    expect(bodies).toEqual([id, quoted, quoted, id, quoted, quoted]);
  });

  test('is nothing where the other form was refused, too', async () => {
    let isUp = false;
    const { bodies, submit } = await serve(() => (isUp ? undefined : { status: 400, says: 'Bad Request' }));
    expect(await submit(stop)).toBe('refused');
    isUp = true;
    expect(await submit(stop)).toBe('accepted');
    expect(bodies).toEqual([id, quoted, id]);
  });

  test('gives way where the service was changed since', async () => {
    let takes: PlainForm = 'json';
    const { bodies, submit } = await serve(body =>
      isJson(body) === (takes === 'json') ? undefined : { status: 415, says: 'Unsupported media type' },
    );
    await submit(stop);
    takes = 'bare';
    for (const call of [stop, stop]) expect(await submit(call)).toBe('accepted');
    expect(bodies).toEqual([id, quoted, quoted, id, id]);
  });
});

test('of a reset is sent in the other form only when a person asks again', async () => {
  const { bodies, submit } = await serve(jsonOnly(400, 'malformed body'));
  expect(await submit(reset)).toBe('refused');
  expect(bodies).toEqual([id]);
  for (const call of [reset, reset]) expect(await submit(call)).toBe('accepted');
  expect(bodies).toEqual([id, quoted, quoted]);
});

test.each(['json', 'bare'] as const)('has the form that is set (%s), whatever the service says', async form => {
  const { bodies, submit } = await serve(always(400, 'malformed body'), form);
  expect(await submit(stop)).toBe('refused');
  expect(await submit(put('/environment/refresh', id))).toBe('refused');
  const [first] = bodies;
  expect(bodies).toEqual([form === 'json' ? quoted : id, first]);
  expect(await submit(put('/database/sync', { database: id }))).toBe('refused');
  expect(bodies.at(-1)).toBe(`{"database":"${id}"}`);
});
