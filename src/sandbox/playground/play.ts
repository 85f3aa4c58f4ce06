import { type Context, Hono } from 'hono';
import { streamSSE } from 'hono/streaming';
import { z } from 'zod';
import { build, runWorkflow } from './builder.ts';
import { commandsOf, edit, erase, openApp, type } from './composer.ts';
import type { Delivery } from './delivery.ts';
import { act, close, submit, suggest, useMessageShortcut, useShortcut } from './gestures.ts';
import { shown } from './messages.ts';
import { directMessage } from './methods/reach.ts';
import { openViews } from './modals.ts';
import type { Person, PlayEvent, Snapshot } from './protocol.ts';
import { hasApp, type Slack, seenBy } from './slack.ts';
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
  edit: z.object({ channel: z.string(), ts: z.string(), text: z.string() }),
  message: z.object({ channel: z.string(), ts: z.string() }),
  shortcut: z.object({ callbackId: z.string() }),
  workflow: z.object({
    id: z.string().exactOptional(),
    name: z.string(),
    steps: z.array(z.object({ function: z.string(), inputs: z.record(z.string(), z.unknown()) })),
  }),
  run: z.object({
    workflow: z.string(),
    channel: z.string().exactOptional(),
    values: z.record(z.string(), z.unknown()).exactOptional(),
  }),
  messageShortcut: z.object({ callbackId: z.string(), channel: z.string(), ts: z.string() }),
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

/** Everybody whom one may become or meet, in the words of the workspace that is looked at. */
function everybody(slack: Slack): Person[] {
  const known = new Map(slack.workspace.people.map(person => [person.id, person]));
  for (const { workspace } of slack.all())
    for (const person of workspace.people) if (!known.has(person.id)) known.set(person.id, person);
  return [...known.values()];
}

/** Everything that one person sees. */
function snapshot(slack: Slack, me: Person): Snapshot {
  const { channels, groups } = slack.workspace;
  // Everybody is there, so that a page can become anybody, whatever workspace they are of.
  const people = everybody(slack);
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
    commands: [...commandsOf(slack, me)],
    shortcuts: hasApp(slack, me) ? [...slack.declared.shortcuts] : [],
    functions: { ...slack.declared.functions },
    workflows: slack.workflows.all().filter(workflow => workflow.team === team.id),
    runs: slack.workflows.runs().filter(run => run.team === team.id),
    messages: Object.fromEntries(visible.map(channel => [channel.id, mine(channel.id)])),
    views: openViews(slack.views.stack(me.id)),
    home: slack.views.home(me.id) ?? null,
    violations: slack.inspector.violations(),
  };
}

/** The same by the id of the person. @throws Error where there is nobody with it */
export function snapshotFor(slack: Slack, id: string): Snapshot {
  const seen = seenBy(slack, id);
  const me = seen.workspace.people.find(person => person.id === id);
  if (me === undefined) throw new Error(`there is nobody with the id ${id}`);
  return snapshot(seen, me);
}

/** The requests of the page and of the journeys. */
export function playApi(slack: Slack, delivery: Delivery): Hono {
  const app = new Hono();
  /** A person, and Slack as the workspace shows it to them. */
  const human = (id: unknown) => {
    const seen = seenBy(slack, String(id));
    const person = seen.workspace.people.find(candidate => candidate.id === id && !candidate.isBot);
    return person && { person, seen };
  };
  const unknown = { ok: false, error: 'Who is that?' } as const;

  app.get('/play/state', c => {
    const me = human(c.req.query('as') ?? slack.workspace.people[0]?.id);
    return me === undefined ? c.json(unknown, 404) : c.json(snapshot(me.seen, me.person));
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
    // Browsers also say older and newer names of a zone, such as Asia/Kolkata.
    const zone = c.req.query('zone') ?? '';
    if (isZone(zone)) slack.zones.set(me.person.id, zone);
    return streamSSE(c, async stream => {
      let last = Promise.resolve();
      const tell = (event: PlayEvent) => {
        // Serialised now: the object may change before the line is written.
        const data = JSON.stringify(event);
        last = last.then(() => stream.writeSSE({ data }));
      };
      const stop = slack.bus.subscribe(me.person.id, tell);
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
    answer: (seen: Slack, person: Person, body: z.output<S>) => Promise<object> | object,
  ) {
    app.post(path, async (c: Context) => {
      const raw: unknown = await c.req.json().catch(() => undefined);
      const body = schema.safeParse(raw);
      const who = z.object({ as: z.string() }).safeParse(raw);
      if (!body.success || !who.success) return c.json({ ok: false, error: 'Malformed request.' }, 400);
      const one = human(who.data.as);
      return one === undefined ? c.json(unknown, 404) : c.json(await answer(one.seen, one.person, body.data));
    });
  }

  gesture('/play/say', bodies.say, (seen, person, body) => type(seen, delivery, person, { as: person.id, ...body }));
  gesture('/play/edit', bodies.edit, (seen, person, body) => edit(seen, delivery, person, { as: person.id, ...body }));
  gesture('/play/delete', bodies.message, (seen, person, body) =>
    erase(seen, delivery, person, { as: person.id, ...body }),
  );
  gesture('/play/shortcut', bodies.shortcut, (seen, person, body) =>
    useShortcut(seen, delivery, person, { as: person.id, ...body }),
  );
  gesture('/play/message-shortcut', bodies.messageShortcut, (seen, person, body) =>
    useMessageShortcut(seen, delivery, person, { as: person.id, ...body }),
  );
  gesture('/play/workflow', bodies.workflow, (seen, person, body) => build(seen, person, { as: person.id, ...body }));
  gesture('/play/run', bodies.run, (seen, person, body) =>
    runWorkflow(seen, delivery, person, { as: person.id, ...body }),
  );
  gesture('/play/action', bodies.action, (seen, person, body) =>
    act(seen, delivery, person, { as: person.id, ...body }),
  );
  gesture('/play/options', bodies.options, (seen, person, body) =>
    suggest(seen, delivery, person, { as: person.id, ...body }),
  );
  gesture('/play/submit', bodies.submit, (seen, person, body) =>
    submit(seen, delivery, person, { as: person.id, ...body }),
  );
  gesture('/play/close', bodies.close, (seen, person, body) =>
    close(seen, delivery, person, { as: person.id, ...body }),
  );
  gesture('/play/home', bodies.nothing, (seen, person) =>
    openApp(seen, delivery, person, directMessage(seen, person.id)?.id ?? '', 'home'),
  );
  gesture('/play/dm', bodies.nothing, (seen, person) => {
    const channel = directMessage(seen, person.id)?.id ?? '';
    return { ...openApp(seen, delivery, person, channel, 'messages'), channel };
  });
  return app;
}

function isZone(zone: string): boolean {
  try {
    return zone !== '' && new Intl.DateTimeFormat('en', { timeZone: zone }) !== undefined;
  } catch {
    return false;
  }
}
