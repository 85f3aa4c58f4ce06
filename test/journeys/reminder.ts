import { z } from 'zod';
import { hour } from '../../src/ground/durations.ts';
import { workOnThings } from '../../src/jobs/workOnThings.ts';
import { asText, defineAction } from '../../src/slack/blocks/action.ts';
import { actionsRow, section } from '../../src/slack/blocks/blocks.ts';
import { message, said } from '../../src/slack/blocks/message.ts';
import { bold } from '../../src/slack/blocks/mrkdwn.ts';
import type { Desk } from '../../src/slack/desk/desk.ts';
import { reactTo } from '../../src/slack/desk/reaction.ts';
import type { Feature } from '../../src/slack/feature.ts';
import { newsFor } from '../../src/store/things/endNews.ts';
import type { Kind, Thing } from '../../src/store/things/kind.ts';
import type { NewThing, ThingStep } from '../../src/store/things/things.ts';

/*
 * A durable thing as it would be added for good: a reminder asks a person for a backup of a record, and asks again until
 * somebody has made one, three times at most.
 */

const ReminderBody = z.object({ record: z.string(), name: z.string(), asked: z.number() });
type ReminderBody = z.infer<typeof ReminderBody>;
type ReminderState = 'waiting' | 'asking' | 'over';
type Reminder = Thing<ReminderState, ReminderBody>;

export const reminders: Kind<ReminderState, ReminderBody> = {
  name: 'reminder',
  body: ReminderBody,
  states: { waiting: ['asking', 'over'], asking: ['over'], over: [] },
  over: ['over'],
  found: ({ record }) => ({ subject: record }),
  about: ({ record, name }) => ({ target: record, targetName: name }),
};

/** The time between two questions, and how many there are. */
export const again = 2 * hour;
const most = 3;

/** A reminder for a person at a time. */
export function newReminder(
  { team, person, record, name }: Readonly<{ team: string; person: string; record: string; name: string }>,
  at: Readonly<{ now: number; dueAt: number }>,
): NewThing<ReminderState, ReminderBody> {
  const row = { plannedAt: at.dueAt, waitsFor: null, createdAt: at.now, endedAt: null };
  return { id: reminderOf(team, record), team, person, ...row, state: 'waiting', record, name, asked: 0 };
}

const reminderOf = (team: string, record: string) => `${team} backup of ${record}`;

/** Says what follows for a reminder that is due: a question, or the end of it. */
export function nextOfReminder(reminder: Reminder, now: number): ThingStep<ReminderState, ReminderBody> {
  const { id, team, person, name, revision, asked } = reminder;
  if (asked >= most)
    return {
      changes: { state: 'over', endedAt: now, plannedAt: null },
      dueAt: null,
      trail: { event: 'reminder over', detail: 'nobody answered' },
      closed: [{ outcome: 'I do not ask any more.' }],
    };
  const question = { id: `${id} ${revision}`, subject: id, team, kind: 'reminder', createdAt: now };
  return {
    changes: { state: 'asking', asked: asked + 1, plannedAt: now + again },
    dueAt: now + again,
    trail: { event: 'reminded' },
    closed: [{ outcome: 'I have asked again.' }],
    notices: [{ ...question, data: { name }, to: { person } }],
  };
}

const Question = z.object({ name: z.string() });

/** The button that ends the questions. It carries the reminder’s id. */
const enough = defineAction('reminder.enough', asText);

export const reminderFeature: Feature<Desk<'things' | 'records' | 'clock'>> = {
  name: 'reminders',
  things: {
    kinds: [reminders],
    work: worker =>
      workOnThings(worker, {
        kind: reminders,
        ...{ maxAtOnce: 10, groupsAtOnce: 2 },
        look: () => Promise.resolve(undefined),
        next: (reminder, { now }) => nextOfReminder(reminder, now),
        pauseAfter: (_, tries) => Math.min(1_000 * 2 ** tries, hour / 4),
      }),
    ends: () => ({
      ended: job =>
        job.operation === 'database.backup' && job.state === 'succeeded'
          ? [
              newsFor(
                reminders,
                reminderOf(job.team, job.target),
                (one, _, now) => one && overFor(one, 'It was backed up.', now),
              ),
            ]
          : [],
    }),
    words: {
      reminder(data, outcome, id) {
        const told = Question.safeParse(data).data;
        const text = `Will you back up ${bold(told?.name ?? '', 80)}?`;
        if (!told) return undefined;
        const asks = [section(`:bell: ${text}`), ...actionsRow([enough.button('Enough', id.replace(/ \d+$/, ''))])];
        return { ...message(outcome === null ? asks : [section(`~${text}~ ${outcome}`)]), rings: [] };
      },
    },
  },
  commands: {
    own: [
      {
        word: 'remind',
        subject: 'Schedules and presets',
        usage: 'remind <name or identifier>',
        summary: 'Ask me in an hour whether I have backed something up',
        isForSignedIn: true,
        acts: () => true,
        async answer({ things, records, clock }, interaction, { words }) {
          const found = await records.of(interaction).find(words.slice(1).join(' '), ['live']);
          if (found.type !== 'one') return said('Say which database.');
          const [now, name] = [clock.now(), found.name ?? found.id];
          const as = newReminder({ ...interaction, record: found.id, name }, { now, dueAt: now + hour });
          await things.act(
            reminders,
            as.id,
            one => (one && one.state !== 'over' ? undefined : { as, dueAt: now + hour }),
            now,
          );
          return said(`I ask you about ${bold(name, 80)} in an hour.`);
        },
      },
    ],
  },
  interactions: {
    reactions: [
      reactTo(enough, {
        acts: () => true,
        async perform({ things, clock }, _use, id) {
          const now = clock.now();
          const done = await things.act(reminders, id, one => one && overFor(one, 'You have had enough.', now), now);
          return said(done ? 'I do not ask any more.' : 'That is over already.');
        },
      }),
    ],
  },
};

/** The end of the questions; `undefined` where they have ended. */
function overFor(reminder: Reminder, outcome: string, now: number): ThingStep<ReminderState, ReminderBody> | undefined {
  if (reminder.state === 'over') return undefined;
  const changes = { state: 'over', endedAt: now, plannedAt: null } as const;
  return { changes, dueAt: null, trail: { event: 'reminder over', detail: outcome }, closed: [{ outcome }] };
}
