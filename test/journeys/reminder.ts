import { z } from 'zod';
import { hour } from '../../src/ground/durations.ts';
import { workOnThings } from '../../src/jobs/workOnThings.ts';
import { message, section } from '../../src/slack/blocks/blocks.ts';
import { bold } from '../../src/slack/blocks/limits.ts';
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
  states: [
    ['waiting', ['asking', 'over']],
    ['asking', ['over']],
    ['over', []],
  ],
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

export const reminderFeature: Feature<object> = {
  name: 'reminders',
  kinds: [reminders],
  work: worker =>
    workOnThings(worker, {
      kind: reminders,
      ...{ maxAtOnce: 10, groupsAtOnce: 2 },
      runner: ({ team, person }) => ({ team, person }),
      look: () => Promise.resolve(undefined),
      next: (reminder, { now }) => nextOfReminder(reminder, now),
      pauseAfter: (_, tries) => Math.min(1_000 * 2 ** tries, hour / 4),
    }),
  ends: () => job => {
    if (job.operation !== 'database.backup' || job.state !== 'succeeded') return [];
    return [
      newsFor(reminders, reminderOf(job.team, job.target), (reminder, _, now) =>
        reminder && reminder.state !== 'over'
          ? {
              changes: { state: 'over', endedAt: now, plannedAt: null },
              dueAt: null,
              trail: { event: 'reminder over', detail: 'it was backed up', job: job.id },
              closed: [{ outcome: 'It was backed up.' }],
            }
          : undefined,
      ),
    ];
  },
  words: {
    reminder(data, outcome) {
      const told = Question.safeParse(data).data;
      const text = `Will you back up ${bold(told?.name ?? '', 80)}?`;
      return told && message([section(outcome === null ? `:bell: ${text}` : `~${text}~ ${outcome}`)]);
    },
  },
};
