import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import type { JobRow } from '../../../src/store/jobs/rows/jobRow.ts';
import type { StateAnswer } from '../../../src/store/tables/stateAnswers.ts';
import type { Ending } from '../generator/estate.ts';

/** An answer as it came: its status, its header for waiting, and its text. */
export type RawAnswer = Readonly<{ status: number; retryAfter?: string; text: string }>;

/** One request of Dolly's as it was sent, and what became of it by the truth. A time that never comes is `null`. */
export type RecordedJob = Readonly<{
  row: JobRow;
  line: string;
  truth: Readonly<{ ending: Ending; beginsAt: number | null; endsAt: number | null }> | undefined;
  /** How it ended as it was recorded. */
  end: Pick<JobRow, 'state' | 'reason' | 'endedAt'> | undefined;
}>;

/**
 * What one drawn service would have answered to each GET at any time, the jobs that were sent, and what people said of words.
 * Times are milliseconds since the epoch.
 */
export type Recording = Readonly<{
  seed: number;
  /** By how much the service's clock is ahead. */
  ahead: number;
  answers: readonly RawAnswer[];
  /** By path: from when on which of the answers is given. */
  paths: Readonly<Record<string, readonly (readonly [at: number, answer: number])[]>>;
  jobs: readonly RecordedJob[];
  said: readonly StateAnswer[];
}>;

/** The folder of recordings, which Git ignores. */
export const recordings = new URL('../../../data/recordings', import.meta.url).pathname;

export function writeRecording(recording: Recording): number {
  mkdirSync(recordings, { recursive: true });
  const packed = gzipSync(JSON.stringify(recording));
  writeFileSync(join(recordings, `${recording.seed}.json.gz`), packed);
  return packed.length;
}

/** The names of all recordings, in the order of their seeds. */
export function recordingNames(): readonly string[] {
  return readdirSync(recordings)
    .filter(name => name.endsWith('.json.gz'))
    .toSorted((a, b) => Number.parseInt(a, 10) - Number.parseInt(b, 10));
}

export function readRecording(name: string): Recording {
  return JSON.parse(gunzipSync(readFileSync(join(recordings, name))).toString());
}
