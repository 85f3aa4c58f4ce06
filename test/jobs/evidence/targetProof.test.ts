import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { beforeOf } from '../../../src/jobs/evidence/baseline.ts';
import { evidenceOf, evidenceOfAbsence } from '../../../src/jobs/evidence/evidence.ts';
import { isWorkedOn } from '../../../src/jobs/evidence/goingOn.ts';
import type { Judgement, Sighting } from '../../../src/jobs/evidence/judgement.ts';
import { judgeTarget } from '../../../src/jobs/evidence/targetProof.ts';
import type { StateMeaning } from '../../../src/jobs/evidence/words/stateMeaning.ts';
import { changes, converts, gone, type Proof, reaches } from '../../../src/operations/proofs.ts';
import { type Work, works } from '../../../src/operations/work.ts';
import type { Evidence } from '../../../src/store/jobs/rows/data.ts';
import { recordOf } from '../rows.ts';

const id = 'MYSQL_CLONE_SERVER-2';
const sentAt = Date.UTC(2026, 10, 21, 9);
const ofWork = { by: 'work' } as const;
const untold = 'The records do not say whether it worked.';
const newWord = 'a state that I have not seen at this service before';
const meanings: readonly StateMeaning[] = ['usual', 'resting', 'passing', 'doubtful', 'unseen'];

/** A record's own report of its last job, as a service writes it. */
const lastJob = (status: string, more: object = {}) => ({ lastJob: { id: 7, type: 'JOB', status, ...more } });

/** The report of the job that stands in a record with these fields, if one does. */
function reportIn(fields: object) {
  return recordOf(id, fields).reports[0];
}

describe('a target', () => {
  type Shown = Readonly<{ fields: object; at: number; meaning: StateMeaning }>;
  type Case = Readonly<{
    work?: Work;
    inDoubt?: boolean;
    /** Whether a passing state is of this job: of a word that says so, or of one that nobody knows, too. */
    isOurs?: boolean | 'unknown';
    isShared?: boolean;
    otherWork?: string;
    doneBy?: string;
    ofOther?: NonNullable<Sighting['ofOther']>;
    showsWanted?: boolean;
    isDenied?: boolean;
    /** Whether a report that was not there before is of somebody else. */
    isOthers?: boolean;
    /** What the word means in other records, where this one is as before the call. */
    learned?: StateMeaning;
  }>;

  /** What the looks at a target say in the end; `undefined` stands for a record that is gone. */
  function judged(
    proof: Proof,
    before: object | undefined,
    looks: readonly (Shown | undefined)[],
    {
      work = works.restore,
      inDoubt = false,
      isOurs = true,
      isShared = false,
      otherWork,
      doneBy,
      ofOther,
      showsWanted = true,
      isDenied = false,
      isOthers = false,
      learned,
    }: Case = {},
  ): Judgement {
    if (proof.type === 'appears') throw new Error('a new record is judged apart');
    const was = before && beforeOf(recordOf(id, before), proof.type === 'changes' ? proof.by : 'work');
    let seen: Evidence | undefined;
    let judgement: Judgement = { type: 'waiting' };
    for (const look of looks) {
      const record = look && recordOf(id, look.fields);
      const at = sentAt + (look?.at ?? 1_000);
      // A word that says that work goes on means it, whatever was learned.
      const means = record?.state?.class === 'busy' ? 'passing' : (look?.meaning ?? 'unseen');
      const isBusy = isOurs === 'unknown' || (record?.state?.class === 'busy' && isOurs);
      seen = record
        ? evidenceOf(record, seen, at, { isAtJob: isBusy, errorBefore: was?.error, otherWork, doneBy })
        : evidenceOfAbsence(id, 'qa', at);
      // Whose report it is, is judged elsewhere: here, one that was not there before is the job's.
      const isOwn = ({ identity }: { identity: string }) => !isOthers && !(identity in (was?.reports ?? {}));
      const report = look && record?.reports.find(isOwn);
      ({ judgement } = judgeTarget(proof, {
        ...{
          work,
          seen,
          record,
          before: was,
          report,
          inDoubt,
          isShared,
          ofOther,
          showsWanted,
          isDenied,
          isWorkedOn: isWorkedOn(record, was),
          showsWork: true,
          sentAt,
          ahead: 0,
        },
        meaning: means,
        learned: learned ?? means,
      }));
    }
    return judgement;
  }
  /** A look, a second after the sending if nothing else is said, at words that are resting ones in most tests. */
  const shows = (fields: object, at = 1_000, meaning: StateMeaning = 'usual'): Shown => ({ fields, at, meaning });
  const busy = (state: string, at = 1_000) => shows({ ...running, state }, at, 'passing');
  const running = { name: 'qa', state: 'RUNNING' };
  const stopped = { name: 'qa', state: 'STOPPED' };
  const failed = { name: 'qa', state: 'FAILED', error: 'disk full' };
  const late = 9_000_000;

  test('a new time does not confirm a job while an unknown word beside the state may say that its work goes on', () => {
    const backup = changes('short', { by: 'work' });
    const was = { ...running, lastLogBackup: new Date(sentAt - 60_000).toISOString() };
    const moved = { ...was, lastLogBackup: new Date(sentAt + 2_000).toISOString() };
    const told = (before: object, now: object, at: number) =>
      judged(backup, before, [shows(now, at)], { work: works.logs, isOthers: true }).type;
    const [free, busy, other] = [undefined, 'WIBBLE', 'REFRESH'].map(busyWith => ({ activity: busyWith }));
    expect(told({ ...was, ...free }, { ...moved, ...busy }, 4_000)).toBe('waiting');
    expect(told({ ...was, ...free }, { ...moved, ...busy }, late)).toBe('waiting');
    expect(told({ ...was, ...free }, { ...moved, ...free }, 4_000)).toBe('proved');
    expect(told({ ...was, ...free }, { ...moved, ...other }, 4_000)).toBe('proved');
    // A word that stood there before is no work of this job.
    expect(told({ ...was, ...busy }, { ...moved, ...busy }, 4_000)).toBe('proved');
  });

  describe('whose own report tells of an outcome between good and bad', () => {
    const backup = changes('short', { by: 'work', makes: 'snapshot' });
    const here: Case = { work: works.backup };
    const told = (proof: Exclude<Proof, { type: 'appears' }>, status: string, more: object = {}) => {
      const fields = { ...running, ...lastJob(status), ...more };
      return judged(proof, running, [shows(fields), shows(fields, 25_000)], here);
    };
    test.each([
      ['backed up', backup, { lastBackupAt: new Date(sentAt + 500).toISOString() }],
      ['stopped', reaches(['stopped']), { state: 'STOPPED' }],
      ['converted', converts(), { cloneType: 'PHYSICAL' }],
      ['gone', gone(), {}],
    ] as const)('a report of partial success finishes the job in part where a record is to be %s', (_, proof, more) => {
      expect(told(proof, 'Partially successful', more)).toEqual({
        type: 'finished',
        by: "The record's own report of JOB says Partially successful.",
        isInPart: true,
      });
    });
    test('a report of completion with warnings confirms the job, and the reason quotes it', () => {
      expect(told(backup, 'Completed with warnings')).toEqual({
        type: 'proved',
        by: "The record's own report of JOB says Completed with warnings.",
      });
    });
    test('a report “running with errors” lets the job wait, and “completed with errors” fails it', () => {
      expect(told(backup, 'RUNNING WITH ERRORS')).toEqual({ type: 'waiting' });
      expect(told(backup, 'Completed with errors')).toMatchObject({ type: 'failed' });
      expect(told(backup, 'Completed (0 errors)')).toMatchObject({ type: 'proved' });
    });
    test('a report in a word that nobody knows lets the job wait, and the job says so', () => {
      expect(told(backup, 'Reconciled')).toEqual({
        type: 'waiting',
        atLast: "The record's own report of JOB says Reconciled. I do not know what that means.",
        goesOn: true,
      });
    });
    test('a job quotes the word of the report that decides its end', () => {
      expect(
        told(backup, 'FINISHED', { lastJob: { id: 7, type: 'JOB', status: 'FINISHED', result: 'PARTIAL' } }),
      ).toEqual({
        type: 'finished',
        by: "The record's own report of JOB says PARTIAL.",
        isInPart: true,
      });
    });
  });

  describe('on whose record another job was under way', () => {
    const which = /disk full.*cannot tell which of them failed/;
    test.each([
      ['refreshed', changes('short', { by: 'work' })],
      ['started', reaches(['ok'])],
      ['gone', gone()],
    ] as const)(
      'a failure that may be another job’s does not fail the job of a record that is to be %s',
      (_, proof) => {
        const shared = (at: number) => judged(proof, running, [shows(failed), shows(failed, at)], { isShared: true });
        expect(shared(290_000)).toMatchObject({ type: 'waiting', atLast: expect.stringMatching(which) });
        // A record that rests in a failed state shows no more.
        expect(shared(301_000)).toMatchObject({ type: 'finished', by: expect.stringMatching(which) });
        expect(judged(proof, running, [shows(failed), shows(failed, late)])).toMatchObject({ type: 'failed' });
      },
    );
  });

  describe('that shows a failure of which something says that it may be a colleague’s', () => {
    const proof = changes('short', { by: 'work' });
    test('a failure does not fail the job where other work was under way on its record before', () => {
      const looks = [
        shows({ ...running, error: 'disk full' }, 90_000),
        shows({ ...running, error: 'disk full' }, late),
      ];
      expect(judged(proof, running, looks, { otherWork: 'BACKING_UP' })).toEqual({
        type: 'finished',
        by: 'The record shows a failure: disk full. Other work was under way there (BACKING_UP), and I cannot tell which of them failed.',
      });
      expect(judged(proof, running, looks)).toMatchObject({ type: 'failed' });
      // The other work may have broken the record after this one was done.
      const broken = [shows(failed), shows(failed, late)];
      expect(judged(proof, running, broken, { otherWork: 'BACKING_UP' })).toMatchObject({ type: 'finished' });
      expect(judged(proof, running, broken)).toMatchObject({ type: 'failed' });
      // Words that name its own work leave no doubt.
      expect(judged(proof, running, [busy('RESTORING', 500), ...looks], { otherWork: 'BACKING_UP' }).type).toBe(
        'failed',
      );
    });
    test('a failure after other work only finishes the job, though the record rests in a word of the job’s own work', () => {
      const shown = { name: 'qa', state: 'RECOVERED', error: 'disk full' };
      const looks = [busy('RECOVERED', 500), shows(shown, 90_000), shows(shown, late)];
      expect(judged(proof, running, looks, { otherWork: 'LOG_BACKUP', isOurs: 'unknown' })).toMatchObject({
        type: 'finished',
        by: expect.stringContaining('Other work was under way there (LOG_BACKUP)'),
      });
    });
    test('a new time with a failure beside it only finishes the job, unless other work explains the failure', () => {
      const done = { ...running, error: 'disk full', restoredAt: new Date(sentAt + 500).toISOString() };
      const told = (here: Case = {}) => judged(proof, running, [shows(done), shows(done, late)], here);
      expect(told()).toEqual({
        type: 'finished',
        by: 'Its record shows a new time, restoredAt: 2026-11-21T09:00:00.500Z. It shows a failure, too: disk full. I cannot tell which of them belongs to this job.',
      });
      expect(judged(proof, running, [shows(done)])).toMatchObject({ type: 'waiting' });
      expect(told({ otherWork: 'BACKING_UP' }).type).toBe('proved');
      // Other work in a word that names none may have left the sign, too.
      expect(told({ otherWork: 'UPDATING' }).type).toBe('finished');
    });
    test('a failure does not fail the job where a colleague did the same work on its record', () => {
      const looks = [
        shows({ ...running, error: 'restore: disk full' }, 90_000),
        shows({ ...running, error: 'restore: disk full' }, late),
      ];
      expect(judged(proof, running, looks, { doneBy: 'cem' })).toEqual({
        type: 'finished',
        by: 'The record shows a failure: restore: disk full. Work by cem was under way there, and I cannot tell which of them failed.',
      });
    });
    test('two different errors in turn only finish the job, unless the record itself has failed', () => {
      const [first, next] = [
        { ...running, error: 'disk full' },
        { ...running, error: 'no listener' },
      ];
      const two = [busy('WORKING', 500), shows(first, 70_000), shows(next, 75_000), shows(next, late)];
      // A record that has failed itself says so by its last error.
      const broken = shows({ ...failed, error: 'no listener' }, 75_000);
      expect(judged(proof, running, [busy('WORKING', 500), shows(first, 70_000), broken])).toEqual({
        ...{ type: 'failed', reason: 'no listener' },
      });
      expect(judged(proof, running, two)).toEqual({
        type: 'finished',
        by: 'The record shows a failure: no listener. It showed another one before: disk full. I cannot tell which of them belongs to this job.',
      });
      expect(judged(proof, first, [shows(first, 1_000), shows(next, 75_000), shows(next, late)]).type).toBe('failed');
      // The work that is begun next may take the first one away before the other one comes.
      const apart = [shows(first, 62_000), shows(running, 64_000), shows(next, 75_000), shows(next, late)];
      expect(judged(proof, running, apart)).toEqual(judged(proof, running, two));
      // A list may leave out what the record itself shows.
      const back = [shows(first, 62_000), shows(running, 64_000), shows(first, 75_000), shows(first, late)];
      expect(judged(proof, running, back)).toEqual({ type: 'failed', reason: 'disk full' });
    });
  });

  test('a database that came back to the paused state that it had is not confirmed as enabled', () => {
    const paused = { name: 'qa', state: 'PAUSED' };
    const looks = [busy('UPDATING'), shows(paused, 2_000), shows(paused, late)];
    expect(judged(reaches(['ok', 'stopped']), paused, looks)).toEqual({
      type: 'finished',
      by: 'It was UPDATING and is PAUSED again. The records do not say whether it worked.',
    });
    expect(judged(reaches(['ok', 'stopped']), { ...paused, state: 'DISABLED' }, looks)).toMatchObject({
      type: 'proved',
    });
    const step = { ...paused, jobStatus: 'WARNING' };
    const goesOn = [busy('UPDATING'), shows(step, 2_000), shows(step, late)];
    expect(judged(reaches(['ok', 'stopped']), paused, goesOn)).toEqual({ type: 'waiting' });
  });

  test('a job is not finished at its deadline while the record stands in an unknown state from before the call', () => {
    const held = { name: 'qa', state: 'P' };
    const now = { ...held, error: 'disk full' };
    const looks = (learned: StateMeaning) => [shows(now, 70_000, learned), shows(now, late, learned)];
    const told = (learned: StateMeaning) =>
      judged(changes('short', ofWork), held, looks(learned), { isShared: true, learned, isOurs: false });
    expect(told('doubtful')).toMatchObject({ type: 'waiting', goesOn: true });
    expect(told('usual')).not.toHaveProperty('goesOn');
  });

  test('a database that left one word for disabled for another one counts as enabled once that word stands', () => {
    const [held, down] = ['SUSPENDED', 'INACTIVE'].map(state => ({ name: 'qa', state }));
    const told = (...after: Shown[]) => judged(reaches(['ok', 'stopped']), held, after, { work: works.enable });
    const by = 'Its state is INACTIVE; it was SUSPENDED.';
    expect(told(busy('UPDATING'), shows({ ...down }, 2_000), shows({ ...down }, late))).toEqual({ type: 'proved', by });
    // It may be a step: the word has to stand.
    expect(told(busy('UPDATING'), shows({ ...down }, 2_000))).toEqual({ type: 'waiting' });
    const back = [busy('UPDATING'), shows({ ...held }, 2_000), shows({ ...held }, late)];
    expect(told(...back)).not.toMatchObject({ type: 'proved' });
    // Nor does its own report of the work leave that open.
    expect(told(shows({ ...down, ...lastJob('SUCCEEDED') }, 2_000))).toMatchObject({ type: 'proved' });
    const disable = judged(reaches(['disabled']), running, [shows({ ...running, state: 'ONLINE' })]);
    expect(disable).toEqual({ type: 'waiting', contradiction: 'Its state is ONLINE; it was RUNNING.' });
  });

  test('a database that came back counts as not disabled only where records were seen to show “disabled”', () => {
    const looks = [
      busy('WORKING'),
      shows({ ...running, state: 'ONLINE' }, late),
      shows({ ...running, state: 'ONLINE' }, 2 * late),
    ];
    const told = (classes: Parameters<typeof reaches>[0], showsWanted: boolean, work: Work) =>
      judged(reaches(classes), { ...running, state: 'ONLINE' }, looks, { work, showsWanted }).type;
    expect(told(['disabled'], true, works.disable)).toBe('failed');
    expect(told(['disabled'], false, works.disable)).toBe('finished');
    expect(told(['stopped', 'disabled'], false, works.stop)).toBe('failed');
  });

  test('a record that rests in a word for stopped after it was to be disabled is not told as failed', () => {
    const looks = [busy('WORKING'), shows({ ...running, state: 'PAUSED_BY_ADMIN' }, late)];
    const rested = [...looks, shows({ ...running, state: 'PAUSED_BY_ADMIN' }, 2 * late)];
    expect(judged(reaches(['disabled']), running, rested, { work: works.disable }).type).toBe('finished');
    // A service that shows no word of its own for what is disabled says it so.
    const here: Case = { work: works.disable, showsWanted: false };
    expect(judged(reaches(['disabled']), running, rested, here)).toEqual({
      type: 'proved',
      by: 'Its state is PAUSED_BY_ADMIN; it was RUNNING.',
    });
    const back = [busy('WORKING'), shows(stopped, late), shows(stopped, 2 * late)];
    expect(judged(reaches(['disabled']), stopped, back, { work: works.disable })).toMatchObject({ type: 'failed' });
  });

  test('the job’s own report of success confirms it, though other work goes on or the state has another name', () => {
    const done = (type: string) => ({ lastJob: { id: 7, type, status: 'SUCCEEDED' } });
    const besides = [shows({ ...running, state: 'BACKING_UP', ...done('ENABLE') }, 1_000, 'passing')];
    expect(judged(reaches(['ok', 'stopped']), stopped, besides, { work: works.enable })).toMatchObject({
      type: 'proved',
    });
    const paused = [shows({ ...running, state: 'PAUSED', ...done('DISABLE') })];
    expect(judged(reaches(['disabled']), running, paused, { work: works.disable })).toMatchObject({ type: 'proved' });
    const bare = [shows({ ...running, state: 'BACKING_UP', jobStatus: 'SUCCEEDED' }, 1_000, 'passing')];
    expect(judged(reaches(['ok', 'stopped']), stopped, bare, { work: works.enable })).toEqual({ type: 'waiting' });
  });

  test('a new snapshot that names somebody else neither confirms nor fails a backup', () => {
    const says = 'There is a new snapshot, MYSQL_SNAPSHOT-9, which names operator: I cannot tell whose it is.';
    const proof = changes('short', { by: 'work', makes: 'snapshot' });
    const snapshots = ['MYSQL_SNAPSHOT-9'];
    const here: Case = { work: works.backup, ofOther: says };
    const rest = (at: number) =>
      shows({ ...running, snapshots, lastBackupAt: new Date(sentAt + 500).toISOString() }, at);
    const before = { ...running, snapshots: ['MYSQL_SNAPSHOT-1'] };
    expect(judged(proof, before, [rest(1_000), rest(late)], here)).toEqual({ type: 'waiting', atLast: says });
    expect(judged(proof, before, [busy('BACKING_UP'), rest(2_000), rest(late)], here)).toEqual({
      type: 'finished',
      by: expect.stringContaining(says),
    });
  });

  test('the reason of an ended job mentions an error that was there and is gone again', () => {
    const broken = shows({ ...running, error: 'disk full' }, 3_000);
    const looks = [busy('DISABLING'), broken, shows(running, 13_000), shows(running, 70_000)];
    expect(judged(reaches(['disabled']), running, looks, { work: works.disable, showsWanted: false })).toEqual({
      type: 'finished',
      by: `It was DISABLING and is RUNNING again. ${untold} It showed a failure in the meantime: disk full. I cannot tell whose it is.`,
    });
  });

  test('a refresh whose new time a colleague’s work explains is finished, and not told as without a new time', () => {
    const [was, now] = [sentAt - 60_000, sentAt + 500].map(time => ({ refreshedAt: new Date(time).toISOString() }));
    const looks = [busy('REFRESHING'), shows({ ...running, ...now }, 2_000), shows({ ...running, ...now }, late)];
    const ofOther = 'The record reported work by cem that may explain it.';
    const proof = changes('short', { by: 'work' });
    expect(judged(proof, { ...running, ...was }, looks, { work: works.refresh, ofOther })).toEqual({
      type: 'finished',
      by: ofOther,
    });
  });

  test('an entry of a log confirms the job, and is quoted', () => {
    const events = [{ time: '2026-11-01T10:00:00Z', text: 'RESTORE finished successfully' }];
    expect(judged(changes('short', ofWork), running, [shows({ ...running, events })])).toEqual({
      type: 'proved',
      by: "The record's own report says RESTORE finished successfully.",
    });
  });

  describe('that must be gone', () => {
    const proof = gone();
    const here: Case = { work: works.delete };
    const contradiction = "qa is still in the service's records.";
    test('the absence of its record confirms a deletion', () => {
      expect(judged(proof, running, [undefined], here)).toEqual({
        type: 'proved',
        by: "qa is gone from the service's records.",
      });
    });
    test.each([
      ['its error', failed, 'disk full'],
      ['its state', { state: 'DELETE_FAILED' }, 'Its state is DELETE_FAILED.'],
      ['a new error beside a good state', { ...running, error: 'cannot delete' }, 'cannot delete'],
      ['a report of its own', { ...running, ...lastJob('FAILED', { error: 'in use' }) }, 'in use'],
    ])('a record that is to be deleted fails the job with %s', (_, fields, reason) => {
      expect(judged(proof, running, [shows(fields)], here)).toEqual({ type: 'failed', reason });
    });
    test.each([
      running,
      { name: 'qa', state: 'DELETING' },
      { name: 'qa' },
      { ...running, ...lastJob('RUNNING', { error: 'retried' }) },
    ])('a deletion is not confirmed while its record stands there: %j', fields => {
      expect(judged(proof, running, [shows(fields, late)], here)).toEqual({ type: 'waiting', contradiction });
    });
    test('a deletion fails twenty seconds after its record was busy and came back', () => {
      const back = (at: number) =>
        judged(proof, running, [busy('DELETING'), shows(running, 2_000), shows(running, at)], here);
      const reason = `It was DELETING and is RUNNING again. ${contradiction}`;
      expect(back(21_999)).toEqual({ type: 'waiting', contradiction: reason });
      expect(back(22_000)).toEqual({ type: 'failed', reason });
    });
    test('a deletion does not fail by a list alone, which may be late in leaving out the record', () => {
      const looks = [busy('DELETING'), shows(running, 2_000), shows(running, late)];
      expect(judged(proof, running, looks, { ...here, isDenied: true })).toMatchObject({ type: 'waiting' });
    });
    test('an old failure of the record fails a deletion only after the record was at work and came back', () => {
      expect(judged(proof, failed, [shows(failed)]).type).toBe('waiting');
      const looks = [shows({ ...failed, state: 'DELETING' }, 1_000, 'passing'), shows(failed, 2_000)];
      expect(judged(proof, failed, looks).type).toBe('failed');
      expect(judged(proof, { ...running, error: 'old' }, [shows({ ...running, error: 'old' })]).type).toBe('waiting');
    });
    test('the absence of a record that was not seen before proves nothing', () => {
      expect(judged(proof, undefined, [undefined])).toEqual({ type: 'waiting' });
      expect(judged(reaches(['ok']), undefined, [undefined])).toEqual({ type: 'waiting' });
    });
  });

  test('a job in doubt is not confirmed by a new time while its record is at work', () => {
    const at = (time: number) => ({ restoredAt: new Date(time).toISOString() });
    const updating = { name: 'qa', state: 'UPDATING', ...at(sentAt - 60_000) };
    const later = { ...updating, ...at(sentAt + 50_000) };
    const looks = [shows(updating, 1_000, 'passing'), shows(later, 60_000, 'passing')];
    const proof = changes('short', ofWork);
    expect(judged(proof, updating, looks, { isOurs: false }).type).toBe('proved');
    expect(judged(proof, updating, looks, { isOurs: false, inDoubt: true })).toEqual({ type: 'waiting' });
    const over = [...looks, shows({ ...later, state: 'RUNNING' }, 90_000)];
    expect(judged(proof, updating, over, { isOurs: false, inDoubt: true }).type).toBe('proved');
  });

  test('a job in doubt is only finished where its sign came more than a minute after the sending', () => {
    const at = (time: number) => ({ ...running, restoredAt: new Date(time).toISOString() });
    const told = (after: number, here: Case) => {
      const looks = [shows(at(sentAt + after), after), shows(at(sentAt + after), after + 20_000)];
      return judged(changes('short', ofWork), at(sentAt - 60_000), looks, here);
    };
    expect(told(60_000, { inDoubt: true }).type).toBe('proved');
    expect(told(61_000, {}).type).toBe('proved');
    const inZone = (after: number) => {
      const shown = new Date(sentAt + after - 5 * 3_600_000).toISOString().slice(0, 19).replace('T', ' ');
      const looks = [after, after + 20_000].map(time => shows({ ...running, restoredAt: shown }, time));
      return judged(changes('short', ofWork), at(sentAt - 9 * 3_600_000), looks, { inDoubt: true });
    };
    expect([inZone(59_000).type, inZone(90_000)]).toEqual([
      'proved',
      expect.objectContaining({
        type: 'finished',
        by: expect.stringContaining('restoredAt: 2026-11-21 04:01:30. That'),
      }),
    ]);
    expect(told(61_000, { inDoubt: true })).toEqual({
      type: 'finished',
      by: 'Its record shows a new time, restoredAt: 2026-11-21T09:01:01.000Z. That is well after my request, which got no answer. I cannot tell whose work it was.',
    });
  });

  describe('that must reach a state', () => {
    const proof = reaches(['stopped', 'disabled']);
    const here: Case = { work: works.stop };
    const start = reaches(['ok']);
    test('a database that was at other work before is confirmed as enabled when running, and only finished when paused', () => {
      const [paused, running] = [
        { name: 'qa', state: 'PAUSED' },
        { name: 'qa', state: 'RUNNING' },
      ];
      const told = (fields: object, at: number) =>
        judged(reaches(['ok', 'stopped']), { name: 'qa', state: 'UPDATING' }, [shows(fields), shows(fields, at)], {
          work: works.enable,
        });
      expect([told(paused, 20_000).type, told(running, 20_000).type]).toEqual(['waiting', 'proved']);
      expect(told(paused, 21_000)).toEqual({
        type: 'finished',
        by: `Its state is PAUSED; it was UPDATING. ${untold}`,
      });
    });
    test('an enabling that ends in a word which was not there before is finished, and not failed', () => {
      const held = { name: 'qa', state: 'SUSPENDED' };
      const looks = [busy('SUSPENDED, operation running'), shows({ name: 'qa', state: 'INACTIVE' }, 70_000)];
      const after = [...looks, shows({ name: 'qa', state: 'INACTIVE' }, 90_000)];
      expect(judged(start, held, after, { work: works.enable })).toEqual({
        type: 'finished',
        by: `It was SUSPENDED, operation running and is INACTIVE. ${untold}`,
      });
    });
    test.each([
      ['another state than before', running, [shows(stopped)], 'Its state is STOPPED; it was RUNNING.'],
      [
        'a state that nobody knew before, after ten seconds',
        undefined,
        [shows(stopped, 10_000)],
        'Its state is STOPPED.',
      ],
      ['the same state, once it was busy', stopped, [busy('STOPPING'), shows(stopped)], 'Its state is STOPPED.'],
      [
        'a state of another meaning of the two',
        running,
        [shows({ state: 'DISABLED' })],
        'Its state is DISABLED; it was RUNNING.',
      ],
      [
        'a state that was not seen before, after ten seconds, and says so',
        running,
        [shows(stopped, 1_000, 'unseen'), shows(stopped, 11_000, 'unseen')],
        `Its state is STOPPED, ${newWord}; it was RUNNING.`,
      ],
      [
        'an unknown word in which others rest',
        running,
        [shows({ state: 'BLUE' }, 1_000, 'resting')],
        'Its state is BLUE; it was RUNNING.',
      ],
      [
        'a report of its own, in the state that was asked for',
        running,
        [shows({ ...stopped, ...lastJob('SUCCEEDED') })],
        "Its state is STOPPED; it was RUNNING. The record's own report of JOB says SUCCEEDED.",
      ],
      [
        'a report of its own, in a state that nobody knows',
        running,
        [shows({ state: 'BLUE', ...lastJob('DONE') }, 1_000, 'unseen')],
        "Its state is BLUE; it was RUNNING. The record's own report of JOB says DONE.",
      ],
      [
        'a report of its own, without a state',
        { name: 'qa' },
        [shows({ name: 'qa', ...lastJob('DONE') })],
        "The record's own report of JOB says DONE.",
      ],
    ])('A request to stop a clone is confirmed by %s', (_, before, looks, by) => {
      expect(judged(proof, before, looks, here)).toEqual({ type: 'proved', by });
    });
    test.each([
      ['in a word that most rest in', 'OPEN', 'usual', 1_000, 'Its state is OPEN; it was STOPPED.'],
      ['in a word that some rest in', 'OPEN', 'resting', 1_000, 'Its state is OPEN; it was STOPPED.'],
      ['in an unknown word that most rest in', 'BLUE', 'usual', 1_000, 'Its state is BLUE; it was STOPPED.'],
      [
        'in a new word after twenty seconds',
        'OPEN',
        'unseen',
        21_000,
        `Its state is OPEN, ${newWord}; it was STOPPED.`,
      ],
    ] as const)('a database counts as started %s', (_, state, meaning, at, by) => {
      const looks = [shows({ state }, 1_000, meaning), shows({ state }, at, meaning)];
      expect(judged(start, stopped, looks, { work: works.start })).toEqual({ type: 'proved', by });
    });
    test('a request to stop a clone is not confirmed by an unknown state to which it came from other work', () => {
      const looks = [shows({ state: 'BLUE' }, 1_000, 'usual'), shows({ state: 'BLUE' }, late, 'usual')];
      expect(judged(proof, { name: 'qa', state: 'WIBBLE' }, looks, here)).toEqual({
        type: 'waiting',
        atLast: `Its state is BLUE; it was WIBBLE. ${untold}`,
      });
    });
    test('a start is not confirmed by a word that passes or in which few or no other records rest', () => {
      const told = (state: string, meaning: StateMeaning, at = late) =>
        judged(start, stopped, [shows({ state }, 1_000, meaning), shows({ state }, at, meaning)], {
          work: works.start,
        });
      expect(told('OPEN', 'doubtful')).toEqual({ type: 'waiting' });
      expect(told('OPEN', 'passing')).toEqual({ type: 'waiting' });
      expect(told('OPEN', 'unseen', 20_000)).toEqual({ type: 'waiting' });
      expect(told('BLUE', 'resting')).toEqual({
        type: 'waiting',
        atLast: `Its state is BLUE; it was STOPPED. ${untold}`,
      });
      expect(told('BLUE', 'unseen', 300_999)).toMatchObject({ type: 'waiting' });
      expect(told('BLUE', 'unseen', 301_000)).toEqual({
        type: 'finished',
        by: `Its state is BLUE, ${newWord}; it was STOPPED. ${untold}`,
      });
      // Nobody knows that its work is over.
      expect(told('BLUE', 'doubtful')).toEqual({
        ...{ type: 'waiting', goesOn: true },
        atLast: `Its state is BLUE, ${newWord}; it was STOPPED. ${untold}`,
      });
    });
    test('a request to stop a clone that got no answer is not confirmed by an unknown state of others', () => {
      const looks = [shows({ state: 'BLUE' }, 1_000, 'resting'), shows({ state: 'BLUE' }, late, 'resting')];
      expect(judged(proof, running, looks, { ...here, inDoubt: true })).toMatchObject({ type: 'waiting' });
    });
    test.each([
      ['a failed state', running, [shows(failed)], 'disk full'],
      ['a failed state without a text', running, [shows({ state: 'FAILED' })], 'Its state is FAILED.'],
      [
        'the old failure, once it was busy',
        failed,
        [shows({ state: 'STOPPING' }, 1_000, 'passing'), shows(failed)],
        'disk full',
      ],
      ['another error than the old one', { ...failed, error: 'old' }, [shows(failed)], 'disk full'],
      [
        'a new error beside a good state, after a minute, which may be that of a colleague’s work before',
        running,
        [shows({ ...running, error: 'no' }), shows({ ...running, error: 'no' }, 60_000)],
        'no',
      ],
      [
        'a new error that speaks of its work, after ten seconds',
        running,
        [shows({ ...running, error: 'stop refused' }), shows({ ...running, error: 'stop refused' }, 11_000)],
        'stop refused',
      ],
      [
        'an error where there is no state, after a minute',
        { name: 'qa' },
        [shows({ name: 'qa', error: 'no' }), shows({ name: 'qa', error: 'no' }, 60_000)],
        'no',
      ],
      [
        'a report of its own',
        running,
        [shows({ ...stopped, ...lastJob('FAILED', { error: 'disk full' }) })],
        'disk full',
      ],
      ['its absence', running, [undefined], 'The record of qa is gone.'],
      [
        'its coming back, after twenty seconds',
        running,
        [busy('STOPPING'), shows(running, 2_000), shows(running, 22_000)],
        'It was STOPPING and is RUNNING again.',
      ],
    ])('A request to stop a clone fails by %s', (_, before, looks, reason) => {
      expect(judged(proof, before, looks, here)).toEqual({ type: 'failed', reason });
    });
    test.each([
      ['in its old state', running, [shows(running)], 'Its state is still RUNNING.'],
      [
        'in an unknown state that is as old',
        { state: 'BLUE' },
        [shows({ state: 'BLUE' }), shows({ state: 'BLUE' }, 500_000)],
        'Its state is still BLUE.',
      ],
      ['in an old failure', failed, [shows(failed)], 'Its state is still FAILED.'],
      [
        'back in its old state, for twenty seconds',
        running,
        [busy('STOPPING'), shows(running, 2_000), shows(running, 21_999)],
        'It was STOPPING and is RUNNING again.',
      ],
    ])('A request to stop a clone is not confirmed while its record stands %s', (_, before, looks, contradiction) => {
      expect(judged(proof, before, looks, here)).toEqual({ type: 'waiting', contradiction });
    });
    test.each([
      ['while it is busy, however long', running, [busy('STOPPING', late)]],
      ['while its own report says that it goes on', running, [shows({ ...stopped, ...lastJob('RUNNING') }, late)]],
      ['where no state is shown', { name: 'qa' }, [shows({ name: 'qa' }, late)]],
      ['in a passing word that sounds like the wanted state', running, [shows(stopped, late, 'passing')]],
    ])('a request to stop a clone is waited for %s', (_, before, looks) => {
      expect(judged(proof, before, looks, here)).toEqual({ type: 'waiting' });
    });
  });

  describe('that must change', () => {
    const proof = changes('short', ofWork);
    const at = (time: string) => ({ ...running, restoredAt: time });
    const newTime = 'Its record shows a new time, restoredAt: 2026-11-21T09:00:05.000Z.';
    test.each([
      ['a later time', at('2026-11-21T09:00:00Z'), [shows(at('2026-11-21T09:00:05Z'))], newTime],
      [
        'the time of this work beside one of any change',
        running,
        [shows({ updatedAt: '2026-11-21T09:00:06Z', ...at('2026-11-21T09:00:05Z') })],
        newTime,
      ],
      ['a time where there was none', running, [shows(at('2026-11-21T09:00:05Z'))], newTime],
    ])('a request to restore is confirmed by %s', (_, before, looks, by) => {
      expect(judged(proof, before, looks)).toEqual({
        type: 'proved',
        by,
        sign: expect.stringMatching(/^restoredAt \d+$/),
      });
    });
    test('a log backup is confirmed by a new time of log backups, and not by a new time of backups', () => {
      const [then, now] = ['2026-11-21T08:00:00Z', '2026-11-21T09:00:05Z'];
      const logs = changes('short', { by: 'work' });
      const old = { ...running, lastBackupAt: then, snapshots: ['MYSQL_SNAPSHOT-1'] };
      const moved = { ...old, lastBackupAt: now };
      const vague = expect.stringContaining('may belong to a backup');
      expect(judged(logs, old, [shows(moved)], { work: works.logs })).toEqual({ type: 'waiting', atLast: vague });
      // Else nobody knows whether it was a backup.
      const before = { ...running, lastBackupAt: then, lastLogBackupAt: then };
      const other = shows({ ...before, lastBackupAt: now });
      expect(judged(logs, before, [other], { work: works.logs }).type).toBe('waiting');
      const own = shows({ ...before, lastLogBackupAt: now });
      expect(judged(logs, before, [own], { work: works.logs })).toMatchObject({ by: expect.stringContaining('Log') });
    });
    test('a restore is confirmed by a higher count of restores, and by its own report', () => {
      expect(judged(proof, { ...running, restoreCount: 3 }, [shows({ ...running, restoreCount: 4 })])).toEqual({
        type: 'proved',
        by: 'Its record shows a higher count: restoreCount was 3 and is now 4.',
        sign: 'restoreCount 4',
      });
      expect(judged(proof, running, [shows({ ...running, ...lastJob('OK') })])).toEqual({
        type: 'proved',
        by: "The record's own report of JOB says OK.",
      });
    });
    test('a restore whose record was busy and came back is finished, and never confirmed', () => {
      const told = `It was RESTORING and is RUNNING again. ${untold}`;
      const looks = (last: number) => [busy('RESTORING'), shows(running, 2_000), shows(running, last)];
      expect(judged(proof, running, looks(12_000))).toEqual({ type: 'finished', by: told });
      expect(judged(proof, running, looks(late))).toEqual({ type: 'finished', by: told });
    });
    test('a new time confirms a restore though the record is again at the work that it did before', () => {
      const before = { ...at('2026-11-20T09:00:00Z'), state: 'BACKING_UP' };
      const moved = { ...at('2026-11-21T09:00:05Z'), state: 'BACKING_UP' };
      expect(judged(proof, before, [busy('RESTORING'), shows(moved, 2_000, 'passing')]).type).toBe('proved');
      expect(judged(proof, before, [busy('RESTORING'), shows(before, late, 'passing')]).type).toBe('waiting');
      const restoring = { ...moved, state: 'RESTORING' };
      expect(judged(proof, running, [shows(restoring, 2_000, 'passing')]).type).toBe('waiting');
    });
    test('a restore fails where its record came back and the time of restores did not move', () => {
      const told = 'It was RESTORING and is RUNNING again. It shows no new restoredAt.';
      const old = at('2026-11-20T09:00:00Z');
      const looks = (last: number) => [busy('RESTORING'), shows(old, 2_000), shows(old, last)];
      expect(judged(proof, old, looks(21_999))).toEqual({ type: 'waiting', contradiction: told });
      expect(judged(proof, old, looks(22_000))).toEqual({ type: 'failed', reason: told });
    });
    test('a restore waits a minute after a busy word that names no work, since it may wait for its turn', () => {
      const looks = (last: number) => [busy('UPDATING'), shows(running, 2_000), shows(running, last)];
      expect(judged(proof, running, looks(59_999)).type).toBe('waiting');
      expect(judged(proof, running, looks(60_000)).type).toBe('finished');
    });
    test('a restore is not finished while a word stands beside the state where none stood before', () => {
      const beside = (jobStatus: string, time: number) => shows({ ...running, jobStatus }, time);
      const step = { ...busy('RESTORING'), fields: { ...running, state: 'RESTORING', jobStatus: 'STARTED' } };
      const looks = [step, beside('OPEN', 2_000), beside('OPEN', late)];
      expect(judged(proof, running, looks)).toEqual({ type: 'waiting' });
      expect(judged(proof, { ...running, jobStatus: 'OPEN' }, looks).type).toBe('finished');
    });
    test('a restore is finished where the state of its record is no longer shown after it was busy', () => {
      const looks = [
        busy('RESTORING'),
        shows({ name: 'qa' }, 2_000, 'unseen'),
        shows({ name: 'qa' }, 12_000, 'unseen'),
      ];
      expect(judged(proof, { name: 'qa' }, looks)).toEqual({
        type: 'finished',
        by: `It was RESTORING, and no longer is. ${untold}`,
      });
    });
    test.each([
      ['a failed state', running, [shows(failed)], 'disk full'],
      ['a new failure of what had failed', failed, [busy('RESTORING'), shows(failed)], 'disk full'],
      ['its absence', running, [undefined], 'The record of qa is gone.'],
      [
        'a report of its own',
        running,
        [shows({ ...running, ...lastJob('FAILED', { error: 'no space' }) })],
        'no space',
      ],
      [
        'a new error, after it was at work and ten seconds',
        running,
        [busy('RESTORING'), shows({ ...running, error: 'no' }), shows({ ...running, error: 'no' }, 11_000)],
        'no',
      ],
    ])('A request to restore fails by %s', (_, before, looks, reason) => {
      expect(judged(proof, before, looks)).toEqual({ type: 'failed', reason });
    });
    test.each([
      ['unchanged', running, [shows(running, late)]],
      ['as good as nothing was known before', undefined, [shows(at('2026-11-21T09:00:05Z'))]],
      ['busy', running, [busy('RESTORING', late)]],
      ['busy by its own report', running, [shows({ ...running, ...lastJob('RUNNING') }, late)]],
      ['with an earlier time', at('2026-11-21T09:00:00Z'), [shows(at('2026-11-20T09:00:00Z'))]],
      ['with a mere sign of life', running, [shows({ ...running, lastSeen: '2026-11-21T09:00:05Z' })]],
      ['with a time of any change', running, [shows({ ...running, updatedAt: '2026-11-21T09:00:05Z' })]],
      ['with a time of other work', running, [shows({ ...running, backedUpAt: '2026-11-21T09:00:05Z' })]],
      ['with a time of its beginning', running, [shows({ ...running, restoreStartedAt: '2026-11-21T09:00:05Z' })]],
      ['with a counter of other work', { ...running, backupCount: 3 }, [shows({ ...running, backupCount: 4 })]],
      [
        'in a word where it may still be at work',
        running,
        [busy('RESTORING'), shows({ state: 'BLUE' }, late, 'doubtful')],
      ],
    ])('A request to restore is waited for while its record is %s', (_, before, looks) => {
      expect(judged(proof, before, looks)).toEqual({ type: 'waiting' });
    });
  });

  describe('that must change under keys of its own', () => {
    const proof = changes('short', { by: ['verifiedAt', 'check.passes'] });
    const verified = (time: string, more: object = {}) => ({ ...running, verifiedAt: time, ...more });
    const before = verified('2026-11-21T09:00:00Z', { check: { passes: 3 } });
    test('an operation that names its own keys is confirmed by a later time there, whatever the key is called', () => {
      expect(judged(proof, before, [shows(verified('2026-11-21T09:00:05Z'))])).toEqual({
        type: 'proved',
        by: 'Its record shows a new time, verifiedAt: 2026-11-21T09:00:05.000Z.',
        sign: expect.stringMatching(/^verifiedAt \d+$/),
      });
    });
    test('an operation that names its own keys is confirmed by a first time there, and by a higher count', () => {
      expect(judged(proof, running, [shows(verified('2026-11-21T09:00:05Z'))]).type).toBe('proved');
      expect(judged(proof, before, [shows({ ...before, check: { passes: 4 } })])).toMatchObject({
        type: 'proved',
        by: 'Its record shows a higher count: check.passes was 3 and is now 4.',
      });
    });
    test('an operation that names its own keys is not confirmed by old values or by any other key', () => {
      expect(judged(proof, before, [shows(before, late)])).toEqual({ type: 'waiting' });
      expect(judged(proof, before, [shows({ ...before, restoredAt: '2026-11-21T09:00:05Z' }, late)])).toEqual({
        type: 'waiting',
      });
    });
    test('an operation that names its own keys is not finished by a record that was busy and came back', () => {
      const looks = [busy('VERIFYING'), shows(running, 2_000), shows(running, late)];
      expect(judged(proof, running, looks)).toEqual({ type: 'waiting' });
    });
  });

  describe('that must show a new snapshot', () => {
    const proof = changes('long', { ...ofWork, makes: 'snapshot' });
    const here: Case = { work: works.backup };
    const snapshots = [{ id: 'MYSQL_SNAPSHOT-1' }];
    const kept = { ...running, snapshots };
    test.each(['snapshots', 'recovery_points', 'snapshotList'])(
      'a request for a backup is confirmed by a higher count of %s',
      key => {
        const looks = [shows({ ...running, [key]: 4 })];
        expect(judged(proof, { ...running, [key]: 3 }, looks, here)).toMatchObject({ type: 'proved' });
      },
    );
    test('a backup without a new snapshot fails twenty seconds after the record was busy and came back', () => {
      const contradiction = 'It was BACKING_UP and is RUNNING again. It shows no new snapshot.';
      const looks = (at: number) => [
        shows({ ...kept, state: 'BACKING_UP' }, 1_000, 'passing'),
        shows(kept, 2_000),
        shows(kept, at),
      ];
      expect(judged(proof, kept, looks(21_999), here)).toEqual({ type: 'waiting', contradiction });
      expect(judged(proof, kept, looks(22_000), here)).toEqual({ type: 'failed', reason: contradiction });
      expect(judged(proof, kept, [shows(kept, late)], here)).toEqual({ type: 'waiting' });
    });
    test('a backup is finished where its record was busy and shows no snapshots at all', () => {
      const looks = [busy('BACKING_UP'), shows(running, 2_000), shows(running, 12_000)];
      expect(judged(proof, running, looks, here).type).toBe('finished');
      expect(judged(proof, running, [shows(running, late)], here)).toEqual({ type: 'waiting' });
    });
    test('a backup fails by a failed state of its record', () => {
      expect(judged(proof, kept, [shows({ ...kept, ...failed })], here)).toEqual({
        type: 'failed',
        reason: 'disk full',
      });
    });
  });

  describe('that must be physical', () => {
    const proof = converts();
    const here: Case = { work: works.convert };
    const virtually = { ...running, cloneType: 'VIRTUALCLONE' };
    const physically = { ...running, cloneType: 'PHYSICAL' };
    const contradiction = 'Its record still says that it is virtual.';
    test('a conversion is confirmed by a physical record, or by its own report where no type is shown', () => {
      expect(judged(proof, virtually, [shows(physically)], here)).toEqual({
        type: 'proved',
        by: 'Its record says that it is physical.',
        sign: 'physical',
      });
      expect(judged(proof, running, [shows({ ...running, ...lastJob('COMPLETED') })], here)).toEqual({
        type: 'proved',
        by: "The record's own report of JOB says COMPLETED.",
      });
    });
    test('a conversion is confirmed though somebody else’s earlier work goes on in the record', () => {
      const [was, now] = [virtually, physically].map(fields => ({ ...fields, state: 'UPDATING' }));
      expect(judged(proof, was, [shows(now ?? {}, 1_000, 'passing')], here)).toMatchObject({ type: 'proved' });
    });
    test('a conversion waits a minute where the busy word that was left may be of a clone of the record', () => {
      const looks = (last: number) => [busy('CREATING'), shows(virtually, 9_000), shows(virtually, last)];
      expect(judged(proof, virtually, looks(59_999), here).type).toBe('waiting');
      expect(judged(proof, virtually, looks(60_000), here).type).toBe('failed');
    });
    test('a conversion is finished where its record was busy and shows no type', () => {
      const looks = [busy('CONVERTING'), shows(running, 2_000), shows(running, 12_000)];
      expect(judged(proof, running, looks, here)).toEqual({
        type: 'finished',
        by: 'It was CONVERTING and is RUNNING again. Its record does not say whether it is physical.',
      });
    });
    test('a conversion fails by a failed state, and twenty seconds after the record came back virtual', () => {
      expect(judged(proof, virtually, [shows({ ...virtually, ...failed })], here)).toEqual({
        type: 'failed',
        reason: 'disk full',
      });
      const looks = (at: number) => [
        shows({ ...virtually, state: 'CONVERTING' }, 1_000, 'passing'),
        shows(virtually, 2_000),
        shows(virtually, at),
      ];
      const back = `It was CONVERTING and is RUNNING again. ${contradiction}`;
      expect(judged(proof, virtually, looks(21_999), here)).toEqual({ type: 'waiting', contradiction: back });
      expect(judged(proof, virtually, looks(22_000), here)).toEqual({ type: 'failed', reason: back });
    });
    test('a record that says that it is virtual contradicts a conversion, whatever its report says', () => {
      expect(judged(proof, virtually, [shows(virtually, late)], here)).toEqual({ type: 'waiting', contradiction });
      const done = { ...virtually, ...lastJob('DONE') };
      expect(judged(proof, virtually, [shows(done), shows(done, late)], here)).toEqual({
        type: 'waiting',
        contradiction,
      });
    });
    test.each([
      ['busy', virtually, [shows({ ...virtually, state: 'CONVERTING' }, late, 'passing')]],
      ['as it was, without a type', running, [shows(running)]],
      ['as physical as before', physically, [shows(physically)]],
    ])('a request to convert a clone is waited for while its record is %s', (_, before, looks) => {
      expect(judged(proof, before, looks, here)).toEqual({ type: 'waiting' });
    });
  });

  describe('whose call may not have arrived', () => {
    const doubtful: Case = { inDoubt: true, isOurs: false };
    test('a job in doubt does not fail by a failed state or a new error, which may be of other work', () => {
      const error = { ...running, error: 'no' };
      for (const proof of [reaches(['stopped']), changes('short', ofWork), converts(), gone()])
        for (const looks of [[shows(failed)], [shows(failed), shows(failed, late)], [shows(error), shows(error, late)]])
          expect(judged(proof, running, looks, doubtful).type).toBe('waiting');
    });
    test('a job in doubt ends with a report of its own', () => {
      const shown = { ...running, ...lastJob('FAILED', { error: 'no space' }) };
      expect(judged(changes('short', ofWork), running, [shows(shown)], doubtful)).toEqual({
        type: 'failed',
        reason: 'no space',
      });
      expect(
        judged(changes('short', ofWork), running, [shows({ ...running, ...lastJob('DONE') })], doubtful).type,
      ).toBe('proved');
    });
    test('a job in doubt is not ended by any state word that does not name its own work', () => {
      const word = fc.constantFrom('RUNNING', 'BLUE', 'SYNCING', 'FAILED', '1', 'READY', 'UPDATING');
      const look = fc.tuple(word, fc.constantFrom(...meanings), fc.nat(late));
      const proof = fc.constantFrom(
        changes('short', ofWork),
        changes('long', { ...ofWork, makes: 'snapshot' }),
        converts(),
      );
      fc.assert(
        fc.property(proof, fc.array(look, { minLength: 1, maxLength: 5 }), (waited, looks) => {
          const ordered = looks.toSorted((a, b) => a[2] - b[2]);
          const shown = ordered.map(([state, meaning, at]) => shows({ name: 'qa', state }, at, meaning));
          expect(judged(waited, running, shown, doubtful).type).toBe('waiting');
        }),
      );
    });
  });
});

test('the job’s own failed report fails it whatever else is shown, and every good end has a sentence', () => {
  const look = (fields: object, meaning: StateMeaning, at: number): Sighting => {
    const record = recordOf(id, fields);
    const seen = { ...evidenceOf(record, undefined, sentAt + at), since: sentAt };
    return {
      work: works.restore,
      seen,
      record,
      before: undefined,
      showsWanted: true,
      showsWork: true,
      ahead: 0,
      meaning,
      learned: meaning,
      report: reportIn(fields),
      inDoubt: false,
      isShared: false,
      sentAt,
    };
  };
  const proof = changes('short', ofWork);
  const state = fc.constantFrom('RUNNING', 'STOPPED', 'BLUE', 'FAILED', 'RESTORING');
  const job = fc.constantFrom('RUNNING', 'FAILED', 'DONE', 'PURPLE');
  fc.assert(
    fc.property(state, job, fc.constantFrom(...meanings), fc.nat(400_000), (word, status, meaning, at) => {
      const { judgement } = judgeTarget(proof, look({ state: word, ...lastJob(status) }, meaning, at));
      if (judgement.type === 'proved' || judgement.type === 'finished') expect(judgement.by).toMatch(/[A-Z].*\.$/);
      if (status === 'FAILED') expect(judgement.type).toBe('failed');
    }),
  );
});
