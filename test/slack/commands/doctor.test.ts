import pino from 'pino';
import { expect, describe as group, test } from 'vitest';
import { readList } from '../../../src/api/reading/recordList.ts';
import { noMeter } from '../../../src/ground/meter.ts';
import { givenUpCheck, proxyChecks, wayChecks } from '../../../src/slack/commands/doctor/doctor.ts';
import { describe } from '../../../src/slack/commands/doctor/readingReport.ts';
import { giveUp } from '../../../src/slack/outbox/giveUp.ts';
import { auditIn } from '../../../src/store/tables/audit/audit.ts';
import { testClock } from '../../clock.ts';
import { folder, storeIn } from '../../store/folder.ts';

const nested = {
  data: [
    {
      meta: { reference: 'MYSQL_LIVE_SERVER-1' },
      spec: { displayName: 'orders' },
      runtime: { condition: { text: 'QUIESCED' } },
    },
    {
      meta: { reference: 'MYSQL_LIVE_SERVER-2' },
      spec: { displayName: 'shop' },
      runtime: { condition: { text: 'OPEN' } },
    },
  ],
};

group('the doctor’s report on a kind of records', () => {
  test('the doctor says from which field each fact of a record was read, and how each state is understood', async () => {
    const text = await describe('databases', readList(nested, ['live']));
    expect(text).toContain('name `orders` from `spec.displayName`');
    expect(text).toContain('state `QUIESCED` from `runtime.condition.text`');
    expect(text).toContain('`OPEN` is ok');
    expect(text).toContain('I do not know `QUIESCED`');
  });

  test('the doctor asks nothing about a state word once a mapping says what it means', async () => {
    const text = await describe('databases', readList(nested, ['live'], { states: { stopped: ['quiesced'] } }));
    expect(text).toContain('`QUIESCED` is stopped');
    expect(text).not.toContain('I do not know');
  });

  test('the doctor names what it did not find in a record, and the file that mends it', async () => {
    const text = await describe('databases', readList([{ id: 'MYSQL_LIVE_SERVER-1', alias: 'orders' }], ['live']));
    expect(text).toContain('I find no name');
    expect(text).toContain('RECORDS_FILE');
    const mapped = readList([{ id: 'MYSQL_LIVE_SERVER-1', alias: 'orders' }], ['live'], {
      database: { name: 'alias' },
    });
    expect(await describe('databases', mapped)).toContain('name `orders` from `alias`');
  });
});

test('the doctor warns of each address to which passwords go in the clear', () => {
  const checks = (url: string, publicUrl?: string) =>
    wayChecks({ service: { url }, publicUrl }).map(({ text }) => text);
  expect(checks('https://service', 'https://dolly')).toEqual([]);
  expect(checks('http://localhost:3002')).toEqual([]);
  expect(checks('http://service:8443')).toEqual([
    expect.stringMatching(/^\*Danger.* SERVICE_URL: .*http:\/\/service:8443 in the clear/),
  ]);
  expect(checks('http://service:8443', 'http://dolly')).toHaveLength(2);
});

test('the doctor says whether a proxy that is set is used on the way to Slack and the service', () => {
  const proxies = { httpProxy: '', httpsProxy: 'http://dolly:secret@proxy', noProxy: '' };
  expect(proxyChecks({ proxying: undefined })).toEqual([]);
  expect(proxyChecks({ proxying: { unused: 'HTTPS_PROXY' } })).toEqual([
    { good: 'unseen', text: expect.stringMatching(/^HTTPS_PROXY is set, .*Set USE_PROXY=true/) },
  ]);
  expect(JSON.stringify(proxyChecks({ proxying: { proxies } }))).toMatch(
    /^(?!.*secret).*Proxy: I reach Slack and the service through it/,
  );
});

test('the doctor names once each person and channel that messages of the last week did not reach', async () => {
  const audit = auditIn(await storeIn(folder()));
  const clock = testClock();
  expect(await givenUpCheck({ audit, clock }, 'T1')).toEqual([]);
  const about = { team: 'T1', channel: 'C1', kind: 'alert' };
  const quiet = { log: pino({ level: 'silent' }), meter: noMeter, audit, clock };
  await giveUp(quiet, { ...about, person: 'U9' }, new Error('is_archived'));
  await clock.leap(8 * 86_400_000);
  for (const person of ['U1', 'U1', null]) await giveUp(quiet, { ...about, person }, new Error('is_archived'));
  const [check] = await givenUpCheck({ audit, clock }, 'T1');
  expect(check).toMatchObject({ good: false, text: expect.stringContaining('that I could not deliver: 3, for') });
  for (const whom of ['<@U1>', '<#C1>']) expect(check?.text.split(whom)).toHaveLength(2);
  expect(check?.text).not.toContain('U9');
});
