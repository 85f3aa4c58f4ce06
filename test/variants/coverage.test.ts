import { expect, test } from 'vitest';
import { readList } from '../../src/api/reading/recordList.ts';
import type { RecordView } from '../../src/api/reading/recordView.ts';
import { backupCoverage, type Coverage, logsCoverage } from '../../src/features/protection/coverage.ts';
import { hour, minute } from '../../src/ground/durations.ts';
import { type Dialect, drawDialect } from './generator/dialect.ts';
import { type Draw, drawing } from './generator/draw.ts';
import type { Base } from './generator/estate.ts';
import { restyled } from './generator/json.ts';
import { shown } from './generator/render.ts';
import { newService, type Service } from './generator/service.ts';

/* The latest backups that Dolly reads from the records of services drawn at random, on which the truth is known. */

const start = Date.UTC(2026, 10, 22, 9);
const end = start + 16 * hour;
/** The 364th shows a failure beside the word for completed. */
const seeds = [...Array.from({ length: 30 }, (_, index) => index + 1), 364];

test('no generated service makes Dolly see a backup that never was, or none where there are some', () => {
  const untrue = seeds.flatMap(seed => {
    const draw = drawing(seed);
    const drawn = drawDialect(draw);
    // A clock that is wrong, or a zone that is not told, moves every time: whose clock it is, is no question of backups.
    const dialect = { ...drawn, clock: { ...drawn.clock, ahead: 0, zone: 0 } };
    const service = newService(dialect, start);
    for (const { id, isClone } of service.records.values()) if (!isClone) worksOn(service, id, draw);
    service.settle(end);
    return [false, true].flatMap(alone => untruthsOf(service, dialect, alone).map(what => `seed ${seed}: ${what}`));
  });
  expect(untrue).toEqual([]);
});

/** Lets three pieces of work be done on a database, most of them backups, and some of them in vain. */
function worksOn(service: Service, on: string, draw: Draw): void {
  for (let turn = 0, at = start; turn < 3; turn++) {
    at += draw(0.2, 1, 3, 7) * hour;
    const kind = draw('backup', 'backup', 'backup logs', 'backup logs', 'restore', 'refresh');
    const ending = draw('succeeded', 'succeeded', 'succeeded', 'error', 'silent', 'broken', 'lost', 'refused');
    const course = {
      waits: 0,
      lasts: draw(5 * minute, 30 * hour),
      ending,
      appears: 1,
      restsFor: 0,
      arrives: 'up',
    } as const;
    service.begins({ kind, by: 'cem', on, asked: {} }, course, at);
    service.settle(at);
  }
}

function untruthsOf(service: Service, dialect: Dialect, alone: boolean): string[] {
  const all = [...service.records.values()];
  const body = restyled(
    all.map(one => shown(service, dialect, one, alone, end)),
    dialect.keys,
  );
  const { records } = readList(body, ['live', 'clone']);
  return all
    .filter(({ isClone }) => !isClone)
    .flatMap(base => {
      const record = records.find(({ id }) => id.text === base.id);
      return record ? untruthsIn(record, base) : `${base.id} was not read`;
    });
}

function untruthsIn(record: RecordView, base: Base): string[] {
  const backups = [...base.snapshots.map(({ at }) => at), ...timesOf(base, 'backup')];
  return [
    ...(isTrue(backupCoverage(record, end), backups) ? [] : [`the backup of ${JSON.stringify(record.values)}`]),
    ...(isTrue(logsCoverage(record, end), timesOf(base, 'backup logs'))
      ? []
      : [`the logs of ${JSON.stringify(record.values)}`]),
  ];
}

function timesOf({ works, doneAt }: Base, kind: 'backup' | 'backup logs'): number[] {
  const done = works.filter(work => work.kind === kind && work.ending === 'succeeded' && work.endsAt <= end);
  return [...done.flatMap(({ beginsAt, endsAt }) => [beginsAt, endsAt]), doneAt[kind] ?? []].flat();
}

/** Whether a backup was made at the time that was read, to the second; and none, where it is said that there is none. */
function isTrue(coverage: Coverage, times: readonly number[]): boolean {
  if (coverage.type === 'never') return times.length === 0;
  const { at, doubt = 0 } = coverage.type === 'at' ? coverage : { at: undefined };
  return at === undefined || times.some(time => Math.abs(time - at) <= doubt + 1_000);
}
