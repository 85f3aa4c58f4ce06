import { describe, expect, onTestFinished, test } from 'vitest';
import type { AllParts } from '../../../src/app/wholeDesk.ts';
import { bringBack, setLease, takeOver } from '../../../src/features/leases/leaseActs.ts';
import { requestLease } from '../../../src/features/leases/requestLease.ts';
import { day, hour, minute, second } from '../../../src/ground/durations.ts';
import { approve } from '../../../src/jobs/approval/decide.ts';
import { contactWith } from '../../../src/jobs/slackContact.ts';
import { workOnDueJobs } from '../../../src/jobs/workOnJobs.ts';
import { writeMoment } from '../../../src/operations/requests/keepFor.ts';
import type { Middleware } from '../../../src/sandbox/service/application.ts';
import type { Store } from '../../../src/store/database.ts';
import { freeLocks } from '../../../src/store/dueQueue.ts';
import type { Jobs } from '../../../src/store/jobs/jobs.ts';
import { freeJobLocks } from '../../../src/store/jobs/queue/jobQueue.ts';
import type { Job } from '../../../src/store/jobs/rows/job.ts';
import type { Lease } from '../../../src/store/tables/leases.ts';
import type { Things } from '../../../src/store/things/things.ts';
import { folder, storeIn, stores } from '../../store/folder.ts';
import { clone, leaseBoard } from './leaseBoard.ts';

async function boardOn(store: Store, middleware?: Middleware, change?: Partial<Lease>) {
  const here = await leaseBoard(store, middleware, change);
  onTestFinished(() => here.end());
  return here;
}

/** A gate in front of the service. What asks for a record while it is shut waits until it is opened. */
function gate() {
  let shut: PromiseWithResolvers<void> | undefined;
  const arrivals = Promise.withResolvers<void>();
  return {
    async middleware(...[request, next]: Parameters<Middleware>): Promise<Response> {
      if (shut && request.method === 'GET') {
        const { promise } = shut;
        arrivals.resolve();
        await promise;
      }
      return next();
    },
    shut() {
      shut = Promise.withResolvers();
    },
    arrived: arrivals.promise,
    /** Lets those pass who come from now on. Gives the way to open it for those who wait. */
    pass() {
      const open = shut?.resolve ?? (() => undefined);
      shut = undefined;
      return open;
    },
  };
}

const dev = { team: 'T1', person: 'U0DEV', channel: 'C1', record: clone };
const eve = { ...dev, person: 'U0EVE' };
const aDay = { type: 'for', milliseconds: day } as const;

describe.each(stores)('the lease of a clone on %s', (_, open) => {
  test('a lease warns, stops and deletes its clone once each, also where two processes work on it', async () => {
    const here = await boardOn(await open());
    const { workOnLeases } = await import('../../../src/features/leases/run/workOnLeases.ts');
    const second = workOnLeases({ ...here.parts, changed: async () => undefined }, here.parts);
    onTestFinished(() => second.stop());
    await here.is('ended');
    expect(here.written()).toEqual(['PUT stop', 'DELETE delete']);
    expect(await here.told()).toEqual(['warned to U0ANA', 'stopped to U0ANA']);
    const events = (await here.events()).map(event => event.split(':')[0]);
    expect(events.filter(event => event?.startsWith('lease'))).toEqual([
      ...['lease warned', 'lease over', 'lease over', 'lease over', 'lease ended'],
    ]);
    expect(await here.events()).toContainEqual(expect.stringContaining('as the rule says: test clones'));
  });

  test('a lease that two people extend in the second of its end gets both times and goes on', async () => {
    const passage = gate();
    const here = await boardOn(await open(), passage.middleware);
    await here.works(async () => (await here.lease()).warned !== null);
    await here.clock.leap(here.endsAt - here.clock.now() - 5_000);
    passage.shut();
    const isOver = here.works(
      async () => (await here.lease()).setAt >= here.endsAt && passage.arrived.then(() => true),
    );
    await passage.arrived;
    expect(here.clock.now()).toBeGreaterThanOrEqual(here.endsAt);
    const release = passage.pass();
    const outcomes = await Promise.all([dev, eve].map(who => setLease(here.parts, who, aDay, 'end')));
    release();
    await isOver;
    expect(outcomes.map(({ type }) => type)).toEqual(['set', 'set']);
    const { state, endsAt, revision } = await here.lease();
    expect(state).toBe('kept');
    expect(endsAt).toBeGreaterThanOrEqual(here.endsAt + 2 * day);
    await here.clock.advance(minute);
    expect((await here.lease()).revision).toBe(revision);
    expect(here.written()).toEqual([]);
    expect(await here.told()).toContain('changed to U0ANA');
  });
});

test('a second or late click on a lease’s button changes nothing and says so', async () => {
  const here = await boardOn(await storeIn(folder()));
  const ana = { ...dev, person: 'U0ANA' };
  const { endsAt } = here;
  const extend = () => setLease(here.parts, ana, aDay, { endsAt });
  const outcomes = await Promise.all([extend(), extend()]);
  expect(outcomes.map(({ type }) => type).toSorted()).toEqual(['refused', 'set']);
  expect((await here.lease()).endsAt).toBe(endsAt + day);
  expect(await extend()).toEqual({
    type: 'refused',
    sentence: expect.stringMatching(
      /^Its end was already changed: it is now kept until 20\d\d-.* UTC\. I changed nothing more/,
    ),
  });

  const [none, { revision }] = [{ type: 'none' } as const, await here.lease()];
  await Promise.all([setLease(here.parts, dev, none), setLease(here.parts, dev, none)]);
  expect(await here.lease()).toMatchObject({ endsAt: null, dueAt: null, revision: revision + 1 });
  expect((await here.told()).filter(told => told.startsWith('changed'))).toEqual(['changed to U0ANA']);

  // Its owner is asked no more: a message that still has the button takes nothing from them.
  expect(await takeOver(here.parts, dev)).toMatchObject({
    sentence: expect.stringContaining('no longer waiting for an answer'),
  });
  expect(await setLease(here.parts, dev, { type: 'for', milliseconds: 2 * day })).toMatchObject({ type: 'set' });

  expect(await bringBack(here.parts, dev)).toMatchObject({ sentence: 'Its lease no longer keeps it stopped.' });
  await here.is('stopped');
  const back = await Promise.all([bringBack(here.parts, dev), bringBack(here.parts, dev)]);
  expect(back.map(({ type }) => type).toSorted()).toEqual(['refused', 'set']);
  await here.works(async () => here.written().length === 2);
  expect(here.written()).toEqual(['PUT stop', 'PUT start']);
  const { entries } = await here.parts.audit.read('T1', { words: [] }, 200);
  const asked = entries.filter(({ event, operation }) => event === 'asked' && operation?.endsWith('.start'));
  expect(asked.map(({ actor }) => actor)).toEqual([dev.person]);
});

test('an approved new end of a lease is told to its owner, and is not set once its time has passed', async () => {
  const here = await boardOn(await storeIn(folder()));
  const loop = workOnDueJobs(here.parts, here.parts);
  onTestFinished(() => loop.stop());
  const request = async (endsAt: number) => {
    const asked = { request: `until ${endsAt}`, until: writeMoment(endsAt), name: 'orders', why: 'It is under audit.' };
    await requestLease(here.parts, dev, asked);
    const isIn = async (state: Job['state']) => {
      for (let turn = 0; turn < 20; turn++) {
        const [latest] = await here.parts.jobs.ofPerson({ team: 'T1', person: dev.person }, 1);
        if (latest?.state === state) return latest;
        await here.clock.advance(second);
      }
      throw new Error(`the request is not ${state}`);
    };
    const { approval } = await isIn('awaiting');
    return async () => {
      const click = { ...eve, digest: approval?.digest ?? '' };
      expect(await approve(here.parts, await isIn('awaiting'), click)).toMatchObject({ type: 'counted' });
      await isIn('succeeded');
    };
  };
  const endsAt = here.clock.now() + 2 * hour;
  const approveIt = await request(endsAt);
  await approveIt();
  expect(await here.lease()).toMatchObject({ state: 'kept', endsAt, person: 'U0ANA' });
  expect(await here.told()).toContain('changed to U0ANA');

  const approveLate = await request(endsAt - hour);
  await here.clock.leap(hour + minute);
  await approveLate();
  expect(await here.lease()).toMatchObject({ endsAt });
});

test('a click on a lease’s message says that the clone is gone', async () => {
  const here = await boardOn(await storeIn(folder()));
  await here.is('ended');
  await expect(setLease(here.parts, dev, aDay, here)).rejects.toMatchObject({ kind: 'missing' });
  await expect(bringBack(here.parts, dev)).rejects.toMatchObject({ kind: 'missing' });
  expect((await here.lease()).state).toBe('ended');
});

test('a lease’s warning says that its owner has to sign in before the end', async () => {
  const store = await storeIn(folder());
  const here = await boardOn(store);
  await here.parts.credentials.forget({ team: 'T1', person: 'U0ANA' }, here.clock.now(), 'C1');
  await here.works(async () => (await here.lease()).warned !== null);
  const [row] = await store.selectFrom('outbox').select('data').execute();
  expect(JSON.parse(row?.data ?? '{}')).toMatchObject({ what: 'warned', lacksSignIn: true, endsAt: here.endsAt });
});

test('a lease’s warning says that the owner must sign in, too, where the service refuses the sign-in', async () => {
  const store = await storeIn(folder());
  let isRefused = false;
  const here = await boardOn(store, async (_, next) =>
    isRefused ? Response.json({ message: 'The token has expired.' }, { status: 401 }) : next(),
  );
  isRefused = true;
  await here.works(async () => (await here.lease()).warned !== null);
  const [row] = await store.selectFrom('outbox').select('data').execute();
  expect(JSON.parse(row?.data ?? '{}')).toMatchObject({ what: 'warned', lacksSignIn: true, endsAt: here.endsAt });
});

test('an owner who was warned of a milder end than the policy now wants is warned anew, with the whole time', async () => {
  const here = await boardOn(await storeIn(folder()));
  const [rule] = here.parts.policy.leases;
  const before = { ...here.parts, policy: { ...here.parts.policy, leases: [{ ...rule, end: 'ask' } as const] } };
  await here.works(async () => (await here.lease()).warned !== null, before);
  await here.works(async () => (await here.told()).length === 2);
  expect(await here.told()).toEqual(['warned to U0ANA', 'warned late to U0ANA']);
  expect(here.written()).toEqual([]);
  expect((await here.lease()).endsAt).toBeGreaterThanOrEqual(here.endsAt + day);
  await here.is('ended');
  expect(here.written()).toEqual(['PUT stop', 'DELETE delete']);
  expect(await here.told()).toEqual(['warned to U0ANA', 'warned late to U0ANA', 'stopped to U0ANA']);
});

test.each([
  { pause: 5 * second, what: 'the moment that its message is sent', told: [] },
  {
    pause: 20 * minute,
    what: 'a late look on, and a late warning tells of the time between',
    told: ['warned late'],
  },
])('a lease’s end that an approver sets is watched over from $what', async ({ pause, told }) => {
  const here = await boardOn(await storeIn(folder()));
  const endsAt = here.clock.now() + hour;
  expect(await setLease(here.parts, dev, { type: 'for', milliseconds: hour })).toMatchObject({ type: 'set' });
  await here.takesMessages();
  await here.clock.advance(pause);
  await here.works(async () => (await here.lease()).dueAt === endsAt);
  expect(await contactWith(here.parts, 'T1')).toMatchObject({ state: 'there', until: endsAt });
  await here.is('ended');
  expect(await here.told()).toEqual(['changed', ...told, 'stopped'].map(what => `${what} to U0ANA`));
});

test('a lease whose owner left the workspace goes to those who approve, one of whom takes it over', async () => {
  const here = await boardOn(await storeIn(folder()));
  here.strangers.add('U0ANA');
  await here.is('asking');
  expect((await here.lease()).reason).toBe('its owner has left the workspace');
  expect(await here.told()).toEqual(['warned to C0APPROVAL', 'asked to C0APPROVAL']);
  await here.works(async () => (await here.told()).length === 3);
  expect((await here.told()).at(-1)).toBe('unanswered to C0APPROVAL');
  expect(here.written()).toEqual([]);
  here.group.set('U0EVE', false);
  await expect(takeOver(here.parts, eve)).rejects.toThrow('Only approvers can take a lease over.');
  const taken = await Promise.all([takeOver(here.parts, dev), takeOver(here.parts, dev)]);
  expect(taken.map(({ type }) => type).toSorted()).toEqual(['refused', 'set']);
  expect(await takeOver(here.parts, dev)).toMatchObject({ sentence: expect.stringContaining('It is already yours') });
  expect((await here.events()).filter(event => event.startsWith('lease taken over'))).toHaveLength(1);
  expect(await here.lease()).toMatchObject({ person: 'U0DEV', state: 'kept' });
  await here.is('ended');
  expect(here.written()).toEqual(['PUT stop', 'DELETE delete']);
  const jobs = await here.parts.jobs.ended({ team: 'T1', person: 'U0DEV' }, 0, 5);
  expect(jobs.rows.map(job => job.operation).toSorted()).toEqual(['clone.stop', 'database.delete']);
});

describe('the clone that Dolly did not make, whose end Ana set', () => {
  /** The lease, as an older release kept it, too; Dev alone approves. */
  const unheld = async () => {
    const here = await boardOn(await storeIn(folder()), undefined, { job: null });
    here.group.set('U0ANA', false);
    here.group.set('U0EVE', false);
    return here;
  };

  test('a rule does not stop a clone that Dolly did not make: its owner and approvers are asked', async () => {
    const here = await unheld();
    await here.is('asking');
    expect((await here.lease()).reason).toContain('I did not make it');
    expect(await here.told()).toEqual(['warned to U0ANA', 'asked to C0APPROVAL', 'asked to U0ANA']);
    await here.works(async () => (await here.told()).length === 4);
    expect(here.written()).toEqual([]);
  });

  test('a colleague may set the end of a clone that Dolly did not make, and its owner hears of it', async () => {
    const here = await unheld();
    expect(await setLease(here.parts, eve, aDay)).toMatchObject({ type: 'set', lease: { person: 'U0ANA' } });
    expect(await here.told()).toEqual(['changed to U0ANA']);
  });

  test('a clone that Dolly did not make is deleted at its end where an approver set that end', async () => {
    const here = await unheld();
    expect(await setLease(here.parts, dev, aDay)).toMatchObject({ type: 'set', lease: { allowedBy: 'U0DEV' } });
    await here.is('ended');
    expect(here.written()).toEqual(['PUT stop', 'DELETE delete']);

    const there = await unheld();
    await setLease(there.parts, dev, aDay);
    const asked = { type: 'asked', lease: { allowedBy: 'U0DEV' } };
    expect(await setLease(there.parts, eve, { ...aDay, milliseconds: hour })).toMatchObject(asked);
    await there.is('ended');
    expect(there.written()).toEqual(['PUT stop', 'DELETE delete']);
  });

  test('a clone that Dolly did not make is not deleted at an end that a former approver set', async () => {
    const here = await unheld();
    await setLease(here.parts, dev, aDay);
    here.group.set('U0DEV', false);
    await here.is('asking');
    expect(here.written()).toEqual([]);
  });

  test('a clone that Dolly did not make is held by the approver who takes it over, and by nobody else', async () => {
    const here = await unheld();
    await here.is('asking');
    const ana = { ...dev, person: 'U0ANA' };
    for (const who of [ana, eve]) await expect(takeOver(here.parts, who)).rejects.toMatchObject({ kind: 'forbidden' });
    expect(await takeOver(here.parts, dev)).toMatchObject({
      type: 'set',
      lease: { person: 'U0DEV', allowedBy: 'U0DEV' },
    });
    expect(await takeOver(here.parts, dev)).toMatchObject({ sentence: expect.stringContaining('It is already yours') });
    await here.is('ended');
    expect(here.written()).toEqual(['PUT stop', 'DELETE delete']);
  });

  test('a clone that Dolly did not make is not deleted, though an older release stopped it for that', async () => {
    const here = await boardOn(await storeIn(folder()), undefined, { job: null, state: 'stopped', graceUntil: 1 });
    await here.is('asking');
    expect((await here.lease()).reason).toContain('I did not make it');
    expect(here.written()).toEqual([]);
  });
});

test('a lease asks instead of acting where its rule changed after the job of its end was made', async () => {
  const here = await boardOn(await storeIn(folder()));
  const [rule] = here.parts.policy.leases;
  // The job is made by a rule of another name than the one that stands when it is sent.
  const before = { ...here.parts, policy: { ...here.parts.policy, leases: [{ ...rule, title: 'old clones' }] } };
  await here.is('asking', before);
  expect((await here.lease()).reason).toContain('The policy changed after this was approved.');
  expect(here.written()).toEqual([]);
});

test('a lease whose owner signs in as another user does nothing until they set its end again', async () => {
  const here = await boardOn(await storeIn(folder()));
  const ana = { ...dev, person: 'U0ANA' };
  expect(await setLease(here.parts, ana, { type: 'for', milliseconds: 2 * day })).toMatchObject({ type: 'set' });
  await here.signsIn('U0ANA', 'ben');
  await here.is('asking');
  expect((await here.lease()).reason).toBe(
    'its owner now signs in to the service as a different user than when its end was set',
  );
  expect(here.written()).toEqual([]);
  expect(await setLease(here.parts, ana, aDay)).toMatchObject({ type: 'set', lease: { login: 'ben' } });
  await here.is('ended');
  expect(here.written()).toEqual(['PUT stop', 'DELETE delete']);
});

test('no lease ends while the service hangs, and its owner is warned once more when it answers again', async () => {
  const passage = gate();
  const here = await boardOn(await storeIn(folder()), passage.middleware);
  await here.works(async () => (await here.lease()).warned !== null);
  await here.clock.leap(here.endsAt - here.clock.now() - 5_000);
  passage.shut();
  await here.works(async () => {
    const isLong = here.clock.now() > here.endsAt + 15 * minute;
    if (!isLong) expect(await here.lease()).toMatchObject({ state: 'kept', endsAt: here.endsAt });
    if (isLong) passage.pass()();
    return (await here.told()).length === 2;
  });
  const { state, endsAt } = await here.lease();
  expect(state).toBe('kept');
  expect(endsAt).toBeGreaterThanOrEqual(here.endsAt + day + 15 * minute);
  expect(await here.told()).toEqual(['warned to U0ANA', 'warned late to U0ANA']);
  expect(here.written()).toEqual([]);
});

describe('a process that is killed at any write', () => {
  const writes = ['apply', 'applyAlong', 'applyAll', 'putOff', 'noChange'] as const;
  const nameOf = (write: string, given: readonly unknown[]) =>
    [write, ...(JSON.stringify(given).match(/"(event|operation)":"[\w. ]+"/g) ?? [])].join(' ');

  /** Jobs and things that die after the write of this name; `names` are those of the writes before. */
  function dying(parts: AllParts, moment?: string) {
    const names: string[] = [];
    let isDead = false;
    const mortal = <Part extends Jobs | Things>(part: Part): Part =>
      new Proxy(part, {
        get(of, key) {
          const does: unknown = Reflect.get(of, key);
          if (typeof does !== 'function' || !writes.some(write => write === key)) return does;
          return async (...given: unknown[]) => {
            if (isDead) throw new Error('killed');
            const result: unknown = await Reflect.apply(does, of, given);
            const name = nameOf(String(key), given);
            names.push(name);
            isDead ||= name === moment;
            if (isDead) throw new Error('killed');
            return result;
          };
        },
      });
    return { parts: { ...parts, jobs: mortal(parts.jobs), things: mortal(parts.things) }, names, isDead: () => isDead };
  }

  async function runs(moment?: string) {
    const store = await storeIn(folder());
    const here = await boardOn(store);
    const death = dying(here.parts, moment);
    const rests = async () => ['ended', 'asking'].includes((await here.lease()).state);
    await here.works(async () => death.isDead() || (await rests()), death.parts);
    await freeJobLocks(store);
    await freeLocks(store);
    await here.works(rests);
    const { state, reason } = await here.lease();
    return { names: death.names, told: { moment, state, reason, written: here.written(), told: await here.told() } };
  }

  test('a lease goes on after a kill at any write, and asks where Dolly may have sent the request', async () => {
    const { names, told } = await runs();
    const done = {
      state: 'ended',
      written: ['PUT stop', 'DELETE delete'],
      told: ['warned to U0ANA', 'stopped to U0ANA'],
    };
    expect(told).toMatchObject(done);
    const sendings = names.filter(name => name.includes('"event":"sending"'));
    expect(sendings).toHaveLength(2);
    // The writes that change a state; the others only put off the next look.
    for (const name of new Set(names.filter(name => name.includes('"event"')))) {
      const { told } = await runs(name);
      // Killed between the note that it sends and the call, it cannot know.
      const at = sendings.indexOf(name);
      if (at < 0) expect(told).toMatchObject(done);
      else
        expect(told).toMatchObject({
          state: 'asking',
          reason: expect.stringMatching(`^I do not know whether it was ${at === 0 ? 'stopped' : 'deleted'}`),
          written: done.written.slice(0, at),
          told: [...done.told.slice(0, at + 1), 'asked to U0ANA'],
        });
    }
  });
});
