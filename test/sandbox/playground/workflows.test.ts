import type { App } from '@slack/bolt';
import { describe, expect, test } from 'vitest';
import { testClock } from '../../clock.ts';
import { stage } from './bolt.ts';

const functions = {
  clone: {
    title: 'Clone a database',
    description: 'Clones it',
    input_parameters: {
      database: { type: 'string', title: 'Database', is_required: true },
      port: { type: 'integer', title: 'Port' },
      person: { type: 'slack#/types/user_id', title: 'In whose name', is_required: true },
    },
    output_parameters: {
      outcome: { type: 'string', title: 'Outcome', is_required: true },
      name: { type: 'string', title: 'Name' },
    },
  },
  wait: {
    title: 'Wait',
    description: 'Waits',
    input_parameters: { record: { type: 'string', title: 'Record', is_required: true } },
    output_parameters: {},
  },
};
const steps = [
  { function: 'clone', inputs: { database: 'shop', port: 3310, person: '{{person}}' } },
  { function: 'wait', inputs: { record: 'clone of {{steps.0.name}}' } },
];
type Executed = {
  function: { callback_id: string };
  inputs: object;
  function_execution_id: string;
  workflow_execution_id: string;
  bot_access_token: string;
};

const eventually = (ready: () => boolean) => expect.poll(ready, { timeout: 5_000, interval: 5 }).toBe(true);
const listener = (heard: Executed[]) => (app: App) => {
  app.function('clone', { autoAcknowledge: true }, async ({ payload }) => {
    heard.push(payload);
  });
  app.function('wait', { autoAcknowledge: true }, async ({ payload }) => {
    heard.push(payload);
  });
};

describe.each(['http', 'socket'] as const)('over %s', mode => {
  test('the steps of a workflow run one after the other, each with what the one before gave', async () => {
    const heard: Executed[] = [];
    await using on = await stage(listener(heard), mode, { functions });
    const { functions: complete } = on.app.client;
    const ana = await on.someone('Ana');
    const workflow = await ana.buildsWorkflow({ name: 'Fresh shop', steps });
    await ana.runsWorkflow(workflow, { channel: '#dev' });
    await eventually(() => heard.length === 1);
    const [first] = heard;
    expect(first).toMatchObject({
      type: 'function_executed',
      function: {
        id: expect.stringMatching(/^Fn/),
        callback_id: 'clone',
        type: 'app',
        app_id: 'A0DOLLY001',
        input_parameters: [
          { name: 'database', type: 'string', is_required: true },
          { name: 'port' },
          { name: 'person' },
        ],
      },
      inputs: { database: 'shop', port: 3310, person: ana.id },
      function_execution_id: expect.stringMatching(/^Fx/),
      workflow_execution_id: expect.stringMatching(/^Wx/),
      bot_access_token: expect.stringMatching(/^xwfp-/),
    });
    // Nothing says which workflow it is, who started it, or where.
    expect(JSON.stringify(first)).not.toMatch(new RegExp(`${workflow.id}|C0DEV00001|Fresh shop`));
    const function_execution_id = first?.function_execution_id ?? '';
    await complete.completeSuccess({ function_execution_id, outputs: { outcome: 'done', name: 'shop2' } });
    await eventually(() => heard.length === 2);
    expect(heard[1]).toMatchObject({ inputs: { record: 'clone of shop2' } });
    const second = heard[1]?.function_execution_id ?? '';
    await complete.completeError({ function_execution_id: second, error: 'It is gone.' });
    await ana.until(() => ana.sees().runs[0]?.steps[1]?.state === 'failed', 'the failure');
    expect(ana.sees().runs).toMatchObject([
      {
        by: ana.id,
        steps: [
          { state: 'completed', outputs: { outcome: 'done', name: 'shop2' } },
          { state: 'failed', error: 'It is gone.' },
        ],
      },
    ]);
    expect(on.playground.slack.violations()).toEqual([]);
  });
});

test('a workflow’s step ends once, with the outputs that it declares', async () => {
  const heard: Executed[] = [];
  await using on = await stage(listener(heard), 'http', { functions });
  const { functions: complete } = on.app.client;
  const ana = await on.someone('Ana');
  await ana.runsWorkflow(await ana.buildsWorkflow({ name: 'One', steps: steps.slice(0, 1) }));
  await eventually(() => heard.length === 1);
  const function_execution_id = heard[0]?.function_execution_id ?? '';
  const ends = (outputs: Record<string, unknown>) => complete.completeSuccess({ function_execution_id, outputs });
  for (const outputs of [{}, { outcome: 1 }, { outcome: 'done', more: 'x' }])
    await expect(ends(outputs)).rejects.toMatchObject({ data: { error: 'parameter_validation_failed' } });
  const other = { function_execution_id: 'Fx0000000000', error: 'x' };
  await expect(complete.completeError(other)).rejects.toMatchObject({
    data: { error: 'function_execution_not_found' },
  });
  await ends({ outcome: 'done' });
  const again = { data: { error: 'execution_not_in_running_state' } };
  await expect(ends({ outcome: 'done' })).rejects.toMatchObject(again);
  await expect(complete.completeError({ function_execution_id, error: 'x' })).rejects.toMatchObject(again);
});

test('the token of a workflow’s step dies with the step, and after a quarter of an hour', async () => {
  const heard: Executed[] = [];
  const clock = testClock();
  await using on = await stage(listener(heard), 'http', { functions, clock });
  const ana = await on.someone('Ana');
  const workflow = await ana.buildsWorkflow({ name: 'One', steps: steps.slice(0, 1) });
  await ana.runsWorkflow(workflow);
  await eventually(() => heard.length === 1);
  const { bot_access_token: token = '', function_execution_id = '' } = heard[0] ?? {};
  expect((await on.app.client.auth.test({ token })).user_id).toBe('U0DOLLY001');
  await clock.advance(16 * 60_000);
  await expect(on.app.client.auth.test({ token })).rejects.toMatchObject({ data: { error: 'token_expired' } });
  await on.app.client.functions.completeSuccess({ function_execution_id, outputs: { outcome: 'done' } });
  await expect(on.app.client.auth.test({ token })).rejects.toMatchObject({ data: { error: 'token_revoked' } });
});

test('a workflow’s step that is never acknowledged fails, and cannot be completed later', async () => {
  const clock = testClock();
  await using on = await stage(listener([]), 'http', { functions, clock });
  const ana = await on.someone('Ana');
  const what = 'event function_executed clone';
  on.playground.slack.deafTo(what, 4);
  await ana.runsWorkflow(await ana.buildsWorkflow({ name: 'One', steps: steps.slice(0, 1) }));
  const sent = () => on.playground.slack.traffic().filter(entry => entry.what === what).length;
  await eventually(() => sent() === 2);
  await clock.advance(60_000);
  await eventually(() => sent() === 3);
  await clock.advance(300_000);
  await eventually(() => on.playground.slack.runs()[0]?.steps[0]?.state === 'failed');
  const function_execution_id = on.playground.slack.runs()[0]?.steps[0]?.execution ?? '';
  await expect(on.app.client.functions.completeError({ function_execution_id, error: 'x' })).rejects.toMatchObject({
    data: { error: 'execution_not_in_running_state' },
  });
});

test('Workflow Builder takes no step that could not run', async () => {
  await using on = await stage(() => undefined, 'http', { functions });
  const ana = await on.someone('Ana');
  const ben = await on.someone('Ben');
  const gus = await on.someone('Gus');
  const person = '{{person}}';
  const builds = (...inputs: object[]) =>
    ana.buildsWorkflow({ name: 'One', steps: inputs.map(one => ({ function: 'clone', inputs: { ...one } })) });
  await expect(ana.buildsWorkflow({ name: 'One', steps: [] })).rejects.toThrow('needs a step');
  await expect(ana.buildsWorkflow({ name: ' ', steps })).rejects.toThrow('needs a name');
  await expect(ana.buildsWorkflow({ name: 'One', steps: [{ function: 'drop', inputs: {} }] })).rejects.toThrow(
    'no step',
  );
  await expect(builds({ person })).rejects.toThrow('missing required field: database');
  await expect(builds({ database: 'shop', person, port: 'x' })).rejects.toThrow('must be of the type integer');
  await expect(builds({ database: 'shop', person: 'U0NOBODY01' })).rejects.toThrow('user_id');
  await expect(builds({ database: 'shop', person, force: true })).rejects.toThrow('additional property');
  await expect(builds({ database: '{{steps.0.name}}', person })).rejects.toThrow('nothing before it gives');
  await expect(gus.buildsWorkflow({ name: 'One', steps })).rejects.toThrow('can’t build');
  const workflow = await ana.buildsWorkflow({ name: 'One', steps });
  await expect(ben.buildsWorkflow({ id: workflow.id, name: 'Two', steps })).rejects.toThrow('somebody else');
  expect((await ana.buildsWorkflow({ id: workflow.id, name: 'Two', steps })).version).toBe(2);
});

test('a schedule starts a workflow in nobody’s name, so a step that needs a person fails before the app hears of it', async () => {
  const heard: Executed[] = [];
  await using on = await stage(listener(heard), 'http', { functions });
  const ana = await on.someone('Ana');
  const { id } = await ana.buildsWorkflow({ name: 'One', steps });
  on.playground.slack.runWorkflow(id);
  await eventually(() => on.playground.slack.runs()[0]?.steps[0]?.state === 'failed');
  expect(on.playground.slack.runs()[0]?.steps[0]?.error).toContain('missing required field: person');
  expect(heard).toEqual([]);
});
