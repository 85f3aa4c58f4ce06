import type { Parts } from '../../jobs/parts.ts';
import {
  type AlertItem,
  type AlertKind,
  alertKinds,
  type Incident,
  type KeptSight,
} from '../../store/tables/alerts/alertRows.ts';

/** An item that begins, of what is known of it. */
type NewItem = Pick<AlertItem, 'record' | 'name' | 'kind' | 'place' | 'words' | 'since'>;

/** An item of trouble that stands. */
export function itemOf(item: NewItem): AlertItem {
  return { ...item, mend: null, isFlapping: false, isQuiet: false, endedAt: null, end: null };
}

/** Sights that one statement reads. */
export const sightsAtOnce = 250;

/** All sights of a question that is answered in pages. */
export async function allPages(
  pageOf: (after: string) => Promise<readonly KeptSight[]>,
): Promise<readonly KeptSight[]> {
  const all: KeptSight[] = [];
  for (let after = ''; ; ) {
    const page = await pageOf(after);
    all.push(...page);
    const last = page.at(-1);
    if (!last || page.length < sightsAtOnce) return all;
    after = last.record;
  }
}

/** What stands of these kinds by the sights of a watcher, whether or not it was told as news. */
export function itemsStanding(sights: readonly KeptSight[], kinds: readonly AlertKind[]): readonly AlertItem[] {
  return kinds.flatMap(kind =>
    sights.flatMap(({ record, name, place, troubles }) => {
      const { state, since = 0, words = null, mend = null } = troubles[kind] ?? {};
      const known = { record, name, kind, place: place ?? record, words, since };
      return state === 'stands' ? [{ ...itemOf(known), mend }] : [];
    }),
  );
}

/** What stands in a channel now by the last look, and what its incidents alone know: a service that is away, a lost sign-in. */
export async function whatStands(
  { sights }: Parts<'sights'>,
  { watcher, kinds }: Readonly<{ watcher: string; kinds: readonly AlertKind[] }>,
  open: readonly Incident[],
): Promise<readonly AlertItem[]> {
  const seen = await allPages(after => sights.page(watcher, after, sightsAtOnce));
  const unseen = open.flatMap(({ items }) =>
    items.filter(({ kind, endedAt }) => endedAt === null && !alertKinds.some(one => one === kind)),
  );
  return [...unseen, ...itemsStanding(seen, kinds)];
}
