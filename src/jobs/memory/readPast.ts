import { typedIdentifier } from '../../api/identifiers.ts';
import type { Owner } from '../../store/vault.ts';
import { surelyApproves } from '../approval/people/hasSay.ts';
import type { Judge, Parts } from '../parts.ts';
import { deedOfJob, deedsInTrail, noteOfMade, pastOf, peopleOf, type RecordPast } from './past.ts';

/** Reads what is known of records, for those who may know of it. */
export type PastReader = Judge & Parts<'jobs' | 'keepersOf' | 'audit'>;

/** Max jobs, and max entries of the trail, that are read of one record; max entries for a name, and max records of it. */
const most = { jobs: 100, entries: 400, named: 200, records: 5 } as const;

/** Who asks, and where. */
type PastAsker = Owner & Readonly<{ channel: string }>;

/**
 * Reads the past of the records that are or were called so, by name or identifier, the one of the latest deed first: those alone
 * that somebody may know of. Those are whoever made, held, asked for or decided something about it, whoever approves, and
 * whoever asks in the channel of a message about it.
 */
export async function readPast(parts: PastReader, who: PastAsker, typed: string): Promise<readonly RecordPast[]> {
  const { team } = who;
  const id = typedIdentifier(typed);
  // A name may look like an identifier.
  const named = (await recordsCalled(parts, team, typed)).map(record => [record, typed] as const);
  const asked = id?.noun === undefined ? named : [[id.text, undefined] as const, ...named];
  const found = await Promise.all(asked.map(([record, name]) => pastOfRecord(parts, team, record, name)));
  const pasts = found.flatMap(past => past ?? []).toSorted((one, other) => lastOf(other) - lastOf(one));
  if (pasts.length === 0 || (await surelyApproves(parts, who))) return pasts;
  return pasts.filter(
    past =>
      peopleOf(past).has(who.person) || past.deeds.some(({ places }) => places.some(place => place === who.channel)),
  );
}

function lastOf({ deeds: [last] }: RecordPast): number {
  return last?.at ?? 0;
}

/** The identifiers of the records that jobs made under a name, or that the trail names so. */
async function recordsCalled({ jobs, audit }: PastReader, team: string, name: string): Promise<readonly string[]> {
  const [made, { entries }] = await Promise.all([
    jobs.madeUnder(team, name, most.records),
    audit.read(team, { words: [name] }, most.named),
  ]);
  const named = entries.flatMap(({ target, targetName }) =>
    target !== null && targetName?.toLowerCase() === name.toLowerCase() ? [target] : [],
  );
  return [...new Set([...made, ...named])].slice(0, most.records);
}

async function pastOfRecord(
  { jobs, audit, keepersOf }: PastReader,
  team: string,
  record: string,
  wanted: string | undefined,
): Promise<RecordPast | undefined> {
  const [kept, found, keepers] = await Promise.all([
    jobs.onRecord(team, record, most.jobs),
    audit.read(team, { words: [record] }, most.entries),
    keepersOf(team, [record]),
  ]);
  // A word of a search is any part of a text.
  const entries = found.entries.filter(
    ({ target, detail }) => target === record || detail?.endsWith(noteOfMade(record)) === true,
  );
  const ids = new Set(kept.map(({ job }) => job.id));
  // The step that did it tells more than its plan.
  const plans = new Set(kept.map(({ job }) => job.plan));
  const deeds = [
    ...kept.filter(({ job }) => !plans.has(job.id)).map(deedOfJob),
    ...deedsInTrail(record, entries).filter(({ job }) => !ids.has(job)),
  ];
  const leases = entries
    .filter(({ event, operation }) => operation === null && event.startsWith('lease '))
    .toReversed();
  return pastOf({ record, wanted, deeds, leases, keeper: keepers.get(record), since: found.rest?.at });
}
