import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Middleware } from '../../src/sandbox/service/application.ts';
import type { Someone } from '../person.ts';
import { type Statements, watchStatements } from '../statements.ts';
import { type World, world } from '../world.ts';
import { onDev, opensForm, refusalsOf } from './clones.ts';

/* What a form and Home cost, in statements and waits for the disk: numbers that no other work on the machine changes. */

let watched: Statements;
let earth: World;
let ana: Someone;

beforeAll(async () => {
  watched = watchStatements();
  earth = await world({ handsOnStore: true, service: { middleware: refusing } });
  ana = await earth.enters('Ana', 'ana');
});
afterAll(async () => {
  await earth.close();
  watched.end();
});

/** Refuses every clone. */
const refusing: Middleware = (request, next) =>
  request.url.endsWith('/database/clone/create')
    ? Response.json({ message: 'No more clones today.' }, { status: 409 })
    : next();

const line = `/clone shop targetEnvironment=${onDev.targetEnvironment}`;

/** Opens a form that Dolly fills in, and submits it as the service refuses it; gives what each part of that asked of the store. */
async function asksInVain() {
  await earth.clock.advance(60_000);
  const opening = await watched.during(() => opensForm(ana, '#databases', line));
  const port = portIn(JSON.stringify(ana.sees().views.at(-1)?.view));
  await ana.fills({ mountBase: '/mnt/c1', environmentUser: onDev.environmentUser });
  const before = refusalsOf(ana).length;
  const submitting = await watched.during(async () => {
    expect(await ana.submits()).toEqual({ errors: {}, error: '', open: false });
    await earth.until(() => refusalsOf(ana).length > before, 'the refusal');
  });
  return { opening, submitting, port };
}

function portIn(view: string): number {
  return Number(/"initial_value":"(\d{4,5})"/.exec(view)?.[1]);
}

/** Jobs of others in the team that wait for their sign-in, each with a port of its own on the environment of the form. */
async function crowdTheTeam(many: number, from: number): Promise<void> {
  const { team } = await earth.store().selectFrom('credentials').select('team').executeTakeFirstOrThrow();
  await sql`
    with recursive n (i) AS (select 0 union all select i + 1 from n where i + 1 < ${many})
    insert into jobs (id, request_key, team, person, operation, target, inputs, labels, state, created_at, due_at, hold,
      sent_at, channel, place, message_ts, revision, shown, takes_on, takes_port)
    select 'other-' || i, 'other-' || i, ${team}, 'U9' || i, 'clone.create', 'MYSQL_LIVE_SERVER-1', '{}', '{}', 'running', 1,
      ${earth.clock.now() + 86_400_000}, 'sign-in', 1, 'C9', 'C9', '1.1', 1, 1, 'HOST_ENVIRONMENT-4', ${from} + i
    from n`.execute(earth.store());
}

test('a form costs no more statements in a team with 10,000 other jobs, and offers none of their ports', async () => {
  // The first one teaches Dolly words of the service.
  await asksInVain();
  const alone = await asksInVain();
  expect(alone.submitting.beforeAck).toEqual(['select credentials', 'begin', 'insert jobs', 'insert audit', 'commit']);
  expect(alone.submitting.durableBeforeAck).toBe(1);
  expect(alone.opening.all.filter(name => name === 'select credentials').length).toBeLessThanOrEqual(2);
  expect(alone.opening.all.length).toBeLessThanOrEqual(12);
  expect(alone.submitting.all.length).toBeLessThanOrEqual(32);
  await crowdTheTeam(10_000, alone.port);
  const crowded = await asksInVain();
  expect(crowded.port).toBe(alone.port + 10_000);
  for (const part of ['opening', 'submitting'] as const)
    expect(crowded[part].all.toSorted(), part).toEqual(alone[part].all.toSorted());
});

test('Home is opened by one statement that does not wait for the disk', async () => {
  const opening = await watched.during(() => ana.opensHome());
  expect(opening.beforeAck).toEqual(['insert homes']);
  expect(opening.durableBeforeAck).toBe(0);
});
