import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';
import { configKeys } from '../src/app/config/config.ts';
import { answerTo } from './journeys/asking.ts';
import { crossing } from './journeys/crossing.ts';
import { textOf } from './person.ts';
import { world } from './world.ts';

/*
 * The hooks of the Slack CLI, run as the CLI runs them: by the shell, with what it adds to the command, and with the
 * tokens of the app that it installed (internal/hooks and internal/pkg/platform in github.com/slackapi/slack-cli).
 */

const root = resolve(import.meta.dirname, '..');
const Hooks = z.object({
  hooks: z.record(z.string(), z.string()),
  config: z.object({
    watch: z.object({
      app: z.object({ 'filter-regex': z.string(), paths: z.array(z.string()) }),
      manifest: z.object({ paths: z.array(z.string()) }),
    }),
    'protocol-version': z.array(z.string()).optional(),
    'sdk-managed-connection-enabled': z.boolean().optional(),
  }),
});
const own = Hooks.parse(JSON.parse(readFileSync(join(root, '.slack/hooks.json'), 'utf8')));

/** Runs a hook in a group of processes of its own, as a terminal has one. */
function runs(command: string, args: readonly string[] = [], environment: Readonly<Record<string, string>> = {}) {
  const env = { ...process.env, ...environment };
  const child = spawn('sh', ['-c', [command, ...args].join(' ')], { cwd: root, env, detached: true });
  const exited = once(child, 'exit');
  const said = { stdout: '', stderr: '' };
  const heard = new Set<() => void>();
  for (const name of ['stdout', 'stderr'] as const)
    child[name].setEncoding('utf8').on('data', (text: string) => {
      said[name] += text;
      for (const hear of heard) hear();
    });
  return {
    /** Waits until it has written this. @throws Error if it ends before */
    async says(words: string) {
      const { promise, resolve } = Promise.withResolvers<void>();
      heard.add(() => said.stdout.includes(words) && resolve());
      await Promise.race([promise, exited.then(() => Promise.reject(new Error(said.stdout + said.stderr)))]);
    },
    /** Sends SIGINT as a Ctrl-C does: the terminal to each process of the group, and the CLI to the one that it started. */
    isInterrupted() {
      if (child.pid === undefined) throw new Error('it has not begun');
      process.kill(-child.pid, 'SIGINT');
      child.kill('SIGINT');
    },
    /** Leaves nothing of the group behind. */
    async isGone() {
      try {
        if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
      } catch {
        // All of it has ended.
      }
      await exited;
    },
    async ends() {
      await exited;
      return { code: child.exitCode, output: said.stdout };
    },
  };
}

test('Slack’s package for Node offers the Slack CLI’s hooks that are not Dolly’s own', async () => {
  const { code, output } = await runs(own.hooks['get-hooks'] ?? '').ends();
  expect(code).toBe(0);
  const { hooks, config } = Hooks.parse(JSON.parse(output));
  expect(Object.keys(hooks)).toEqual(
    expect.arrayContaining(['doctor', 'check-update', ...Object.keys(own.hooks).slice(1)]),
  );
  // Dolly opens its connection itself.
  expect(config).toMatchObject({ 'protocol-version': ['message-boundaries'], 'sdk-managed-connection-enabled': true });
  const doctor = await runs(hooks.doctor ?? '', ['--protocol=message-boundaries', '--boundary=b0']).ends();
  expect(doctor).toMatchObject({ code: 0, output: expect.stringContaining('"name":"node"') });
});

test.each([
  [
    'between the boundaries that the Slack CLI names',
    ['--source=/here', '--protocol=message-boundaries', '--boundary=b0und'],
    'b0und',
  ],
  ['alone, if the Slack CLI names no boundaries', ['--source=/here'], ''],
])('the Slack CLI is told the manifest as JSON %s', async (_, args, boundary) => {
  const { code, output } = await runs(own.hooks['get-manifest'] ?? '', args).ends();
  expect(code).toBe(0);
  const [before, told, after] = boundary === '' ? ['', output, '\n'] : output.split(boundary);
  expect([before, after]).toEqual(['', '\n']);
  expect(JSON.parse(told ?? '')).toEqual(parse(readFileSync(join(root, 'manifest.yml'), 'utf8')));
});

test('slack run starts Dolly with the app’s tokens, and a Ctrl-C lets it finish what it began', async () => {
  const road = crossing();
  const earth = await world({ socketMode: true, service: { middleware: road.middleware } });
  onTestFinished(() => earth.close());
  const ana = await earth.enters('Ana', 'ana');
  await earth.stop();
  // What a developer has in .env must not count.
  const none = Object.fromEntries(configKeys.map(key => [key, '']));
  const dolly = runs(own.hooks.start ?? '', [], { ...none, ...earth.environment });
  onTestFinished(dolly.isGone);
  await dolly.says('Dolly listens at');
  const list = road.holds('/database/list', 'after');
  const answer = answerTo(ana, '/db list orders', '#dev');
  await list.arrived;
  dolly.isInterrupted();
  await dolly.says('SIGINT: finishing what was begun');
  list.lets();
  expect(textOf(await answer)).toContain('orders-3320');
  expect(await dolly.ends()).toMatchObject({
    code: 0,
    output: expect.stringMatching(/^Dolly listens.*\nSIGINT: finishing.*\n$/),
  });
});

test('the files that the Slack CLI watches are there', () => {
  const { app, manifest } = own.config.watch;
  expect([...app.paths, ...manifest.paths]).toEqual(['src', 'manifest.yml']);
  expect(new RegExp(app['filter-regex']).test('main.ts')).toBe(true);
});
