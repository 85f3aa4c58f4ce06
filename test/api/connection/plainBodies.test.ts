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
  const submit = (call: Call | undefined, token = 'token') =>
    service.submit(token, call ?? put('/database/stop', id)).then(
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

test('an identifier is sent bare for a database, and as JSON for an environment', async () => {
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
  ])('a bare identifier that is refused with %i %s is sent once more as JSON', async (status, says) => {
    const { bodies, submit } = await serve(jsonOnly(status, says));
    expect(await submit(stop)).toBe('accepted');
    expect(bodies).toEqual([id, quoted]);
  });

  test.each([
    [400, `there is no ""${environment}""`],
    [400, `not an environment: "\\"${environment}\\""`],
    [422, 'invalid environment identifier'],
  ])('a quoted identifier that is refused with %i %s is sent once more without quotes', async (status, says) => {
    const { bodies, submit } = await serve(bareOnly(status, says));
    expect(await submit(put('/environment/disable', environment))).toBe('accepted');
    expect(bodies).toEqual([`"${environment}"`, environment]);
  });

  test('where an identifier is refused bare and as JSON, the second refusal is told', async () => {
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
])('an identifier is sent only once where the refusal is not about its form: %i %s', async (status, says) => {
  const { bodies, submit } = await serve(always(status, says));
  expect(await submit(stop)).not.toBe('accepted');
  expect(bodies).toEqual([id]);
});

/** What says that the body could not be read, whatever other words stand in it. */
const unreadBodies = [
  'Required request body is missing: public java.lang.Object com.acme.DatabaseController.disable(java.lang.String)',
  'Required request body is missing: SnapshotController.stop(java.lang.String) of the running application',
  'Cannot PUT /service/database/disable: invalid JSON',
  "Content type 'application/json' is not supported; use text/plain",
  "Content type 'text/plain;charset=UTF-8' not supported",
  'Only text/plain is allowed here',
  'The quote is not closed',
  'Unterminated quote in the access to the value',
  'The request could not be understood by the server due to malformed syntax',
  'Malformed JSON in request body. See the online documentation',
  'JSON parse error: Unexpected character; the role of this value is unknown',
  'Could not read the request body of PUT /database/stop',
  'Failed to parse the request body as the state of a clone',
  'Error while reading JSON input',
  'Parsing of the request body failed',
  'org.springframework.http.converter.HttpMessageNotReadableException: state token expected',
  'Invalid body: you are not allowed to send quotes',
  'The payload must not be empty when a database is stopped',
  'Body cannot be empty; already read',
  'Expected a JSON string for the host',
  'request/body must be string',
  'Unable to process JSON',
  'Body should be a plain text of the clone',
] as const;

test.each(unreadBodies)(
  'an identifier is sent as JSON, too, where the refusal says that the body was not read: %s',
  async says => {
    for (const status of [400, 415, 422, 200]) {
      const { bodies, submit } = await serve(jsonOnly(status, says));
      expect(await submit(put('/database/disable', id))).toBe('accepted');
      expect(bodies).toEqual([id, quoted]);
    }
  },
);

test.each([
  '<html><body><h2>HTTP ERROR 400 Bad Request</h2><table><tr><th>URI:</th><td>/service/database/disable</td></tr><tr><th>STATUS:</th><td>400</td></tr></table></body></html>',
  'Unexpected character at position 0; see the online documentation',
  "Unrecognized token 'ORACLE_CLONE_DATABASE'",
  'Cannot deserialize instance of `java.lang.String` out of START_OBJECT token',
  'The server cannot or will not process the request due to something that is perceived to be a client error',
  'Cannot stop: bad value',
  'Cannot disable',
  'Value must be string',
  'Expecting value: line 1 column 1 (char 0)',
  'A database id is required',
  'Invalid database',
  'The database name must not be blank',
  'PUT /database/stop failed',
  'An error occurred',
])('an identifier is sent as JSON, too, after a refusal that names no right, state or record: 400 %s', async says => {
  const { bodies, submit } = await serve(jsonOnly(400, says));
  expect(await submit(put('/database/disable', id))).toBe('accepted');
  expect(bodies).toEqual([id, quoted]);
});

describe.each([
  [
    'a right',
    [
      ...['Access denied', 'Not authorized', 'Unauthorized', 'You have no access', 'Admin only', 'Denied by policy'],
      ...[
        'Not authorised to call this',
        'Your account is restricted',
        'You cannot do this',
        'Prohibited',
        'Approval needed',
      ],
      ...['Operator privileges needed', 'Please log in', 'This user has no licence for it', 'Insufficient clearance'],
    ],
  ],
  [
    'a state',
    [
      ...['A job is queued for it', 'Currently restoring', 'in maintenance', 'It is held', 'Already done', 'Not yet'],
      ...['Try again later', 'Please wait', 'Pending changes', 'Locked', 'Stopped', 'It has ended', 'Being patched'],
      ...[
        'Another task has it',
        'Wait until the backup is over',
        'Is not online',
        'Busy',
        'Conflict with a mount',
        'Operation blocked',
      ],
    ],
  ],
  [
    'a record',
    [
      ...[
        'The clone was deleted',
        'Cannot find clone',
        'That database belongs to Carla',
        'Could not locate the environment',
      ],
      ...[
        'Clone vanished',
        'The host is full',
        'Nothing found',
        'The snapshots of this database are in use',
        'No clone',
      ],
    ],
  ],
])('a refusal for %s stands', (_, sentences) => {
  test.each(sentences)(
    'an identifier is sent only once where the refusal is for a right, a state or a record: %s',
    async says => {
      for (const status of [400, 422, 200]) {
        const { bodies, submit } = await serve(always(status, says));
        expect(await submit(stop)).not.toBe('accepted');
        expect(bodies).toEqual([id]);
      }
    },
  );
});

test.each([
  'Failed to parse the output of the stop script',
  'Unexpected end of stream from the agent',
  'Error while parsing /etc/my.cnf',
  'EOFException: Unexpected end of file from agent',
  'Could not decode the reply of the host',
  'Cannot parse the answer',
  'Expected a number value in v$instance',
  'The agent returned malformed JSON',
  'Failed to parse the JSON output of srvctl',
  'JSON parse error in the response of the listener',
  'The config file is not valid JSON',
  'Unable to read the control file',
  'Syntax error near line 4',
  'Illegal character in path',
  'Bad request',
  'Unable to process the request: the clone is stopped',
])('a write is not sent again where the service failed to read something else: %s', async says => {
  for (const word of ['stop', 'disable', 'start']) {
    const { bodies, submit } = await serve(always(200, says));
    expect(await submit(put(`/database/${word}`, id))).toBe('refused');
    expect(bodies).toEqual([id]);
  }
  for (const word of ['refresh', 'enable', 'start', 'stop']) {
    const { bodies, submit } = await serve(always(500, says));
    expect(await submit(put(`/database/${word}`, id))).toBe('unclear');
    expect(bodies).toEqual([id]);
  }
});

describe('after a fault of the server', () => {
  test.each([
    ['/database/refresh', 500, 'HttpMessageNotReadableException: JSON parse error'],
    ['/database/enable', 500, 'Could not deserialize the payload'],
    ['/database/start', 502, 'Unexpected end of JSON input'],
    ['/environment/refresh', 500, 'Failed to parse the request'],
    ['/environment/enable', 500, 'Unable to decode the body'],
  ])(
    'the identifier for %s is sent in its other form after a fault that names the body (%i %s)',
    async (path, status, says) => {
      const first = path.startsWith('/environment') ? bareOnly(status, says) : jsonOnly(status, says);
      const { bodies, submit } = await serve(first);
      expect(await submit(put(path, id))).toBe('accepted');
      expect(bodies).toHaveLength(2);
    },
  );

  test.each([
    ['/database/refresh', 500, 'Something broke'],
    ['/database/start', 503, ''],
    ['/database/enable', 500, 'The database is ENABLED already'],
    ['/database/stop', 500, 'JSON parse error'],
    ['/database/disable', 500, 'JSON parse error'],
    ['/database/reset', 500, 'JSON parse error'],
    ['/environment/disable', 500, 'JSON parse error'],
  ])('the request %s is in doubt after a server’s fault, and is not sent again (%i %s)', async (path, status, says) => {
    const { bodies, submit } = await serve(always(status, says));
    expect(await submit(put(path, id))).toBe('unclear');
    expect(bodies).toHaveLength(1);
    await submit(put(path, id));
    // Nothing was learned from that.
    expect(new Set(bodies).size).toBe(1);
  });
});

describe('what is remembered', () => {
  test('an identifier’s form, bare or JSON, that succeeded is remembered for its operation alone', async () => {
    const { bodies, submit } = await serve(jsonOnly(400, 'Bad Request'));
    for (const call of [stop, stop, start, start]) expect(await submit(call)).toBe('accepted');
    expect(bodies).toEqual([id, quoted, quoted, id, quoted, quoted]);
  });

  test('no form of an identifier is remembered where bare and JSON were both refused', async () => {
    let isUp = false;
    const { bodies, submit } = await serve(() => (isUp ? undefined : { status: 400, says: 'Bad Request' }));
    expect(await submit(stop)).toBe('refused');
    isUp = true;
    expect(await submit(stop)).toBe('accepted');
    expect(bodies).toEqual([id, quoted, id]);
  });

  test('a remembered form of an identifier gives way where the service takes only the other one', async () => {
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

test('a refused reset is sent in its other form, bare or JSON, only when a person asks again', async () => {
  const { bodies, submit } = await serve(jsonOnly(400, 'malformed body'));
  expect(await submit(reset)).toBe('refused');
  expect(bodies).toEqual([id]);
  for (const call of [reset, reset]) expect(await submit(call)).toBe('accepted');
  expect(bodies).toEqual([id, quoted, quoted]);
});

test.each([
  `JSON ${"''".repeat(1_000)}`,
  `body ${'"" '.repeat(700)}`,
  `cannot ${'parse the '.repeat(200)}`,
  `JSON ${'is a '.repeat(400)}`,
  `invalid ${'the '.repeat(500)}`,
])('a hostile refusal is read within ten seconds', async says => {
  const began = process.cpuUsage();
  const { submit } = await serve(always(400, says));
  await submit(stop);
  expect(process.cpuUsage(began).user).toBeLessThan(10_000_000);
});

describe('a refused reset', () => {
  const resetOf = (number: number) => put('/database/reset', `MYSQL_CLONE_SERVER-${number}`);

  test('a refused reset changes the form of no other reset, and of none by somebody else', async () => {
    let isUp = false;
    const { bodies, submit } = await serve(body => {
      if (isJson(body)) return { status: 400, says: 'there is no such database' };
      return isUp ? undefined : { status: 400, says: 'Something was wrong with it' };
    });
    expect(await submit(resetOf(1))).toBe('refused');
    isUp = true;
    for (const number of [2, 3, 4]) expect(await submit(resetOf(number))).toBe('accepted');
    expect(await submit(resetOf(1), 'of somebody else')).toBe('accepted');
    expect(bodies.slice(1).some(isJson)).toBe(false);
  });

  test('a refused reset goes back to its first form where the other one was refused, too', async () => {
    const { bodies, submit } = await serve(body => ({
      status: 400,
      says: isJson(body) ? 'there is no such database' : 'Something was wrong with it',
    }));
    for (let count = 0; count < 3; count++) expect(await submit(resetOf(1))).toBe('refused');
    expect(bodies.map(isJson)).toEqual([false, true, false]);
  });

  test('a refused reset is tried by one person once in its other form, and then in the first one', async () => {
    const { bodies, submit } = await serve(always(400, 'Something was wrong with it'));
    for (let count = 0; count < 3; count++) expect(await submit(resetOf(1))).toBe('refused');
    expect(bodies.map(isJson)).toEqual([false, true, false]);
  });

  test('a refused reset is tried in its other form again where the service could not be reached meanwhile', async () => {
    const { bodies, submit } = await serve(body => {
      if (bodies.length === 2) return { status: 503, says: 'Not now' };
      return isJson(body) ? undefined : { status: 400, says: 'malformed body' };
    });
    expect(await submit(resetOf(1))).toBe('refused');
    expect(await submit(resetOf(1))).toBe('unclear');
    expect(await submit(resetOf(1))).toBe('accepted');
    expect(bodies.map(isJson)).toEqual([false, true, true]);
  });
});

test.each(['json', 'bare'] as const)(
  'an identifier is sent in the form that the operator set (%s), whatever the service says',
  async form => {
    const { bodies, submit } = await serve(always(400, 'malformed body'), form);
    expect(await submit(stop)).toBe('refused');
    expect(await submit(put('/environment/refresh', id))).toBe('refused');
    const [first] = bodies;
    expect(bodies).toEqual([form === 'json' ? quoted : id, first]);
    expect(await submit(put('/database/sync', { database: id }))).toBe('refused');
    expect(bodies.at(-1)).toBe(`{"database":"${id}"}`);
  },
);
