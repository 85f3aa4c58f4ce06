import type { Transaction } from 'kysely';
import type { Schema, Store } from '../database.ts';
import { addDue } from '../dueQueue.ts';
import type { JobRow } from '../jobs/rows/jobRow.ts';
import { idsOf, isAnyOf } from '../lists.ts';
import { equals, unlessThere, wrote } from '../statementParts.ts';
import { inTrail, type NewEntry, type Told } from '../tables/audit/audit.ts';
import { takeUpSignedIn } from '../things/takeUpSignedIn.ts';
import { wakeWaiting } from '../things/things.ts';
import type { RecentRow } from './recentRows.ts';

/*
 * Puts back what a store does not know any more since it went back: what was sent stands as sent, and what was forbidden is
 * forbidden again. What somebody has done since on the store as it is stands, unless it was forbidden or done before.
 */

/** What was put back for a team. */
export type PutBack = Readonly<{ team: string; what: 'request' | 'thing' | 'message' | 'sign-in' }>;

type RecentOf<Table extends RecentRow['table']> = Extract<RecentRow, { table: Table }>;
type Changes = Transaction<Schema>;
type Note = (entry: NewEntry) => Promise<unknown>;
/** `withUnsent`: nobody else can have sent what this process knows as not sent yet. */
type Moment = Readonly<{ now: number; withUnsent: boolean }>;

/** The event of the trail. */
const event = 'put back';

/** Puts back what is missing in the store, or older there. Gives what that was, in one transaction with its entries in the trail. */
export function putBack(store: Store, told: Told, recent: readonly RecentRow[], moment: Moment) {
  const rowsOf = <Table extends RecentRow['table']>(table: Table) =>
    recent.filter((one): one is RecentOf<Table> => one.table === table);
  return inTrail(store, told, async (changes, note): Promise<readonly PutBack[]> => {
    const jobs = await putJobs(changes, note, rowsOf('jobs'), moment);
    for (const { row } of rowsOf('claims'))
      if (jobs.some(({ id }) => id === row.job))
        await changes.insertInto('claims').values(row).onConflict(unlessThere).execute();
    const signIns = await putSignIns(changes, note, rowsOf('credentials'), moment);
    const things = await putThings(changes, note, rowsOf('things'), moment);
    const notices = await putNotices(changes, rowsOf('outbox'), moment);
    return [...jobs, ...signIns, ...things, ...notices].map(({ team, what }) => ({ team, what }));
  });
}

type Stand = Pick<JobRow, 'id' | 'revision' | 'fence' | 'sentAt' | 'endedAt'>;

/** A request goes from waiting to an end without having been sent, or to having been sent: never back. */
function rankOf({ sentAt, endedAt }: Stand): number {
  if (sentAt !== null) return 2;
  return endedAt === null ? 0 : 1;
}

function isJobBehind(there: Stand | undefined, row: Stand, { withUnsent }: Moment): boolean {
  if (rankOf(row) === 0 && !withUnsent) return false;
  if (!there) return true;
  return rankOf(there) === rankOf(row) ? there.revision < row.revision : rankOf(there) < rankOf(row);
}

async function putJobs(changes: Changes, note: Note, recent: readonly RecentOf<'jobs'>[], moment: Moment) {
  const ids = recent.map(({ row }) => row.id);
  const stands = await changes
    .selectFrom('jobs')
    .select(['id', 'revision', 'fence', 'sentAt', 'endedAt'])
    .where(isAnyOf('id', ids))
    .execute();
  const known = new Map(stands.map(one => [one.id, one]));
  const behind = recent.filter(({ row }) => isJobBehind(known.get(row.id), row, moment));
  for (const { row } of behind) {
    const there = known.get(row.id);
    const isUnderWay = row.sentAt !== null && row.endedAt === null;
    const { id, ...values } = {
      ...row,
      // Whoever has it goes on with it; what was written since on the store as it is counts no more.
      fence: Math.max(row.fence, there?.fence ?? 0),
      // The messages of a plan count its steps' news, too.
      revision: Math.max(row.revision, row.shown, (there?.revision ?? 0) + 1),
      dueAt: isUnderWay ? (row.dueAt ?? moment.now) : row.dueAt,
      // Another request may have taken its place meanwhile.
      ...{ freePort: null, freeName: null },
    };
    const insert = changes.insertInto('jobs').values({ id, ...values });
    if (there) await changes.updateTable('jobs').set(values).where('id', '=', id).execute();
    else await insert.onConflict(unlessThere).execute();
    const { team, person, operation, target, targetName, channel, login, state: detail } = row;
    const about = { job: id, team, person, operation, target, targetName, channel, login, detail };
    await note({ ...about, at: moment.now, actor: 'dolly', event });
  }
  const put = behind.map(({ row: { id, team } }) => ({ id, team, what: 'request' as const }));
  await changes
    .deleteFrom('looks')
    .where(isAnyOf('job', idsOf(put)))
    .execute();
  return put;
}

async function putThings(changes: Changes, note: Note, recent: readonly RecentOf<'things'>[], { now }: Moment) {
  const put = [];
  for (const { row, rests } of recent) {
    const insert = changes.insertInto('things').values(row);
    const written = insert.onConflict(conflict =>
      conflict.columns(['kind', 'id']).doUpdateSet(row).where('things.revision', '<', row.revision),
    );
    if (!(await wrote(written))) continue;
    const { kind, id, team, person, endedAt } = row;
    await addDue(changes, [{ kind, id, team, dueAt: rests || endedAt !== null ? null : now, now }]);
    await note({ at: now, team, person, actor: 'dolly', event, detail: `${kind}: ${row.state}` });
    put.push({ id: `${kind} ${id}`, team, what: 'thing' as const });
  }
  await wakeWaiting(changes, idsOf(put), now);
  return put;
}

async function putNotices(changes: Changes, recent: readonly RecentOf<'outbox'>[], { now }: Moment) {
  const put = [];
  for (const { row } of recent) {
    const insert = changes.insertInto('outbox').values(row);
    const written = insert.onConflict(conflict =>
      conflict
        .column('id')
        .doUpdateSet(row)
        .where(({ eb, or }) =>
          or([
            eb('outbox.revision', '<', row.revision),
            eb('outbox.shown', '<', row.shown),
            ...(row.ts === null ? [] : [eb('outbox.ts', 'is', null)]),
          ]),
        ),
    );
    if (!(await wrote(written))) continue;
    const { id, team, shown, revision } = row;
    await addDue(changes, [{ kind: 'notice', id, team, dueAt: shown === revision ? null : now, now }]);
    put.push({ id, team, what: 'message' as const });
  }
  return put;
}

/** Whoever signed in anew since the store went back stays signed in. */
async function putSignIns(changes: Changes, note: Note, recent: readonly RecentOf<'credentials'>[], { now }: Moment) {
  const put = [];
  for (const { row, isOver } of recent) {
    const { team, person, username: login, createdAt } = row;
    const ended = changes.deleteFrom('credentials').where(equals({ team, person })).where('createdAt', '<=', createdAt);
    const begun = changes
      .insertInto('credentials')
      .values(row)
      .onConflict(conflict =>
        conflict.columns(['team', 'person']).doUpdateSet(row).where('credentials.createdAt', '<', createdAt),
      );
    if (!(await wrote(isOver ? ended : begun))) continue;
    if (!isOver) await takeUpSignedIn(changes, { team, person }, now);
    await note({ at: now, team, person, actor: 'dolly', event, login, detail: isOver ? 'signed out' : 'signed in' });
    put.push({ id: person, team, what: 'sign-in' as const });
  }
  return put;
}
