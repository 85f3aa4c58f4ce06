import { AlertNotice } from '../../src/features/alerts/alertNotice.ts';
import type { Database } from '../../src/sandbox/service/estate.ts';
import type { Store } from '../../src/store/database.ts';
import { setDue } from '../../src/store/dueQueue.ts';
import { incidents } from '../../src/store/tables/alerts/alertRows.ts';
import { thingsIn } from '../../src/store/things/things.ts';
import type { Someone } from '../person.ts';
import type { World } from '../world.ts';
import type { Report } from './report.ts';
import { plantLive } from './restores.ts';
import { nightChannel } from './schedules.ts';
import { onStore } from './stoppedStore.ts';

/* Databases that fail, and are mended, while the bot is dead. Each is told once, and so is its end. */

/** A database that failed. It is mended once Slack has the message about it. */
export type Failed = { name: string; database: string; isMended: boolean };

/** Has Ana's sign-in look for the channel. It hears of what fails after the first look. */
export async function turnAlertsOn(ana: Someone, earth: World): Promise<void> {
  await ana.types(nightChannel.name, '/db alerts on failed');
  const isOn = () => earth.cards(nightChannel.name).some(card => earth.text(card).includes('turned alerts on here'));
  await earth.until(isOn, 'the message that alerts are on');
}

/**
 * Mends the databases of which Slack was told, lets one more fail, and makes the next look due, whoever is at one: at once,
 * or up to some seconds later.
 */
export async function plantFailure(earth: World, all: Failed[], number: number): Promise<void> {
  const { told, hasLooked } = await onStore(earth, async store => {
    const watcher = await store.selectFrom('watchers').select(['id', 'lookedAt']).executeTakeFirst();
    const notices = await store.selectFrom('outbox').select('id').where('ts', 'is not', null).execute();
    const posted = new Set(notices.map(({ id }) => id));
    const sent = (await allAlertsIn(store)).filter(({ id }) => posted.has(id));
    const dueAt = Date.now() + 500 * (number % 6);
    if (watcher) await setDue(store, { kind: 'watcher', id: watcher.id }, { dueAt, now: Date.now() });
    return { told: recordsIn(sent), hasLooked: typeof watcher?.lookedAt === 'number' };
  });
  for (const failed of all.filter(({ database, isMended }) => !isMended && told.includes(database))) {
    change(earth, failed.database, { state: 'RUNNING', error: undefined });
    failed.isMended = true;
  }
  // What is so already at the first look is told to nobody.
  if (!hasLooked) return;
  const { name, database } = plantLive(earth, `ill${number}`);
  change(earth, database, { state: 'FAILED', error: 'The disk is full.' });
  all.push({ name, database, isMended: false });
}

function change({ service: { service } }: World, id: string, to: Pick<Database, 'state' | 'error'>): void {
  const database = service.estate.databases.get(id);
  if (database) service.estate.databases.set(id, { ...database, ...to });
}

async function allAlertsIn(store: Store) {
  return thingsIn(store).list(incidents, { withOver: true });
}

const recordsIn = (alerts: Awaited<ReturnType<typeof allAlertsIn>>) =>
  alerts.flatMap(({ items }) => items.map(({ record }) => record));

/**
 * Reports on failures by what Slack saw: each stands in the thread of one incident, and once it is mended, one reply says
 * so.
 */
export function reportAlerts(earth: World, result: Report, all: readonly Failed[]): void {
  const threads = earth
    .cards(nightChannel.name)
    .map(card => ({ head: earth.text(card), replies: earth.replies(card).map(reply => earth.text(reply)) }));
  for (const { name, isMended } of all) {
    const request = `alert of ${name}`;
    const isIn = (text: string) => new RegExp(`\\b${name}\\b`).test(text);
    const isEnd = (text: string) => text.split('\n').some(line => isIn(line) && line.includes('is no longer failed'));
    const own = threads.filter(({ head, replies }) => [head, ...replies].some(isIn));
    const ends = own.flatMap(({ replies }) => replies.filter(isEnd));
    result.asked += 1;
    if (own.length === 0) result.lost.push(`${request}: no message`);
    if (own.length > 1) result.doubled.push(`${request}: ${own.length} incidents`);
    if (ends.length > 1) result.doubled.push(`${request}: ${ends.length} replies`);
    if (isMended && ends.length === 0) result.lost.push(`${request}: no reply says that it is mended`);
    if (!isMended && ends.length > 0) result.untrue.push(`${request}: told as mended`);
  }
}

/** Reports on failures by the rows, in the store of a bot that does not run: one alert each, and one reply at its end. */
export async function reportAlertRows(earth: World, result: Report, all: readonly Failed[]): Promise<void> {
  const { alerts, notices } = await onStore(earth, async store => ({
    alerts: await allAlertsIn(store),
    notices: await store.selectFrom('outbox').select('data').where('kind', '=', 'alert').execute(),
  }));
  const told = notices.map(({ data }) => AlertNotice.parse(JSON.parse(data)));
  const replied = told.flatMap(notice =>
    notice.what === 'news' ? notice.ended.items.map(({ record }) => record) : [],
  );
  const rows = recordsIn(alerts);
  const ended = alerts.flatMap(({ items }) => items.filter(({ endedAt }) => endedAt !== null).map(one => one.record));
  for (const { name, database, isMended } of all) {
    const request = `alert of ${name}`;
    const countIn = (records: readonly string[]) => records.filter(record => record === database).length;
    const counts = [rows, ended, replied].map(countIn);
    const [alertCount, ends, replies] = counts;
    if (alertCount !== 1) result.doubled.push(`${request}: ${alertCount} alerts`);
    const wanted = isMended ? 1 : 0;
    if (ends !== wanted || replies !== wanted)
      result.untrue.push(`${request}: ${ends} ends and ${replies} replies in the store, not ${wanted}`);
  }
}
