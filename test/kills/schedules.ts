import { type NewSchedule, newSchedule, schedules } from '../../src/features/schedules/schedule.ts';
import { thingsIn } from '../../src/store/things/things.ts';
import type { World } from '../world.ts';
import { type Report, reportCards, sentTo, type Write } from './report.ts';
import { plantLive } from './restores.ts';
import { onStore } from './stoppedStore.ts';

/*
 * Schedules that are due while the bot is dead. One run each: a backup that goes well, a backup that fails for the third
 * time in a row, or a report.
 */

const kinds = ['backup', 'failing', 'report'] as const;

/** A schedule that is due once; its database has its name, and nobody else’s work is about it. */
export type Planned = Readonly<{ kind: (typeof kinds)[number]; name: string; database: string; plannedAt: number }>;

/** The channel of their messages, in which else only sign-ins are told. */
export const nightChannel = { id: 'C0DEV00001', name: '#dev' } as const;

/** Adds a schedule of Ana's to the store of a bot that does not run. It was due some seconds ago. */
export async function plantSchedule(earth: World, number: number): Promise<Planned> {
  const kind = kinds[number % kinds.length] ?? 'backup';
  const { name, database } = plantLive(earth, `night${number}`);
  const madeAt = earth.clock.now();
  const planned = { kind, name, database, plannedAt: Date.now() - 1_000 * (number % 7) };
  if (kind === 'failing') disable(earth, database);
  const as = scheduleOf(earth, planned, madeAt);
  const begins = () => ({ as, dueAt: planned.plannedAt });
  await onStore(earth, store => thingsIn(store).act(schedules, as.id, begins, planned.plannedAt));
  return planned;
}

/** The service refuses to back up a database that is disabled. */
function disable({ service: { service } }: World, id: string): void {
  const database = service.estate.databases.get(id);
  if (database) service.estate.databases.set(id, { ...database, state: 'DISABLED' });
}

function scheduleOf({ playground }: World, { kind, name, database, plannedAt }: Planned, madeAt: number): NewSchedule {
  const { team, people } = playground.slack.workspace;
  const at = new Date(plannedAt).toISOString().slice(11, 16);
  const report = { kind: 'report', operation: 'report', values: { words: name, only: 'all' } } as const;
  const job = { kind: 'job', operation: 'database.backup', values: { database } } as const;
  const made = newSchedule({
    ...(kind === 'report'
      ? { ...report, target: '', targetName: null, madeAt: null }
      : { ...job, target: database, targetName: name, madeAt }),
    ...{ id: name, team: team.id, person: people.find(person => person.name === 'ana')?.id ?? '' },
    ...{ channel: nightChannel.id, labels: {}, purpose: null, createdAt: plannedAt },
    ...{ rhythm: JSON.stringify({ every: 'day', at }), zone: 'UTC', tells: 'all', runsAs: 'owner' },
  });
  return { ...made, plannedAt, failures: kind === 'failing' ? 2 : 1 };
}

/**
 * Reports on schedules by what Slack and the service saw: each has one run, that is one request and one message with one
 * end, and a report is told once. The third failure in a row pauses a schedule, and asks its owner once.
 */
export function reportSchedules(earth: World, result: Report, all: readonly Planned[], writes: readonly Write[]): void {
  for (const { kind, name, database } of all) {
    const request = `schedule of ${name}`;
    const isIn = (text: string) => new RegExp(`\\b${name}\\b`).test(text);
    const cards = earth.cards(nightChannel.name).filter(card => isIn(earth.text(card)));
    const sent = sentTo(writes, 'sync', database);
    result.asked += 1;
    if (sent > 1) result.doubled.push(`${request}: sent ${sent} times`);
    if (kind === 'failing') {
      const told = cards.filter(card => earth.text(card).includes('several times in a row')).length;
      // A run that was killed as it was sent is no failure until somebody knows.
      const isUnknown = cards.some(card => earth.text(card).includes('· Unconfirmed'));
      if (told === 0 && !isUnknown) result.stuck.push(`${request}: its channel was not told`);
      if (told > 1) result.doubled.push(`${request}: its channel was told ${told} times`);
      continue;
    }
    if (cards.length === 0) result.lost.push(`${request}: no message, sent ${sent} times`);
    if (cards.length > 1) result.doubled.push(`${request}: ${cards.length} messages`);
    if (kind === 'report') continue;
    reportCards(earth, result, request, cards);
    const made = earth.service.service.estate.databases.get(database)?.snapshots.length ?? 0;
    if (cards.some(card => earth.text(card).includes('· Confirmed')) && made < 2)
      result.untrue.push(`${request}: confirmed without a snapshot`);
  }
}

/**
 * Reports on schedules by their rows, in the store of a bot that does not run: the run is counted, its end as what it was,
 * and the next run is to come.
 */
export async function reportRuns(earth: World, result: Report, all: readonly Planned[]): Promise<void> {
  const [rows, runs, notices] = await onStore(earth, store =>
    Promise.all([
      thingsIn(store).list(schedules, { withOver: true }),
      store.selectFrom('jobs').select(['id', 'schedule', 'state']).where('schedule', 'is not', null).execute(),
      store.selectFrom('outbox').select(['id', 'subject', 'kind']).execute(),
    ]),
  );
  for (const { kind, name, plannedAt } of all) {
    const request = `schedule of ${name}`;
    const row = rows.find(({ id }) => id === name);
    const [run, ...others] = runs.filter(({ schedule }) => schedule === name);
    if (others.length > 0) result.doubled.push(`${request}: ${others.length + 1} runs`);
    if (kind === 'report') {
      const told = notices.filter(notice => notice.kind === 'report' && notice.subject === name).length;
      if (told !== 1) result.doubled.push(`${request}: ${told} notices`);
    }
    if (kind !== 'report' && !run) result.lost.push(`${request}: no run`);
    if (row?.lastAt !== plannedAt) result.untrue.push(`${request}: ran at ${row?.lastAt}, not at ${plannedAt}`);
    if (row?.state === 'on' && (row.plannedAt ?? 0) <= plannedAt) result.stuck.push(`${request}: no next run`);
    const isGood = kind === 'report' || run?.state === 'succeeded';
    // Neither well nor failed is what nobody knows the end of: the count stays as it was.
    const before = kind === 'failing' ? 2 : 1;
    const failures = isGood ? 0 : run?.state === 'failed' ? before + 1 : before;
    if (row?.failures !== failures || row.state !== 'on')
      result.untrue.push(`${request}: ${run?.state}, and then ${row?.failures} failures and ${row?.state}`);
    if (run && row?.lastOutcome !== run.state)
      result.untrue.push(`${request}: ${run.state}, and noted as ${row?.lastOutcome}`);
  }
}
