import { type Context, Hono } from 'hono';
import { streamSSE } from 'hono/streaming';
import { z } from 'zod';
import { commandsOf, openApp, type } from './composer.ts';
import type { Delivery } from './delivery.ts';
import { act, close, submit, suggest } from './gestures.ts';
import { shown } from './messages.ts';
import { directMessage } from './methods/reach.ts';
import { openViews } from './modals.ts';
import type { CommandHint, Person, PlayEvent, Snapshot } from './protocol.ts';
import type { Slack } from './slack.ts';
import { sees, teamOf } from './workspace.ts';

const state = z.record(z.string(), z.record(z.string(), z.unknown()));
const container = z.discriminatedUnion('type', [
  z.object({ type: z.literal('message'), channel: z.string(), ts: z.string() }),
  z.object({ type: z.literal('view'), viewId: z.string() }),
  z.object({ type: z.literal('home') }),
]);

/** The bodies of the page's requests (see PlayRequests in protocol.ts), without `as`. */
const bodies = {
  say: z.object({ channel: z.string(), text: z.string(), threadTs: z.string().exactOptional() }),
  action: z.object({
    container,
    action: z.looseObject({ type: z.string(), block_id: z.string(), action_id: z.string() }),
    state,
  }),
  options: z.object({ container, block_id: z.string(), action_id: z.string(), value: z.string(), state }),
  submit: z.object({ viewId: z.string(), state }),
  close: z.object({ viewId: z.string(), isCleared: z.boolean() }),
  nothing: z.object({}),
};

/** Everything that one person sees. */
export function snapshot(slack: Slack, commands: readonly CommandHint[], me: Person): Snapshot {
  const { people, channels, groups } = slack.workspace;
  const team = teamOf(slack.workspace, me.id);
  const visible = channels.filter(channel => sees(slack.workspace, channel, me.id));
  const mine = (channel: string) =>
    slack.messages
      .list(channel)
      .filter(message => message.onlyFor === undefined || message.onlyFor === me.id)
      .map(shown);
  return {
    team: { id: team.id, name: team.name },
    me,
    people,
    groups,
    channels: visible,
    commands: [...commandsOf(slack, commands, me)],
    messages: Object.fromEntries(visible.map(channel => [channel.id, mine(channel.id)])),
    views: openViews(slack.views.stack(me.id)),
    home: slack.views.home(me.id) ?? null,
    violations: slack.inspector.violations(),
  };
}

/** The requests of the page and of the journeys. */
export function playApi(slack: Slack, delivery: Delivery, commands: readonly CommandHint[]): Hono {
  const app = new Hono();
  const human = (id: unknown) => slack.workspace.people.find(person => person.id === id && !person.isBot);
  const unknown = { ok: false, error: 'Who is that?' } as const;

  app.get('/play/state', c => {
    const me = human(c.req.query('as') ?? slack.workspace.people[0]?.id);
    return me === undefined ? c.json(unknown, 404) : c.json(snapshot(slack, commands, me));
  });

  app.get('/play/traffic', c => c.json(slack.inspector.recent(Number(c.req.query('since') ?? 0))));

  app.get('/play/files/:id/:name', c => {
    const file = slack.files.find(c.req.param('id'));
    if (file?.bytes === undefined) return c.text('This file is no longer there.', 404);
    return c.body(new Uint8Array(file.bytes), 200, {
      'Content-Type': file.mimetype.startsWith('text/') ? `${file.mimetype}; charset=utf-8` : file.mimetype,
      // Whatever it is, it is not to be shown as a page of the playground's.
      'Content-Disposition': `attachment; filename*=UTF-8''${encodeURIComponent(file.name)}`,
      'X-Content-Type-Options': 'nosniff',
      'Cache-Control': 'no-store',
    });
  });

  app.get('/play/events', c => {
    const me = human(c.req.query('as'));
    if (me === undefined) return c.json(unknown, 404);
    return streamSSE(c, async stream => {
      let last = Promise.resolve();
      const tell = (event: PlayEvent) => {
        // Serialised now: the object may change before the line is written.
        const data = JSON.stringify(event);
        last = last.then(() => stream.writeSSE({ data }));
      };
      const stop = slack.bus.subscribe(me.id, tell);
      // A comment opens the stream at once, so that a page knows when it misses nothing any more.
      await stream.write(': hello\n\n');
      await new Promise<void>(resolve => stream.onAbort(resolve));
      stop();
    });
  });

  /** One kind of gesture: its body is checked, its person looked up, its answer sent as JSON. */
  function gesture<S extends z.ZodType>(
    path: string,
    schema: S,
    answer: (person: Person, body: z.output<S>) => Promise<object> | object,
  ) {
    app.post(path, async (c: Context) => {
      const raw: unknown = await c.req.json().catch(() => undefined);
      const body = schema.safeParse(raw);
      const who = z.object({ as: z.string() }).safeParse(raw);
      if (!body.success || !who.success) return c.json({ ok: false, error: 'Malformed request.' }, 400);
      const person = human(who.data.as);
      return person === undefined ? c.json(unknown, 404) : c.json(await answer(person, body.data));
    });
  }

  gesture('/play/say', bodies.say, (person, body) =>
    type(slack, delivery, commands, person, { as: person.id, ...body }),
  );
  gesture('/play/action', bodies.action, (person, body) => act(slack, delivery, person, { as: person.id, ...body }));
  gesture('/play/options', bodies.options, (person, body) =>
    suggest(slack, delivery, person, { as: person.id, ...body }),
  );
  gesture('/play/submit', bodies.submit, (person, body) => submit(slack, delivery, person, { as: person.id, ...body }));
  gesture('/play/close', bodies.close, (person, body) => close(slack, delivery, person, { as: person.id, ...body }));
  gesture('/play/home', bodies.nothing, person =>
    openApp(slack, delivery, person, directMessage(slack, person.id)?.id ?? '', 'home'),
  );
  gesture('/play/dm', bodies.nothing, person => {
    const channel = directMessage(slack, person.id)?.id ?? '';
    return { ...openApp(slack, delivery, person, channel, 'messages'), channel };
  });
  return app;
}
