import { z } from 'zod';
import { parseJson } from '../../api/reading/jsonTree.ts';
import { weekdays } from '../../jobs/schedules/calendar.ts';
import { inputAction } from '../blocks/action.ts';
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
});

/** The form of a schedule. */
export type ScheduleDraft = Readonly<{
  place: string;
  thread?: string | undefined;
  zone: string;
  work: ScheduledWork;
  head: string;
  offersAccount: boolean;
  rhythm: RhythmFields;
  /** The channel of its messages; `undefined` for the owner’s direct messages. */
  channel: string | undefined;
  tells: 'all' | 'failures';
  runsAs: 'owner' | 'service';
  /** The operation and the target, where the person chooses them in the form. */
  operation?: string | undefined;
  target?: Readonly<{ id: string; label: string }> | undefined;
}>;

/** The text that a view carries for a draft. */
export function carryDraft({ place, thread, zone, work, head, offersAccount }: ScheduleDraft): string {
  const carried: z.input<typeof Carried> = { channel: place, thread, z: zone, w: work, h: head, a: offersAccount };
  return JSON.stringify(carried);
}

const Option = z.object({ value: z.string(), text: z.object({ text: z.string() }) });
const Element = z.object({
  value: z.string().nullish(),
  selected_option: Option.nullish(),
  selected_options: z.array(Option).nullish(),
  selected_time: z.string().nullish(),
  selected_conversation: z.string().nullish(),
});
const View = z.object({
  private_metadata: z.string(),
  state: z.object({ values: z.record(z.string(), z.record(z.string(), Element)) }),
});

const Kind = z.enum(rhythmKinds).catch('days');
const Tells = z.enum(['all', 'failures']).catch('all');
const RunsAs = z.enum(['owner', 'service']).catch('owner');

/** Reads the form as Slack sends it; `undefined` for one of another release. */
export function readScheduleForm(payload: unknown): ScheduleDraft | undefined {
  const view = View.safeParse(payload).data;
  const carried = Carried.safeParse(parseJson(view?.private_metadata ?? '')).data;
  if (!view || !carried) return undefined;
  const { values } = view.state;
  const held = (block: string, action = inputAction) => values[block]?.[action];
  const chosen = (block: string, action?: string) => held(block, action)?.selected_option ?? undefined;
  const target = chosen('target', targetAction);
  return {
    ...{ place: carried.channel, thread: carried.thread, work: carried.w, head: carried.h, offersAccount: carried.a },
    zone: held('zone')?.value ?? carried.z,
    rhythm: {
      kind: Kind.parse(chosen('repeats', rhythmAction)?.value),
      days: weekdays.filter(day => held('days')?.selected_options?.some(({ value }) => value === day)),
      day: chosen('day')?.value ?? '1',
      interval: chosen('interval')?.value ?? '360',
      cron: held('cron')?.value ?? '',
      at: held('at')?.selected_time ?? '',
    },
    channel: held('channel')?.selected_conversation ?? undefined,
    tells: Tells.parse(chosen('tells')?.value),
    runsAs: RunsAs.parse(chosen('runs')?.value),
    operation: chosen('operation')?.value,
    target: target && { id: target.value, label: target.text.text },
  };
}

/** The draft with another way to repeat, whose fields stand there as in a new form where nothing was in them. */
export function redrawnDraft(draft: ScheduleDraft): ScheduleDraft {
  const { rhythm } = draft;
  const days = rhythm.days.length === 0 ? weekdays : rhythm.days;
  return { ...draft, rhythm: { ...rhythm, days, at: rhythm.at === '' ? '02:00' : rhythm.at } };
}
