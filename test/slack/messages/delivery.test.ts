import { once } from 'node:events';
import { createServer } from 'node:http';
import { LogLevel, WebClient } from '@slack/web-api';
import { pino } from 'pino';
import { describe, expect, onTestFinished, test } from 'vitest';
import { z } from 'zod';
import { noMeter } from '../../../src/ground/meter.ts';
import { PolicyFile, policyOf } from '../../../src/jobs/approval/policy/rules.ts';
import { oneForAll } from '../../../src/slack/connection/slacks.ts';
import { responseUrlsOn } from '../../../src/slack/desk/responseUrls.ts';
import { deliver } from '../../../src/slack/outbox/delivery.ts';
import { rates } from '../../../src/slack/outbox/slackRates.ts';
import { jobsIn } from '../../../src/store/jobs/jobs.ts';
import { auditIn } from '../../../src/store/tables/audit/audit.ts';
import { olderWorkspacesIn } from '../../../src/store/tables/olderWorkspaces.ts';
import { outboxIn } from '../../../src/store/tables/outbox.ts';
import { jobAt, personAt } from '../../bench/estate.ts';
import { seed } from '../../bench/seed.ts';
import { newSlackStub } from '../../bench/slackStub.ts';
import { testClock } from '../../clock.ts';
import { emptyHouse } from '../../house.ts';
import { quiet } from '../../quiet.ts';
import { folder, judgingIn, storeIn, wish } from '../../store/folder.ts';
import { moveJob, noteJob } from '../../store/steps.ts';

type Call = Readonly<{
  method: string;
  channel: string;
  at: number;
  text: string;
  thread: string | null;
  /** Of which job's messages a post is which, and what buttons a message has. */
  posted: string;
  buttons: readonly string[];
}>;

/** What marks a post as a part of a job's messages, and the values of the buttons to approve. */
const Mark = z.object({ event_payload: z.object({ job: z.string(), part: z.string() }) });
const Row = z.object({ elements: z.array(z.object({ action_id: z.string(), value: z.string() })) });
const approveButtons = (blocks: string) =>
  z
    .array(z.unknown())
    .parse(JSON.parse(blocks))
    .flatMap(block => Row.safeParse(block).data?.elements ?? [])
    .flatMap(({ action_id: id, value }) => (id === 'approval.approve' ? [value] : []));

/** Jobs of a crowd that run and are told, and a Slack that takes what `refuse` gives no word for, and writes down when. */
async function office(people: number, jobsEach: number, refuse: (call: Call) => string | undefined = () => undefined) {
  const clock = testClock(Date.UTC(2026, 10, 21, 9));
  let statements = 0;
  const store = await storeIn(folder(), () => {
    statements += 1;
  });
  await seed(store, { people, jobsEach }, clock.now());
  const jobs = jobsIn(store, { knows: () => true });
  const calls: Call[] = [];
  const stub = newSlackStub((method, parameters) => {
    const channel = parameters.get('channel') ?? '';
    const [text, thread] = [parameters.get('text') ?? '', parameters.get('thread_ts')];
    const mark = Mark.safeParse(JSON.parse(parameters.get('metadata') ?? 'null')).data?.event_payload;
    const posted = mark ? `${mark.part} of ${mark.job}` : '';
    const buttons = approveButtons(parameters.get('blocks') ?? '[]');
    const call = { method, channel, at: clock.now(), text, thread, posted, buttons };
    calls.push(call);
    const error = refuse(call);
    if (error !== undefined) return { ok: false, error };
    return method === 'conversations.open' ? { ok: true, channel: { id: `D${parameters.get('users')}` } } : undefined;
  });
  const server = createServer(stub);
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const address = server.address();
  const url = `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}/dolly/api/`;
  const slack = new WebClient('xoxb-test', { slackApiUrl: url, retryConfig: { retries: 0 }, logLevel: LogLevel.ERROR });
  const standing = async () => 'member' as const;
  const those = {
    isAmong: async () => false,
    membersOf: async (_team: string, ids: readonly string[]) => ids,
    nameOf: async () => 'Ana',
    zoneOf: async () => undefined,
    absenceOf: async () => undefined,
    standingOf: standing,
  };
  const policy = policyOf(PolicyFile.parse({}), []);
  return {
    clock,
    jobs,
    calls,
    /** The number of statements that the store ran since the last call. */
    statements() {
      const ran = statements;
      statements = 0;
      return ran;
    },
    /** The jobs, by person and number, end with this reason, or have news. */
    end: (person: number, job: number) =>
      moveJob(
        jobs,
        jobAt(person, job),
        'running',
        'succeeded',
        { endedAt: clock.now(), reason: 'It is there.' },
        clock.now(),
      ),
    change: (person: number, job: number) =>
      noteJob(jobs, jobAt(person, job), 'running', { reason: 'News.' }, true, clock.now()),
    jobOf: (person: number) => jobs.find(jobAt(person, 0)),
    /** Starts to tell; as one of several processes on the same store where a count is given. */
    open: (count = 1) => {
      const log = pino({ level: 'silent' });
      const delivery = deliver(
        {
          ...{ jobs, slack: oneForAll(slack), house: emptyHouse, log, policy, clock },
          olderWorkspaces: olderWorkspacesIn(store),
          meter: noMeter,
          audit: auditIn(store),
          credentials: judgingIn(store).credentials,
          outbox: outboxIn(store),
          people: those,
          responseUrls: responseUrlsOn(clock, log),
          names: { db: '/db', clone: '/clone', restore: '/restore' },
          replicas: { count: () => count, passOn: () => undefined },
        },
        async () => undefined,
      );
      onTestFinished(async () => {
        await delivery.stop();
        server.closeAllConnections();
        server.close();
      });
      return delivery;
    },
    /** Turns the clock; what is told goes over a real connection. */
    async passes(seconds: number) {
      for (let step = 0; step < seconds * 4; step++) {
        await clock.advance(250);
        await quiet();
      }
    },
  };
}

describe('where much is to be told at once', () => {
  test('a channel to which much is to be told gets a few messages at once, then one a second', async () => {
    const { end, open, passes, calls } = await office(2, 17);
    for (let job = 0; job < 17; job++) for (const person of [0, 1]) await end(person, job);
    open();
    await passes(0.5);
    const posts = (channel: string) =>
      calls.filter(call => call.method === 'chat.postMessage' && call.channel === channel).length;
    expect([posts('C0CROWD0'), posts('C0CROWD1')]).toEqual([rates.posts.burst, rates.posts.burst]);
    await passes(3);
    expect(posts('C0CROWD0')).toBeGreaterThanOrEqual(rates.posts.burst + 2);
    expect(posts('C0CROWD0')).toBeLessThanOrEqual(rates.posts.burst + 4);
    await passes(8);
    expect([posts('C0CROWD0'), posts('C0CROWD1')]).toEqual([17, 17]);
  });

  test('telling the ends of ten jobs costs four statements each, and at most eight more in all', async () => {
    const { end, open, passes, calls, statements } = await office(10, 1);
    for (let person = 0; person < 10; person++) await end(person, 0);
    statements();
    open();
    await passes(2);
    expect(calls.filter(({ method }) => method === 'chat.postMessage')).toHaveLength(10);
    expect(statements()).toBeLessThanOrEqual(10 * 4 + 8);
  });

  test('two processes of Dolly together send no faster than one may, and still tell every job’s end', async () => {
    const { change, end, open, passes, calls } = await office(40, 17);
    for (let job = 0; job < 17; job++) await end(0, job);
    for (let person = 1; person < 40; person++) await change(person, 0);
    const count = (method: string, channel = '') =>
      calls.filter(call => call.method === method && call.channel.endsWith(channel)).length;
    for (let process = 0; process < 2; process++) open(2);
    await passes(0.5);
    expect(count('chat.postMessage')).toBe(rates.posts.burst);
    // What is news of running jobs left room for the ends.
    expect(count('chat.update')).toBeGreaterThanOrEqual(rates.posts.burst);
    expect(count('chat.update')).toBeLessThanOrEqual(rates.updates.burst);
    await passes(6);
    expect(count('chat.postMessage')).toBeGreaterThanOrEqual(rates.posts.burst + 5);
    expect(count('chat.postMessage')).toBeLessThanOrEqual(rates.posts.burst + 7);
    expect(count('chat.update')).toBeLessThanOrEqual(rates.updates.burst + 6);
    await passes(3);
    expect(count('chat.postMessage')).toBe(17);
  });

  test('a pause that Slack asked of another process is kept in that channel, and in no other', async () => {
    const { end, open, passes, calls } = await office(2, 1);
    const delivery = open(2);
    delivery.keepPause({ limit: 'posts', key: 'C0CROWD0', milliseconds: 30_000 });
    for (const person of [0, 1]) await end(person, 0);
    delivery.wake();
    const posted = () => calls.filter(({ method }) => method === 'chat.postMessage').map(({ channel }) => channel);
    await passes(28);
    expect(posted()).toEqual(['C0CROWD1']);
    await passes(3);
    expect(posted()).toEqual(['C0CROWD1', 'C0CROWD0']);
  });

  test('the cards of a workspace change no faster than Slack takes it, each once for all of its news', async () => {
    const { change, open, passes, calls } = await office(40, 1);
    for (let person = 0; person < 40; person++) for (let time = 0; time < 3; time++) await change(person, 0);
    open();
    await passes(0.5);
    const updates = () => calls.filter(({ method }) => method === 'chat.update').length;
    const spare = rates.updates.burst / 2;
    expect(updates()).toBe(spare);
    await passes(6);
    expect(updates()).toBeGreaterThanOrEqual(spare + 3);
    expect(updates()).toBeLessThanOrEqual(spare + 6);
    await passes(34);
    expect(updates()).toBe(40);
  });

  test.each([5, 8])(
    'the card of an ended job changes along with its reply, also for %i jobs that had much news',
    async many => {
      const { change, end, open, passes, calls } = await office(many, 1);
      open();
      for (let time = 0; time < 4; time++) {
        for (let person = 0; person < many; person++) await change(person, 0);
        await passes(1);
      }
      const before = calls.length;
      for (let person = 0; person < many; person++) await end(person, 0);
      await passes(1);
      const placesOf = (method: string) =>
        calls.slice(before).flatMap(call => (call.method === method ? [call.channel] : []));
      expect(placesOf('chat.postMessage')).toHaveLength(many);
      expect(new Set(placesOf('chat.update'))).toEqual(new Set(placesOf('chat.postMessage')));
    },
  );

  test('a job’s end is told by a reply at once and before other news, even when no card may change just now', async () => {
    const { change, end, open, passes, calls } = await office(60, 1);
    for (let person = 0; person < 50; person++) await change(person, 0);
    open();
    await passes(1);
    const before = calls.length;
    await end(59, 0);
    await passes(3);
    const replies = calls.slice(before).filter(({ method }) => method === 'chat.postMessage');
    expect(replies.map(({ text }) => text.includes(`<@${personAt(59)}>`))).toEqual([true]);
    const updates = calls.slice(before).filter(({ method }) => method === 'chat.update');
    // The card of what has ended goes before the news that waited longer.
    expect(updates[0]?.channel).toBe('C0CROWD59');
    expect(updates.length).toBeLessThanOrEqual(4);
  });
});

describe('what Slack will never take', () => {
  const posts = (calls: readonly Call[]) =>
    calls.filter(({ method }) => method === 'chat.postMessage').map(({ channel, thread }) => ({ channel, thread }));
  const card = '1767225600.000100';

  test.each([
    'is_inactive',
    'channel_not_found',
    'is_archived',
    'cant_update_message',
    'message_not_found',
    'no_permission',
    'edit_window_closed',
    'restricted_action',
    'ekm_access_denied',
  ])('a card that cannot be changed (%s) does not keep its job’s end from being told, once', async word => {
    const { end, open, passes, calls, jobOf } = await office(1, 1, ({ method }) =>
      method === 'chat.update' ? word : undefined,
    );
    await end(0, 0);
    open();
    await passes(3);
    expect(posts(calls)).toEqual([{ channel: 'C0CROWD0', thread: card }]);
    expect(calls.filter(({ method }) => method === 'chat.update')).toHaveLength(1);
    expect(await jobOf(0)).toMatchObject({ tellAt: null, replyTs: expect.any(String) });
  });

  test.each(['internal_error', 'a_word_of_tomorrow', 'missing_scope'])(
    'a card that cannot be changed for now (%s) is tried again, and its job’s end is told all the same',
    async word => {
      let left = 2;
      const { end, open, passes, calls, jobOf } = await office(1, 1, ({ method }) =>
        method === 'chat.update' && left-- > 0 ? word : undefined,
      );
      await end(0, 0);
      open();
      await passes(8);
      expect(posts(calls)).toEqual([{ channel: 'C0CROWD0', thread: card }]);
      expect(calls.filter(({ method }) => method === 'chat.update')).toHaveLength(3);
      expect(await jobOf(0)).toMatchObject({ tellAt: null });
    },
  );

  test.each(['is_archived', 'channel_not_found', 'is_inactive', 'no_permission', 'channel_is_limited_access'])(
    'the end of a job goes to a direct message where its channel takes nothing more (%s)',
    async word => {
      const { end, open, passes, calls, jobOf } = await office(1, 1, ({ channel }) =>
        channel === 'C0CROWD0' ? word : undefined,
      );
      await end(0, 0);
      open();
      await passes(3);
      expect(posts(calls).at(-1)).toEqual({ channel: `D${personAt(0)}`, thread: null });
      expect(posts(calls)).toHaveLength(2);
      expect(await jobOf(0)).toMatchObject({ tellAt: null, replyTs: expect.any(String) });
    },
  );

  test('a job whose channel was archived while it runs goes on in a direct message, to its end', async () => {
    const { change, end, open, passes, calls } = await office(1, 1, ({ channel }) =>
      channel === 'C0CROWD0' ? 'is_archived' : undefined,
    );
    await change(0, 0);
    open();
    await passes(2);
    expect(posts(calls)).toEqual([{ channel: `D${personAt(0)}`, thread: null }]);
    await end(0, 0);
    await passes(6);
    expect(posts(calls).at(-1)).toEqual({ channel: `D${personAt(0)}`, thread: card });
    expect(calls.filter(({ channel }) => channel === 'C0CROWD0')).toHaveLength(1);
  });

  test('a channel that refuses with an undocumented word is given up for a direct message after a minute', async () => {
    const { end, open, passes, calls } = await office(1, 1, ({ channel }) =>
      channel === 'C0CROWD0' ? 'a_word_of_tomorrow' : undefined,
    );
    await end(0, 0);
    open();
    await passes(60);
    expect(posts(calls).filter(({ channel }) => channel !== 'C0CROWD0')).toEqual([
      { channel: `D${personAt(0)}`, thread: null },
    ]);
  });

  test('a job’s message that cannot reach its person is given up after a day, without harm to others', async () => {
    const { end, open, passes, clock, calls, jobOf } = await office(2, 1, ({ method, channel }) =>
      channel === 'C0CROWD0' ? 'is_archived' : method === 'conversations.open' ? 'user_disabled' : undefined,
    );
    for (const person of [0, 1]) await end(person, 0);
    open();
    await passes(3);
    expect(posts(calls).filter(({ channel }) => channel === 'C0CROWD1')).toHaveLength(1);
    for (let hours = 0; hours < 25; hours++) {
      expect(await jobOf(0)).toMatchObject({ tellAt: hours < 24 ? expect.any(Number) : null, replyTs: null });
      for (let step = 0; step < 11; step++) {
        await clock.leap(5.5 * 60_000);
        await quiet();
      }
    }
    const before = calls.length;
    await passes(30);
    expect(calls).toHaveLength(before);
  });
});

test('where 200 people share a channel, with 60 jobs a minute, nobody waits for a card, a button or an end', async () => {
  const { clock, jobs, calls, open } = await office(0, 0);
  const delivery = open();
  const asked = new Map<string, number>();
  const ended = new Map<string, number>();
  const awaited = new Map<string, number>();
  const order: string[] = [];
  const add = async (second: number) => {
    const id = `asked-${second}`;
    const person = `U${second % 200}`;
    await jobs.add(
      wish({ id, requestKey: id, team: 'T1', person, channel: 'C1', purpose: 'so', createdAt: clock.now() }),
    );
    asked.set(id, clock.now());
    return id;
  };
  const passes = async () => {
    for (let step = 0; step < 4; step++) {
      await clock.advance(250);
      await quiet();
    }
  };
  for (let second = 0; second < 100; second++) {
    const id = await add(second);
    if (second % 10 === 5) {
      const terms = { rule: 'all', approvals: 1, approvers: ['U0DEV'], asker: { users: [], names: ['ana'] } };
      const expiresAt = clock.now() + 86_400_000;
      const change = { terms, facts: [], digest: 'd', login: 'ana', cardPlace: 'C9', expiresAt };
      await moveJob(jobs, id, 'new', 'awaiting', change, clock.now());
      awaited.set(id, clock.now());
    } else {
      await moveJob(
        jobs,
        id,
        'new',
        'sending',
        { sentAt: clock.now(), deadlineAt: clock.now() + 1_800_000 },
        clock.now(),
      );
      await moveJob(jobs, id, 'sending', 'running', {}, clock.now());
      order.push(id);
    }
    const before = order.length > 15 ? order.shift() : undefined;
    if (before !== undefined) {
      await moveJob(
        jobs,
        before,
        'running',
        'succeeded',
        { endedAt: clock.now(), reason: 'It is there.' },
        clock.now(),
      );
      ended.set(before, clock.now());
    }
    // As the app does for each step of a job.
    delivery.wake();
    await passes();
  }
  for (let second = 0; second < 15; second++) await passes();
  const lags = (since: Map<string, number>, find: (id: string) => Call | undefined) =>
    [...since].map(([id, at]) => (find(id)?.at ?? Number.POSITIVE_INFINITY) - at);
  const posted = (part: string) => (id: string) => calls.find(call => call.posted === `${part} of ${id}`);
  const button = (id: string) => calls.find(({ buttons }) => buttons.some(value => value.includes(`"${id}"`)));
  const worst = {
    card: Math.max(...lags(asked, posted('card'))),
    button: Math.max(...lags(awaited, button)),
    end: Math.max(...lags(ended, posted('reply'))),
  };
  expect(worst.button).toBeLessThan(3_000);
  expect(worst.card).toBeLessThan(5_000);
  expect(worst.end).toBeLessThan(15_000);
  // And no more than Slack takes.
  const inChannel = calls.filter(({ method, channel }) => method === 'chat.postMessage' && channel === 'C1');
  expect(inChannel.length).toBeLessThanOrEqual(115 + rates.posts.burst + 10);
  const updates = calls.filter(({ method }) => method === 'chat.update');
  expect(updates.length).toBeLessThanOrEqual(115_000 / rates.updates.every + rates.updates.burst);
});

test('what waited for minutes without Slack is told within seconds, and Slack is left alone meanwhile', async () => {
  let isAway = true;
  const { end, open, passes, clock, calls, jobs } = await office(40, 1, () =>
    isAway ? 'service_unavailable' : undefined,
  );
  for (let person = 0; person < 40; person++) await end(person, 0);
  open();
  for (let second = 0; second < 300; second++) {
    await clock.advance(1_000);
    await quiet();
  }
  expect(calls.length).toBeLessThan(450);
  isAway = false;
  const back = clock.now();
  const before = calls.length;
  await passes(8);
  const replies = calls.slice(before).filter(({ method }) => method === 'chat.postMessage');
  expect(new Set(replies.map(({ posted }) => posted)).size).toBe(40);
  expect(Math.max(...replies.map(({ at }) => at)) - back).toBeLessThan(8_000);
  expect((await jobs.standing()).untold).toBeLessThanOrEqual(20);
});
