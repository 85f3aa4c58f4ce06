import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { WebClient } from '@slack/web-api';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';
import { type events, scopes } from '../../../src/slack/connection/scopes.ts';

const root = resolve(import.meta.dirname, '../../..');
const manifest = z
  .object({ oauth_config: z.object({ scopes: z.object({ bot: z.array(z.string()) }) }) })
  .parse(parse(readFileSync(join(root, 'manifest.yml'), 'utf8')));
const asked = manifest.oauth_config.scopes.bot;

type Scope = keyof typeof scopes;

const histories = ['channels:history', 'groups:history', 'im:history'] as const;

/** The rights that each of Slack’s methods that Dolly calls needs (docs.slack.dev/reference/methods). */
const methods = {
  'auth.revoke': [],
  'auth.teams.list': [],
  'auth.test': [],
  'chat.delete': ['chat:write'],
  'chat.getPermalink': [],
  'chat.postEphemeral': ['chat:write'],
  'chat.postMessage': ['chat:write', 'chat:write.public'],
  'chat.update': ['chat:write'],
  'conversations.history': histories,
  'conversations.info': ['channels:read', 'groups:read'],
  'conversations.open': ['im:write'],
  'conversations.replies': histories,
  'files.uploadV2': ['files:write'],
  'functions.completeError': [],
  'functions.completeSuccess': [],
  'oauth.v2.access': [],
  'usergroups.list': ['usergroups:read'],
  'usergroups.users.list': ['usergroups:read'],
  'users.info': ['users:read'],
  'views.open': [],
  'views.publish': [],
  'views.push': [],
  'views.update': [],
} as const satisfies Record<string, readonly Scope[]>;

/** The right that each event needs that Dolly listens to (docs.slack.dev/reference/events). */
const rightOf = {
  app_home_opened: null,
  app_uninstalled: null,
  tokens_revoked: null,
  app_mention: 'app_mentions:read',
  function_executed: null,
  'message.im': 'im:history',
} as const satisfies Record<keyof typeof events, Scope | null>;

/** Every method that Slack’s own client has, as it is written: chat.postMessage. */
const offered = new Set(methodsOf(new WebClient()));

function methodsOf(holder: object): string[] {
  return Object.entries(holder).flatMap(([name, value]: [string, unknown]) => {
    if (typeof value === 'function') return [name];
    const isGroup = typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype;
    return isGroup ? methodsOf(value).map(rest => `${name}.${rest}`) : [];
  });
}

/** Every method of Slack’s Web API that the source calls, whatever stands before it. */
const called = [
  ...new Set(
    readdirSync(join(root, 'src'), { recursive: true, withFileTypes: true })
      .filter(entry => entry.isFile() && entry.name.endsWith('.ts') && !entry.parentPath.includes('sandbox'))
      .map(entry => readFileSync(join(entry.parentPath, entry.name), 'utf8'))
      .flatMap(text => [
        ...[...text.matchAll(/((?:\w+\s*\.\s*)+\w+)\s*\(/g)].map(([, path = '']) => path.replace(/\s/g, '')),
        ...[...text.matchAll(/\bapiCall\(\s*'([\w.]+)'/g)].map(([, name = '']) => name),
      ])
      .flatMap(path => {
        const words = path.split('.');
        // The longest: usergroups.users.list is not users.list.
        return words.map((_, at) => words.slice(at).join('.')).find(name => offered.has(name)) ?? [];
      }),
  ),
];

test('the scan of the source finds the methods of Slack that it calls', () => {
  expect(offered.size).toBeGreaterThan(100);
  expect(called).toEqual(
    expect.arrayContaining(['auth.test', 'chat.update', 'usergroups.users.list', 'files.uploadV2']),
  );
});

test('the table of rights lists exactly the methods of Slack that the source calls', () => {
  expect(called.toSorted()).toEqual(Object.keys(methods).toSorted());
});

test('the manifest asks for every right that is used, and for no other; the doctor looks for the same', () => {
  const needed = new Set([
    ...Object.values(methods).flat(),
    ...Object.values(rightOf).flatMap(scope => scope ?? []),
    'commands',
  ]);
  expect([...needed].toSorted()).toEqual(asked.toSorted());
  expect(Object.keys(scopes).toSorted()).toEqual(asked.toSorted());
});
