import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';
import { events, scopes } from '../src/slack/connection/scopes.ts';

const root = resolve(import.meta.dirname, '..');
const text = readFileSync(join(root, 'manifest.yml'), 'utf8');
const source = ['src/slack', 'src/features'].flatMap(folder =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter(name => name.endsWith('.ts'))
    .map(name => readFileSync(join(root, folder, name), 'utf8')),
);

/** What stands in brackets after each call that these words begin, as far as it is a text. */
const named = (call: string) =>
  source.flatMap(file =>
    [...file.matchAll(new RegExp(`\\b${call}\\(\\s*'([^']+)'`, 'g'))].map(([, name = '']) => name),
  );

const words = (most: number) => z.string().min(1).max(most);
const address = z.literal('https://dolly.example.com/slack/events');
const kinds = ['string', 'integer', 'number', 'boolean', 'slack#/types/user_id', 'slack#/types/channel_id'] as const;

const Parameters = z
  .record(
    z.string(),
    z.strictObject({
      name: z.string(),
      type: z.enum(kinds),
      title: z.string(),
      description: z.string(),
      is_required: z.boolean(),
      hint: z.string().optional(),
    }),
  )
  .refine(
    all => Object.entries(all).every(([key, { name }]) => key === name),
    'a parameter has another name than its key',
  )
  .refine(all => Object.keys(all).length <= 50, 'there are too many parameters');

/**
 * What Dolly uses of Slack’s own schema of a manifest in version 1, with its limits, and no key that the schema does not
 * know (github.com/slackapi/manifest-schema). In version 2 the parameters of functions are written in another way.
 */
const Manifest = z.strictObject({
  _metadata: z.strictObject({ major_version: z.literal(1) }),
  display_information: z.strictObject({
    ...{ name: words(35), description: words(140), background_color: words(7) },
    // https://docs.slack.dev/reference/app-manifest: from 174 to 4,000 characters.
    long_description: z.string().min(174).max(4_000),
  }),
  features: z.strictObject({
    app_home: z.strictObject({
      home_tab_enabled: z.literal(true),
      messages_tab_enabled: z.literal(true),
      // People write to the bot there.
      messages_tab_read_only_enabled: z.literal(false),
    }),
    bot_user: z.strictObject({ display_name: words(80), always_online: z.boolean() }),
    slash_commands: z
      .array(
        z.strictObject({
          command: z.string().regex(/^\/\S{1,31}$/),
          description: words(2_000),
          usage_hint: words(1_000),
          url: address,
          should_escape: z.boolean(),
        }),
      )
      .min(1)
      .max(50),
    shortcuts: z
      .array(
        z.strictObject({
          name: words(24),
          type: z.enum(['global', 'message']),
          callback_id: words(255),
          description: words(150),
        }),
      )
      .min(1)
      .max(10),
  }),
  oauth_config: z.strictObject({
    redirect_urls: z.tuple([z.literal('https://dolly.example.com/slack/oauth_redirect')]),
    scopes: z.strictObject({ bot: z.array(words(50)).max(255) }),
  }),
  settings: z.strictObject({
    event_subscriptions: z.strictObject({ request_url: address, bot_events: z.array(words(50)).max(100) }),
    interactivity: z.strictObject({
      is_enabled: z.literal(true),
      request_url: address,
      message_menu_options_url: address,
    }),
    // Steps of workflows and organisations need it.
    org_deploy_enabled: z.literal(true),
    socket_mode_enabled: z.boolean(),
    // It can never be turned off again.
    token_rotation_enabled: z.literal(false),
    function_runtime: z.literal('remote'),
  }),
  functions: z
    .record(
      z.string(),
      z.strictObject({
        title: z.string().min(1),
        description: z.string().min(1),
        input_parameters: Parameters,
        output_parameters: Parameters,
      }),
    )
    .refine(all => Object.keys(all).length <= 50, 'there are too many functions'),
});

describe('the manifest', () => {
  const manifest = () => Manifest.parse(parse(text));

  test('the manifest is one that Slack takes, and sends every request to one address', () => {
    expect(Manifest.safeParse(parse(text)).error).toBeUndefined();
  });

  test('the manifest subscribes to exactly the events that Dolly listens to', () => {
    const subscribed = manifest().settings.event_subscriptions.bot_events;
    expect(subscribed).toEqual(Object.keys(events));
    // Listeners know all kinds of messages by the same name.
    const names = new Set(subscribed.map(name => name.replace(/^message\..*/, 'message')));
    expect([...names].toSorted()).toEqual([...new Set(named('app\\.event'))].toSorted());
  });

  test('the manifest explains each scope and each event by the line before it', () => {
    const purposes = [...Object.entries(scopes), ...Object.entries(events)];
    for (const [name, purpose] of purposes) expect(text).toContain(`      # ${purpose}\n      - ${name}\n`);
  });
});
