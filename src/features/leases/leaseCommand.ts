import { parseIdentifier } from '../../api/identifiers.ts';
import { failureBut } from '../../ground/failure.ts';
import type { Parts } from '../../jobs/parts.ts';
import { keepForFault, readKeepFor } from '../../operations/requests/keepFor.ts';
import { findSeveral } from '../../records/find.ts';
import { mentionOf } from '../../slack/blocks/mentionPeople.ts';
import { type Content, said } from '../../slack/blocks/message.ts';
import { moment, momentAfter } from '../../slack/blocks/moments.ts';
import { bold, code, plain } from '../../slack/blocks/mrkdwn.ts';
import type { Desk } from '../../slack/desk/desk.ts';
import type { CommandAnswer } from '../../slack/house.ts';
import { foundOne } from '../../slack/records/foundOne.ts';
import { hasHolder, type Lease, leaseId, leases } from '../../store/tables/leases.ts';
import type { Owner } from '../../store/vault.ts';
import { leaseActions } from './leaseButtons.ts';
import { keepClone, keepClones, type LeaseKeeper } from './leaseClicks.ts';
import { untilWords } from './leaseMessages.ts';

/** Answers commands about leases. */
type LeaseCommander = LeaseKeeper & Desk<'names'>;

/**
 * Answers `lease`: shows how long a clone is kept, or sets it by the last word or by `until=`.
 * @throws {Failure} `signed-out`, or where the records cannot be read
 */
export const leaseOf: CommandAnswer<LeaseCommander> = async (desk, interaction, { words, inputs }) => {
  const rest = words.slice(1);
  const until = Object.values(inputs)[0];
  const last = rest.at(-1) ?? '';
  const isTime = until === undefined && rest.length > 1 && readKeepFor(last) !== undefined;
  const typed = (isTime ? rest.slice(0, -1) : rest).join(' ');
  if (typed === '') return said(usage(desk));
  if (until !== undefined && readKeepFor(until) === undefined)
    return said(`I cannot use ${code(`until=${until}`, 80)}, so I did nothing. ${keepForFault}`);
  const text = until ?? (isTime ? last : undefined);
  const several =
    text === undefined ? undefined : await clonesNamed(desk, interaction, isTime ? rest.slice(0, -1) : rest);
  if (text !== undefined && several) return keepClones(desk, interaction, several, text);
  const sought = await desk.records.of(interaction).find(typed, ['clone']);
  // Some names look like identifiers of a kind that nobody knows.
  const isUnknown = sought.type === 'none' || (sought.type === 'wrong' && sought.noun === undefined);
  const past = isUnknown ? await pastLease(desk, interaction, typed) : undefined;
  if (past && (await isGone(desk, interaction, past.record))) return saidOver(past, past.record);
  const found = foundOne(sought, { typed, nouns: ['clone'], usage: usage(desk) });
  if (!('id' in found)) return found;
  if (text !== undefined) return keepClone(desk, interaction, { record: found.id, text });
  const lease = await desk.things.find(leases, leaseId(interaction.team, found.id));
  const isListed = found.name !== undefined;
  return isListed || !(await isGone(desk, interaction, found.id))
    ? shownLease(lease, found.id, found.name)
    : saidOver(lease, found.id);
};

/** The clones that words name, where they name several; else they may be one name. */
async function clonesNamed({ records }: Parts<'records'>, owner: Owner, words: readonly string[]) {
  const seen = records.of(owner);
  const found = await findSeveral(words, name => seen.find(name, ['clone']));
  return found.type === 'several' ? found.records.map(({ id, name = id }) => ({ id, name })) : undefined;
}

/** The last lease that this person had of a clone which was called so. */
async function pastLease(
  { things }: Desk<'things'>,
  { team, person }: Owner,
  name: string,
): Promise<Lease | undefined> {
  const all = await things.list(leases, { team, person, withOver: true });
  const called = all.filter(lease => lease.name?.toLowerCase() === name.toLowerCase());
  return called.toSorted((one, other) => (other.endedAt ?? Infinity) - (one.endedAt ?? Infinity))[0];
}

/** Whether the service says that it has no such record. @throws {Failure} `signed-out` */
async function isGone({ records }: Parts<'records'>, owner: Owner, record: string): Promise<boolean> {
  const [id, session] = [parseIdentifier(record), await records.session(owner)];
  return id !== undefined && session !== undefined && !(await session.records.one(id).catch(failureBut('signed-out')));
}

function saidOver(lease: Lease | undefined, record: string): Content {
  const called = bold(lease?.name ?? record, 100);
  return said(lease ? `:hourglass: ${called} is gone, and its lease has ended.` : `No record shows ${called}.`);
}

function usage({ names }: Desk<'names'>): string {
  return `Say which clone, and for how long: ${code(`${names.db} lease shop-3310 3d`)}, or ${code('until=2026-12-24')}, or ${code('none')}.`;
}

function shownLease(lease: Lease | undefined, record: string, name: string | undefined): Content {
  const called = bold(lease?.name ?? name ?? record, 100);
  const button = leaseActions.more.button('Keep for…', record);
  if (!lease || lease.state === 'ended')
    return said(`${called} has no lease: it stays until somebody deletes it.`, [button]);
  const { person } = lease;
  const whose = hasHolder(lease)
    ? `It is ${mentionOf(person)}’s.`
    : `${mentionOf(person)} set that end, but does not hold the clone.`;
  return said(`:hourglass: ${called} is ${standing(lease)}. ${whose}`, [button]);
}

/** Says in a few words how a lease stands. */
export function standing(lease: Lease): string {
  const { state, endsAt, graceUntil, rule } = lease;
  const ruled = rule === null ? '' : ` (${plain(rule, 80)})`;
  const deletion = graceUntil === null ? '' : `, and deleted${moment(graceUntil, ' {date_short_pretty} {time}')}`;
  const words: Readonly<Record<Lease['state'], string>> = {
    new: 'kept; its end is set in a moment',
    kept: `kept ${untilWords(endsAt)}${ruled}`,
    asking: `past its end${endsAt === null ? '' : ` ${momentAfter('since', endsAt)}`}: ${hasHolder(lease) ? 'its owner is asked' : 'those who may decide are asked'}`,
    stopping: `being stopped${ruled}`,
    stopped: `stopped${deletion}${ruled}`,
    deleting: `being deleted${ruled}`,
    ended: 'without a lease',
  };
  return words[state];
}
