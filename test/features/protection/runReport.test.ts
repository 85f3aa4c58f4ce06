import { expect, onTestFinished, test } from 'vitest';
import { ReportNotice, runReport } from '../../../src/features/protection/runReport.ts';
import type { DueReport, MadeReport } from '../../../src/jobs/report.ts';
import type { Middleware } from '../../../src/sandbox/service/application.ts';
import { board } from '../../jobs/deciding.ts';
import { folder, storeIn } from '../../store/folder.ts';
import { withoutSnapshots } from './estate.ts';

const plannedAt = Date.UTC(2026, 10, 21, 8, 30);

/** A report of Ana's for a channel. */
const reportOf = (change: Partial<DueReport> = {}): DueReport => ({
  ...{ id: 'report-1', team: 'T1', person: 'U0ANA', channel: 'C1', values: { words: '', only: 'all' } },
  ...{ runsAs: 'owner', lastAt: null, plannedAt },
  ...change,
});

/** A board whose service account, if there is one, is signed in as `eve`. */
async function reportBoard({ middleware, file = {} }: { middleware?: Middleware; file?: object } = {}) {
  const here = await board(await storeIn(folder()), file, () => undefined, middleware);
  onTestFinished(() => here.end());
  await here.signsIn('service', 'eve');
  return here;
}

/** What the one message of a run tells. */
function toldBy({ notices }: MadeReport) {
  expect(notices).toHaveLength(1);
  expect(notices[0]).toMatchObject({
    kind: 'report',
    to: { channel: 'C1' },
    id: '["report","report-1",1795249800000]',
  });
  return ReportNotice.parse(notices[0]?.data);
}

test('a scheduled report reads with the sign-in of the person who subscribed to it', async () => {
  const { parts } = await reportBoard();
  const run = await runReport(parts, reportOf());
  expect(run.outcome).toBe('succeeded');
  expect(toldBy(run)).toMatchObject({
    reader: { person: 'U0ANA' },
    summary: { counts: { protected: 9, late: 3, clones: 9 } },
  });
});

test('a scheduled report whose subscriber is signed out fails and tells nothing', async () => {
  const { parts } = await reportBoard();
  await expect(runReport(parts, reportOf({ person: 'U0FAY' }))).rejects.toMatchObject({
    kind: 'signed-out',
  });
});

test('a scheduled report reads with the service account only while its subscriber is an approver', async () => {
  const { parts, group } = await reportBoard();
  const withAccount = { ...parts, account: { username: 'eve' } };
  const subscribed = reportOf({ runsAs: 'service' });
  expect(toldBy(await runReport(withAccount, subscribed))).toMatchObject({ reader: 'service' });
  group.set('U0ANA', false);
  expect(toldBy(await runReport(withAccount, subscribed))).toMatchObject({ reader: { person: 'U0ANA' } });
  group.set('U0ANA', undefined);
  const unknown = await runReport(withAccount, subscribed);
  expect(unknown.outcome).toBe('failed');
  expect(toldBy(unknown)).toEqual({ fault: expect.stringContaining('Slack cannot tell me'), person: 'U0ANA' });
});

test('a report with only=wrong is silent where nothing is wrong, and tells where nothing could be read', async () => {
  const file = { protect: [{ backup: '30d', keepClones: '90d' }] };
  const only = { values: { words: 'orders', only: 'wrong' } };
  const { parts } = await reportBoard({ file });
  expect(await runReport(parts, reportOf(only))).toEqual({ outcome: 'succeeded', notices: [] });
  const broken = await reportBoard({
    file,
    middleware: (request, next) =>
      request.method === 'GET' ? Promise.resolve(new Response('', { status: 503 })) : next(request),
  });
  const run = await runReport(broken.parts, reportOf(only));
  expect(run.outcome).toBe('failed');
  expect(toldBy(run)).toMatchObject({ fault: expect.stringContaining('503') });
});

test('a report with only=wrong is not silent where no record shows any backup', async () => {
  const { parts } = await reportBoard({
    file: { protect: [{ backup: '30d', keepClones: '90d' }] },
    middleware: withoutSnapshots(() => true),
  });
  const run = await runReport(parts, reportOf({ values: { words: 'orders', only: 'wrong' } }));
  expect(toldBy(run)).toMatchObject({ summary: { counts: { never: 0, late: 0 } } });
});
