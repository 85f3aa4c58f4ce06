import type { Identifier } from '../../api/identifiers.ts';
import type { RecordView } from '../../api/reading/recordView.ts';
import type { JobOperation } from '../../operations/operation.ts';
import { writeMoment } from '../../operations/requests/keepFor.ts';
import type { RecordReader } from '../../records/recordReader.ts';
import { compareRecords, type Marks, marksOf } from '../../records/sameRecord.ts';
import type { Baseline, ShownMarks } from '../../store/jobs/rows/data.ts';
import type { JobIn } from '../../store/jobs/rows/job.ts';
import type { JobEvent } from '../machine/transitions.ts';

/*
 * What does harm is done to the record that was shown to whoever asked for it, and to no other one that has its identifier
 * by the time at which it is sent: an approval may have nothing to say there, and a request may wait for a day.
 */

/** The event by which a job ends whose target is not the one that was shown to whoever asked. */
export function notTheSame(
  { state }: Pick<JobIn<'new' | 'approved'>, 'state'>,
  reason: string,
  login: string,
): JobEvent<'changedSince' | 'refused'> {
  return state === 'approved' ? { type: 'changedSince', reason } : { type: 'refused', reason, login };
}

/** Whether it does harm to its target, so that it must be the one that was shown. Its last page names the harm. */
export function doesHarm({ warning }: Pick<JobOperation, 'warning'>): boolean {
  return warning !== undefined;
}

/** The marks of records by their identifiers, without those that show none. */
export function shownMarks(records: Iterable<RecordView>): ShownMarks {
  return Object.fromEntries(
    [...records].flatMap(record => {
      const { name, madeAt } = marksOf(record);
      return name == null && madeAt == null
        ? []
        : [[record.id.text, { name: name ?? undefined, madeAt: madeAt ?? undefined }]];
    }),
  );
}

/** The marks of a target by its reading: of a snapshot its own, as far as its database shows them, and those of that database. */
export async function marksOfTarget(
  records: Pick<RecordReader, 'part'>,
  target: Identifier,
  record: RecordView | undefined,
): Promise<ShownMarks> {
  if (!record) return {};
  const part = record.id.text === target.text ? undefined : await records.part(record.id, target);
  return shownMarks(part ? [record, part] : [record]);
}

/** Names that pickers and messages show letter for letter. */
const plainName = /^[\w.-]{1,60}$/;

/** The name alone of a target as it was chosen or found, where nothing more of it was read. */
export function marksOfName(target: string | undefined, labels: Readonly<Record<string, string>>): ShownMarks {
  const name = target === undefined ? undefined : labels[target];
  return target !== undefined && name !== undefined && name !== target && plainName.test(name)
    ? { [target]: { name } }
    : {};
}

/** The marks of the records among the values of a step or of a request alone. */
export function marksAmong(asShown: ShownMarks | undefined, values: Readonly<Record<string, unknown>>): ShownMarks {
  const all = Object.values(values);
  return Object.fromEntries(Object.entries(asShown ?? {}).filter(([id]) => all.includes(id)));
}

/** The marks of what a baseline was taken of, by identifier: its target, and the database that this stands in. */
export function marksInBaseline({ text }: Identifier, { holder, target, part }: Partial<Baseline> = {}): ShownMarks {
  const inside = holder === text ? target : part;
  return { ...(holder !== undefined && target ? { [holder]: target } : {}), ...(inside ? { [text]: inside } : {}) };
}

/**
 * Says in a sentence which record is not the one that was shown to whoever asked, or does not show that it is; `undefined`
 * where all are the same. With `isPartial`, `now` shows less than records do: what it lacks is compared later.
 */
export function differenceSinceAsked(
  asShown: ShownMarks | undefined,
  now: ShownMarks,
  isPartial = false,
): string | undefined {
  for (const [id, before] of Object.entries(asShown ?? {})) {
    const marks = now[id];
    if (isPartial && !marks) continue;
    const compared = compareRecords(before, marks ?? {});
    if (compared.is === 'same') continue;
    if (isPartial && compared.name !== false && compared.madeAt !== false) continue;
    return `${sentenceOn(id, { before, now: marks ?? {}, compared })} Look at it, and ask again if you still want this.`;
  }
  return undefined;
}

type Compared = Readonly<{ before: Marks; now: Marks; compared: ReturnType<typeof compareRecords> }>;

function sentenceOn(id: string, { before, now, compared }: Compared): string {
  const was = described(id, before);
  const is = described(id, now);
  if (compared.is === 'another')
    return `Another record now has the identifier ${id}: it was ${was} when this was requested, and is now ${is}.`;
  if (compared.name === false) return `${id} was ${was} when this was requested, and is now ${is}.`;
  if (compared.madeAt === false)
    return `${id} may now be another record: it was ${was} when this was requested, and is now ${is}.`;
  return `I cannot tell whether ${id} is still what it was when this was requested: ${was}.`;
}

function described(id: string, { name, madeAt }: Marks): string {
  const called = name ?? id;
  return madeAt == null ? called : `${called}, made ${writeMoment(madeAt)}`;
}
