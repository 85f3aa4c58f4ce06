import { describe, expect, onTestFinished, test } from 'vitest';
import type { AllParts } from '../../../src/app/wholeDesk.ts';
import { runReport } from '../../../src/features/protection/runReport.ts';
import { schedules } from '../../../src/features/schedules/schedule.ts';
import { askReport, changeSchedule, runNow } from '../../../src/features/schedules/scheduleActs.ts';
import { noReports } from '../../../src/features/schedules/scheduleRules.ts';
import { hour, minute } from '../../../src/ground/durations.ts';
import { approve } from '../../../src/jobs/approval/decide.ts';
import type { Store } from '../../../src/store/database.ts';
import { freeLocks } from '../../../src/store/dueQueue.ts';
import { freeJobLocks } from '../../../src/store/jobs/queue/jobQueue.ts';
import { accountOwner } from '../../../src/store/serviceOwner.ts';
import { signInOf } from '../../../src/store/things/kind.ts';
import type { Things } from '../../../src/store/things/things.ts';
import { folder, storeIn, stores } from '../../store/folder.ts';
import { ana, scheduleBoard, set } from './scheduleBoard.ts';

async function boardOn(store: Store, options?: Parameters<typeof scheduleBoard>[1]) {
  const here = await scheduleBoard(store, options);
  onTestFinished(() => here.end());
  return here;
}
const board = async (options?: Parameters<typeof scheduleBoard>[1]) => boardOn(await storeIn(folder()), options);

/** A service that refuses every backup while `isShut()`. */
const refusing = (isShut: () => boolean) => ({
  middleware: async (request: Readonly<{ method: string }>, next: () => Promise<Response>) =>
    isShut() && request.method === 'PUT'
      ? Response.json({ message: 'The disk of the pool is full.' }, { status: 409 })
      : next(),
});

describe.each(stores)('a schedule on %s', (_, open) => {
  test('a schedule runs once each time where two processes work on it, and counts how each run ended', async () => {
    const here = await boardOn(await open());
    const { id } = await here.asks();
    for (const date of ['2026-11-22', '2026-11-23']) {
      await here.goTo(`${date}T01:59:50Z`);
      await here.runsOnce(id, [here.parts, here.parts]);
    }
    expect(here.written()).toEqual(['PUT sync', 'PUT sync']);
    expect(await here.schedule(id)).toMatchObject({
      ...{ state: 'on', lastOutcome: 'succeeded', failures: 0, lastAt: Date.UTC(2026, 10, 23, 2) },
      plannedAt: Date.UTC(2026, 10, 24, 2),
    });
    expect(await here.due(id)).toMatchObject({ dueAt: Date.UTC(2026, 10, 24, 2) });
    expect(await here.events()).toEqual([
      'schedule asked: every day at 02:00 (UTC)',
      'run begun: 2026-11-22T02:00Z',
      'run begun: 2026-11-23T02:00Z',
    ]);
    expect(await here.told()).toEqual([]);
  });

  test('many schedules that are due at once all run, each once', async () => {
    const here = await boardOn(await open());
    const ids: string[] = [];
    for (let at = 1; at <= 30; at++)
      ids.push((await here.asks({ request: `form-${at}`, name: 'database.refresh' })).id);
    await here.goTo('2026-11-22T02:00:00Z');
    const isBegun = async () => (await here.all()).every(({ lastAt }) => lastAt !== null);
    await here.works(isBegun, { at: [here.parts, here.parts] });
    const runs = await Promise.all(ids.map(id => here.runs(id)));
    expect(runs.every(({ length }) => length === 1)).toBe(true);
  });

  test('a schedule’s daily line is counted and told once for all processes', async () => {
    let isShut = true;
    const here = await boardOn(
      await open(),
      refusing(() => isShut),
    );
    const quiet = await here.asks({ tells: 'failures' });
    await here.goTo('2026-11-22T01:59:50Z');
    await here.runsOnce(quiet.id);
    isShut = false;
    await here.goTo('2026-11-22T08:59:50Z');
    const two = { at: [here.parts, here.parts] };
    await here.works(async () => (await here.told()).length > 0, two);
    await here.goTo('2026-11-23T01:59:50Z');
    await here.runsOnce(quiet.id, two.at);
    await here.goTo('2026-11-23T08:59:50Z');
    await here.works(async () => (await here.told()).length > 1, two);
    expect(await here.told()).toEqual(['daily to C1', 'daily to C1']);
    const lines = await here.store.selectFrom('outbox').select('data').orderBy('createdAt').execute();
    expect(lines.map(({ data }) => JSON.parse(data).counts)).toEqual([
      { well: 0, unshown: 0, unconfirmed: 0, failed: 1, open: 0, waits: 0, left: 0 },
      { well: 1, unshown: 0, unconfirmed: 0, failed: 0, open: 0, waits: 0, left: 0 },
    ]);
    const [failed, done] = await here.runs(quiet.id);
    expect(failed?.tellAt).not.toBeNull();
    expect(done?.tellAt).toBeNull();
  });
});

test.each(['all', 'failures'] as const)(
  'a schedule that tells %s makes up for the last run that it missed, and tells of a run left out',
  async tells => {
    const here = await board();
    const { id } = await here.asks({ tells });
    await here.goTo('2026-11-24T10:00:00Z');
    await here.runsOnce(id);
    expect(here.written()).toEqual(['PUT sync']);
    await here.goTo('2026-11-26T20:00:00Z');
    const told = async () => (await here.told()).filter(one => !one.startsWith('daily'));
    await here.works(async () => (await told()).length > 0);
    expect(here.written()).toEqual(['PUT sync']);
    expect(await told()).toEqual(['missed to C1']);
    expect(await here.events()).toEqual([
      'schedule asked: every day at 02:00 (UTC)',
      'run begun: 2026-11-24T02:00Z, for all since 2026-11-22T02:00Z',
      'run missed: 2026-11-25T02:00Z to 2026-11-26T02:00Z',
    ]);
    expect((await here.schedule(id)).plannedAt).toBe(Date.UTC(2026, 10, 27, 2));
  },
);

test('a schedule rests while the app is uninstalled for its team, and makes up for its last run after that', async () => {
  const here = await board();
  const { id } = await here.asks();
  let isUninstalled = true;
  const parts = { ...here.parts, isUninstalled: async () => isUninstalled };
  await here.goTo('2026-11-22T02:00:00Z');
  await here.works(async () => Number((await here.due(id))?.dueAt) > Date.UTC(2026, 10, 22, 2), { at: [parts] });
  expect([await here.runs(id), here.written(), await here.told()]).toEqual([[], [], []]);
  isUninstalled = false;
  await here.goTo('2026-11-22T02:10:00Z');
  await here.runsOnce(id, [parts]);
  expect(here.written()).toEqual(['PUT sync']);
});

test('a clock that is set back runs no schedule twice, and one that went wrong stops none', async () => {
  const here = await board();
  const { id } = await here.asks();
  await here.goTo('2026-11-22T01:59:50Z');
  await here.runsOnce(id);
  await here.goTo('2026-11-22T01:00:00Z');
  await here.works(async () => here.clock.now() > Date.UTC(2026, 10, 22, 3), { step: 5 * minute });
  expect(here.written()).toEqual(['PUT sync']);
  expect((await here.schedule(id)).plannedAt).toBe(Date.UTC(2026, 10, 23, 2));
  // A year ahead, and back.
  await here.goTo('2027-11-22T20:00:00Z');
  await here.works(async () => (await here.schedule(id)).plannedAt === Date.UTC(2027, 10, 23, 2));
  await here.goTo('2026-11-22T20:00:00Z');
  await here.works(async () => (await here.schedule(id)).plannedAt === Date.UTC(2026, 10, 23, 2));
  await here.goTo('2026-11-23T01:59:50Z');
  await here.runsOnce(id);
  expect(here.written()).toEqual(['PUT sync', 'PUT sync']);
});

test('a scheduled run that is still under way keeps the next one out, and tells so', async () => {
  const here = await board();
  const { id } = await here.asks({ rhythm: { every: 'minutes', minutes: 15, at: '00:00' } });
  await here.goTo('2026-11-22T02:00:00Z');
  // Nothing works on the job, as if it took long.
  await here.works(async () => (await here.runs(id)).length === 1, { isOver: false });
  await here.goTo('2026-11-22T02:15:00Z');
  await here.works(async () => (await here.told()).length > 0, { isOver: false });
  expect(await here.told()).toEqual(['skipped to C1']);
  expect(await here.runs(id)).toHaveLength(1);
  expect((await here.events()).at(-1)).toBe('run skipped: 2026-11-22T02:15Z: the run before is still under way');
});

test('three failures in a row pause a scheduled refresh and are told; its owner resumes it', async () => {
  let isShut = true;
  const here = await board(refusing(() => isShut));
  const { id } = await here.asks({ name: 'database.refresh' });
  for (const date of ['22', '23', '24']) {
    await here.goTo(`2026-11-${date}T01:59:50Z`);
    await here.runsOnce(id);
  }
  expect(await here.schedule(id)).toMatchObject({ state: 'paused', failures: 3, plannedAt: null });
  expect(await here.due(id)).toMatchObject({ dueAt: null });
  expect(await here.told()).toEqual(['failing to C1']);
  await here.goTo('2026-11-25T03:00:00Z');
  await here.works(async () => here.clock.now() > Date.UTC(2026, 10, 25, 3, 5), { step: minute });
  expect(await here.runs(id)).toHaveLength(3);
  isShut = false;
  await here.acts('resume', id);
  await here.goTo('2026-11-26T01:59:50Z');
  await here.runsOnce(id);
  expect(await here.schedule(id)).toMatchObject({ state: 'on', failures: 0, lastOutcome: 'succeeded' });
});

test('a nightly backup goes on through its failures: the third is told, and that it went well again', async () => {
  let isShut = true;
  const here = await board(refusing(() => isShut));
  const { id } = await here.asks();
  for (const date of ['22', '23', '24', '25', '26']) {
    await here.goTo(`2026-11-${date}T01:59:50Z`);
    await here.runsOnce(id);
  }
  expect(await here.schedule(id)).toMatchObject({ state: 'on', failures: 5, plannedAt: Date.UTC(2026, 10, 27, 2) });
  expect(await here.told()).toEqual(['trouble to C1']);
  expect((await here.events()).filter(event => event.startsWith('schedule failing'))).toHaveLength(1);
  isShut = false;
  await here.goTo('2026-11-27T01:59:50Z');
  await here.runsOnce(id);
  expect(await here.schedule(id)).toMatchObject({ state: 'on', failures: 0 });
  const notices = await here.store.selectFrom('outbox').select('outcome').execute();
  expect(notices).toEqual([{ outcome: 'It went well again.' }]);
});

test('a schedule’s signed-out owner is told once, and their sign-in makes up for the last run', async () => {
  const here = await board();
  const { id } = await here.asks();
  const owner = { team: 'T1', person: 'U0ANA' };
  await here.parts.credentials.forget(owner, here.clock.now());
  for (const date of ['22', '23']) {
    await here.goTo(`2026-11-${date}T01:59:50Z`);
    await here.works(async () => here.clock.now() > Date.parse(`2026-11-${date}T02:10:00Z`), { step: minute });
  }
  expect(await here.schedule(id)).toMatchObject({
    ...{ state: 'on', reason: 'Its owner is not signed in to the service.' },
    ...{ plannedAt: Date.UTC(2026, 10, 23, 2), waitsFor: signInOf(owner) },
  });
  expect(await here.due(id)).toMatchObject({ dueAt: Date.UTC(2026, 10, 24, 2) });
  expect(await here.told()).toEqual(['signed out to U0ANA']);
  await here.goTo('2026-11-23T09:00:00Z');
  await here.signsIn('U0ANA', 'ana');
  await here.parts.things.wakeWaiting(signInOf(owner), here.clock.now());
  await here.runsOnce(id);
  expect(here.written()).toEqual(['PUT sync']);
  expect(await here.schedule(id)).toMatchObject({
    ...{ reason: null, waitsFor: null, lastAt: Date.UTC(2026, 10, 23, 2) },
  });
  const [notice] = await here.store.selectFrom('outbox').select('outcome').execute();
  expect(notice?.outcome).toBe('You are signed in again. I skipped what was due before 2026-11-23 02:00 UTC.');
});

test('a sign-in that comes too late for a scheduled run ends the wait, and the run is told as missed', async () => {
  const here = await board();
  const { id } = await here.asks();
  await here.parts.credentials.forget(ana, here.clock.now());
  await here.goTo('2026-11-22T01:59:50Z');
  await here.works(async () => (await here.schedule(id)).waitsFor !== null);
  await here.goTo('2026-11-22T20:00:00Z');
  await here.signsIn('U0ANA', 'ana');
  await here.parts.things.wakeWaiting(signInOf(ana), here.clock.now());
  await here.works(async () => (await here.told()).length > 1);
  expect(await here.told()).toEqual(['signed out to U0ANA', 'missed to C1']);
  expect(await here.schedule(id)).toMatchObject({
    ...{ reason: null, waitsFor: null, plannedAt: Date.UTC(2026, 10, 23, 2) },
  });
  const notices = await here.store.selectFrom('outbox').select('outcome').orderBy('createdAt').execute();
  expect(notices).toEqual([{ outcome: 'You are signed in again.' }, { outcome: null }]);
});

test('a report waits for the sign-in with which it is read, says so once, and goes on with that one alone', async () => {
  const here = await board({ file: { approvers: ['U0ANA'] } });
  const parts: AllParts = {
    ...{ ...here.parts, account: { username: 'svc' } },
    reportOn: due => runReport(parts, due),
  };
  const times = { rhythm: { every: 'day', at: '02:00' }, zone: 'UTC', channel: 'C1', tells: 'all' } as const;
  const asked = { ...times, request: 'form-1', runsAs: 'service', values: { words: '', only: 'all' } } as const;
  const { id } = set(await askReport(parts, ana, asked));
  const account = accountOwner('T1');
  await here.goTo('2026-11-22T01:59:50Z');
  await here.works(async () => (await here.schedule(id)).waitsFor !== null, { at: [parts] });
  const waiting = await here.schedule(id);
  expect(waiting.waitsFor).toBe(signInOf(account));
  // A process that begins looks at all schedules; the owner, who is signed in, is no help.
  await parts.things.wakeWaiting(signInOf(ana), here.clock.now());
  const until = here.clock.now() + minute;
  await here.works(async () => here.clock.now() > until, { at: [parts] });
  expect(await here.schedule(id)).toEqual(waiting);
  expect((await here.events()).filter(event => event.startsWith('run waits'))).toHaveLength(1);
  await here.signsIn('service', 'eve');
  await parts.things.wakeWaiting(signInOf(account), here.clock.now());
  await here.works(async () => (await here.schedule(id)).lastOutcome === 'succeeded', { at: [parts] });
  expect(await here.schedule(id)).toMatchObject({ reason: null, waitsFor: null });
  const [notice] = await here.store.selectFrom('outbox').select('outcome').where('subject', '=', id).execute();
  expect(notice?.outcome).toBe('It goes on.');
});

test('a scheduled report that nothing makes any more is paused', async () => {
  const here = await board();
  const parts = { ...here.parts, reportOn: async () => undefined };
  const times = { rhythm: { every: 'day', at: '02:00' }, zone: 'UTC', channel: 'C1', tells: 'all' } as const;
  const asked = { ...times, request: 'form-1', runsAs: 'owner', values: { words: '', only: 'all' } } as const;
  const { id } = set(await askReport(parts, ana, asked));
  expect(await runNow(parts, { ...ana, id }, 'click-1')).toMatchObject({ sentence: noReports });
  await here.goTo('2026-11-22T01:59:50Z');
  await here.works(async () => (await here.schedule(id)).state === 'paused', { at: [parts] });
  expect(await here.schedule(id)).toMatchObject({ reason: noReports });
});

test('a process that starts computes a schedule’s next time anew, since a zone’s rules may have changed', async () => {
  const here = await board();
  const { id } = await here.asks();
  const late = Date.UTC(2026, 10, 22, 3);
  const moved = { changes: { plannedAt: late }, dueAt: late };
  await here.parts.things.act(schedules, id, () => moved, here.clock.now());
  await here.works(async () => (await here.schedule(id)).plannedAt === Date.UTC(2026, 10, 22, 2));
  expect(await here.due(id)).toMatchObject({ dueAt: Date.UTC(2026, 10, 22, 2) });
});

test('a schedule whose owner left is paused, and an approver takes it over', async () => {
  const here = await board();
  const { id } = await here.asks();
  here.strangers.add('U0ANA');
  await here.goTo('2026-11-22T01:59:50Z');
  await here.works(async () => (await here.schedule(id)).state === 'paused');
  expect(await here.told()).toEqual(['owner left to C0APPROVAL']);
  expect(here.written()).toEqual([]);
  expect(await here.acts('takeOver', id, 'U0EVE')).toMatchObject({ type: 'refused' });
  expect(await here.acts('takeOver', id, 'U0DEV')).toMatchObject({
    type: 'set',
    schedule: { person: 'U0DEV', state: 'on' },
  });
  await here.goTo('2026-11-23T01:59:50Z');
  await here.runsOnce(id);
  const [run] = await here.runs(id);
  expect(run).toMatchObject({ person: 'U0DEV', login: 'dev', state: 'succeeded' });
});

test('a schedule is paused, and told so, where its target is gone or another record has its identifier', async () => {
  const here = await board();
  const { id } = await here.asks();
  const other = await here.asks({ request: 'form-2', name: 'database.refresh' });
  await here.changes(id, { target: 'MYSQL_LIVE_SERVER-4711' });
  await here.changes(other.id, { madeAt: 5 });
  await here.goTo('2026-11-22T01:59:50Z');
  await here.works(async () => (await here.all()).every(({ state }) => state === 'paused'));
  expect((await here.schedule(id)).reason).toBe('The records no longer show its target MYSQL_LIVE_SERVER-4711.');
  expect((await here.schedule(other.id)).reason).toMatch(/^Another record may now have the identifier/);
  expect(await here.told()).toEqual(['paused to C1', 'paused to C1']);
  expect(here.written()).toEqual([]);
});

test('“Run now” begins nothing on a record of another name than was meant, until its owner resumes it', async () => {
  const here = await board();
  const { id } = await here.asks({ name: 'database.refresh' });
  const runs = () => runNow(here.parts, { ...ana, id }, 'click-1');
  await here.changes(id, { targetName: 'shop-before', madeAt: null });
  expect(await runs()).toMatchObject({
    sentence: expect.stringMatching(/it was shop-before before.*Pause and resume/),
  });
  await here.acts('pause', id);
  expect(await runs()).toMatchObject({ sentence: expect.stringMatching(/it was shop-before before.* Resume it/) });
  expect(await here.runs(id)).toEqual([]);
  await here.acts('resume', id);
  expect(await runs()).toMatchObject({ type: 'set' });
  expect(await here.runs(id)).toHaveLength(1);
});

test('a service that is down puts a scheduled run off until it answers again', async () => {
  let isDown = true;
  const middleware = async (_: unknown, next: () => Promise<Response>) =>
    isDown ? Response.json({ message: 'Down.' }, { status: 503 }) : next();
  isDown = false;
  const here = await board({ middleware });
  const { id } = await here.asks();
  isDown = true;
  await here.goTo('2026-11-22T01:59:50Z');
  await here.works(async () => Number((await here.due(id))?.tries) >= 3, { step: minute });
  expect(await here.runs(id)).toEqual([]);
  expect(await here.told()).toEqual([]);
  await here.works(async () => (await here.told()).length > 0, { step: 5 * minute });
  await here.works(async () => Number((await here.due(id))?.tries) >= 14, { step: 5 * minute });
  expect(await here.told()).toEqual(['unasked to C1']);
  isDown = false;
  await here.runsOnce(id);
  expect(here.written()).toEqual(['PUT sync']);
  expect(await here.due(id)).toMatchObject({ tries: 0 });
});

describe('a process that is killed at any write', () => {
  const ofJobs = ['apply', 'applyAlong', 'applyAll', 'putOff', 'noChange', 'take', 'add'] as const;
  const writes = [...ofJobs, 'rest', 'recall', 'recallAll'] as const;

  /** Jobs, things and notices that die after the write of this number. */
  function dying(parts: AllParts, last: number) {
    let count = 0;
    const mortal = <Part extends object>(part: Part): Part =>
      new Proxy(part, {
        get(of, key) {
          const does: unknown = Reflect.get(of, key);
          if (typeof does !== 'function' || !writes.some(write => write === key)) return does;
          return async (...given: unknown[]) => {
            if (count >= last) throw new Error('killed');
            const result: unknown = await Reflect.apply(does, of, given);
            count += 1;
            if (count >= last) throw new Error('killed');
            return result;
          };
        },
      });
    const things: Things = {
      ...mortal(parts.things),
      queue: (kind, hear) => mortal(parts.things.queue(kind, hear)),
    };
    return {
      parts: { ...parts, jobs: mortal(parts.jobs), things, outbox: mortal(parts.outbox) },
      isDead: () => count >= last,
    };
  }

  test('a process killed at any write makes each scheduled run once, and counts its end once', async () => {
    const here = await board();
    const { id } = await here.asks({
      rhythm: { every: 'minutes', minutes: 30, at: '00:00' },
      name: 'database.refresh',
    });
    // As many kills as a run makes writes: on a busy machine it looks more often.
    let survived = 0;
    let last = 0;
    while (survived === 0 || last < 14) {
      last += 1;
      const planned = Date.UTC(2026, 10, 22, 2) + last * hour;
      await here.clock.leap(planned - 5_000 - here.clock.now());
      const before = (await here.runs(id)).length;
      const death = dying(here.parts, last);
      const isOver = async () =>
        (await here.schedule(id)).lastAt === planned && (await here.schedule(id)).lastOutcome !== null;
      await here.works(async () => death.isDead() || (await isOver()), { at: [death.parts] });
      survived += Number(!death.isDead());
      await freeJobLocks(here.store);
      await freeLocks(here.store);
      await here.works(isOver);
      const all = await here.runs(id);
      expect(all.filter(({ requestKey }) => requestKey.includes(String(planned)))).toHaveLength(1);
      expect(all.length - before).toBe(1);
      expect(await here.schedule(id)).toMatchObject({ state: 'on', plannedAt: planned + hour / 2 });
    }
    expect(new Set((await here.runs(id)).map(({ id: job }) => job)).size).toBe(last);
  });
});

test('only its owner resumes a schedule, approvers may stop it, and a second click on Pause changes nothing', async () => {
  const here = await board();
  const { id, revision } = await here.asks();
  expect(await here.acts('pause', id, 'U0EVE')).toMatchObject({ sentence: expect.stringContaining('Only its owner') });
  expect(await here.acts('resume', id, 'U0DEV')).toMatchObject({
    sentence: 'Only its owner can resume this schedule.',
  });
  const both = await Promise.all([here.acts('pause', id), here.acts('pause', id)]);
  expect(both.map(({ type }) => type)).toContain('set');
  expect((await here.events()).filter(event => event === 'schedule paused')).toHaveLength(1);
  expect(await here.acts('delete', id, ana.person, revision)).toMatchObject({
    sentence: expect.stringContaining('has changed since'),
  });
  expect(await here.acts('delete', id, 'U0DEV')).toMatchObject({ type: 'set', schedule: { state: 'deleted' } });
  expect(await here.told()).toEqual(['changed to U0ANA']);
  expect(await here.acts('resume', id)).toMatchObject({ sentence: 'This schedule no longer exists.' });
});

test.each(['before', 'while', 'after'] as const)(
  'an approval that is given %s the schedule is changed turns on nothing but what was approved',
  async when => {
    const here = await board();
    const parts = { ...here.parts, account: { username: 'svc' } };
    const { id, revision, request } = await here.asks({ runsAs: 'service' }, parts);
    const asked = async () => {
      const job = await parts.jobs.find(request ?? '');
      return job?.state === 'awaiting' ? job : undefined;
    };
    await here.works(async () => (await asked()) !== undefined);
    const job = await asked();
    if (!job) throw new Error('nobody is asked');
    const click = { team: 'T1', person: 'U0DEV', channel: 'C1', digest: job.approval.digest };
    const approves = () => approve(parts, job, click);
    const changes = () =>
      changeSchedule(parts, { ...ana, id, revision }, { rhythm: { every: 'day', at: '03:00' }, channel: 'C2' });
    if (when === 'before') await approves();
    await Promise.all([changes(), ...(when === 'while' ? [approves()] : [])]);
    if (when === 'after') await approves();
    await here.works(async () => {
      const first = await parts.jobs.find(request ?? '');
      const { request: other } = await here.schedule(id);
      const next = await parts.jobs.find(other ?? '');
      return first?.state !== 'unreadable' && first?.endedAt != null && next?.state === 'awaiting';
    });
    const changed = await here.schedule(id);
    expect(changed).toMatchObject({ state: 'waiting', channel: 'C2', approvedBy: [], plannedAt: null });
    expect(changed.request).not.toBe(request);
  },
);
