import { type Identifier, type Noun, vendorNames } from '../../../api/identifiers.ts';
import type { Mapping } from '../../../api/reading/recordMapping.ts';
import type { RecordView } from '../../../api/reading/recordView.ts';
import { type StateClass, stateClass } from '../../../api/reading/stateWords.ts';
import { zoneDoubt } from '../../../api/reading/times.ts';
import type { Clock } from '../../../ground/clock.ts';
import { day, hour, minute, second } from '../../../ground/durations.ts';
import type { LearnedWords } from '../../../store/tables/learnedWords.ts';
import type { WordRow } from '../../../store/tables/rows.ts';
import { few, mayMeanRest, meaningOfWord, type StateMeaning } from './stateMeaning.ts';

/** The words of one service, learned from its records and kept in the store, for each workspace by itself. */
export type Vocabulary = {
  /** Loads the words that earlier processes learned. */
  load(): Promise<void>;
  of(team: string): LearnedVocabulary;
};

/** The state word of a record, and what tells which records it is compared with. */
export type Worded = Pick<RecordView, 'id' | 'state'>;

/** A word that a record left by itself, and the record as it is since. */
export type LeftWord = Readonly<{ record: Worded; word: string }>;

/** The words that a workspace learned. */
export type LearnedVocabulary = {
  /** The meaning of the record's state word; `unseen` for a record without one. `left` counts as if it were learned. */
  meaningOf(record: Worded, left?: LeftWord): StateMeaning;
  /** Whether databases like this were ever seen in a word of one of these classes; one that they leave is as good as busy. */
  hasSeen(record: Worded, classes: readonly StateClass[], left?: LeftWord): boolean;
  /** Whether so little was seen of records like this that a list should be read for their words. */
  isNewTo(kind: string): boolean;
  /** Whether it is time to learn from a list that is read anyway. */
  isDue(): boolean;
  /** Learns from records that were read together; `isOurs` tells whether a job of Dolly's is under way on a record. */
  observe(records: readonly RecordView[], isOurs: (record: RecordView) => boolean): void;
  /** Learns that a record left a word by itself after a write. */
  pass(left: LeftWord): void;
  /** Learns that a record stands in its word at the end of work that something else than this word proved. */
  leave(record: RecordView): void;
  /** All words that were learned, for the doctor. */
  learned(): readonly (WordRow & { meaning: StateMeaning })[];
  /** Writes the counts that changed since to the store. */
  keep(): Promise<void>;
};

/** Time after which a record that is still seen in its word rests in it, in milliseconds. */
const restsAfter = 10 * minute;
/** Time since its last change, by its own times, after which a record rests in its word, in milliseconds. */
const restsUnchanged = 3 * hour;
/** Min time between two lists that are learned from, in milliseconds. */
const observesEvery = 30 * second;
/** Max records of one read that are learned from, and max words of a kind that are remembered. */
export const mostLearnedFrom = 500;
const maxWords = 60;
/** Max of each count: a higher one would say no more. */
const maxCounted = 1_000;

/** The databases of a vendor that share their words, and those for which a service may use the same ones. */
const databases = new Map<Noun | undefined, Readonly<{ are: string; counterpart: Noun }>>([
  ['live', { are: 'live databases', counterpart: 'clone' }],
  ['clone', { are: 'clones', counterpart: 'live' }],
]);

/** The records that share their words: live databases of a vendor, its clones, and each other kind. */
export function wordGroupOf({ id: { noun, vendor, kind } }: Pick<RecordView, 'id'>): string {
  const known = databases.get(noun);
  return known && vendor ? `${vendorNames[vendor]} ${known.are}` : (noun ?? kind);
}

/** The other databases of the vendor: a service may use the same words for them. */
function counterpartOf({ id }: Pick<RecordView, 'id'>): string | undefined {
  const noun = databases.get(id.noun)?.counterpart;
  return noun && wordGroupOf({ id: { ...id, noun } });
}

/** The groups of records whose words a job hangs on: its target's, and that of what it makes. */
export function groupsOf(target: Identifier, made: readonly Noun[]): readonly string[] {
  return [target, ...made.map(noun => ({ ...target, noun }))].map(id => wordGroupOf({ id }));
}

/** Max records that are read one by one for their words. */
const readAlone = 5;

/** Some records of a group that its list shows without their states: they are read alone. */
export function withoutState(listed: readonly RecordView[], group: string): readonly RecordView[] {
  const own = listed.filter(record => wordGroupOf(record) === group);
  return own.some(({ state }) => state) ? [] : own.slice(0, readAlone);
}

/**
 * The words to compare a word with: those of its own group, and those of the counterpart where that knows the word in which
 * most of the group stand. Live databases may rest in ACTIVE and clones in RUNNING, though both say CREATING, and live ones say
 * RUNNING where a job runs.
 */
function together(word: string, own: readonly WordRow[], others: readonly WordRow[]): readonly WordRow[] {
  // A number is a code, which each kind of record may use for something else.
  if (/^-?\d+$/.test(word)) return own;
  const open = own.filter(row => mayMeanRest(stateClass(row.word)));
  const most = Math.max(...open.map(({ stood }) => stood));
  const words = open.length > 0 ? open.filter(({ stood }) => stood === most).map(row => row.word) : [word];
  if (!others.some(row => words.includes(row.word))) return own;
  return [...Map.groupBy([...own, ...others], row => row.word).values()].map(rows => rows.reduce(sumOf));
}

function sumOf(one: WordRow, { stood, rested, passed }: WordRow): WordRow {
  return { ...one, stood: one.stood + stood, rested: one.rested + rested, passed: one.passed + passed };
}

/**
 * Opens the vocabulary of the service at the address `service`. A word in `mapping` has the meaning that stands there.
 */
export function openVocabulary(words: LearnedWords, service: string, mapping: Mapping, clock: Clock): Vocabulary {
  const teams = new Map<string, ReturnType<typeof wordsOf>>();
  const of = (team: string) => {
    const found = teams.get(team) ?? wordsOf(words, { service, team }, mapping, clock);
    teams.set(team, found);
    return found;
  };
  return {
    load: () =>
      words.of(service).then(rows => {
        for (const row of rows) of(row.team).knows(row);
      }),
    of,
  };
}

function wordsOf(
  words: LearnedWords,
  { service, team }: Readonly<{ service: string; team: string }>,
  mapping: Mapping,
  clock: Clock,
): LearnedVocabulary & Readonly<{ knows(row: WordRow): void }> {
  const known = new Map<string, Map<string, WordRow>>();
  const changed = new Set<WordRow>();
  /** By record: its word, the one before (`from`), the time since when it has it, and whether it counts as resting. */
  const records = new Map<string, { word: string; from: string | undefined; since: number; counted: boolean }>();
  /** When each record was first seen, and when any of its kind was. */
  const firstSeen = new Map<string, number>();
  const firstSeenOf = (key: string, now: number) => {
    const first = firstSeen.get(key) ?? now;
    firstSeen.set(key, first);
    return first;
  };
  let observedAt = Number.NEGATIVE_INFINITY;
  const of = (kind: string) => known.get(kind) ?? new Map<string, WordRow>();
  const blank = (kind: string, word: string): WordRow => {
    return { service, team, kind, word, stood: 0, rested: 0, passed: 0, seenAt: clock.now() };
  };
  /** The words of a kind, with one that was left as if it were learned. */
  const rowsOf = (kind: string, left: LeftWord | undefined): readonly WordRow[] => {
    const rows = [...of(kind).values()];
    if (!left || wordGroupOf(left.record) !== kind || !hasPassed(left)) return rows;
    const row = of(kind).get(left.word) ?? blank(kind, left.word);
    return [...rows.filter(one => one !== row), { ...row, ...onePassed(row) }];
  };
  /** The words of such records, and those of the other databases of the vendor. */
  const comparable = (record: Pick<RecordView, 'id'>, left: LeftWord | undefined) => {
    const counterpart = counterpartOf(record);
    const [own, others] = [rowsOf(wordGroupOf(record), left), counterpart ? rowsOf(counterpart, left) : []];
    const meaningOf = (word: string, usual: StateClass) => meaningOfWord(word, usual, together(word, own, others));
    return { rows: [...own, ...others], meaningOf };
  };
  const change = (kind: string, word: string, to: (row: WordRow) => Partial<WordRow>) => {
    const rows = of(kind);
    // A service that writes times or numbers into its states teaches nothing.
    if (!rows.has(word) && rows.size >= maxWords) return;
    const row = rows.get(word) ?? blank(kind, word);
    known.set(kind, rows.set(word, Object.assign(row, to(row), { seenAt: clock.now() })));
    changed.add(row);
  };
  /** Notes the word of a record, and what its words tell: it has come back to this one, or rests in it. */
  const follow = ({ id, kind, word, since }: ReadWord, now: number) => {
    const before = records.get(id);
    const same = before?.word === word ? before : { word, from: before?.word, since: since ?? now, counted: false };
    // The record left a word and came back to it, so the word between passed by itself.
    if (before && same !== before && before.from === word && mayPass(before.word)) change(kind, before.word, onePassed);
    records.set(id, same);
    if (same.counted || Math.abs(now - same.since) < restsAfter) return;
    same.counted = true;
    change(kind, word, oneRested);
  };
  /**
   * Whether a record may still be made: it shows so, or came after others and shows no time of its making that is long ago. The
   * service's clock may be hours off.
   */
  const mayBeNew = (record: RecordView, now: number) => {
    const { createdAt = Number.NaN, createdFrom } = record;
    const [ofKind, own] = [firstSeenOf(wordGroupOf(record), now), firstSeenOf(record.id.text, now)];
    const age = Math.abs(now - createdAt);
    const isLate = ofKind !== own && Math.abs(now - own) < hour;
    // Several clones are made at a time.
    return age < hour + zoneDoubt(createdFrom?.value) || (isLate && !(age >= day));
  };
  return {
    knows(row) {
      known.set(row.kind, of(row.kind).set(row.word, row));
    },
    meaningOf(record, left) {
      const { state } = record;
      if (!state) return 'unseen';
      if (isMapped(state.word, mapping)) return state.class === 'busy' ? 'passing' : 'usual';
      return comparable(record, left).meaningOf(state.word, state.class);
    },
    hasSeen(record, classes, left) {
      const { rows, meaningOf } = comparable(record, left);
      const isLeft = ({ word, passed }: WordRow) =>
        passed > 0 && meaningOf(word, stateClass(word, mapping)) === 'passing';
      return rows.some(
        row => classes.includes(stateClass(row.word, mapping)) || (classes.includes('busy') && isLeft(row)),
      );
    },
    isNewTo: kind => [...of(kind).values()].reduce((sum, { stood }) => sum + stood, 0) < few,
    isDue: () => Math.abs(clock.now() - observedAt) >= observesEvery,
    observe(read, isOurs) {
      observedAt = clock.now();
      const told = read.flatMap(record => {
        const isNew = mayBeNew(record, observedAt);
        const state = isOurs(record) ? undefined : taughtBy(record);
        const since = unchangedSince(record, observedAt);
        return state ? [{ id: record.id.text, kind: wordGroupOf(record), word: state.word, since, isNew }] : [];
      });
      for (const record of told) follow(record, observedAt);
      const grown = told.filter(({ isNew }) => !isNew);
      for (const [kind, all] of Map.groupBy(grown, record => record.kind))
        for (const [word, { length }] of Map.groupBy(all, record => record.word))
          if (length > (of(kind).get(word)?.stood ?? 0))
            change(kind, word, () => ({ stood: Math.min(length, maxCounted) }));
      for (const known of [records, firstSeen])
        for (const id of [...known.keys()].slice(0, Math.max(0, known.size - 4 * mostLearnedFrom))) known.delete(id);
    },
    pass(left) {
      if (hasPassed(left)) change(wordGroupOf(left.record), left.word, onePassed);
    },
    leave(record) {
      const state = taughtBy(record);
      if (state && state.class !== 'busy') change(wordGroupOf(record), state.word, oneRested);
    },
    learned: () =>
      [...known.values()].flatMap(rows => {
        const all = [...rows.values()];
        return all.map(row => ({ ...row, meaning: meaningOfWord(row.word, stateClass(row.word, mapping), all) }));
      }),
    keep() {
      const rows = [...changed];
      changed.clear();
      return words.keep(rows).catch((error: unknown) => {
        for (const row of rows) changed.add(row);
        throw error;
      });
    },
  };
}

/** The state of a record whose word teaches something: it has not failed, and no report says that it is at work. */
function taughtBy({ state, reports }: RecordView): RecordView['state'] {
  return state?.class === 'failed' || reports.some(({ outcome }) => outcome === 'busy') ? undefined : state;
}

/** A record as it was read: its word, and since when it has not changed by its own times, where that is long ago. */
type ReadWord = Readonly<{ id: string; kind: string; word: string; since: number | undefined }>;

/** The time of a record's last change, if that is long ago and was not its making, which may still be going on. */
function unchangedSince({ times, createdAt = 0, values }: RecordView, now: number): number | undefined {
  const changes = Object.entries(times).filter(([path]) => /updat|modif|chang/i.test(path));
  const last = Math.max(...changes.map(([, time]) => time));
  const doubts = values.filter(({ path }) => times[path] === last).map(({ value }) => zoneDoubt(value));
  const isLongAgo = now - last >= restsUnchanged + Math.max(0, ...doubts);
  return isLongAgo && last - createdAt >= minute ? last : undefined;
}

/** Whether a record left a word that may pass. What fails or is stopped leaves the word in which it rests. */
function hasPassed({ record: { state }, word }: LeftWord): boolean {
  return mayMeanRest(state?.class) && mayPass(word);
}

const onePassed = ({ passed }: WordRow) => ({ passed: Math.min(passed + 1, maxCounted) });
const oneRested = ({ rested }: WordRow) => ({ rested: Math.min(rested + 1, maxCounted) });

/** Whether a word may be a passing one. Stopped and disabled are not: people start and enable such databases again. */
function mayPass(word: string): boolean {
  const usual = stateClass(word);
  return mayMeanRest(usual) || usual === 'busy';
}

function isMapped(word: string, { states = {} }: Mapping): boolean {
  return Object.values(states).some(words => words?.some(entry => entry.toLowerCase() === word.toLowerCase()));
}
