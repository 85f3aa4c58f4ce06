import { describe, expect, test } from 'vitest';
import { readList, readRecord } from '../../../src/api/reading/recordList.ts';
import { Mapping, workNames } from '../../../src/api/reading/recordMapping.ts';
import type { RecordView } from '../../../src/api/reading/recordView.ts';
import { backupCoverage } from '../../../src/features/protection/coverage.ts';
import { beforeOf } from '../../../src/jobs/evidence/baseline.ts';
import { ownChange, ownKey } from '../../../src/jobs/evidence/ownSigns.ts';
import {
  isSignOn,
  mayReport,
  meansSeveral,
  namesItself,
  speaksOf,
  stateSpeaksOf,
  works,
} from '../../../src/operations/work.ts';
import { ownSnapshots } from '../../../src/records/snapshots.ts';
import { id } from '../reading.ts';

const live = id('MYSQL_LIVE_SERVER-1');
const at = '2026-11-21T09:00:00Z';
const later = '2026-11-21T10:00:00Z';

function read(fields: object, mapping: Mapping = {}): RecordView {
  const record = readRecord({ id: live.text, ...fields }, live, Mapping.parse(mapping));
  if (!record) throw new Error('that is no record');
  return record;
}
const database = (paths: Mapping['database']): Mapping => ({ database: paths });

describe('a fact that the mapping places', () => {
  const fields = {
    ...{ name: 'guess', state: 'RUNNING', error: 'disk full', source: 'MYSQL_LIVE_SERVER-7' },
    environment: 'HOST_ENVIRONMENT-7',
    told: {
      name: 'orders',
      state: 'STOPPED',
      error: 'no space',
      source: 'MYSQL_LIVE_SERVER-2',
      host: 'HOST_ENVIRONMENT-2',
    },
  };
  const told = {
    ...{ name: 'told.name', state: 'told.state', error: 'told.error', source: 'told.source' },
    environment: 'told.host',
  };
  const facts = ({ name, state, error, source, environment }: RecordView) => ({
    ...{ name, state: state?.word, error, source: source?.id.text, environment: environment?.id.text },
  });

  test('a fact that the mapping places is read from its path', () => {
    expect(facts(read(fields, database(told)))).toEqual({
      ...{ name: 'orders', state: 'STOPPED', error: 'no space', source: 'MYSQL_LIVE_SERVER-2' },
      environment: 'HOST_ENVIRONMENT-2',
    });
  });
  test.each(['name', 'state', 'error', 'source', 'environment'] as const)(
    'a fact that the mapping places is not guessed where a record lacks it: %s',
    fact => {
      const all = facts(read(fields));
      expect(all[fact]).toBeDefined();
      expect(facts(read(fields, database({ [fact]: 'nowhere' })))).toEqual({ ...all, [fact]: undefined });
    },
  );
  test.each([
    ['name', true],
    ['name', ['a']],
    ['state', { word: 'RUNNING' }],
    ['error', false],
    ['source', 7],
    ['environment', 'dev'],
  ] as const)('a fact that the mapping places is not shown where %s is %o, and not guessed either', (fact, value) => {
    const odd = { ...fields, odd: value };
    expect(facts(read(odd, database({ [fact]: 'odd' })))[fact]).toBeUndefined();
  });
  test('a fact that the mapping places is read at the first of several paths that a record has', () => {
    const paths = { name: ['spec.title', 'told.name'] };
    expect(read(fields, database(paths)).name).toBe('orders');
    expect(read({ ...fields, spec: { title: 'shop' } }, database(paths)).name).toBe('shop');
  });
  test('a fact that the mapping places may stand under keys with dots, in lists or in a reference', () => {
    expect(read({ 'a.b': { c: 'orders' } }, database({ name: 'a.b.c' })).name).toBe('orders');
    expect(read({ nodes: [{}, { name: 'orders' }] }, database({ name: 'nodes.name' })).name).toBe('orders');
    expect(read({ template: { name: 'orders' } }, database({ name: 'template.name' })).name).toBe('orders');
  });
  test('a mapping for databases does not change how an environment is read', () => {
    const host = id('HOST_ENVIRONMENT-1');
    expect(readRecord({ id: host.text, name: 'dev' }, host, database({ name: 'nowhere' }))?.name).toBe('dev');
  });
});

describe('reports that the mapping places', () => {
  const job = {
    ...{ what: 'RESTORE', who: 'ana', no: 7, from: at, to: later, how: 'FAILED', text: 'no space', try: 3, tries: 3 },
    status: 'SUCCEEDED',
  };
  const paths = {
    ...{ kind: 'what', person: 'who', number: 'no', begin: 'from', end: 'to', outcome: 'how', error: 'text' },
    ...{ attempt: 'try', attempts: 'tries' },
  };
  const reports = (fields: object, ...places: NonNullable<NonNullable<Mapping['database']>['reports']>) =>
    read(fields, database({ reports: places })).reports;

  test('reports that the mapping places are read from their paths, one or a list of them', () => {
    const all = {
      ...{ kind: 'RESTORE', by: 'ana', number: '7', beganAt: Date.parse(at), endedAt: Date.parse(later) },
      ...{ word: 'FAILED', outcome: 'failed', error: 'no space', attempts: { now: 3, most: 3 }, isZoned: true },
    };
    expect(reports({ info: { latest: job } }, { at: 'info.latest', ...paths })).toEqual([expect.objectContaining(all)]);
    expect(reports({ info: { all: [job, { ...job, no: 8 }] } }, { at: 'info.all', ...paths })).toEqual([
      expect.objectContaining(all),
      expect.objectContaining({ ...all, number: '8' }),
    ]);
    expect(reports(job, paths)).toEqual([expect.objectContaining(all)]);
  });
  test('a record with mapped reports shows only those, and none where the mapping says so', () => {
    const fields = { lastJob: { type: 'BACKUP', status: 'RUNNING' }, info: job };
    expect(read(fields).reports).toHaveLength(1);
    expect(reports(fields, { at: 'info', ...paths })).toMatchObject([{ kind: 'RESTORE' }]);
    expect(reports(fields, { at: 'nowhere', ...paths })).toEqual([]);
    expect(reports(fields)).toEqual([]);
  });
  test('a mapped report shows only what the mapping names, though guessable keys stand beside', () => {
    const guessable = {
      state: 'FAILED',
      type: 'BACKUP',
      user: 'ben',
      id: 4,
      startedAt: at,
      error: 'no space',
      how: 'OK',
    };
    const [report] = reports({ lastRestore: guessable }, { at: 'lastRestore', outcome: 'how' });
    expect(report).toMatchObject({
      outcome: 'done',
      kind: undefined,
      by: undefined,
      beganAt: undefined,
      isPlace: true,
    });
    expect(report).toMatchObject({ error: undefined, word: 'OK' });
    expect(report).not.toHaveProperty('number');
  });
  test('a mapped report shows no value of a wrong type', () => {
    const odd = { ...job, from: 'yesterday', to: [job], what: { a: 1 }, who: true, no: null, text: 7, try: 'x' };
    const [report] = reports({ odd }, { at: 'odd', ...paths });
    expect(report).toMatchObject({ kind: undefined, by: undefined, beganAt: undefined, endedAt: undefined });
    expect(report).not.toHaveProperty('number');
    expect(report).not.toHaveProperty('attempts');
    for (const value of ['RESTORE', 7, true, ['RESTORE']])
      expect(reports({ odd: value }, { at: 'odd', ...paths })).toEqual([]);
  });
  test('a mapped report has the work that the mapping names where no word tells it', () => {
    expect(reports({ last: { how: 'OK' } }, { at: 'last', outcome: 'how', work: 'restore' })[0]?.kind).toBe('restore');
    expect(reports({ last: job }, { at: 'last', ...paths, work: 'backup' })[0]?.kind).toBe('RESTORE');
  });
  test('a mapped report that is not the last try counts as busy', () => {
    expect(reports({ job: { ...job, try: 1 } }, { at: 'job', ...paths })[0]?.outcome).toBe('busy');
  });
  test('a mapped report says nothing of the record itself', () => {
    const fields = { work: { state: 'FAILED', what: 'x', environment: 'HOST_ENVIRONMENT-3', backupAt: at } };
    expect(read(fields).state?.word).toBe('FAILED');
    const record = read(fields, database({ reports: [{ at: 'work', outcome: 'state' }] }));
    expect(record).toMatchObject({ state: undefined, environment: undefined, times: {} });
  });
});

describe('words that the mapping explains', () => {
  const explained: Mapping = {
    works: { backup: ['BKP'], mount: ['SNAP_RESTORE'], 'virtual clone': ['VC'] },
    outcomes: { done: ['FAILED_NOT', '0'], failed: ['GREEN', 'done!'], partial: ['HALF'], busy: ['STOPPED'] },
    states: { ok: ['BROKEN'] },
  };
  const report = (fields: object) => read({ lastJob: fields }, explained).reports[0];

  test.each([
    ['FAILED_NOT', 'done'],
    ['failed_not', 'done'],
    ['GREEN', 'failed'],
    ['done!', 'failed'],
    ['HALF', 'partial'],
    ['STOPPED', 'busy'],
    [0, 'done'],
    ['SUCCEEDED', 'done'],
  ])('words that the mapping explains decide a report’s outcome: %s is %s', (status, outcome) => {
    expect(report({ type: 'BACKUP', status })?.outcome).toBe(outcome);
  });
  test('words that the mapping explains outweigh an error beside them', () => {
    const job = { type: 'BACKUP', status: 'FAILED_NOT', error: 'E0', endedAt: at };
    expect(report(job)).toMatchObject({ outcome: 'done', error: undefined });
    expect(report({ ...job, status: 'HALF' })).toMatchObject({ outcome: 'partial' });
  });
  test('words that the mapping explains name a report’s work, and nothing else in them counts', () => {
    const kinds = ['BKP', 'SNAP_RESTORE', 'VC'].map(type => report({ type, status: 'RUNNING' })?.kind ?? '');
    expect(kinds).toEqual(['BKP, meaning backup', 'SNAP_RESTORE, meaning mount', 'VC, meaning virtual clone']);
    const [backup = '', mount = '', clone = ''] = kinds;
    expect(namesItself(backup, works.backup) && mayReport(backup, works.backup)).toBe(true);
    expect(namesItself(mount, works.mount)).toBe(true);
    expect(speaksOf(mount, works.restore)).toBe('no');
    expect(meansSeveral(mount)).toBe(false);
    expect(namesItself(clone, works.clone)).toBe(true);
  });
  test('words that the mapping explains name the work that goes on in a state', () => {
    const { state } = read({ state: 'BKP' }, explained);
    expect(state).toEqual({ word: 'BKP, meaning backup', class: 'busy' });
    expect(stateSpeaksOf(state?.word ?? '', works.backup)).toBe('yes');
    expect(stateSpeaksOf(state?.word ?? '', works.restore)).toBe('no');
    const both = { ...explained, states: { disabled: ['bkp'] } };
    expect(read({ state: 'BKP' }, both).state?.class).toBe('disabled');
  });
  test('words that the mapping explains leave a report’s identity as it was', () => {
    const job = { type: 'BKP', id: 7, status: 'GREEN' };
    expect(report(job)?.identity).toBe(read({ lastJob: job }).reports[0]?.identity);
  });
});

describe('times by work', () => {
  const mapping = database({ times: { backup: 'proof.at' } });
  const baseline = (fields: object) => beforeOf(read(fields, mapping));
  const look = { work: works.backup, sentAt: Date.parse(at), ahead: 0, seen: { seenAt: Date.parse(later) } };
  const change = (was: object, is: object, work: (typeof works)[keyof typeof works] = works.backup) =>
    ownChange('work', { ...look, work }, baseline(was), read(is, mapping));
  const old = '2026-11-20T09:00:00Z';

  test('times that the mapping places are read from their paths, and prove their work', () => {
    expect(read({ proof: { at } }, mapping).times).toEqual({ 'proof.at, meaning backup': Date.parse(at) });
    const found = change({ proof: { at: old } }, { proof: { at: later } });
    expect(found?.by).toBe(`Its record shows a new time, proof.at, meaning backup: 2026-11-21T10:00:00.000Z.`);
  });
  test('times of work that the mapping places are not guessed from other keys', () => {
    const was = { proof: { at: old }, lastBackupAt: old, backupCount: 1 };
    expect(change(was, { ...was, lastBackupAt: later, backupCount: 2 })).toBeUndefined();
    expect(change({ lastBackupAt: old }, { lastBackupAt: later })).toBeUndefined();
    expect(ownKey(works.backup, baseline({ lastBackupAt: old }), read({ lastBackupAt: old }, mapping))).toBeUndefined();
    expect(backupCoverage(read({ lastBackupAt: at }, mapping), Date.parse(later))).toEqual({ type: 'unseen' });
    expect(backupCoverage(read({ lastBackupAt: at, proof: { at } }, mapping), Date.parse(later))).toMatchObject({
      ...{ type: 'at', at: Date.parse(at) },
    });
  });
  test('times that the mapping places leave those of other works to be found as usual', () => {
    const was = { proof: { at: old }, lastRestoreAt: old };
    expect(change(was, { ...was, lastRestoreAt: later }, works.restore)?.by).toContain('lastRestoreAt');
    expect(change(was, { ...was, proof: { at: later } }, works.restore)).toBeUndefined();
  });
  test.each(['soon', 7, true, { at }, [at]])(
    'times that the mapping places are not shown where %o stands at their path',
    value => {
      expect(read({ proof: { at: value }, lastBackupAt: at }, mapping).times).toEqual({ lastBackupAt: Date.parse(at) });
    },
  );
  test('a time that the mapping places counts for nothing beside a word of failure', () => {
    const guessable = database({ times: { backup: 'lastBackupAt' } });
    const shown = { lastBackupAt: at, lastBackupStatus: 'FAILED' };
    expect(backupCoverage(read(shown, guessable), Date.parse(later))).toMatchObject({ type: 'unseen', said: 'FAILED' });
  });
  test('times that the mapping places are signs of the work that it names alone', () => {
    expect(isSignOn({ timedWorks: ['backup'] }, 'x, meaning backup', works.backup)).toBe(true);
    expect(isSignOn({ timedWorks: ['backup'] }, 'lastBackupAt', works.backup)).toBe(false);
    expect(isSignOn({ timedWorks: [] }, 'lastBackupAt', works.backup)).toBe(true);
  });
});

describe('snapshots that the mapping places', () => {
  const mapping: Mapping = {
    ...database({ snapshots: { at: 'points', id: 'ref', name: 'tag', time: 'made', state: 'how', expires: 'gone' } }),
    outcomes: { failed: ['GREEN'], done: ['BROKEN'] },
  };
  const point = (number: number, more: object = {}) => ({
    ref: `MYSQL_SNAPSHOT-${number}`,
    tag: `s${number}`,
    made: at,
    ...more,
  });
  const shown = (fields: object, map = mapping) =>
    ownSnapshots(read(fields, map)).map(({ id: { text }, label, time, condition }) => ({
      text,
      label,
      time,
      condition,
    }));

  test('snapshots that the mapping places are read from their paths, with whether they can be used', () => {
    const points = [point(1, { how: 'BROKEN' }), point(2, { how: 'GREEN' }), point(3, { gone: later })];
    const all = { time: Date.parse(at) };
    expect(shown({ points })).toEqual([
      { ...all, text: 'MYSQL_SNAPSHOT-1', label: 's1', condition: undefined },
      { ...all, text: 'MYSQL_SNAPSHOT-2', label: 's2', condition: { unfit: 'failed' } },
      { ...all, text: 'MYSQL_SNAPSHOT-3', label: 's3', condition: { expires: { at: Date.parse(later), doubt: 0 } } },
    ]);
  });
  test('a record with mapped snapshots shows only those, though others are listed beside', () => {
    const fields = { snapshots: [{ id: 'MYSQL_SNAPSHOT-9' }], latestSnapshot: 'MYSQL_SNAPSHOT-8', points: [point(1)] };
    expect(shown(fields).map(({ text }) => text)).toEqual(['MYSQL_SNAPSHOT-1']);
    expect(shown({ ...fields, points: undefined })).toEqual([]);
  });
  test('a mapping of snapshots leaves what a record was made or restored from as it is', () => {
    const { mentions } = read({ restoredFrom: 'MYSQL_SNAPSHOT-4', points: [] }, mapping);
    expect(mentions.map(({ id }) => id.text)).toEqual(['MYSQL_SNAPSHOT-4']);
  });
  test('a mapped snapshot shows nothing of a wrong type, and nothing that is not named', () => {
    const odd = { ref: 'MYSQL_SNAPSHOT-1', tag: true, made: 'then', name: 'guess', createdAt: at, state: 'FAILED' };
    expect(
      shown({ points: [odd, { ...odd, ref: 'MYSQL_LIVE_SERVER-3' }, { ...odd, ref: 3 }, 'MYSQL_SNAPSHOT-2'] }),
    ).toEqual([{ text: 'MYSQL_SNAPSHOT-1', label: undefined, time: undefined, condition: undefined }]);
  });
  test('a mapped snapshot is read alike as a record of its own', () => {
    const fields = { points: [point(1, { how: 'GREEN', state: 'AVAILABLE', name: 'guess' })] };
    const [snapshot] = readList(fields, ['snapshot'], mapping).records;
    expect(snapshot).toMatchObject({ name: 's1', state: { word: 'GREEN, meaning failed', class: 'failed' } });
  });
  test('mapped snapshots may be bare identifiers, or stand under them', () => {
    const bare = database({ snapshots: { at: 'points', time: 'made' } });
    expect(shown({ points: ['MYSQL_SNAPSHOT-1'] }, bare)).toMatchObject([{ text: 'MYSQL_SNAPSHOT-1' }]);
    expect(shown({ points: { 'MYSQL_SNAPSHOT-1': { made: at } } }, bare)).toMatchObject([
      { text: 'MYSQL_SNAPSHOT-1', time: Date.parse(at) },
    ]);
  });
});

describe('the mapping', () => {
  test('the mapping names the works that the catalogue knows', () => {
    const names = workNames.filter(name => !/^(virtual|physical) clone$/.test(name));
    expect(names.toSorted()).toEqual(
      Object.values(works)
        .map(({ name }) => name)
        .toSorted(),
    );
  });
  test.each<[string, object, RegExp]>([
    ['an unknown key of a report', { database: { reports: [{ outcome: 'a', what: 'b' }] } }, /unrecognized/i],
    ['a report without an outcome', { database: { reports: [{ at: 'a', kind: 'b' }] } }, /must name its outcome/],
    ['a number for a path', { database: { name: 7 } }, /must be a path such as spec.displayName/],
    ['an empty path', { user: { times: { backup: '' } } }, /must be a path/],
    ['times of unknown work', { database: { times: { backups: 'a' } } }, /must be one of backup, logs/],
    ['snapshots of an environment', { environment: { snapshots: { at: 'a' } } }, /unrecognized/i],
    ['a number among words', { outcomes: { done: [0] } }, /put a number, true, false and null in quotes/],
    ['an unknown outcome', { outcomes: { well: ['a'] } }, /must be one of done, partial, failed, busy/],
    ['a word with two meanings', { works: { backup: ['X'], mount: ['x'] } }, /x is listed under backup, too/],
  ])('a mapping file is refused with %s', (_, mapping, message) => {
    expect(JSON.stringify(Mapping.safeParse(mapping).error?.issues)).toMatch(message);
  });
});
