import { formatDistanceStrict } from 'date-fns/formatDistanceStrict';
import type { RecordView } from '../../api/reading/recordView.ts';
import { keepForFault, readKeepFor } from '../../operations/keepFor.ts';
import { creationOf } from '../../records/creation.ts';
import { byName, matches } from '../../records/find.ts';
import type { Lease } from '../../store/tables/leases.ts';
import { type Content, context, message, said, section, sectionsOf } from '../blocks/blocks.ts';
import { bold, code, moment, momentAfter, plain } from '../blocks/limits.ts';
import type { Desk } from '../desk/desk.ts';
import type { Use } from '../desk/use.ts';
import type { Command } from '../words/commandWords.ts';
import { leaseActions } from './leaseButtons.ts';
import { keepClone } from './leaseClicks.ts';
import { untilWords } from './leaseMessages.ts';

/** Max lines of a list. */
const maxLines = 30;

/**
 * Answers `lease`: shows how long a clone is kept, or sets it by the last word or by `until=`.
 * @throws {Failure} `signed-out`, or where the records cannot be read
 */
export async function leaseOf(desk: Desk, use: Use, { words, inputs }: Command): Promise<Content> {
  const rest = words.slice(1);
  const stray = Object.keys(inputs).find(name => name.toLowerCase() !== 'until');
  if (stray !== undefined)
    return said(`${code('lease')} has no field ${code(stray, 60)}, so nothing was done. ${usage(desk)}`);
  const until = Object.values(inputs)[0];
  const last = rest.at(-1) ?? '';
  const isTime = until === undefined && rest.length > 1 && readKeepFor(last) !== undefined;
  const typed = (isTime ? rest.slice(0, -1) : rest).join(' ');
  if (typed === '') return said(usage(desk));
  if (until !== undefined && readKeepFor(until) === undefined)
    return said(`${code(`until=${until}`, 80)} cannot be used, so nothing was done. ${keepForFault}`);
  const found = await desk.records.of(use).find(typed, ['clone']);
  if (found.type === 'wrong') return said(plain(found.sentence, 500));
  if (found.type === 'several')
    return said(
      `${found.records.length} clones are called ${code(typed, 60)}. Name one by its identifier: ${found.records
        .slice(0, 8)
        .map(({ id }) => code(id.text))
        .join(', ')}.`,
    );
  if (found.type === 'none') {
    const close = found.close.map(({ id, name }) => code(name ?? id.text, 60));
    return said(
      `No clone is called ${code(typed, 60)}.${close.length > 0 ? ` Did you mean ${close.join(' or ')}?` : ` ${usage(desk)}`}`,
    );
  }
  const text = until ?? (isTime ? last : undefined);
  return text === undefined
    ? shownLease(await desk.leases.find(use.team, found.id), found.id, found.name)
    : keepClone(desk, use, { record: found.id, text });
}

function usage({ names }: Desk): string {
  return `Say which clone, and for how long: ${code(`${names.db} lease shop-3310 3d`)}, or ${code('until=2026-12-24')}, or ${code('none')}.`;
}

function shownLease(lease: Lease | undefined, record: string, name: string | undefined): Content {
  const called = bold(lease?.name ?? name ?? record, 100);
  const button = leaseActions.more.button('Keep for…', record);
  if (!lease || lease.state === 'ended')
    return said(`${called} has no lease: it stays until somebody deletes it.`, [button]);
  return said(`:hourglass: ${called} is ${standing(lease)}. It is <@${lease.person}>’s.`, [button]);
}

/** Says in a few words how a lease stands. */
export function standing(lease: Lease): string {
  const { state, endsAt, graceUntil, rule } = lease;
  const ruled = rule === null ? '' : ` (${plain(rule, 80)})`;
  switch (state) {
    case 'new':
      return 'kept; its end is set in a moment';
    case 'kept':
      return `kept ${untilWords(endsAt)}${ruled}`;
    case 'asking':
      return `over its time${endsAt === null ? '' : ` ${momentAfter('since', endsAt)}`}: its owner is asked`;
    case 'stopping':
      return `being stopped${ruled}`;
    case 'stopped':
      return graceUntil === null
        ? `stopped${ruled}`
        : `stopped, and deleted${moment(graceUntil, ' {date_short_pretty} {time}')}${ruled}`;
    case 'deleting':
      return `being deleted${ruled}`;
    case 'ended':
      return 'without a lease';
  }
}

/**
 * Answers `leases`: the clones that this person sees, those that end first at the top, those without an end last.
 * @throws {Failure} `signed-out`, or where the records cannot be read
 */
export async function leaseList(desk: Desk, use: Use, words: readonly string[]): Promise<Content> {
  const [{ records, cut: isCut }, leases] = await Promise.all([
    desk.records.of(use).list(['clone']),
    desk.leases.open(use.team),
  ]);
  const byRecord = new Map(leases.map(lease => [lease.record, lease]));
  const rows = records
    .filter(record => matches(record, words))
    .map(record => ({ record, lease: byRecord.get(record.id.text) }))
    .toSorted((a, b) => orderOf(a.lease) - orderOf(b.lease) || byName(a.record, b.record));
  if (rows.length === 0)
    return said(
      words.length > 0 ? `No clone matches ${code(words.join(' '), 80)}.` : 'There are no clones that you can see.',
    );
  const lines = rows.slice(0, maxLines).map(({ record, lease }) => rowText(record, lease, desk.clock.now()));
  const more = rows.length > maxLines ? ` ${rows.length - maxLines} more match: add words to find them.` : '';
  const part = isCut ? ' The service shows only some of its records.' : '';
  return message([
    section('*How long clones are kept*'),
    ...sectionsOf(lines, 500),
    context(`${code(`${desk.names.db} lease <clone> 3d`)} sets it.${more}${part}`),
  ]);
}

/** Puts leases in the order of their ends; those without an end, and clones without a lease, come last. */
function orderOf(lease: Lease | undefined): number {
  if (!lease) return Number.MAX_VALUE;
  return lease.graceUntil ?? lease.endsAt ?? Number.MAX_SAFE_INTEGER;
}

function rowText(record: RecordView, lease: Lease | undefined, now: number): string {
  const place = record.environment?.label ?? record.environment?.id.text;
  const name = `${bold(record.name ?? record.id.text, 80)}${place === undefined ? '' : ` on ${plain(place, 60)}`}`;
  const made = creationOf(record);
  const age = made === undefined ? '' : ` · stands for ${formatDistanceStrict(Math.max(now, made), made)}`;
  if (!lease) return `${name} · no lease${age}`;
  return `${name} · ${standing(lease)} · <@${lease.person}>${lease.endsAt === null ? age : ''}`;
}
