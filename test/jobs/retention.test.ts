import { pino } from 'pino';
import { expect, onTestFinished, test } from 'vitest';
import { day, hour, minute } from '../../src/ground/durations.ts';
import { keepHistory } from '../../src/jobs/retention.ts';
import { auditIn } from '../../src/store/tables/audit/audit.ts';
import { outboxIn } from '../../src/store/tables/outbox.ts';
import { thingsIn } from '../../src/store/things/things.ts';
import { testClock } from '../clock.ts';
import { folder, jobsOf, storeIn } from '../store/folder.ts';

test('a clock that is a year ahead for a while deletes no young history, and old entries go an hour later', async () => {
  const store = await storeIn(folder());
  const clock = testClock();
  let skew = 365 * day;
  const audit = auditIn(store);
  const entry = (event: string, at: number) => audit.add({ team: 'T1', actor: 'U1', event, at });
  await entry('young', clock.now() - day);
  await entry('old', clock.now() - 31 * day);
  const parts = {
    ...{
      jobs: jobsOf(store),
      things: thingsIn(store),
      outbox: outboxIn(store),
      inbox: { sweep: async () => 0 },
      audit,
    },
    ...{ clock: { ...clock, now: () => clock.now() + skew }, log: pino({ level: 'silent' }) },
  };
  const loop = keepHistory(parts, { auditDays: 30, jobsDays: 30 }, []);
  onTestFinished(() => loop.stop());
  const left = async () =>
    (await audit.read('T1', { words: [] }, 9)).entries.flatMap(({ event }) => (event === 'swept' ? [] : [event]));
  await clock.advance(10 * minute);
  skew = 0;
  await clock.advance(50 * minute);
  expect(await left()).toEqual(['young', 'old']);
  await clock.advance(hour);
  expect(await left()).toEqual(['young']);
  // It is set while Dolly runs, and a day later the next look is due.
  skew = 365 * day;
  await clock.advance(10 * minute);
  skew = 0;
  await clock.advance(day);
  expect(await left()).toEqual(['young']);
});
