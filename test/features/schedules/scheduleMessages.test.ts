import { expect, test } from 'vitest';
import { scheduleMessage } from '../../../src/features/schedules/scheduleMessages.ts';
import { ScheduleNotice } from '../../../src/features/schedules/scheduleNotice.ts';

const about = {
  live: { operation: 'database.backup', target: 'MYSQL_LIVE_SERVER-1', targetName: 'shop' },
  environment: { operation: 'database.backup.environment', target: 'HOST_ENVIRONMENT-3', targetName: 'mariadb-prod' },
} as const;
const all = ScheduleNotice.shape.what.options.map(what => [what] as const);

test.each(all)('a schedule’s notice “%s” has a message, of a database and of an environment', what => {
  for (const one of Object.values(about))
    expect(scheduleMessage({ what, schedule: 's1', ...one, why: 'It is so.' }, null)?.text).toBeTruthy();
});

test('a schedule’s message about too many databases has a button that allows them', () => {
  const { text } = scheduleMessage({ what: 'members', schedule: 's1', ...about.environment, more: 16 }, null) ?? {};
  expect(text).toContain('[Allow up to 16] [Change…]');
});
