import { once } from 'node:events';
import { createServer } from 'node:http';
import { LogLevel, WebClient } from '@slack/web-api';
import { pino } from 'pino';
import { describe, expect, onTestFinished, test } from 'vitest';
import { noMeter } from '../../../src/ground/meter.ts';
import { PolicyFile, policyOf } from '../../../src/jobs/approval/policy/rules.ts';
import { oneForAll } from '../../../src/slack/connection/slacks.ts';
import { responseUrlsOn } from '../../../src/slack/desk/responseUrls.ts';
import { deliver } from '../../../src/slack/outbox/delivery.ts';
import type { JobChange, JobState, NewJob } from '../../../src/store/jobs/rows/job.ts';
import { auditIn } from '../../../src/store/tables/audit/audit.ts';
import { olderWorkspacesIn } from '../../../src/store/tables/olderWorkspaces.ts';
import { outboxIn } from '../../../src/store/tables/outbox.ts';
import { newSlackStub } from '../../bench/slackStub.ts';
import { testClock } from '../../clock.ts';
import { emptyHouse } from '../../house.ts';
import { quiet } from '../../quiet.ts';
import { awaited, folder, jobsOf, judgingIn, storeIn, wish } from '../../store/folder.ts';
import { moveJob } from '../../store/steps.ts';

type Call = Readonly<{ method: string; channel: string; text: string }>;

/**
 * A job that was just asked for in a channel, and a Slack that takes everything but what `refuse` gives a word for. It
 * ends the connection in place of an answer to the method `lost`.
 */
async function office(
  refuse: (call: Call) => string | undefined = () => undefined,
  change: Partial<NewJob> = {},
  lost = 'none',
) {
  const clock = testClock(Date.UTC(2026, 10, 21, 9));
  const store = await storeIn(folder());
  const jobs = jobsOf(store);
  const calls: Call[] = [];
  const stub = newSlackStub((method, parameters) => {
    const call = { method, channel: parameters.get('channel') ?? '', text: parameters.get('text') ?? '' };
    if (/^chat/.test(method)) calls.push(call);
    const error = refuse(call);
    return error === undefined ? undefined : { ok: false, error };
  });
  const server = createServer((request, answer) => {
    if (!request.url?.endsWith(lost)) return stub(request, answer);
    calls.push({ method: lost, channel: 'C1', text: '' });
    request.socket.destroy();
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const address = server.address();
  const slackApiUrl = `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}/dolly/api/`;
  const slack = new WebClient('xoxb-test', { slackApiUrl, retryConfig: { retries: 0 }, logLevel: LogLevel.ERROR });
  const log = pino({ level: 'silent' });
  const responseUrls = responseUrlsOn(clock, log);
  const names = { db: '/db', clone: '/clone', restore: '/restore' };
  const begins = () => {
    const delivery = deliver(
      {
        ...{
          jobs,
          house: emptyHouse,
          slack: oneForAll(slack),
          log,
          clock,
          names,
          responseUrls,
          meter: noMeter,
          audit: auditIn(store),
          credentials: judgingIn(store).credentials,
          outbox: outboxIn(store),
          policy: policyOf(PolicyFile.parse({}), []),
        },
        olderWorkspaces: olderWorkspacesIn(store),
        people: {
          isAmong: async () => false,
          membersOf: async (_team: string, ids: readonly string[]) => ids,
          nameOf: async () => 'Ana',
          absenceOf: async () => undefined,
          standingOf: async () => 'member' as const,
          zoneOf: async () => undefined,
        },
        replicas: { count: () => 1, passOn: () => undefined },
      },
      async () => undefined,
    );
    onTestFinished(() => delivery.stop());
    return delivery;
  };
  const passes = async (seconds: number) => {
    for (let step = 0; step < seconds * 4; step++) {
      await clock.advance(250);
      await quiet();
    }
  };
  const asked = async () => (await jobs.add(wish({ createdAt: clock.now(), ...change }))).job;
  return {
    ...{ clock, jobs, calls, responseUrls, begins, passes, asked },
    /** Takes a job from its beginning to a state, over what comes before it. */
    async goes(id: string, ...way: readonly [JobState, JobChange][]) {
      let from: JobState = 'new';
      for (const [to, changes] of way) {
        await moveJob(jobs, id, from, to, changes, clock.now());
        from = to;
      }
    },
    told: () => calls.map(({ method, channel }) => `${method.replace('chat.', '')} ${channel}`),
    trail: async (event: string) => (await auditIn(store).read('T1', { words: [event] }, 9)).entries,
    untold: async (id: string) => {
      const job = await jobs.find(id);
      return job?.state === 'unreadable' ? undefined : job?.tellAt;
    },
  };
}

const sending = { sentAt: 1, deadlineAt: 2 };
const refused = (clock: { now(): number }) =>
  ({ reason: 'The service refused: “port: is required”.', endedAt: clock.now(), sentAt: null, dueAt: null }) as const;

describe('a job that the service refuses', () => {
  test('a job that the service refuses is told to its person alone, once, where they asked', async () => {
    const { asked, goes, begins, passes, clock, calls, told, untold } = await office();
    begins();
    const { id } = await asked();
    await goes(id, ['sending', sending], ['failed', refused(clock)]);
    await passes(60);
    expect(told()).toEqual(['postEphemeral C1']);
    expect(calls[0]?.text).toMatch(/^:x: \*Not cloned\*: the service also needs \*Port\*\.\n\[Fill these in\]/);
    expect(calls[0]?.text).toContain('`/clone orders cloneType=VIRTUALCLONE`');
    expect(await untold(id)).toBeNull();
  });

  test.each(['all', 'failures'] as const)(
    'a refused run of a schedule that tells %s is told in the channel with its person’s mention',
    async tells => {
      const run = { schedule: 'schedule-1', tells: tells === 'failures' ? tells : null } as const;
      const { asked, goes, begins, passes, clock, calls, told } = await office(() => undefined, run);
      begins();
      const { id } = await asked();
      await goes(id, ['failed', refused(clock)]);
      await passes(5);
      expect(told()).toEqual(['postMessage C1', 'postMessage C1']);
      expect(calls[0]?.text).toContain('Run by ');
      expect(calls[1]?.text).toContain('<@U1>');
    },
  );

  test.each([
    ['not_in_channel', 'C1'],
    ['user_not_in_channel', 'C1'],
    ['channel_not_found', 'C1'],
    ['is_archived', 'C1'],
    ['a_word_of_tomorrow', 'C1'],
  ])('a refused job is told directly where the channel does not take the private message (%s)', async word => {
    const { asked, goes, begins, passes, clock, told, untold } = await office(({ channel }) =>
      channel === 'C1' ? word : undefined,
    );
    begins();
    const { id } = await asked();
    await goes(id, ['failed', refused(clock)]);
    await passes(5);
    expect(told()).toEqual(['postEphemeral C1', 'postMessage DBENCH']);
    expect(await untold(id)).toBeNull();
  });

  test('a refused job is told directly, and not in the channel again, where Slack in trouble may have shown it', async () => {
    const { asked, goes, begins, passes, clock, told, untold } = await office(({ method }) =>
      method === 'chat.postEphemeral' ? 'internal_error' : undefined,
    );
    begins();
    const { id } = await asked();
    await goes(id, ['failed', refused(clock)]);
    await passes(15);
    expect(told()).toEqual(['postEphemeral C1', 'postMessage DBENCH']);
    expect(await untold(id)).toBeNull();
  });

  test('a refused job is told by the answer to the command, and not directly, where Dolly may not write', async () => {
    const { asked, goes, begins, passes, clock, told, responseUrls } = await office(({ channel }) =>
      channel === 'C1' ? 'not_in_channel' : undefined,
    );
    const answers: unknown[] = [];
    responseUrls.remember({ team: 'T1', person: 'U1', channel: 'C1' }, async content => answers.push(content));
    begins();
    const { id } = await asked();
    await goes(id, ['failed', refused(clock)]);
    await passes(5);
    expect(told()).toEqual(['postEphemeral C1']);
    expect(JSON.stringify(answers)).toContain('Not cloned');
  });

  test('a refused job is told directly after a restart, or minutes later, when the person may have left', async () => {
    const { asked, goes, begins, passes, clock, told } = await office();
    const [early, late] = [await asked(), await asked()];
    await goes(early.id, ['failed', refused(clock)]);
    await passes(1);
    begins();
    await passes(2);
    expect(told()).toEqual(['postMessage DBENCH']);
    const third = await asked();
    await goes(third.id, ['new', { hold: 'busy', reason: 'The service asks me to wait.' }]);
    await passes(180);
    for (const { id } of [late, third]) await goes(id, ['failed', refused(clock)]);
    await passes(5);
    expect(told().slice(1).toSorted()).toEqual([
      'postEphemeral C1',
      'postMessage DBENCH',
      'postMessage DBENCH',
      'postMessage DBENCH',
    ]);
  });

  test('a refused job is told directly where the process ended before it knew that Slack had shown it', async () => {
    const { asked, goes, begins, passes, clock, told, jobs } = await office();
    const delivery = begins();
    await delivery.stop();
    const { id } = await asked();
    await goes(id, ['failed', refused(clock)]);
    await jobs.noteMessage(id, { posting: { part: 'alone:end', place: 'C1', since: clock.now() } });
    begins();
    await passes(3);
    expect(told()).toEqual(['postMessage DBENCH']);
  });

  test('a refused job is told directly, once, where Slack does not say whether it has shown it', async () => {
    const { asked, goes, begins, passes, clock, told, untold } = await office(undefined, {}, 'chat.postEphemeral');
    begins();
    const { id } = await asked();
    await goes(id, ['failed', refused(clock)]);
    await passes(20);
    expect(told()).toEqual(['postEphemeral C1', 'postMessage DBENCH']);
    expect(await untold(id)).toBeNull();
  });

  test('a refused job is told once by two processes after another was stopped before it could tell', async () => {
    const { asked, goes, begins, passes, clock, told, untold } = await office();
    const killed = begins();
    const { id } = await asked();
    await killed.stop();
    await goes(id, ['failed', refused(clock)]);
    await passes(2);
    begins();
    begins();
    await passes(20);
    expect(told()).toHaveLength(1);
    expect(await untold(id)).toBeNull();
  });

  test('a refused job is told once, directly, when Slack is back after a while', async () => {
    let isAway = true;
    const { asked, goes, begins, passes, clock, told, untold } = await office(() =>
      isAway ? 'service_unavailable' : undefined,
    );
    begins();
    const { id } = await asked();
    await goes(id, ['failed', refused(clock)]);
    await passes(20);
    isAway = false;
    const before = told().length;
    await passes(10);
    expect(told().slice(before)).toEqual(['postMessage DBENCH']);
    expect(await untold(id)).toBeNull();
  });

  test('a refused job whose person takes no direct message is told in the channel as the last way', async () => {
    const { asked, goes, begins, passes, clock, told } = await office(({ method, channel }) =>
      method === 'chat.postMessage' && channel === 'DBENCH' ? 'cannot_dm_bot' : undefined,
    );
    const { id } = await asked();
    await goes(id, ['failed', refused(clock)]);
    await passes(150);
    begins();
    await passes(3);
    expect(told()).toEqual(['postMessage DBENCH', 'postEphemeral C1']);
  });

  test('a refused job of which nobody can be told is given up after a day, as the audit trail says', async () => {
    const { asked, goes, begins, passes, clock, told, untold, trail } = await office(({ method }) =>
      /^chat/.test(method) ? 'user_disabled' : undefined,
    );
    begins();
    const { id } = await asked();
    await goes(id, ['failed', refused(clock)]);
    for (let hours = 0; hours < 25; hours++) {
      expect(await untold(id)).toEqual(hours < 24 ? expect.any(Number) : null);
      for (let tries = 0; tries < 11; tries++) {
        await clock.leap(5.5 * 60_000);
        await quiet();
      }
    }
    const before = told().length;
    await passes(60);
    expect(told()).toHaveLength(before);
    expect(await untold(id)).toBeNull();
    const given = await trail('message given up');
    expect(given).toMatchObject([{ actor: 'dolly', person: 'U1', channel: 'C1', job: id }]);
  });

  test('a refused job that was asked for in Home is told directly', async () => {
    const { asked, goes, begins, passes, clock, told } = await office(undefined, { channel: 'U1' });
    begins();
    const { id } = await asked();
    await goes(id, ['failed', refused(clock)]);
    await passes(3);
    expect(told()).toEqual(['postMessage DBENCH']);
  });

  test('a job that the service refuses after its approval is told in the channel, by card and reply', async () => {
    const { asked, goes, begins, passes, clock, told } = await office();
    const { id } = await asked();
    await goes(id, ['awaiting', awaited], ['approved', {}], ['sending', sending], ['failed', refused(clock)]);
    begins();
    await passes(2);
    // Its card, and the reply in the thread.
    expect(told()).toEqual(['postMessage C1', 'postMessage C1']);
  });
});

describe('a job that is accepted', () => {
  test('a job that is accepted is told in the channel, and to nobody alone', async () => {
    const { asked, goes, begins, passes, told, clock } = await office();
    begins();
    const { id } = await asked();
    await passes(2);
    expect(told()).toEqual([]);
    await goes(id, ['sending', { ...sending, sentAt: clock.now() }], ['running', {}]);
    await passes(20);
    expect(told()).toEqual(['postMessage C1']);
  });

  test('a job that gets no answer for five seconds is told to its person alone, and in the channel once accepted', async () => {
    const { asked, goes, begins, passes, told, calls, clock, jobs } = await office();
    begins();
    const { id } = await asked();
    await goes(id, ['sending', { ...sending, sentAt: clock.now() }]);
    await passes(4);
    expect(told()).toEqual([]);
    await passes(30);
    expect(told()).toEqual(['postEphemeral C1']);
    expect(calls[0]?.text).toContain('I am sending it to the service.');
    await jobs.apply({ id, state: 'sending' }, { state: 'running', changes: {}, news: true }, clock.now());
    await passes(2);
    expect(told()).toEqual(['postEphemeral C1', 'postMessage C1']);
  });

  test('an accepted job that failed before its message stood anywhere is told in the channel', async () => {
    const { asked, goes, begins, passes, told, clock } = await office();
    const { id } = await asked();
    const reason = 'no space left';
    const end = { reason, endedAt: clock.now(), dueAt: null };
    await goes(id, ['sending', { ...sending, sentAt: clock.now() }], ['running', {}], ['failed', end]);
    begins();
    await passes(3);
    expect(told()).toEqual(['postMessage C1', 'postMessage C1']);
  });
});

test('a job’s missing sign-in is told at once, a busy service after five seconds, and each once', async () => {
  const { asked, begins, passes, told, calls, clock, jobs } = await office();
  const delivery = begins();
  const { id } = await asked();
  const note = async (changes: JobChange) => {
    await jobs.apply({ id, state: 'new' }, { state: 'new', changes, news: true }, clock.now());
    delivery.wake();
  };
  await note({ hold: 'busy', reason: 'The service asks me to wait.' });
  await passes(4);
  expect(told()).toEqual([]);
  await passes(2);
  expect(told()).toEqual(['postEphemeral C1']);
  await note({ hold: 'busy', reason: 'It still does.' });
  await note({ hold: 'sign-in', reason: null });
  await passes(2);
  await note({ hold: null, reason: null });
  await note({ hold: 'busy', reason: 'It still does.' });
  await passes(9);
  expect(told()).toEqual(['postEphemeral C1', 'postEphemeral C1']);
  expect(calls.map(({ text }) => /\[([^\]]*)\]/.exec(text)?.[1])).toEqual(['Withdraw', 'Sign in']);
});
