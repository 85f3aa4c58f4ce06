import { z } from 'zod';
import { target, text } from '../fields.ts';
import { definePlan, type Field } from '../operation.ts';

/** A text that Dolly writes itself. It may be long, since those who approve must see all of it. */
export const written = (name: string, label: string): Field => ({
  ...{ name, label, schema: z.string() },
  widget: { type: 'text', multiline: true },
});

/**
 * The request to let a schedule run with the service account: a plan without steps, since the service has no part in it.
 * Its approval itself turns the schedule on. Its values also name the schedule and the digest of what is approved. No
 * command has it: a schedule that is to run so asks for it.
 */
export const scheduleRequest = definePlan({
  name: 'schedule.approve',
  words: ['schedule', 'approve'],
  summary: 'Let a schedule run with the service account',
  fields: [
    target('record', 'Target', ['live', 'clone', 'environment']),
    text('work', 'Work', 'back up shop', { required: true }),
    text('times', 'Times', 'every day at 02:00 (Europe/Berlin)', { required: true }),
    /** Its inputs as those who approve read them (jobs/approval/facts/items.ts). */
    { ...written('details', 'Inputs'), sent: false },
    /** The times of the next runs, `2026-12-01T01:00Z`, separated by commas. */
    written('next', 'Next runs'),
  ],
  title: () => 'Schedule',
  phrases: {
    asks: 'let the service account {work} {times}',
    running: 'Turning on the schedule of {name}',
    done: 'The schedule of {name} runs with the service account',
    undone: 'The schedule was not turned on',
  },
  guarded: true,
});
