import { z } from 'zod';
import { parseJson } from '../../ground/json.ts';
import { hasLeft, surelyApproves } from '../../jobs/approval/people/hasSay.ts';
import type { Judge, Parts } from '../../jobs/parts.ts';
import { writeEnd } from '../../operations/requests/keepFor.ts';
import type { Actor } from '../../store/tables/audit/audit.ts';
import { type Lease, leases } from '../../store/tables/leases.ts';
import type { NewNotice } from '../../store/tables/outboxRows.ts';
import type { Owner } from '../../store/vault.ts';
import { deciderOfEnd } from './lease.ts';
import type { LeaseNotice } from './leaseNotice.ts';

/*
 * The end of a lease that stops or deletes acts with its owner’s sign-in. Only the owner, or somebody who approves, sets
 * such an end. The wish of anybody else is a question to the owner. The question is open as long as its message is, and
 * whatever changes the end closes it.
 */

/** The kind of the message that asks an owner. */
export const wishKind = 'lease wish';

/** What such a message asks. `endsAt` is the wished end, in milliseconds since the epoch. */
export const LeaseWish = z.object({
  record: z.string(),
  name: z.string().nullable(),
  /** Who is asked: the owner, or who allowed what happens at the end. */
  person: z.string(),
  /** The person who wishes it. */
  by: z.string(),
  endsAt: z.number(),
});
export type LeaseWish = z.infer<typeof LeaseWish>;

/** Tells the person who wished an end what became of the wish. `by` is the person who decided. */
export function newsOfWish(
  what: Extract<LeaseNotice['what'], 'granted' | 'declined'>,
  { id, team, revision }: Lease,
  { wish, by, now }: Readonly<{ wish: LeaseWish; by: string; now: number }>,
): NewNotice {
  const { record, name, person, endsAt } = wish;
  return {
    ...{ id: JSON.stringify([id, revision, what, wish.by]), subject: id, team, kind: 'lease' },
    ...{ createdAt: now, data: { what, record, name, person, endsAt, by }, to: { person: wish.by } },
  };
}

/** Says for the trail what somebody wished. */
export function writeWish({ endsAt, by }: Pick<LeaseWish, 'endsAt' | 'by'>): string {
  return `${writeEnd(endsAt)}, as ${by} wished`;
}

/**
 * Whether a person may set an end that a rule acts on: the owner, or who allowed that, and members whom the policy names as
 * approvers. Where Slack does not tell, it is a no.
 */
export async function mayAnswerFor(
  judge: Judge,
  lease: Parameters<typeof deciderOfEnd>[0],
  { team, person }: Owner,
): Promise<boolean> {
  return person === deciderOfEnd(lease) || surelyApproves(judge, { team, person });
}

/** What came of the wish: the owner is asked by this question, or cannot be. */
type WishOutcome = Readonly<{ type: 'asked'; lease: Lease; question: string } | { type: 'refused'; sentence: string }>;

/**
 * Asks the owner of a lease for an end that another person wishes, in the message in which they wished another one, if
 * that is open and its time is not over; `undefined` where the lease changes meanwhile.
 * @throws {Failure} `forbidden` where they wished as often as they may
 */
export async function askOwner(
  { people, things, outbox, clock }: Parts<'things' | 'people' | 'outbox' | 'clock'>,
  lease: Lease,
  { by, person, endsAt }: Readonly<{ by: Actor; person: string; endsAt: number }>,
): Promise<WishOutcome | undefined> {
  const now = clock.now();
  const asked = deciderOfEnd(lease);
  const sentence = 'Its owner has left the workspace. Ask an approver to set its end.';
  if (await hasLeft({ people }, { team: lease.team, person: asked })) return { type: 'refused', sentence };
  const { id, team, revision, record, name } = lease;
  const data = { record, name, person: asked, by: person, endsAt } satisfies LeaseWish;
  const open = (await outbox.toPerson(id, asked)).flatMap(({ id: notice, kind, outcome, data }) => {
    const wish = kind === wishKind && outcome === null ? LeaseWish.safeParse(parseJson(data)).data : undefined;
    return wish?.by === person && wish.endsAt > now ? [{ notice, wish }] : [];
  })[0];
  // They are asked this already.
  if (open?.wish.endsAt === endsAt) return { type: 'asked', lease, question: open.notice };
  const about = { subject: id, team, kind: wishKind, createdAt: now, to: { person: asked } };
  const question = open?.notice ?? JSON.stringify([id, revision, 'wish', person]);
  const told = open ? { drawn: [{ notice: question, data }] } : { notices: [{ id: question, ...about, data }] };
  const trail = { ...by, event: 'lease wished', detail: `${writeEnd(endsAt)}: its owner is asked` };
  const written = await things.apply(leases, lease, { changes: {}, trail, ...told }, { now });
  return written && { type: 'asked', lease: written, question };
}

/** A wish whose question is about to be answered. `id` is that of its message. */
export type OpenWish = Readonly<{ id: string; wish: LeaseWish }>;

/** The sentence for a click on a question that waits for no answer any more. */
export const answeredBefore = 'This was already answered, or the end has changed since. I changed nothing more.';

/** Whether a question still waits for its answer. What answers it, or changes the end, closes its message. */
export async function isOpen({ outbox }: Parts<'outbox'>, { id }: Pick<OpenWish, 'id'>): Promise<boolean> {
  const message = await outbox.find(id);
  return message !== undefined && message.outcome === null;
}
