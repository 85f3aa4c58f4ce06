import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pino } from 'pino';
import { describe, expect, onTestFinished, test } from 'vitest';
import { features } from '../src/app/features.ts';
import { allReactions, allSubmissions } from '../src/app/listeners.ts';
import type { WholeDesk } from '../src/app/wholeDesk.ts';
import { turnAlertsOn } from '../src/features/alerts/alertActs.ts';
import { keptUntil, newLease } from '../src/features/leases/lease.ts';
import { setLease } from '../src/features/leases/leaseActs.ts';
import { newSchedule, schedules } from '../src/features/schedules/schedule.ts';
import { consents, newConsent } from '../src/features/workflows/consent/consent.ts';
import { day } from '../src/ground/durations.ts';
import { Failure } from '../src/ground/failure.ts';
import type { StandingOfPerson } from '../src/jobs/approval/people/people.ts';
import { writeMinute } from '../src/operations/requests/keepFor.ts';
import { newInteraction } from '../src/slack/desk/interaction.ts';
import { doing } from '../src/slack/inbox/doing.ts';
import { accountOwner } from '../src/store/serviceOwner.ts';
import { subscriptions } from '../src/store/tables/alerts/alertRows.ts';
import { type Lease, leases } from '../src/store/tables/leases.ts';
import { acts, others, rows } from './attacks.ts';
import { ownCommands } from './house.ts';
import { board } from './jobs/deciding.ts';
import { folder, storeIn } from './store/folder.ts';

/*
 * Every door through which somebody may get something done, each with the attack on it that a test makes. What the house
 * lists (reactions, modals, commands, kinds of things, loops, steps of workflows) is enumerated: a door without a row
 * fails, and so does a row without a door. Each attack is a test that fails where its rule is switched off.
 */

const src = new URL('../src/', import.meta.url).pathname;
const reactions = allReactions(features, () => undefined);

/** Each operation has a button, and a form: all of them are one door. */
const isOfOperation = (id: string) => id.startsWith('operation:') || /^(\w+)\.\w+$/.test(id);
const doors: Readonly<Record<string, readonly string[]>> = {
  reaction: reactions.map(({ action }) => action).filter(id => !id.startsWith('operation:')),
  modal: allSubmissions(features).flatMap(({ id }) => (isOfOperation(id) ? [] : [id])),
  command: features.flatMap(({ commands }) => (commands?.own ?? []).map(({ word }) => word)),
  thing: features.flatMap(({ things }) => (things?.kinds ?? []).map(({ name }) => name)),
  loop: features.flatMap(({ things, name }) => (things?.work ? [name] : [])),
  step: features.flatMap(({ steps }) => Object.keys(steps?.functions ?? {})),
};

test.each(Object.keys(doors))(
  'every %s by which people act on Dolly has a row of attacks, and every row has its door',
  kind => {
    const listed = (rows[kind] ?? []).flatMap(([some]) => some.split(' '));
    expect(listed.toSorted()).toEqual([...(doors[kind] ?? [])].toSorted());
  },
);

test('every act has rows of attacks: by another person, by a second account, signed out, and too often', () => {
  const acting = reactions.flatMap(({ action, acts }) => (acts && !action.startsWith('operation:') ? [action] : []));
  expect(acts.flatMap(([doors]) => doors.split(' ')).toSorted()).toEqual(acting.toSorted());
});

/*
 * Where Slack is asked who somebody is beside hasSay.ts: at the door of the house, for words and lists that decide nothing,
 * for a policy's conditions, and for whom to call.
 */
const askElsewhere = [
  ...['jobs/approval/checks.ts', 'jobs/approval/people/whoCanNow.ts', 'jobs/approval/policy/verdict.ts'],
  ...['slack/approvals/waitingFor.ts', 'slack/commands/helpOffers.ts'],
  ...['slack/desk/admission.ts', 'slack/presets/rights.ts'],
];

test('src asks who may do what in hasSay.ts and few other files', () => {
  const files = readdirSync(src, { recursive: true, encoding: 'utf8' }).filter(file => file.endsWith('.ts'));
  const asking = files.filter(file => /people\.(?:standingOf|isAmong)\(/.test(readFileSync(join(src, file), 'utf8')));
  expect(asking.toSorted()).toEqual([...askElsewhere, 'jobs/approval/people/hasSay.ts'].toSorted());
});

test('every attack in attacks.ts is the title of a test that exists', () => {
  const tried = acts.flatMap(([, tries]) =>
    Object.values(tries).flatMap(one => (typeof one === 'string' ? [] : [one])),
  );
  const all = [...[...Object.values(rows).flat(), ...others].map(([, attack]) => attack), ...tried];
  const missing = all.filter(([file, title]) => !readFileSync(new URL(file, import.meta.url), 'utf8').includes(title));
  expect(missing).toEqual([]);
});

/** A desk with what turns people away. To touch anything else is to pass a door. */
function guarded(standing: StandingOfPerson): WholeDesk {
  const own: Readonly<Record<string, unknown>> = {
    people: { standingOf: async () => standing },
    log: pino({ level: 'silent' }),
    credentials: { find: async () => undefined },
    audit: { add: async () => undefined },
    clock: { now: () => 0 },
    meter: { count: () => undefined },
    house: { commands: ownCommands },
  };
  const desk: WholeDesk = JSON.parse('{}');
  return new Proxy(desk, {
    get(_, name) {
      if (typeof name === 'string' && name in own) return own[name];
      throw new Error('passed');
    },
  });
}

const click = { team: 'T1', channel: 'C1', trigger: 'trigger', value: '', place: 'V1' };

/** What comes of a click on each of some doors: `refused`, with the kind of failure, or `passed`. */
async function triesAll(some: typeof reactions, standing: StandingOfPerson, person = 'U0EVE') {
  const { perform } = doing(guarded(standing), some);
  const tried = some.map(async ({ action }) => {
    const outcome = await perform(newInteraction({ ...click, person, action }), true).then(
      () => 'passed',
      (error: unknown) => (error instanceof Failure ? error.kind : 'passed'),
    );
    return [action, outcome] as const;
  });
  return Map.groupBy(await Promise.all(tried), ([, outcome]) => outcome);
}

const guardedDoors = reactions.filter(({ isOpenToAll }) => !isOpenToAll);

describe('a door of which Slack says', () => {
  test.each(['guest', 'outsider'] as const)(
    'a door stays shut for somebody of whom Slack says that they are a %s',
    async standing => {
      expect([...(await triesAll(guardedDoors, standing)).keys()]).toEqual(['forbidden']);
    },
  );

  test('a door that acts stays shut for somebody of whom Slack says nothing', async () => {
    const acting = guardedDoors.filter(({ acts }) => acts);
    expect([...(await triesAll(acting, 'unknown')).keys()]).toEqual(['busy']);
  });

  test('a door stays shut for somebody who is called as the service account is', async () => {
    expect([...(await triesAll(guardedDoors, 'member', accountOwner('T1').person)).keys()]).toEqual(['forbidden']);
  });

  test('most doors open for a member of the workspace', async () => {
    expect((await triesAll(guardedDoors, 'member')).get('passed')?.length).toBeGreaterThan(guardedDoors.length / 2);
  });
});

const ana = { team: 'T1', person: 'U0ANA', channel: 'C1' };
const ben = { ...click, person: 'U0BEN' };

/** The desk of a board on which Dev alone approves. */
async function opened() {
  const here = await board(await storeIn(folder()), { approvers: ['U0DEV'], leases: [{ end: 'delete' }] });
  onTestFinished(() => here.end());
  const desk: WholeDesk = JSON.parse('{}');
  const forgets: unknown[] = [];
  const own: Readonly<Record<string, unknown>> = {
    ...here.parts,
    ...{ sets: here.parts, homes: { ask: async () => undefined } },
    requiredFields: { forget: async (one: unknown) => forgets.push(one) },
  };
  const whole = new Proxy(desk, { get: (_, name) => (typeof name === 'string' ? own[name] : undefined) });
  return { ...here, forgets, perform: doing(whole, reactions).perform };
}

/** A clone of Ana’s with its lease, in a state, and the question to her whether a wish of Eve’s becomes its end. */
async function withLease(state: Lease['state']) {
  const here = await opened();
  const now = here.clock.now();
  const record = 'MYSQL_CLONE_SERVER-1';
  const made = { record, name: null, madeAt: null, job: 'made', operation: null, wish: null, since: now };
  const as = { ...newLease({ ...ana, ...made }), ...keptUntil(now + 2 * day, now), state };
  await here.parts.things.act(leases, as.id, () => ({ as, dueAt: null }), now);
  const wished = await setLease(here.parts, { ...ana, person: 'U0EVE', record }, { type: 'for', milliseconds: day });
  const question = wished.type === 'asked' ? wished.question : 'none';
  const u = writeMinute(now + day);
  const values: Readonly<Record<string, string>> = {
    extend: JSON.stringify({ r: record, k: '3d', e: as.endsAt }),
    set: JSON.stringify({ r: record, k: '3d' }),
    grant: JSON.stringify({ r: record, n: question, u }),
    decline: JSON.stringify({ r: record, n: question, u }),
    withdraw: JSON.stringify({ r: record, n: question }),
  };
  const lease = async () => {
    const found = await here.parts.things.find(leases, as.id);
    return found && { state: found.state, person: found.person, endsAt: found.endsAt };
  };
  const does = (act: string, person: string) =>
    here.perform(newInteraction({ ...click, person, action: `lease.${act}`, value: values[act] ?? record }), true).then(
      () => 'answered',
      (error: unknown) => (error instanceof Failure ? error.kind : String(error)),
    );
  const isAsked = async () => (await here.parts.outbox.find(question))?.outcome === null;
  return { ...here, lease, does, isAsked };
}

const leaseActs = ['extend', 'endless', 'set', 'back', 'take', 'grant', 'decline', 'withdraw'] as const;
/** The states in which the acts have something to do: elsewhere they do nothing for anybody. */
const stateFor = (act: string) => (act === 'back' ? 'stopped' : act === 'take' ? 'asking' : 'kept');

test.each(['extend', 'endless', 'set', 'back', 'take', 'grant'])(
  'a signed-out owner’s click on lease.%s does nothing',
  async act => {
    const { credentials, clock, does, lease } = await withLease(stateFor(act));
    await credentials.forget(ana, clock.now(), 'C1');
    const before = await lease();
    expect(await does(act, ana.person)).toBe('signed-out');
    expect(await lease()).toEqual(before);
  },
);

test.each([
  ...['extend', 'endless', 'set', 'back', 'grant', 'decline'].map(act => [act, 'U0ANA'] as const),
  ...([
    ['take', 'U0DEV'],
    ['withdraw', 'U0EVE'],
  ] as const),
])('a click on lease.%s by %s, who may do it, does something', async (act, person) => {
  const { does, lease, isAsked } = await withLease(stateFor(act));
  const [before, asked] = [await lease(), await isAsked()];
  expect(await does(act, person)).toBe('answered');
  expect([await lease(), await isAsked()]).not.toEqual([before, asked]);
});

describe.each([
  ['a colleague', 'ben'],
  ['a second account in Slack of hers', 'ana'],
])('of Ana’s by %s, through', (_, login) => {
  // To bring a stopped clone back takes nothing from its owner.
  test.each(leaseActs.filter(act => act !== 'back' && act !== 'endless'))(
    'a click on lease.%s by a colleague or a second account takes nothing from the lease’s owner',
    async act => {
      const { does, lease, signsIn, isAsked } = await withLease(stateFor(act));
      await signsIn('U0BEN', login);
      const [before, asked] = [await lease(), await isAsked()];
      await does(act, 'U0BEN');
      expect(await lease()).toEqual(before);
      expect(await isAsked()).toBe(asked);
    },
  );

  test.each(['alert.over', 'alert.called'])(
    'a click on %s by a colleague or a second account leaves the alerts of a channel as they are',
    async action => {
      const { parts, perform, signsIn } = await opened();
      await turnAlertsOn(parts, ana, ['failed']);
      await signsIn('U0BEN', login);
      const value = action === 'alert.called' ? JSON.stringify(['U0BEN']) : '';
      const before = await parts.things.list(subscriptions, { team: 'T1' });
      await perform(newInteraction({ ...ben, action, value }), true);
      expect(await parts.things.list(subscriptions, { team: 'T1' })).toEqual(before);
    },
  );

  test.each(['consent.allow', 'consent.refuse', 'consent.revoke'])(
    'a click on %s by a colleague or a second account changes nothing of a consent',
    async action => {
      const { parts, perform, signsIn } = await opened();
      await signsIn('U0BEN', login);
      const state = action === 'consent.refuse' ? 'asked' : action === 'consent.allow' ? 'refused' : 'given';
      const asked = { id: 'g1', step: 'back_up', workflow: 'Nightly', about: {}, runsAs: null, createdAt: 0, ...ana };
      await parts.things.act(consents, 'g1', () => ({ as: { ...newConsent(asked), state } }), 0);
      const before = await parts.things.find(consents, 'g1');
      await perform(newInteraction({ ...ben, action, value: JSON.stringify({ g: 'g1', n: before?.revision }) }), true);
      expect(await parts.things.find(consents, 'g1')).toEqual(before);
    },
  );

  test.each(['run', 'pause', 'resume', 'delete', 'take'])(
    'a click on schedule.%s by a colleague or a second account changes nothing of a schedule',
    async act => {
      const { parts, perform, signsIn } = await opened();
      await signsIn('U0BEN', login);
      const work = { kind: 'job', operation: 'database.backup', values: { database: 'MYSQL_LIVE_SERVER-1' } } as const;
      const rhythm = JSON.stringify({ every: 'day', at: '02:00' });
      const as = newSchedule({
        ...{ ...ana, ...work, id: 's1', rhythm, zone: 'UTC', tells: 'all', runsAs: 'owner', createdAt: 0 },
        ...{ labels: {}, target: 'MYSQL_LIVE_SERVER-1', targetName: 'orders', madeAt: null, purpose: null },
      });
      const state = act === 'resume' ? 'paused' : 'on';
      await parts.things.act(schedules, 's1', () => ({ as: { ...as, state } }), 0);
      const before = await parts.things.find(schedules, 's1');
      const value = JSON.stringify({ s: 's1', n: before?.revision });
      await perform(newInteraction({ ...ben, action: `schedule.${act}`, value }), true).catch(() => undefined);
      expect(await parts.things.find(schedules, 's1')).toEqual(before);
    },
  );

  test('lesson.forget forgets nothing for a person who does not approve, where approvers are named', async () => {
    const { parts, perform, forgets } = await opened();
    const value = JSON.stringify({ o: 'clone.create', v: 'MYSQL' });
    await perform(newInteraction({ ...ben, action: 'lesson.forget', value }), true);
    expect(forgets).toEqual([]);
    await perform(newInteraction({ ...ben, person: 'U0DEV', action: 'lesson.forget', value }), true);
    expect(forgets).toHaveLength(1);
    const { entries } = await parts.audit.read('T1', { words: ['lesson'] }, 5);
    expect(entries.map(({ event, actor }) => `${event} ${actor}`)).toEqual(['lesson forgotten U0DEV']);
  });
});
