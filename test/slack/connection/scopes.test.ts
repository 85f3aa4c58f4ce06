import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';
import { events, methods, scopes } from '../../../src/slack/connection/scopes.ts';

const root = resolve(import.meta.dirname, '../../..');
const manifest = z
  .object({ oauth_config: z.object({ scopes: z.object({ bot: z.array(z.string()) }) }) })
  .parse(parse(readFileSync(join(root, 'manifest.yml'), 'utf8')));
const asked = manifest.oauth_config.scopes.bot;

/** Every method of Slack's Web API that the source calls. */
const called = [
  ...new Set(
    readdirSync(join(root, 'src'), { recursive: true, withFileTypes: true })
      .filter(entry => entry.isFile() && entry.name.endsWith('.ts') && !entry.parentPath.includes('sandbox'))
      .map(entry => readFileSync(join(entry.parentPath, entry.name), 'utf8'))
      .flatMap(text => [
        ...text.matchAll(
          /\b(?:slack|client|slack\s*\.of\([\w.]+\))\s*\.\s*((?:[a-z]+\s*\.\s*)+[a-zA-Z]+[A-Z0-9a-z]*)\s*\(/g,
        ),
      ])
      .map(([, method = '']) => method.replace(/\s/g, ''))
      .filter(method =>
        /^(auth|chat|conversations|files|usergroups|users|views|team|apps|bots|reactions|pins)\./.test(method),
      ),
  ),
];

test('the reader of calls sees them', () => {
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
