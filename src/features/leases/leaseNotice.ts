import { z } from 'zod';
import { parseJson } from '../../ground/json.ts';
import { approverPlaces } from '../../jobs/approval/people/hasSay.ts';
import type { Judge, Parts } from '../../jobs/parts.ts';
import { hasHolder, type Lease } from '../../store/tables/leases.ts';
import type { NewNotice } from '../../store/tables/outboxRows.ts';

/** What a message of a lease tells. The words are stored, so they never change. */
const told = [
  ...['begun', 'cut', 'warned', 'warned late', 'asked', 'unanswered', 'stopped', 'left', 'changed'],
  ...['granted', 'declined'],
] as const;
export type LeaseTold = (typeof told)[number];

/** What a message of a lease is made from. */
export const LeaseNotice = z.object({
  what: z.enum(told),
  record: z.string(),
  name: z.string().nullable(),
  /** The owner. */
  person: z.string(),
  endsAt: z.number().nullish(),
  graceUntil: z.number().nullish(),
  /** Why the clone is not simply stopped or deleted. */
  why: z.string().nullish(),
  /** The times by which it may be extended without asking. */
  choices: z.array(z.string()).default([]),
  end: z.enum(['ask', 'stop', 'delete']).default('ask'),
  rule: z.string().nullish(),
  /** The time between the stop and the deletion, in milliseconds. */
  grace: z.number().optional(),
  /** Whether it may be kept without an end. */
  isEndless: z.boolean().default(false),
  /** Whether its owner was not signed in when this was written, although the end needs that. */
  lacksSignIn: z.boolean().default(false),
  /** Whether the person holds the clone, and has not only set its end. */
  isHeld: z.boolean().default(true),
  /** Whether the policy’s rule asks at the end of a clone that Dolly did not make. */
  isHeldBack: z.boolean().default(false),
  /** Who changed it. */
  by: z.string().optional(),
});
export type LeaseNotice = z.infer<typeof LeaseNotice>;

/** The outcome of a message that a person's act closed; any other outcome is a plain sentence. */
export const LeaseChanged = z.object({ by: z.string(), endsAt: z.number().nullable(), isTakenOver: z.boolean() });
export type LeaseChanged = z.infer<typeof LeaseChanged>;

/** The people whom a lease's messages reach: the owner, those who approve, and whoever decides at its end. */
export type Addressees = Readonly<Record<'owner' | 'approvers' | 'deciders', readonly NewNotice['to'][]>>;

/**
 * The places for the messages of a lease. The owner has the thread of the job and their direct messages. Those who
 * approve have their channel, else a direct message each; where nobody is named, the channel of the request. They get
 * what was for an owner who has left, and are asked together with whoever only set the end.
 */
export async function addresseesOf(
  parts: Judge & Parts<'approvalChannel'>,
  lease: Lease,
  hasLeft: boolean,
): Promise<Addressees> {
  const { team, job, person, channel } = lease;
  const places = await approverPlaces(parts, team, { except: hasLeft ? undefined : person, otherwise: channel });
  const approvers = places.map(({ to }) => to);
  const owner = [{ person }, ...(job === null ? [] : [{ job }])];
  if (hasLeft) return { owner: approvers, approvers, deciders: approvers };
  return { owner, approvers, deciders: hasHolder(lease) ? owner : [...owner, ...approvers] };
}

/**
 * What the owner was told of what is about to be done, in milliseconds since the epoch: when it was written first, and
 * when it reached them; `null` while the last of it has not. `silentSince` is the time since which nothing about the lease
 * has reached them that was written. `end` is what the last warning said would be done; `undefined` where it left that to
 * the policy.
 */
export type WordToOwner = Readonly<{
  saidAt: number;
  arrivedAt: number | null;
  silentSince?: number | undefined;
  end?: LeaseNotice['end'] | undefined;
}>;

/** The messages that an end hangs on: the warnings. Where there is none, those that told the end when it was set. */
const hangsOn: readonly (readonly LeaseTold[])[] = [['warned', 'warned late'], ['changed'], ['begun', 'cut']];

/**
 * Reads what the owner of a lease was told of its end, or of the deletion of the stopped clone. Only their direct
 * messages count: nobody knows who reads a thread. `undefined` where the owner set the end, and so needs no word.
 */
export async function wordToOwner(
  { outbox }: Parts<'outbox'>,
  { id, person, state, setAt }: Lease,
): Promise<WordToOwner | undefined> {
  if (state !== 'kept' && state !== 'stopped') return undefined;
  const messages = await outbox.toPerson(id, person);
  const told = messages.flatMap(({ data, createdAt, ts, arrivedAt }) => {
    const notice = LeaseNotice.safeParse(parseJson(data)).data;
    if (!notice) return [];
    const { what } = notice;
    return [{ what, end: endSaidIn(notice), createdAt, arrivedAt: arrivedAt ?? (ts === null ? null : createdAt) }];
  });
  const among = (whats: readonly LeaseTold[]) => told.filter(one => one.createdAt >= setAt && whats.includes(one.what));
  const words =
    state === 'stopped' ? among(['stopped']).slice(-1) : (hangsOn.map(among).find(some => some.length > 0) ?? []);
  const [first, last] = [words[0], words.at(-1)];
  if (!first || !last) return undefined;
  const arrivals = words.flatMap(({ arrivedAt }) => arrivedAt ?? []);
  const silentSince = told[told.findLastIndex(one => one.arrivedAt !== null) + 1]?.createdAt;
  const arrivedAt = last.arrivedAt === null ? null : Math.min(...arrivals);
  return { saidAt: first.createdAt, arrivedAt, silentSince, end: last.end };
}

/** Only a warning says what is done at the end; to whoever is not signed in it says that the policy decides. */
function endSaidIn({ what, end, lacksSignIn }: LeaseNotice): LeaseNotice['end'] | undefined {
  const isWarning = what === 'warned' || what === 'warned late';
  return isWarning && !(end === 'ask' && lacksSignIn) ? end : undefined;
}
