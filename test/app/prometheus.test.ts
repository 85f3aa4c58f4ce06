import { expect, test } from 'vitest';
import { prometheus } from '../../src/app/prometheus.ts';
import { measures } from '../../src/ground/meter.ts';

/** A meter, what went wrong in it, and the lines that begin with a name. */
function meter() {
  const faults: unknown[] = [];
  const kept = prometheus(error => faults.push(error));
  const lines = async (name: string) => (await kept.text()).split('\n').filter(line => line.startsWith(name));
  return { ...kept, faults, lines };
}

test('the metrics have every measure of the table with what it means, beside those of the process', async () => {
  const text = await meter().text();
  for (const { name, help, type } of Object.values(measures)) {
    expect(text).toContain(`# HELP ${name} ${help}\n# TYPE ${name} ${type}\n`);
    expect(name).toMatch(/^dolly_[a-z_]+$/);
  }
  expect(text).toContain('nodejs_eventloop_lag_p99_seconds');
  expect(text).toContain('process_resident_memory_bytes');
});

test('a metric counts what happens by its labels, and gives times in seconds', async () => {
  const { count, took, lines } = meter();
  count('commands', { command: 'help', outcome: 'answered' });
  count('commands', { command: 'help', outcome: 'answered' });
  count('commands', { command: 'clone.create', outcome: 'form' });
  took('ack', { request: 'command' }, 1_500);
  expect(await lines('dolly_commands_total')).toEqual([
    'dolly_commands_total{command="help",outcome="answered"} 2',
    'dolly_commands_total{command="clone.create",outcome="form"} 1',
  ]);
  expect(await lines('dolly_ack_seconds_sum')).toEqual(['dolly_ack_seconds_sum{request="command"} 1.5']);
  expect(await lines('dolly_ack_seconds_bucket{le="1"')).toEqual([
    'dolly_ack_seconds_bucket{le="1",request="command"} 0',
  ]);
});

test('a metric keeps 300 sets of labels, and counts all others together', async () => {
  const { count, lines } = meter();
  for (let at = 0; at < 1_000; at++) count('slackCalls', { method: 'chat.postMessage', outcome: `word_${at}` });
  const all = await lines('dolly_slack_calls_total');
  expect(all).toHaveLength(301);
  expect(all.at(-1)).toBe('dolly_slack_calls_total{method="other",outcome="other"} 700');
});

test('a measurement that fails is told, and throws nothing', async () => {
  const { took, faults, lines } = meter();
  took('followUp', {}, Number.NaN);
  expect(faults).toHaveLength(1);
  expect(await lines('dolly_follow_up_lag_seconds_count')).toEqual(['dolly_follow_up_lag_seconds_count 0']);
});

test('a gauge shows what is read when somebody asks, and nothing where it cannot be read', async () => {
  const { reads, faults, lines } = meter();
  let value = 3;
  reads('connections', async () => {
    if (value < 0) throw new Error('out of order');
    return [{ labels: { state: 'total' }, value }];
  });
  expect(await lines('dolly_store_connections')).toEqual(['dolly_store_connections{state="total"} 3']);
  value = 4;
  expect(await lines('dolly_store_connections')).toEqual(['dolly_store_connections{state="total"} 4']);
  value = -1;
  expect(await lines('dolly_store_connections')).toEqual([]);
  expect(faults).toEqual([new Error('out of order')]);
});
