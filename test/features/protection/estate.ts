import { readList } from '../../../src/api/reading/recordList.ts';
import type { RecordView } from '../../../src/api/reading/recordView.ts';
import type { Inventory } from '../../../src/features/protection/inventory.ts';
import { protectionReport } from '../../../src/features/protection/report.ts';
import { type Frame, summarize } from '../../../src/features/protection/summarize.ts';
import { day, hour, minute } from '../../../src/ground/durations.ts';
import { PolicyFile, policyOf } from '../../../src/jobs/approval/policy/rules.ts';
import type { Middleware } from '../../../src/sandbox/service/application.ts';
import { databases } from '../../api/reading.ts';

export const now = Date.UTC(2026, 10, 22, 12);
export const ago = (age: number) => new Date(now - age).toISOString();

/** A live database; `name` and its number tell it from others. */
export function live(number: number, name: string, more: object = {}) {
  const environment = { id: 'HOST_ENVIRONMENT-1', name: 'prod' };
  return { id: `MYSQL_LIVE_SERVER-${number}`, name, state: 'RUNNING', environment, ...more };
}

/** A clone, likewise. */
export function clone(number: number, name: string, age: number, more: object = {}) {
  const environment = { id: 'HOST_ENVIRONMENT-2', name: 'dev' };
  return { id: `MYSQL_CLONE_SERVER-${number}`, name, state: 'RUNNING', environment, createdAt: ago(age), ...more };
}

/** Databases and clones in every standing, and a disabled environment. */
export const estate = [
  live(1, 'fresh', { lastBackup: ago(2 * hour) }),
  live(2, 'late', { lastBackup: ago(26 * hour + 12 * minute) }),
  live(3, 'bare', { snapshots: [] }),
  live(4, 'silent'),
  live(5, 'broken', { state: 'FAILED', error: 'disk full', lastBackup: ago(9 * day) }),
  clone(1, 'old', 40 * day),
  clone(2, 'young', day, { owner: 'olga' }),
];
export const hosts = [
  { id: 'HOST_ENVIRONMENT-1', name: 'prod', state: 'ENABLED' },
  { id: 'HOST_ENVIRONMENT-2', name: 'dev', state: 'DISABLED' },
];

/** A service whose records leave their snapshots out while `isHidden()`. */
export const withoutSnapshots =
  (isHidden: () => boolean): Middleware =>
  async (_, next) => {
    const answer = await next();
    if (!isHidden() || answer.status !== 200) return answer;
    const shown = (key: string, value: unknown) => (key === 'snapshots' ? undefined : value);
    return Response.json(JSON.parse(JSON.stringify(await answer.json(), shown)));
  };

/** The summary of these records. */
export async function summaryOf(
  records: unknown,
  {
    rules = [],
    reading = {},
    frame = {},
  }: { rules?: object[]; reading?: Partial<Inventory>; frame?: Partial<Frame> } = {},
) {
  const all = readList(records, databases).records;
  const report = await protectionReport(policyOf(PolicyFile.parse({ protect: rules }), []), {
    ...{
      at: now,
      leases: [],
      maintained: new Set<string>(),
      isPart: false,
      alone: new Set(all.map(({ id }) => id.text)),
      unread: 0,
    },
    live: all.filter(({ id }) => id.noun === 'live'),
    clones: all.filter(({ id }) => id.noun === 'clone'),
    environments: readList(hosts, ['environment']).records,
    ...reading,
  });
  const ownerOf = ({ askedBy: [named] }: RecordView) => (named === undefined ? {} : { named });
  return summarize(report, { words: [], jobs: [], since: now - day, nameOf: async () => undefined, ownerOf, ...frame });
}
