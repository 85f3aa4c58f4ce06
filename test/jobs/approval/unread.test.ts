import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { minute } from '../../../src/ground/durations.ts';
import { PolicyFile, policyOf } from '../../../src/jobs/approval/policy/rules.ts';
import type { Middleware } from '../../../src/sandbox/service/application.ts';
import type { NewJob } from '../../../src/store/jobs/rows/job.ts';
import { type Crossing, crossing } from '../../journeys/crossing.ts';
import { folder, storeIn } from '../../store/folder.ts';
import { few } from '../../whole.ts';
import { type Board, board } from '../deciding.ts';

/*
 * Not read is not not there: an answer that did not come, or that nobody can use, makes an approval wait. It takes none
 * back, and hides nothing from those who approve.
 */

/** The answers that are none, each as the service or a proxy before it gives it. */
const failures: Readonly<Record<string, Middleware>> = {
  'HTTP 502': () => new Response('<html><title>502 Bad Gateway</title></html>', { status: 502 }),
  'a page in place of JSON': () => new Response('<html><body>Maintenance</body></html>'),
  'half a body': async (_request, next) => {
    const whole = new Uint8Array(await (await next()).arrayBuffer());
    return new Response(whole.slice(0, whole.length / 2), { headers: { 'content-type': 'application/json' } });
  },
  'a body that breaks off': () =>
    new Response('[{"id":', { headers: { 'content-length': '9000', connection: 'close' } }),
  'no answer': () => new Promise<Response>(() => undefined),
  'a wish to be left alone': () => Response.json({ message: 'too many' }, { status: 429 }),
  'an error with the status of a success': () =>
    Response.json({ status: 'ERROR', message: 'The backend is overloaded.' }),
  'a refusal of the moment': () => Response.json({ message: 'The catalogue is locked.' }, { status: 423 }),
};

type Asked = Pick<NewJob, 'operation' | 'target' | 'values'>;

/** A database with clones. Its restore waits for approval in these tests. */
const database = 'MYSQL_LIVE_SERVER-1';
const restore: Asked = {
  ...{ operation: 'database.restore', target: database },
  values: { database, objectType: 'MYSQL_SERVER_RECOVERY_PARAMS' },
};
/** A snapshot, whose holder has to be found, and on which nothing depends. */
const [snapshot, holder] = ['MARIADB_SNAPSHOT-1', 'MARIADB_LIVE_SERVER-1'];
const deletion: Asked = { operation: 'snapshot.delete', target: snapshot, values: { snapshot } };

/** What cannot be read, and the request that rests on it. */
const places: readonly (readonly [string, string, Asked])[] = [
  ['the list of databases', '/database/list', restore],
  ['the list of environments', '/environment/list', restore],
  ['the list of projects', '/project/list', restore],
  ['the record itself', `/database/${database}`, restore],
  ['the list that shows the holder of a snapshot', '/database/list', deletion],
  ['the record of that holder', `/database/${holder}`, deletion],
];

const policy = { rules: [{ title: 'restores', operation: 'database.restore', decision: 'approve' }] };

let road: Crossing;
let desk: Board;
beforeEach(async () => {
  road = crossing();
  desk = await board(await storeIn(folder()), policy, undefined, road.middleware);
});
afterEach(() => desk.end());

const id = 'job-2';
const written = () =>
  desk.service.requests.filter(({ method, path }) => method !== 'GET' && !path.includes('/user/')).length;

/** Does something while the clock goes on, so that a read that gets no answer ends. */
async function meanwhile<T>(doing: Promise<T>): Promise<T> {
  let isOver = false;
  const done = doing.finally(() => {
    isOver = true;
  });
  done.catch(() => undefined);
  while (!isOver) {
    await desk.clock.advance(1_000);
    await new Promise(setImmediate);
  }
  return done;
}

const sends = () => meanwhile(desk.sends({}, id));
const approves = () => meanwhile(desk.approvesOther('U0DEV', id));

/** What those who approve see of the target, by the labels of the facts. */
const shown = async () =>
  Object.fromEntries(((await desk.read(id)).approval?.facts ?? []).map(({ label, value }) => [label, value]));

async function seesAll(asked: Asked) {
  const facts = await shown();
  if (asked === deletion) return expect(facts).toMatchObject({ Of: expect.stringContaining(holder) });
  expect(facts.Dependents).toContain('MYSQL_CLONE_SERVER-');
  expect(facts.Environment).toBe('mysql-prod (HOST_ENVIRONMENT-2)');
  expect(facts.Project).toMatch(/^web-shop /);
  expect((await desk.read(id)).impact?.clones?.names).not.toEqual([]);
}

const cases = places.flatMap(([what, path, asked], place) =>
  Object.entries(failures).map(
    ([how, answer], at) => [what, how, { path, asked, answer, isChosen: (place + at) % 3 === 0 }] as const,
  ),
);

describe.each(few(cases, ([, , { isChosen }]) => isChosen))(
  '%s cannot be read, for %s:',
  (_what, _how, { path, asked, answer }) => {
    const waits = async (state: 'new' | 'approved') => {
      expect(await sends()).toBe(state);
      const { hold, reason, dueAt } = await desk.read(id);
      expect(hold).toBe('busy');
      expect(reason).toMatch(/^The (service|connection to the service) \S.*\.$/s);
      expect(dueAt).toBeGreaterThan(desk.clock.now());
      expect(written()).toBe(0);
    };

    test('a request waits while a list or record that it needs cannot be read, and then shows approvers everything', async () => {
      await desk.asks(id, asked);
      const met = road.meets(path, answer);
      await waits('new');
      await waits('new');
      met.leave();
      expect(await sends()).toBe('awaiting');
      await seesAll(asked);
      expect(await approves()).toBe('counted: approved');
      expect(await sends()).toBe('running');
    });

    test('an approved request waits while a list or record cannot be read, and runs once the service answers', async () => {
      await desk.asks(id, asked);
      expect(await sends()).toBe('awaiting');
      await seesAll(asked);
      expect(await approves()).toBe('counted: approved');
      const met = road.meets(path, answer);
      await waits('approved');
      await waits('approved');
      met.leave();
      expect(await sends()).toBe('running');
      expect(written()).toBe(1);
    });

    test('the last approval counts while a record cannot be read, or its person is told to try again', async () => {
      await desk.asks(id, asked);
      expect(await sends()).toBe('awaiting');
      const met = road.meets(path, answer);
      const told = await approves();
      if (told !== 'counted: approved')
        expect(told).toMatch(/^I could not check .*Nothing was decided; please try again\.$/);
      else await waits('approved');
      met.leave();
      if (told !== 'counted: approved') expect(await approves()).toBe('counted: approved');
      expect(await sends()).toBe('running');
      expect(written()).toBe(1);
    });
  },
);

describe('what a sign-in is never shown', () => {
  test.each([403, 404, 405, 410])(
    'a request is approved and runs though its person may never see the lists: HTTP %i',
    async status => {
      for (const path of ['/database/list', '/environment/list', '/project/list'])
        road.meets(path, () => Response.json({ message: 'No.' }, { status }));
      await desk.asks(id, restore);
      expect(await sends()).toBe('awaiting');
      expect(await shown()).toMatchObject({ Dependents: 'not visible in the records' });
      expect(await approves()).toBe('counted: approved');
      expect(await sends()).toBe('running');
    },
  );

  test('a restore is approved and runs where the service shows its database in the list alone', async () => {
    road.meets(`/database/${database}`, () => Response.json({ message: 'There is no such path.' }, { status: 404 }));
    await desk.asks(id, restore);
    expect(await sends()).toBe('awaiting');
    expect(await approves()).toBe('counted: approved');
    expect(await sends()).toBe('running');
  });

  test('an approval is void once nobody is shown the target, and waits while the list cannot be read', async () => {
    await desk.asks(id, restore);
    await sends();
    await approves();
    const met = road.meets('/database/list', failures['HTTP 502'] ?? expect.fail());
    road.meets(`/database/${database}`, () => Response.json({ message: 'not yours' }, { status: 403 }));
    expect(await sends()).toBe('approved');
    met.leave();
    road.meets('/database/list', () => Response.json({ message: 'not yours' }, { status: 403 }));
    expect(await sends()).toBe('void');
  });

  test('an approved request waits while its record cannot be read, though the list is forbidden', async () => {
    await desk.asks(id, restore);
    await sends();
    await approves();
    road.meets('/database/list', () => Response.json({ message: 'not yours' }, { status: 403 }));
    const met = road.meets(`/database/${database}`, () => new Response('', { status: 502 }));
    expect(await sends()).toBe('approved');
    met.leave();
  });
});

test.each([
  ['environment', '/environment/list', 'mysql-prod'],
  ['project', '/project/list', 'web-shop'],
])(
  'a policy rule by the name of a %s waits for the list that it needs, and is not passed over',
  async (by, path, name) => {
    const forbids = policyOf(
      PolicyFile.parse({ rules: [{ title: 'frozen', operation: 'database.backup', [by]: name, decision: 'forbid' }] }),
      ['S0DBAS'],
    );
    // The record names its place by its identifier alone.
    for (const of of [`/database/${database}`, '/database/list'])
      road.meets(of, async (_request, next) => {
        const body = await (await next()).text();
        return new Response(body.replaceAll(/"(environment|project)Name":"[^"]*",?/g, ''), {
          headers: { 'content-type': 'application/json' },
        });
      });
    await desk.asks(id, { operation: 'database.backup', target: database, values: { database } });
    const met = road.meets(path, failures['HTTP 502'] ?? expect.fail());
    expect(await desk.sends({ policy: forbids }, id)).toBe('new');
    met.leave();
    expect(await desk.sends({ policy: forbids }, id)).toBe('failed');
    expect(await desk.read(id)).toMatchObject({ reason: expect.stringContaining('frozen') });
    expect(written()).toBe(0);
  },
);

test('an approved request that cannot be checked is tried for about ten minutes, and fails with nothing sent', async () => {
  await desk.asks(id, restore);
  await sends();
  await approves();
  road.meets('/environment/list', () => new Response('', { status: 502 }));
  const begun = desk.clock.now();
  while ((await sends()) === 'approved') {
    const { dueAt } = await desk.read(id);
    await desk.clock.advance((dueAt ?? 0) - desk.clock.now());
  }
  expect(await desk.read(id)).toMatchObject({ state: 'failed', reason: expect.stringContaining('HTTP 502') });
  expect((desk.clock.now() - begun) / minute).toBeGreaterThan(7);
  expect((desk.clock.now() - begun) / minute).toBeLessThan(14);
  expect(written()).toBe(0);
});
