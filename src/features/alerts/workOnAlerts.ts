import { minute } from '../../ground/durations.ts';
import { Failure, isSignedOut } from '../../ground/failure.ts';
import type { Loop } from '../../ground/loop.ts';
import { isNoMember } from '../../jobs/approval/people/people.ts';
import { mayUseAccount } from '../../jobs/approval/policy/mayUseAccount.ts';
import type { FactReader, Judge, Parts } from '../../jobs/parts.ts';
import { workOnQueue } from '../../jobs/workOnQueue.ts';
import { isAccount } from '../../store/serviceOwner.ts';
import type { KeptSight, Subscription } from '../../store/tables/alerts/alertRows.ts';
import { type SubscriptionChange, turnOfOthers } from '../../store/tables/alerts/alerts.ts';
import type { HeldWatcher } from '../../store/tables/alerts/sights.ts';
import type { NewNotice } from '../../store/tables/outbox.ts';
import type { AlertNotice, BlindReason } from './alertNotice.ts';
import { composeAlerts } from './composeAlerts.ts';
import { lookAround } from './lookAround.ts';

/** The time between two looks of the same watcher, in milliseconds. */
export const lookRhythm = 5 * minute;
/** The longest pause after looks that failed, in milliseconds. */
const longestPause = 15 * minute;
/** Looks in a row that fail before the channels are told that nobody sees anything: half an hour with their pauses. */
const manyFailures = 4;
/** Sights with news that one statement reads. */
const pageSize = 250;
/** The time before the look before in which the end of a job still explains what is seen, in milliseconds. */
const slack = 10 * minute;

/** Looks for what changed, and tells the channels that want to know. */
export type AlertWatcher = FactReader & Parts<'things' | 'account' | 'alerts' | 'sights' | 'isUninstalled' | 'tell'>;

/**
 * Looks at the lists for the channels that want alerts, once a rhythm for all channels that look with the same sign-in,
 * and tells them what changed.
 */
export function workOnAlerts(parts: AlertWatcher): Loop {
  const queue = parts.sights.queue();
  return workOnQueue(parts, {
    name: 'watcher',
    queue,
    ...{ maxAtOnce: 10, groupsAtOnce: 2 },
    groupOf: ({ id }) => id,
    shared: () => undefined,
    async step({ due, row }) {
      const watcher = { ...row, due };
      const dueAt = await takeLook(parts, watcher).catch(async (error: unknown) => {
        await tellFailure(parts, watcher, error);
        throw error;
      });
      if (dueAt !== undefined) await queue.rest(due, dueAt, { now: parts.clock.now() });
    },
    pauseAfter: (_, tries) => pauseOfLook(tries),
  });
}

/** The pause after a look that failed, where `tries` failed before it. Milliseconds. */
export function pauseOfLook(tries: number): number {
  return Math.min(lookRhythm * 2 ** Math.min(tries, 10), longestPause);
}

/** After many looks in a row that failed, the channels hear that nobody sees anything. */
async function tellFailure(parts: Parts<'alerts' | 'clock'>, watcher: HeldWatcher, error: unknown): Promise<void> {
  if (!(error instanceof Failure) || watcher.due.tries + 1 < manyFailures) return;
  const { alerts, clock } = parts;
  const now = clock.now();
  const subscriptions = await alerts.servedBy(watcher.id);
  const blind = subscriptions.flatMap(one => goBlind(one, { why: 'unreadable', detail: error.message }, now));
  if (blind.length > 0) await alerts.tellBlind(both(blind), now);
}

/** Takes a look. Gives the time of the next one where none is written yet. */
async function takeLook(parts: AlertWatcher, watcher: HeldWatcher): Promise<number | undefined> {
  const { alerts, sights, jobs, clock } = parts;
  const at = clock.now();
  const all = await alerts.servedBy(watcher.id);
  if (all.length === 0) {
    while (!(await sights.close(watcher)));
    return undefined;
  }
  const { served, blind } = await whoIsServed(parts, watcher, all, at);
  const session =
    served.length > 0 ? await parts.records.session({ team: watcher.team, person: watcher.person }) : undefined;
  const dueAt = at + lookRhythm;
  const leaveBlind = async () => {
    const why = isAccount(watcher) ? 'account refused' : 'signed out';
    const signedOut = served.flatMap(one => goBlind(one, { why }, at));
    await alerts.finish(watcher, { login: undefined, dueAt, ...both([...blind, ...signedOut]) }, at);
    parts.tell();
    return undefined;
  };
  if (!session) return leaveBlind();
  const login = session.credential.username;
  // Another user of the service may see other records, and would miss those of the one before.
  const isFirst = watcher.lookedAt === null || watcher.login !== login;
  const look = { at, turn: watcher.turn + 1, isFirst };
  const dealings = await jobs.dealingsSince(watcher.team, Math.min(watcher.lookedAt ?? at, at) - slack);
  try {
    if (!(await lookAround(parts, { watcher, look, dealings }))) return undefined;
  } catch (error) {
    if (isSignedOut(error)) return leaveBlind();
    throw error;
  }
  const news = await newsIn(parts, watcher);
  const open = await alerts.open(watcher.id);
  const handed = open.filter(({ turn }) => turn === turnOfOthers).flatMap(({ items }) => items);
  const kept = await sights.of(watcher.id, [...new Set(handed.map(({ record }) => record))]);
  const composed = await composeAlerts({ watcher, subscriptions: served, news, open, kept, dealings, at });
  const seeing = served.flatMap(subscription => seeAgain(subscription, composed.subscriptions));
  const told = await alerts.finish(
    watcher,
    {
      login,
      dueAt,
      ...composed,
      subscriptions: [...seeing, ...blind.map(({ change }) => change)],
      notices: [...composed.notices, ...blind.flatMap(({ notices }) => notices)],
    },
    at,
  );
  if (told) parts.tell();
  // A person changed something at the same moment: what was seen is still to be told.
  return told ? undefined : clock.now();
}

/** All sights with news of the turn. */
async function newsIn({ sights }: Parts<'sights'>, watcher: HeldWatcher): Promise<KeptSight[]> {
  const news: KeptSight[] = [];
  for (let after = ''; ; ) {
    const page = await sights.withNews(watcher, after, pageSize);
    news.push(...page);
    const last = page.at(-1);
    if (!last || page.length < pageSize) return news;
    after = last.record;
  }
}

type Blind = Readonly<{ change: SubscriptionChange; notices: readonly NewNotice[] }>;

const both = (blind: readonly Blind[]) => ({
  subscriptions: blind.map(({ change }) => change),
  notices: blind.flatMap(({ notices }) => notices),
});

/**
 * The channels that this watcher may look for now. Not those whose subscriber has left the workspace; and the service
 * account looks only for those who approve.
 * @throws {Failure} `busy` where Slack does not tell
 */
async function whoIsServed(
  parts: Judge & Parts<'account'>,
  watcher: HeldWatcher,
  all: readonly Subscription[],
  at: number,
) {
  const faults = new Map<string, BlindReason | undefined>();
  for (const person of new Set(all.map(one => one.person)))
    faults.set(person, await faultOf(parts, watcher, { team: watcher.team, person }));
  const served = all.filter(({ person }) => faults.get(person) === undefined);
  const blind = all.flatMap(one => {
    const why = faults.get(one.person);
    return why === undefined ? [] : goBlind(one, { why }, at);
  });
  return { served, blind };
}

async function faultOf(
  parts: Judge & Parts<'account'>,
  watcher: HeldWatcher,
  owner: Readonly<{ team: string; person: string }>,
): Promise<BlindReason | undefined> {
  const standing = await parts.people.standingOf(owner);
  if (isNoMember(standing)) return 'left';
  if (!isAccount(watcher)) return undefined;
  const may = await mayUseAccount(parts, owner);
  if (may === undefined) throw new Failure('busy', 'Slack does not tell at the moment who approves.');
  return may ? undefined : 'no approver';
}

/** The id of the message that says that nobody looks for a channel, by the revision that it was written on. */
function blindNotice({ id }: Subscription, revision: number): string {
  return `blind ${id} ${revision}`;
}

/** Says once that nobody can look for a channel. */
function goBlind(
  subscription: Subscription,
  { why, detail = null }: Readonly<{ why: BlindReason; detail?: string | null }>,
  now: number,
): Blind[] {
  if (subscription.state === 'blind') return [];
  const { id, team, channel, person, revision } = subscription;
  const data: AlertNotice = { what: 'blind', person, why, detail, revision: revision + 1 };
  const message = { id: blindNotice(subscription, revision), subject: id, team, kind: 'alert', createdAt: now };
  return [
    {
      change: {
        subscription,
        changes: { state: 'blind', reason: why },
        trail: { at: now, team, actor: 'dolly', person, channel, event: 'alerts blind', detail: detail ?? why },
      },
      notices: [{ ...message, data, to: { channel, person } }],
    },
  ];
}

/** The changes of a channel for which somebody looks: it may be again for the first time since it was blind. */
function seeAgain(subscription: Subscription, reminded: readonly SubscriptionChange[]): SubscriptionChange[] {
  const own = reminded.filter(change => change.subscription.id === subscription.id);
  if (subscription.state !== 'blind') return own;
  const closed = { notice: blindNotice(subscription, subscription.revision - 1), outcome: 'I look again.' };
  const [first] = own;
  return [{ subscription, changes: { ...first?.changes, state: 'on', reason: null }, closed }];
}
