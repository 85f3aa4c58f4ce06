import { WebClient } from '@slack/web-api';
import { pino } from 'pino';
import { expect, onTestFinished, test } from 'vitest';
import { reportMessage } from '../../../src/features/protection/reportCommand.ts';
import { day, minute } from '../../../src/ground/durations.ts';
import { lockTime } from '../../../src/ground/loop.ts';
import { noMeter } from '../../../src/ground/meter.ts';
import type { People } from '../../../src/jobs/approval/people/people.ts';
import { PolicyFile, policyOf } from '../../../src/jobs/approval/policy/rules.ts';
import { recordOf, stringOf } from '../../../src/sandbox/playground/json.ts';
import { type Playground, startPlayground } from '../../../src/sandbox/playground/server.ts';
import { oneForAll } from '../../../src/slack/connection/slacks.ts';
import { pace, rates } from '../../../src/slack/outbox/slackRates.ts';
import { tellNotices } from '../../../src/slack/outbox/tellNotices.ts';
import { auditIn } from '../../../src/store/tables/audit/audit.ts';
import { olderWorkspacesIn } from '../../../src/store/tables/olderWorkspaces.ts';
import { outboxIn } from '../../../src/store/tables/outbox.ts';
import { testClock } from '../../clock.ts';
import { estate, summaryOf } from '../../features/protection/estate.ts';
import { quiet } from '../../quiet.ts';
import { tokens } from '../../sandbox/playground/bolt.ts';
import { folder, jobsOf, storeIn } from '../../store/folder.ts';

const nobody: People = {
  isAmong: async () => false,
  membersOf: async () => [],
  nameOf: async () => undefined,
  zoneOf: async () => undefined,
  absenceOf: async () => undefined,
  standingOf: async () => 'member',
};

/** A workspace without the newer blocks, and processes that tell of reports. Slack’s answers to the posts `lost` get lost. */
async function office(lost: readonly number[] = []) {
  const clock = testClock(Date.UTC(2026, 10, 21, 9));
  const store = await storeIn(folder());
  const outbox = outboxIn(store);
  let posts = 0;
  const playground: Playground = await startPlayground({
    ...{ port: 0, ...tokens, commands: [], clock },
    middleware: async (request, next) => {
      if (request.req.path.endsWith('/chat.postMessage')) {
        posts += 1;
        if (lost.includes(posts)) playground.slack.faults.add({ method: 'chat.postMessage', kind: 'lose-answer' });
      }
      await next();
    },
  });
  onTestFinished(() => playground.close());
  playground.slack.settings.newerBlocks = false;
  const slack = new WebClient(tokens.botToken, { slackApiUrl: playground.apiUrl, retryConfig: { retries: 0 } });
  const channel = playground.slack.workspace.channels.find(({ name }) => name === 'databases')?.id ?? '';
  const data = { summary: await summaryOf(estate), reader: 'service' };
  return {
    ...{ clock, playground, outbox },
    posts: () => posts,
    seen: () =>
      playground.slack.messages(channel).map(({ blocks }) => new Set(blocks.map(one => stringOf(recordOf(one).type)))),
    begins() {
      const told = {
        ...{ outbox, jobs: jobsOf(store), slack: oneForAll(slack), clock, log: pino({ level: 'silent' }) },
        replicas: { count: () => 1, passOn: () => undefined },
        ...{ isUninstalled: async () => false, meter: noMeter, audit: auditIn(store) },
        ...{ people: nobody, policy: policyOf(PolicyFile.parse({}), []) },
        olderWorkspaces: olderWorkspacesIn(store),
        paces: { posts: pace(rates.posts), updates: pace(rates.updates) },
      };
      const loop = tellNotices(told, { report: reportMessage });
      onTestFinished(() => loop.stop());
      return loop;
    },
    report: (id: string) =>
      outbox.add([{ id, subject: id, team: 'T1', kind: 'report', data, to: { channel }, createdAt: clock.now() }]),
    untold: () => outbox.queue().nextTime(),
  };
}

const older = new Set(['section', 'context', 'actions']);

test('a report goes to a workspace without newer blocks as a list, each once, and with tables once it has them', async () => {
  const { clock, playground, posts, seen, begins, report, untold } = await office();
  await report('one');
  const loops = [begins(), begins()];
  const [first] = loops;
  await expect.poll(seen).toEqual([older]);
  expect(posts()).toBe(2);
  playground.slack.settings.newerBlocks = true;
  await clock.leap(day + minute);
  await report('two');
  first?.wake();
  await expect.poll(seen).toHaveLength(2);
  expect(seen()[1]).toContain('data_table');
  for (const loop of loops) await loop.stop();
  expect(await untold()).toBeUndefined();
});

test('a report whose process dies before it hears that the report was posted stands in the channel once', async () => {
  const { clock, posts, seen, begins, report, untold } = await office([2]);
  await report('one');
  const dying = begins();
  await expect.poll(posts).toBe(2);
  await dying.stop();
  expect(await untold()).toBeDefined();
  begins();
  for (let step = 0; step < 4; step++) {
    await clock.advance(lockTime);
    await quiet();
  }
  await expect.poll(untold).toBeUndefined();
  expect(seen()).toEqual([older]);
  expect(posts()).toBe(2);
});
