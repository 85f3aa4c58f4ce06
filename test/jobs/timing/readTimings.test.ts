import { describe, expect, test } from 'vitest';
import { Failure } from '../../../src/ground/failure.ts';
import { countedJob, readTimings, type TimingAsker } from '../../../src/jobs/timing/readTimings.ts';
import type { Timing } from '../../../src/store/jobs/timings.ts';

const clone: Timing = {
  ...{ id: 'j1', operation: 'clone.create', person: 'U2', place: 'C2', target: 'MYSQL_LIVE_SERVER-1' },
  values: { cloneType: 'VIRTUALCLONE', targetEnvironment: 'HOST_ENVIRONMENT-4' },
  labels: { 'HOST_ENVIRONMENT-4': 'dev as it was' },
  ...{ record: 'MYSQL_CLONE_SERVER-9', environment: undefined, endedAt: 100_000, took: 5_000 },
};
const backup: Timing = { ...clone, operation: 'database.backup', values: {}, labels: {}, record: clone.target };
const seen = {
  environments: new Map([
    ['dev', 'dev'],
    ['HOST_ENVIRONMENT-4', 'dev'],
  ]),
  records: new Set(['MYSQL_LIVE_SERVER-1']),
};
const asker: TimingAsker = { person: 'U1', channel: 'C1', seen };
const blind = { ...asker, seen: { environments: new Map<string, string>(), records: new Set<string>() } };

describe('a job counts for somebody', () => {
  test.each<[string, Timing, TimingAsker, string | null | undefined]>([
    ['who sees the environment that it was made on', clone, asker, 'dev'],
    [
      'not who does not see that environment, although they see its target',
      clone,
      { ...asker, seen: { ...seen, environments: new Map() } },
      undefined,
    ],
    ['who asked for it, by the name that it had', { ...clone, person: 'U1' }, blind, 'dev as it was'],
    ['in whose channel its message stands', { ...clone, place: 'C1' }, blind, 'dev as it was'],
    ['not who asks elsewhere', clone, blind, undefined],
    ['who sees the environment that its record showed', { ...backup, environment: 'dev' }, asker, 'dev'],
    ['by that environment’s identifier, too', { ...backup, environment: 'HOST_ENVIRONMENT-4' }, asker, 'dev'],
    ['not who does not see it', { ...backup, environment: 'prod' }, asker, undefined],
    ['who sees the target, where no environment was ever shown', backup, asker, null],
    [
      'not who does not see the target either',
      { ...backup, target: 'MYSQL_LIVE_SERVER-2', record: undefined },
      asker,
      undefined,
    ],
    ['who asked for it, where nothing is known', { ...backup, person: 'U1' }, blind, null],
    [
      'not where this release does not know what it was',
      { ...clone, operation: 'clone.dance', person: 'U1' },
      asker,
      undefined,
    ],
  ])('The timing of a job counts for somebody by what they see of it: %s', (_, timing, who, environment) => {
    expect(countedJob(timing, who)[0]?.environment).toBe(environment);
  });

  test('a timing goes by the title of what was asked, such as a virtual or a physical clone', () => {
    const [virtual] = countedJob(clone, asker);
    const [physical] = countedJob({ ...clone, values: { ...clone.values, cloneType: 'PHYSICAL' } }, asker);
    expect([virtual?.title, physical?.title]).toEqual(['Virtual clone', 'Physical clone']);
  });
});

describe('records that cannot be read', () => {
  const jobs = { timings: async () => ({ timings: [clone], next: undefined }) };
  const failing = (error: Error) => ({ list: () => Promise.reject(error) });
  const owner = { team: 'T1', person: 'U2', channel: 'C1', now: Date.UTC(2026, 10, 25) };

  test('people whose records cannot be read get the timings of their own jobs alone, and are told so', async () => {
    const read = await readTimings({ jobs, records: failing(new Failure('forbidden', 'No.')) }, owner);
    expect(read).toMatchObject({ isBlind: true, isPart: false });
    expect(read.jobs).toHaveLength(12);
    expect(
      (await readTimings({ jobs, records: failing(new Failure('forbidden', 'No.')) }, { ...owner, person: 'U1' })).jobs,
    ).toEqual([]);
  });

  test('people who ask for timings without being signed in are asked to sign in', async () => {
    const signedOut = new Failure('signed-out', 'You are not signed in.');
    await expect(readTimings({ jobs, records: failing(signedOut) }, owner)).rejects.toBe(signedOut);
  });
});
