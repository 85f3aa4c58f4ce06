import { App, type Receiver } from '@slack/bolt';
import { expect, test, vi } from 'vitest';
import { ackEventsWhenDone } from '../../../src/slack/connection/eventAck.ts';
import { testClock } from '../../clock.ts';

const receiver: Receiver = { init: () => undefined, start: async () => undefined, stop: async () => undefined };

/** A Bolt app whose listener of an event does `work`; gives what tells it of one, and counts the acks. */
function appWith(type: string, work: () => Promise<void>) {
  const app = new App({ receiver, authorize: async () => ({ botToken: 'xoxb-test', botId: 'B1', botUserId: 'U9' }) });
  app.event(type, work);
  app.error(async () => undefined);
  const clock = testClock();
  ackEventsWhenDone(app, clock);
  const ack = vi.fn(async () => undefined);
  const event = {
    type,
    user: 'U1',
    channel: 'C1',
    ts: '1.1',
    event_ts: '1.1',
    text: 'list',
    ...{ function: { callback_id: 'clone' }, function_execution_id: 'Fx1', inputs: {} },
  };
  const body = { type: 'event_callback', team_id: 'T1', event_id: 'Ev1', event };
  return { ack, clock, tell: () => app.processEvent({ body, ack }) };
}

test('an event of Slack is acknowledged once its listener is done, and not before', async () => {
  const stored = Promise.withResolvers<void>();
  const { ack, tell } = appWith('app_mention', () => stored.promise);
  const told = tell();
  for (let turn = 0; turn < 20; turn++) await new Promise(setImmediate);
  expect(ack).not.toHaveBeenCalled();
  stored.resolve();
  await told;
  expect(ack).toHaveBeenCalledTimes(1);
});

test('an event of Slack whose listener takes too long is acknowledged in time, once', async () => {
  const stored = Promise.withResolvers<void>();
  const { ack, clock, tell } = appWith('app_mention', () => stored.promise);
  const told = tell();
  await clock.advance(2_400);
  expect(ack).not.toHaveBeenCalled();
  await clock.advance(200);
  expect(ack).toHaveBeenCalledTimes(1);
  stored.resolve();
  await told;
  expect(ack).toHaveBeenCalledTimes(1);
});

test('an event of Slack whose listener fails is acknowledged, since a repetition would fail again', async () => {
  const { ack, tell } = appWith('app_mention', () => Promise.reject(new Error('no')));
  await tell();
  expect(ack).toHaveBeenCalledTimes(1);
});

test('the event of a workflow’s step is acknowledged by its listener alone', async () => {
  const { ack, tell } = appWith('function_executed', async () => undefined);
  await tell();
  expect(ack).not.toHaveBeenCalled();
});
