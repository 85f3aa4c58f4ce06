import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { WebClient } from '@slack/web-api';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';
import { events, methods, scopes } from '../../../src/slack/connection/scopes.ts';

const root = resolve(import.meta.dirname, '../../..');
const manifest = z
  .object({ oauth_config: z.object({ scopes: z.object({ bot: z.array(z.string()) }) }) })
  .parse(parse(readFileSync(join(root, 'manifest.yml'), 'utf8')));
const asked = manifest.oauth_config.scopes.bot;

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

test('the reader of calls sees them', () => {
  expect(offered.size).toBeGreaterThan(100);
  expect(called).toEqual(
    expect.arrayContaining(['auth.test', 'chat.update', 'usergroups.users.list', 'files.uploadV2']),
  );
});

test('what each method needs that is called is known, and nothing is known of others', () => {
  expect(called.toSorted()).toEqual(Object.keys(methods).toSorted());
});

test('the manifest asks for every right that is used, and for no other; the doctor looks for the same', () => {
  const needed = new Set([
    ...Object.values(methods).flat(),
    ...Object.values(events).flatMap(({ scope }) => scope ?? []),
    'commands',
  ]);
  expect([...needed].toSorted()).toEqual(asked.toSorted());
  expect(Object.keys(scopes).toSorted()).toEqual(asked.toSorted());
});
