import { parseIdentifier } from '../../src/api/identifiers.ts';
import { readRecord } from '../../src/api/reading/recordList.ts';
import type { RecordView } from '../../src/api/reading/recordView.ts';
import { decode } from '../../src/store/jobs/rows/decode.ts';
import { fresh } from '../../src/store/jobs/rows/encode.ts';
import { ends, type Job, type JobIn, type JobState, type Unreadable } from '../../src/store/jobs/rows/job.ts';
import type { JobRow } from '../../src/store/jobs/rows/jobRow.ts';

/** A record as the reader gives it, out of an answer with these fields. */
export function recordOf(id: string, fields: object = {}): RecordView {
  const parsed = parseIdentifier(id);
  const record = parsed && readRecord({ id, ...fields }, parsed);
  if (!record) throw new Error(`${id} is no record`);
  return record;
}

/** A virtual MySQL clone that is not sent yet, read out of its row, with what a test changes in that row. */
export function job<State extends JobState = 'new'>(change: Partial<JobRow> & { state?: State } = {}): JobIn<State> {
  const createdAt = Date.UTC(2026, 10, 21, 9);
  const isEnded = ends.some(state => state === change.state);
  const row: JobRow = {
    ...fresh,
    id: '0a6e9c1e-0000-4000-8000-000000000001',
    requestKey: 'request-1',
    team: 'T1',
    person: 'U1',
    operation: 'clone.create',
    inputs: JSON.stringify({
      sourceDatabase: 'MYSQL_LIVE_SERVER-1',
      cloneType: 'VIRTUALCLONE',
      targetEnvironment: 'HOST_ENVIRONMENT-4',
      port: 3310,
    }),
    labels: '{}',
    target: 'MYSQL_LIVE_SERVER-1',
    targetName: 'orders',
    createdAt,
    dueAt: null,
    tellAt: null,
    channel: 'C1',
    purpose: null,
    // What a row in such a state always has.
    endedAt: isEnded ? createdAt + 120_000 : null,
    ...(['sending', 'running', 'succeeded', 'finished', 'unconfirmed'].includes(change.state ?? '')
      ? { sentAt: createdAt, deadlineAt: createdAt + 1_800_000 }
      : {}),
    ...(change.terms ? { facts: '[]', digest: 'd', expiresAt: createdAt + 86_400_000, login: 'ana' } : {}),
    ...change,
  };
  const isWanted = (read: Job | Unreadable): read is JobIn<State> => read.state === (change.state ?? 'new');
  const read = decode(row, () => true);
  if (isWanted(read)) return read;
  throw new Error(`${read.state}: ${JSON.stringify(read)}`);
}
