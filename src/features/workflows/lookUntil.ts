import { parseIdentifier, typedIdentifier } from '../../api/identifiers.ts';
import type { RecordView } from '../../api/reading/recordView.ts';
import { Failure, nothingOn } from '../../ground/failure.ts';
import { isKeyOf } from '../../ground/keys.ts';
import { find } from '../../records/find.ts';
import type { RecordReader } from '../../records/recordReader.ts';
import { plain } from '../../slack/blocks/mrkdwn.ts';
import type { StepResult } from './execution.ts';

/** The states for which a step may wait, each with the words by which its end is told. */
export const waitStates = {
  there: 'is there',
  gone: 'is gone',
  ok: 'is in order',
  stopped: 'is stopped',
  disabled: 'is disabled',
  failed: 'has failed',
} as const;
export type WaitState = keyof typeof waitStates;

/** Reads the state for which a step waits, however it is written. */
export function readWaitState(text: string): WaitState | undefined {
  const word = text.trim().toLowerCase();
  if (word === 'running' || word === 'ready') return 'ok';
  return isKeyOf(waitStates, word) ? word : undefined;
}

/**
 * Whether a record is as a step waits for it. `record` is `undefined` where nothing shows it; `wasSeen` tells that it was
 * seen since the step began, without which nobody can say that it is gone.
 */
export function isAsWanted(until: WaitState, record: RecordView | undefined, wasSeen: boolean): boolean {
  if (until === 'gone') return record === undefined && wasSeen;
  if (record === undefined) return false;
  return until === 'there' || record.state?.class === until;
}

/** The record for which a step waits: as its input names it, and its identifier once it was seen. */
type Awaited = Readonly<{ record: string; until: WaitState; seen: string | null }>;

/** What a look showed: the step's end, or that it waits on, with the identifier of the record once it was seen. */
type LookUntil = Readonly<{ result: StepResult }> | Readonly<{ seen: string | null; found: RecordView | undefined }>;

const nouns = ['live', 'clone', 'environment'] as const;

/**
 * Looks once at the record for which a step waits, among those that its runner sees.
 * @throws {Failure} where the records cannot be read now
 */
export async function lookUntil(records: RecordReader, awaited: Awaited): Promise<LookUntil> {
  const { until, seen } = awaited;
  const found = await recordOf(records, awaited);
  if (found === 'several')
    return {
      result: { error: `Several records are called “${plain(awaited.record, 100)}”. Name one by its identifier.` },
    };
  const known = found?.id.text ?? seen;
  if (isAsWanted(until, found, seen !== null)) {
    const state = found?.state?.word ?? '';
    const name = found?.name ?? awaited.record;
    return { result: { outputs: { outcome: until, name, identifier: known ?? '', state } } };
  }
  if (until === 'gone' && known === null)
    return { result: { error: `No record shows “${plain(awaited.record, 100)}”, so I cannot say that it is gone.` } };
  return { seen: known, found };
}

/** The record as it is now; `undefined` where nothing shows it. A name is looked for until it was found once. */
async function recordOf(records: RecordReader, { record, seen }: Awaited): Promise<RecordView | 'several' | undefined> {
  const typed = seen === null ? typedIdentifier(record) : parseIdentifier(seen);
  if (typed?.noun !== undefined && nouns.some(noun => noun === typed.noun))
    return records.one(typed).catch(nothingOn('missing'));
  const lists = await Promise.all([records.list('live'), records.list('environment')]);
  const all = lists.flatMap(list => list.records);
  const cut = lists.some(list => list.cut);
  const found = find(record, nouns, { records: all, cut });
  if (found.type === 'several') return 'several';
  if (found.type !== 'one') {
    // Of a list that is not whole, nobody knows what else there is.
    if (cut) throw new Failure('unreadable', 'The service does not list all of its records.');
    return undefined;
  }
  return all.find(({ id }) => id.text === found.id);
}

/** Says that the time of a step is over before the record was as wanted. */
export function overdue(
  { record, until }: Pick<Awaited, 'record' | 'until'>,
  found: RecordView | undefined,
): StepResult {
  const said = found?.state ? `Its record says ${plain(found.state.word, 60)}.` : 'Its record shows no state.';
  const shows = found ? said : 'No record shows it.';
  return { error: `I waited, but never saw that ${plain(record, 100)} ${waitStates[until]}. ${shows}` };
}
