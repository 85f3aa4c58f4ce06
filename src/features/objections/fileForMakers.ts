import { recordCall } from '../../api/call.ts';
import { type Identifier, parseIdentifier } from '../../api/identifiers.ts';
import { readRecord } from '../../api/reading/recordList.ts';
import type { RecordView } from '../../api/reading/recordView.ts';
import { Failure } from '../../ground/failure.ts';
import type { Parts } from '../../jobs/parts.ts';
import type { Desk } from '../../slack/desk/desk.ts';
import type { Interaction } from '../../slack/desk/interaction.ts';
import { sendFile } from '../../slack/desk/sendFile.ts';
import type { Job } from '../../store/jobs/rows/job.ts';
import { namesReplaced } from './withoutNames.ts';

/** Reads records with the sign-in of whoever asks, and sends files. */
type FileMaker = Parts<'service' | 'credentials' | 'clock'> & Desk<'log' | 'slack'>;

/**
 * Sends to whoever objects what their own sign-in sees now of the records of a job, beside what Dolly concluded, without names
 * and texts. Gives a sentence for them.
 */
export async function fileForMakers(desk: FileMaker, { team, person }: Interaction, job: Job): Promise<string> {
  const credential = await desk.credentials.find({ team, person });
  if (!credential) return 'Sign in, and ask for the file again.';
  const { operation, state, target, claimed, sentAt, endedAt, evidence, reason, noAnswer } = job;
  const ids = [target, claimed, evidence?.id].flatMap(text => (text ? (parseIdentifier(text) ?? []) : []));
  const shown = new Map<string, Readonly<{ body: unknown; record?: RecordView | undefined }>>();
  for (const id of ids) if (!shown.has(id.text)) shown.set(id.text, await readAs(desk, credential.token, id));
  const replace = namesReplaced(
    wordsIn(
      [...shown.values()].flatMap(({ record }) => record ?? []),
      job,
    ),
  );
  const records = Object.fromEntries([...shown].map(([id, { body }]) => [id, replace(body)]));
  const { id: _, extras: __, ...seen } = evidence ?? { id: '', extras: [] };
  const told = { operation, state, target, claimed, sentAt, endedAt, isInDoubt: noAnswer !== null };
  const now = new Date(desk.clock.now()).toISOString();
  const whole = { readAt: now, told, reason: replace(reason), evidence: replace(seen), records };
  const bytes = Buffer.from(`${JSON.stringify(whole, null, 2)}\n`);
  const filename = `dolly-end-${now.slice(0, 16).replace(':', '')}.json`;
  const title = 'What my records show about this job, without names and texts. Read it before you pass it on.';
  const { refusal } = await sendFile(desk, { team, person }, { filename, title, bytes });
  return refusal === undefined
    ? 'The file is in your direct messages.'
    : 'Slack does not accept files from me, so I made none. To allow it, install me again with the manifest.';
}

/** A record as its own GET answers it, or why it could not be read. */
async function readAs({ service }: Parts<'service'>, token: string, id: Identifier) {
  const call = recordCall(id);
  if (!call) return { body: 'it has no GET of its own' };
  try {
    const body = await service.fetch(token, call);
    return { body, record: readRecord(body, id, {}) };
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    return { body: `unread: ${error.kind}` };
  }
}

/** The words by which these records tell of states and of work, which nobody could do without. */
function wordsIn(records: readonly RecordView[], { evidence }: Job): ReadonlySet<string> {
  const words = records.flatMap(({ state, reports, vendor }) => [
    ...[state?.word, vendor],
    ...reports.flatMap(({ word, told, kind }) => [word, told, kind]),
  ]);
  const { state, wasBusy, otherWork, reached, report } = evidence ?? {};
  const known = [...words, state, wasBusy, otherWork, reached, report?.identity, report?.word, report?.told];
  return new Set(known.flatMap(word => (word === undefined || word.length > 60 ? [] : [word])));
}
