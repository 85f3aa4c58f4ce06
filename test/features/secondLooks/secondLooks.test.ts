import { describe, expect, onTestFinished, test } from 'vitest';
import { minute, second } from '../../../src/ground/durations.ts';
import type { NewJob } from '../../../src/store/jobs/rows/job.ts';
import { folder, storeIn } from '../../store/folder.ts';
import { endBoard } from './endBoard.ts';

const [live, clone] = ['MARIADB_LIVE_SERVER-1', 'MARIADB_CLONE_SERVER-2'];
const backup = { operation: 'database.backup', target: live, values: { database: live }, steps: undefined };
const deletion = { operation: 'database.delete', target: clone, values: { database: clone }, steps: undefined };

async function boardOf(change: Partial<NewJob>) {
  const here = await endBoard(await storeIn(folder()), change);
  onTestFinished(() => here.end());
  return here;
}

/** A backup that is confirmed by its new snapshot. */
async function confirmed() {
  const here = await boardOf(backup);
  expect(await here.ends()).toBe('succeeded');
  const { claimed } = await here.read('plan-1');
  return { ...here, claimed };
}

const without = (snapshot: string | null) => (record: Readonly<Record<string, unknown>>) => ({
  ...record,
  snapshots: [record.snapshots].flat().filter(one => JSON.stringify(one).includes(`"${snapshot}"`) === false),
});

describe('an end', () => {
  test('a backup’s end is taken back once, and told once, where its snapshot is gone a minute later', async () => {
    const here = await confirmed();
    await here.passes(20 * second);
    here.edits.set(live, without(here.claimed));
    await here.passes(minute, 2);
    const [told, ...others] = await here.told();
    expect(others).toEqual([]);
    expect(told).toBe(
      `I said that it was confirmed. That no longer holds: ${here.claimed} is gone from the service's records. I am looking again.`,
    );
    expect(await here.ends()).toBe('failed');
    // The trail names each end, and what it rested on.
    expect((await here.trail(20)).join('\n')).toMatch(
      /succeeded dolly: [^.]*new snapshot[^.]*\. There is.*taken back dolly.*failed dolly: [^.]*back/is,
    );
  });

  test('a backup’s end stands where its snapshot is missing at one look alone', async () => {
    const here = await confirmed();
    await here.passes(58 * second);
    here.edits.set(live, without(here.claimed));
    await here.passes(6 * second);
    expect((await here.look())?.against).toMatchObject({ looks: expect.any(Number) });
    here.edits.delete(live);
    await here.passes(10 * minute);
    expect(await here.read('plan-1')).toMatchObject({ state: 'succeeded' });
    expect(await here.told()).toEqual([]);
    expect(await here.look()).toMatchObject({ state: 'over', takenBack: 0 });
  });

  test('a backup’s end stands where the database fails later, or is gone with its snapshot', async () => {
    const here = await confirmed();
    here.edits.set(live, record => ({ ...record, state: 'FAILED', error: 'The disk is full.' }));
    await here.passes(2 * minute);
    here.edits.set(live, () => undefined);
    await here.passes(10 * minute);
    expect(await here.read('plan-1')).toMatchObject({ state: 'succeeded' });
    expect(await here.told()).toEqual([]);
  });

  test('a backup’s end stands where a job of Dolly’s deleted the snapshot meanwhile', async () => {
    const here = await confirmed();
    const target = here.claimed ?? '';
    await here.asks('deletes', { operation: 'snapshot.delete', target, values: { snapshot: target, database: live } });
    await here.works(async () => (await here.read('deletes')).state === 'awaiting');
    await here.approvesPlan('U0DEV', 'deletes');
    await here.passes(10 * minute);
    expect(await here.read('deletes')).toMatchObject({ state: 'succeeded' });
    expect(await here.read('plan-1')).toMatchObject({ state: 'succeeded' });
  });

  test('a job’s end is left alone once the sign-in that it ran with is another user’s', async () => {
    const here = await confirmed();
    here.edits.set(live, without(here.claimed));
    await here.signsIn('U0ANA', 'ben');
    await here.passes(10 * minute);
    expect(await here.read('plan-1')).toMatchObject({ state: 'succeeded' });
    expect(await here.look()).toMatchObject({ state: 'over' });
  });

  test('a job’s end is looked at a little later where the service is away, and is taken back then', async () => {
    const here = await confirmed();
    await here.passes(30 * second);
    let isAway = true;
    here.edits.set(live, record => {
      if (isAway) throw new Error('away');
      return without(here.claimed)(record);
    });
    await here.passes(3 * minute);
    expect(await here.read('plan-1')).toMatchObject({ state: 'succeeded' });
    isAway = false;
    await here.passes(4 * minute);
    expect(await here.read('plan-1')).not.toMatchObject({ state: 'succeeded' });
  });
});

describe('an end by a report of the job’s own', () => {
  const report = (status: string, more: object = {}) => ({ id: 'JOB-77', type: 'BACKUP', status, by: 'ana', ...more });
  const reports = (...all: object[]) => {
    return (record: Readonly<Record<string, unknown>>) => ({ ...record, recentJobs: all, snapshots: undefined });
  };

  async function ended(status: string) {
    const here = await boardOf(backup);
    here.edits.set(live, reports());
    await here.works(async () => (await here.read('plan-1')).state === 'running', here.parts);
    here.edits.set(live, reports(report('RUNNING')));
    await here.passes(10 * second);
    here.edits.set(live, reports(report(status)));
    return { ...here, state: await here.ends() };
  }

  test.each([
    ['COMPLETED', 'succeeded', 'FAILED', 'failed'],
    ['FAILED', 'failed', 'COMPLETED', 'succeeded'],
  ])(
    'an end by a report that said %s is taken back where that report works on, and says another end',
    async (first, was, next, is) => {
      const here = await ended(first);
      expect(here.state).toBe(was);
      here.edits.set(live, reports(report('RUNNING', { attempt: 2 })));
      await here.passes(75 * second);
      expect(await here.read('plan-1')).toMatchObject({ state: 'running' });
      here.edits.set(live, reports(report(next)));
      expect(await here.ends()).toBe(is);
      expect(await here.told()).toHaveLength(1);
    },
  );

  test('a job’s end by its own report stands where somebody else’s report follows', async () => {
    const here = await ended('COMPLETED');
    here.edits.set(live, reports(report('COMPLETED'), { ...report('FAILED'), id: 'JOB-78', by: 'ben' }));
    await here.passes(10 * minute);
    expect(await here.read('plan-1')).toMatchObject({ state: 'succeeded' });
  });

  test('a job’s end is taken back three times at most', async () => {
    const here = await ended('COMPLETED');
    for (let turn = 0; turn < 6; turn++) {
      here.edits.set(live, reports(report('RUNNING')));
      await here.passes(80 * second);
      here.edits.set(live, reports(report(turn % 2 ? 'COMPLETED' : 'FAILED')));
      await here.passes(45 * second);
    }
    expect(await here.told()).toHaveLength(3);
    expect(await here.read('plan-1')).toMatchObject({ endedAt: expect.any(Number) });
  });
});

describe('a failure', () => {
  const broken = (record: Readonly<Record<string, unknown>>) => ({
    ...record,
    state: 'FAILED',
    error: 'BACKUP: the disk is full.',
    snapshots: [],
  });
  const snapshot = (createdAt: number) => ({
    id: 'MARIADB_SNAPSHOT-900',
    createdAt: new Date(createdAt).toISOString(),
  });

  test.each([
    ['one from before makes it', -second, 'running'],
    ['one from after does not', 30 * second, 'failed'],
  ])('a backup’s failure is looked into again for a snapshot from before its end: %s', async (_, delay, state) => {
    const here = await boardOf(backup);
    await here.works(async () => (await here.read('plan-1')).state === 'running', here.parts);
    here.edits.set(live, broken);
    expect(await here.ends()).toBe('failed');
    const { endedAt } = await here.read('plan-1');
    const shown = snapshot((endedAt ?? 0) + delay);
    here.edits.set(live, record => ({ ...record, snapshots: [shown] }));
    await here.passes(75 * second);
    expect(await here.read('plan-1')).toMatchObject({ state });
  });
});

describe('a deletion', () => {
  async function deleted() {
    const here = await boardOf(deletion);
    await here.works(async () => (await here.read('plan-1')).state === 'awaiting');
    const before = await here.parts.records.session({ team: 'T1', person: 'U0ANA' });
    const record = await before?.records.list('clone');
    const found = record?.records.find(({ id }) => id.text === clone);
    if (!found?.name || found.createdAt === undefined) throw new Error('the clone has no marks');
    await here.approvesPlan();
    expect(await here.ends()).toBe('succeeded');
    const { name, createdAt } = found;
    return { ...here, marks: { id: clone, objectType: 'MARIADB_CLONE_SERVER', vendor: 'MARIADB', name, createdAt } };
  }

  test('a deletion’s end is taken back where the same record is there again', async () => {
    const here = await deleted();
    const { name, createdAt, ...rest } = here.marks;
    here.added.push({ ...rest, name, createdAt: new Date(createdAt).toISOString(), state: 'RUNNING' });
    await here.passes(75 * second);
    expect(await here.read('plan-1')).toMatchObject({ state: 'running' });
    expect(await here.told()).toEqual([expect.stringContaining(`${name} is back in the service's records.`)]);
  });

  test('a deletion’s end stands where another record has its identifier', async () => {
    const here = await deleted();
    const { createdAt, ...rest } = here.marks;
    here.added.push({ ...rest, createdAt: new Date(createdAt + minute).toISOString(), state: 'RUNNING' });
    await here.passes(10 * minute);
    expect(await here.read('plan-1')).toMatchObject({ state: 'succeeded' });
  });
});
