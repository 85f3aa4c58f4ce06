import { z } from 'zod';
import { weekdays } from '../../../ground/calendar.ts';
import { asJson } from '../../../slack/blocks/action.ts';
import { defineModal, heldIn, readSent } from '../../../slack/blocks/modal.ts';
import { type RhythmFields, rhythmKinds } from './rhythmFields.ts';

/* The content of the form of a schedule, as it is drawn and as Slack sends it back. */

/** The actions inside the form that tell at once. Their names keep them apart from the buttons of messages. */
export const rhythmAction = 'form.rhythm';
export const targetAction = 'form.scheduled';

/** The work that is put on a schedule, as far as it is known when the form opens. */
export const ScheduledWork = z.union([
  /** A schedule that is changed, in the revision that the person saw. */
  z.object({ s: z.string(), n: z.number() }),
  /** A job, whose values are taken. */
  z.object({ j: z.string() }),
  /** An operation with texts by field, and names of identifiers among them. */
  z.object({ o: z.string(), i: z.record(z.string(), z.string()), l: z.record(z.string(), z.string()).default({}) }),
  /** The person chooses it in the form. */
  z.null(),
]);
export type ScheduledWork = z.infer<typeof ScheduledWork>;

/** The data that the form carries. `channel` and `thread` are the place where the person asked. */
const Carried = z.object({
  channel: z.string(),
  thread: z.string().optional(),
  /** The time zone of the times, unless its field has it. */
  z: z.string(),
  w: ScheduledWork,
  /** The sentence on top of the form. */
  h: z.string(),
  /** Whether the person can choose the service account. */
  a: z.boolean().default(false),
  /** As whom the person is signed in, and until when, in milliseconds since the epoch. */
  u: z.string().optional(),
  e: z.number().optional(),
});

/** The form of a schedule. */
export type ScheduleDraft = Readonly<{
  place: string;
  thread?: string | undefined;
  zone: string;
  work: ScheduledWork;
  head: string;
  offersAccount: boolean;
  /** The sign-in of the person, and its end as far as the service tells it. */
  signIn?: Readonly<{ username: string; until: number | undefined }> | undefined;
  rhythm: RhythmFields;
  /** The channel of its messages; `undefined` for the owner’s direct messages. */
  channel: string | undefined;
  tells: 'all' | 'failures';
  runsAs: 'owner' | 'service';
  /** The operation and the target, where the person chooses them in the form. */
  operation?: string | undefined;
  target?: Readonly<{ id: string; label: string }> | undefined;
}>;

/** The part of a draft that the form carries through Slack. */
export function carriedOf({ place, thread, zone, work, head, offersAccount, signIn }: ScheduleDraft) {
  const carried = { channel: place, thread, z: zone, w: work, h: head, a: offersAccount };
  return { ...carried, u: signIn?.username, e: signIn?.until };
}

const Kind = z.enum(rhythmKinds).catch('days');
const Tells = z.enum(['all', 'failures']).catch('all');
const RunsAs = z.enum(['owner', 'service']).catch('owner');

/** The form of a schedule, and what is filled in. */
export const scheduleModal = defineModal('schedule', asJson(Carried), sent => {
  const held = (block: string, action?: string) => heldIn(sent, block, action);
  const chosen = (block: string, action?: string) => held(block, action).selected_option ?? undefined;
  const target = chosen('target', targetAction);
  return {
    zone: held('zone').value,
    rhythm: {
      kind: Kind.parse(chosen('repeats', rhythmAction)?.value),
      days: weekdays.filter(day => held('days').selected_options?.some(({ value }) => value === day)),
      day: chosen('day')?.value ?? '1',
      interval: chosen('interval')?.value ?? '360',
      cron: held('cron').value ?? '',
      at: held('at').selected_time ?? '',
    },
    channel: held('channel').selected_conversation ?? undefined,
    tells: Tells.parse(chosen('tells')?.value),
    runsAs: RunsAs.parse(chosen('runs')?.value),
    operation: chosen('operation')?.value,
    target: target && { id: target.value, label: target.text?.text ?? target.value },
  };
});

/** The draft in a form that came back. */
export function draftIn({ carried, fields }: NonNullable<ReturnType<typeof scheduleModal.read>>): ScheduleDraft {
  const { channel: place, thread, z, w: work, h: head, a: offersAccount, u: username, e: until } = carried;
  const signIn = username === undefined ? undefined : { username, until };
  return { ...fields, place, thread, work, head, offersAccount, signIn, zone: fields.zone ?? z };
}

/** Reads the form as Slack sends it; `undefined` for one of another release. */
export function readScheduleForm(payload: unknown): ScheduleDraft | undefined {
  const read = scheduleModal.read(readSent(payload));
  return read && draftIn(read);
}

/** The draft with another way to repeat, whose fields stand there as in a new form where nothing was in them. */
export function redrawnDraft(draft: ScheduleDraft): ScheduleDraft {
  const { rhythm } = draft;
  const days = rhythm.days.length === 0 ? weekdays : rhythm.days;
  return { ...draft, rhythm: { ...rhythm, days, at: rhythm.at === '' ? '02:00' : rhythm.at } };
}
