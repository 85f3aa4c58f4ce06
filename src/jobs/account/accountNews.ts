import { day } from '../../ground/durations.ts';
import { sentence } from '../../ground/failure.ts';
import { isOfAccount, type ServiceAccount } from '../../records/accountSignIn.ts';
import type { NewNotice } from '../../store/tables/outboxRows.ts';
import type { Owner } from '../../store/vault.ts';
import { approverPlaces } from '../approval/people/hasSay.ts';
import type { Judge, Parts } from '../parts.ts';
import { type AccountNotice, accountNoticeKind } from './accountNotice.ts';

/** The parts by which approvers are told about the service account. */
type NewsParts = Judge &
  Parts<'outbox' | 'approvalChannel' | 'clock' | 'log'> &
  Readonly<{ account: ServiceAccount | undefined }>;

/**
 * Tells those who approve that the service account cannot sign in: once a day at most, however often that fails. An
 * outage of the service is not told, since it says nothing about the account.
 */
export async function tellRefusal(parts: NewsParts, owner: Owner, error: unknown): Promise<void> {
  const { outbox, account, clock, log } = parts;
  log.warn({ team: owner.team, error }, 'the service account could not sign in');
  if (!account || !isOfAccount(error)) return;
  const now = clock.now();
  const last = await outbox.lastOf(aboutAccount(owner));
  if (last && now - last.createdAt < day && last.createdAt <= now) return;
  const data: AccountNotice = { username: account.username, why: sentence(error) };
  const notice = { subject: aboutAccount(owner), team: owner.team, kind: accountNoticeKind, createdAt: now, data };
  const places = await approverPlaces(parts, owner.team);
  if (places.length === 0) log.warn('nobody can be told of it: neither APPROVERS nor APPROVAL_CHANNEL is set');
  // Two processes that are refused on the same day write the same message.
  const today = `account ${owner.team} ${Math.floor(now / day)}`;
  await outbox.add(places.map(({ id, to }): NewNotice => ({ ...notice, id: `${today} ${id}`, to })));
}

/** Says in the messages about refused sign-ins that the service account works again. */
export async function closeRefusals({ outbox, clock }: NewsParts, owner: Owner): Promise<void> {
  await outbox.close(aboutAccount(owner), { outcome: 'It is signed in again.', now: clock.now() });
}

/** The subject of the messages about the service account of a workspace. */
export function aboutAccount({ team }: Owner): string {
  return `account ${team}`;
}
