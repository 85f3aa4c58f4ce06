import { type Noun, parseIdentifier } from '../../../api/identifiers.ts';
import { bold } from '../../../slack/blocks/mrkdwn.ts';
import type { AlertItem, Incident, TroubleKind } from '../../../store/tables/alerts/alertRows.ts';
import { kindOrder, servicePlace, signInPlace, troubles } from '../troubleKinds.ts';
import { leftIn } from './incidentStep.ts';

/**
 * Says in one line what an incident is about: “*12 databases on mysql-prod* failed”. It names the place and the trouble,
 * and no cause.
 */
export function headline(incident: Pick<Incident, 'place' | 'placeName' | 'items' | 'counts'>): string {
  const { place, items, counts } = incident;
  const present = presentKinds(counts);
  const [only] = present;
  const all = present.reduce((sum, kind) => sum + (counts[kind]?.all ?? 0), 0);
  const left = leftIn(incident);
  const where = placeWords(incident);
  const rest = left === 0 ? ', now resolved' : left < all ? `, ${left} of them still` : '';
  if (place === signInPlace)
    return `I ${left === 0 ? 'could not' : 'cannot'} look for new problems of this channel${rest}`;
  if (place === servicePlace) return `The service ${troubles.away.short}${left === 0 ? ', but can be read again' : ''}`;
  if (only !== undefined && present.length === 1) {
    const one = items[0];
    const said = verbed(only, all === 1, left === 0);
    if (all === 1 && one)
      return `${bold(one.name ?? one.record, 100)}${one.record === place ? '' : where} ${said}${rest}`;
    return `*${all} ${nounOf(items)}*${where} ${said}${rest}`;
  }
  return `*${all} problems*${where}: ${present.map(kind => countWords(counts, kind)).join(', ')}${left === 0 ? '. All resolved' : ''}`;
}

/** The kinds of trouble of an incident: those that are over come last. */
export function presentKinds(counts: Incident['counts']): readonly TroubleKind[] {
  const isOver = (kind: TroubleKind) => Number(counts[kind]?.left === 0);
  return kindOrder.filter(kind => counts[kind]).toSorted((one, other) => isOver(one) - isOver(other));
}

/** The trouble of one record or of several as the end of a sentence: “failed”, “are disabled”, once over “were disabled”. */
export function verbed(kind: TroubleKind, isOne: boolean, isOver = false): string {
  const { short, be } = troubles[kind];
  const many = { is: 'are', was: 'were' } as const;
  const verb = be && isOver ? 'was' : be;
  return verb === undefined ? short : `${isOne ? verb : many[verb]} ${short}`;
}

function countWords(counts: Incident['counts'], kind: TroubleKind): string {
  const { all = 0, left = 0 } = counts[kind] ?? {};
  return `${all} ${troubles[kind].short}${left === all ? '' : left === 0 ? ' (over)' : ` (${left} still)`}`;
}

function placeWords({ place, placeName, items }: Pick<Incident, 'place' | 'placeName' | 'items'>): string {
  if (place !== null) return ` on ${bold(placeName ?? place, 80)}`;
  return ` at ${new Set(items.map(one => one.place)).size} places`;
}

/** What some records are: databases, clones, environments, or records where they differ. */
function nounOf(items: readonly AlertItem[]): string {
  const nouns = new Set(items.map(({ record }) => parseIdentifier(record)?.noun));
  const [noun] = nouns;
  if (nouns.size !== 1) return nouns.has('environment') ? 'records' : 'databases and clones';
  const named: Partial<Record<Noun, string>> = { live: 'databases', clone: 'clones', environment: 'environments' };
  return (noun && named[noun]) ?? 'records';
}
