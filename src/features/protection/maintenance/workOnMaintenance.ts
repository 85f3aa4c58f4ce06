import { minute } from '../../../ground/durations.ts';
import { nothingBut, nothingOn } from '../../../ground/failure.ts';
import type { Loop } from '../../../ground/loop.ts';
import type { Parts } from '../../../jobs/parts.ts';
import { type ThingWorker, workOnThings } from '../../../jobs/workOnThings.ts';
import { incidents } from '../../../store/tables/alerts/alertRows.ts';
import type { Actor } from '../../../store/tables/audit/audit.ts';
import { readInventory } from '../inventory.ts';
import { protectionReport } from '../report.ts';
import { type Maintenance, type MaintenanceStep, maintenances } from './maintenance.ts';

/** Max records that the end of maintenance names. */
const maxNamed = 20;
/** The time for which the end waits until somebody can look, in milliseconds: the alerts are on again all the same. */
const patience = 10 * minute;

/** What is failed, late or disabled on an environment at the end of its maintenance; absent where nobody could look. */
type LeftOver = Readonly<{ names: readonly string[]; more: number }>;

/** Looks at what is not as it should be at the end. */
export type MaintenanceLooker = Parts<'things' | 'records' | 'policy' | 'clock'>;

/** Ends maintenance at its time: its thread tells what is failed, late or disabled there then. */
export function workOnMaintenance(worker: ThingWorker, looker: MaintenanceLooker): Loop {
  return workOnThings(worker, {
    kind: maintenances,
    ...{ maxAtOnce: 20, groupsAtOnce: 4 },
    look: async (one, { now, session }) => ({
      standing: (await session()) && (await standingOn(looker, one, now).catch(unseen(one, now))),
    }),
    next(one, { now, sight }) {
      if (one.state === 'over') return { rest: null };
      if (now < one.until) return { rest: one.until };
      return sight ? overStep(one, now, { standing: sight.standing }) : 'look';
    },
  });
}

/** Lets maintenance end unseen where its declarer may not look any more, or where the service is away for long. */
function unseen({ until }: Maintenance, now: number) {
  return now > until + patience ? nothingBut() : nothingOn('forbidden', 'signed-out');
}

async function standingOn(looker: MaintenanceLooker, { team, person, environment }: Maintenance, now: number) {
  const inventory = await readInventory(looker, { team, records: looker.records.of({ team, person }, now) });
  const { failed, disabled, databases, environments } = await protectionReport(looker.policy, inventory);
  const late = databases.filter(({ standing }) => standing === 'late').map(({ record }) => record);
  const hosts = environments?.map(one => one.environment) ?? [];
  const all = { failed, disabled: [...hosts, ...disabled], late };
  const named = Object.entries(all).flatMap(([word, records]) =>
    records.flatMap(({ id, name, environment: place }) =>
      id.text === environment || place?.id.text === environment ? [`${name ?? id.text}: ${word}`] : [],
    ),
  );
  // Of records that were not shown, nobody can say that all is well.
  if (named.length === 0 && (inventory.isPart || !environments)) return undefined;
  return { names: named.slice(0, maxNamed), more: Math.max(0, named.length - maxNamed) };
}

/** Ends maintenance before its time. Gives `undefined` where there is none. */
export async function endMaintenance(
  { things }: Parts<'things'>,
  { id, team }: Pick<Maintenance, 'id' | 'team'>,
  now: number,
  who: Readonly<{ by: string; trail?: Actor }>,
): Promise<Maintenance | undefined> {
  const wakes = await excusedIn({ things }, team);
  const end = (one?: Maintenance) => (one?.state === 'on' ? { ...overStep(one, now, who), wakes } : undefined);
  return things.act(maintenances, id, end, now);
}

/** The open incidents of a team: each rests until the end of maintenance that excused it, which changes. */
export async function excusedIn({ things }: Parts<'things'>, team: string) {
  return (await things.list(incidents, { team })).map(({ id }) => ({ kind: incidents.name, id }));
}

/** The step that ends maintenance, at its time or by a person. */
function overStep(
  { id, team, revision, since, until }: Maintenance,
  now: number,
  { by, trail, standing }: Readonly<{ by?: string; trail?: Actor; standing?: LeftOver | undefined }>,
): MaintenanceStep {
  return {
    changes: { state: 'over', until: Math.min(until, now), plannedAt: null, endedAt: now },
    dueAt: null,
    closed: [{ outcome: 'over' }],
    trail: { ...trail, event: 'maintenance over' },
    notices: [
      {
        ...{ id: `${id} over ${revision}`, subject: id, team, kind: 'maintenance', createdAt: now, isNews: true },
        ...{ data: { what: 'over', by: by ?? null, standing: standing ?? null }, to: { thread: `${id} ${since}` } },
      },
    ],
  };
}
