import { minutesToMilliseconds } from 'date-fns/minutesToMilliseconds';
import { secondsToMilliseconds } from 'date-fns/secondsToMilliseconds';
import { vendorNames } from '../../api/identifiers.ts';
import type { Mapping } from '../../api/reading/recordMapping.ts';
import type { RecordView } from '../../api/reading/recordView.ts';
import { stateClass } from '../../api/reading/stateWords.ts';
import type { Clock } from '../../ground/clock.ts';
import type { WordRow } from '../../store/database.ts';
import type { LearnedWords } from '../../store/tables/learnedWords.ts';
import { few, meaningOfWord, type StateMeaning } from './stateMeaning.ts';

/** The words of one service, learned from its records and kept in the store. */
export type Vocabulary = {
  /** Reads what earlier processes learned. */
  load(): Promise<void>;
  /** The meaning of the record's state word; `unseen` for a record without one. */
  meaningOf(record: RecordView): StateMeaning;
  /** Whether so little was seen of records like this that a list should be read for their words. */
  isNewTo(kind: string): boolean;
  /** Whether it is time to learn from a list that is read anyway. */
  isDue(): boolean;
  /** Learns from records that were read together; `isOurs` tells of which ones Dolly is doing something to. */
  observe(records: readonly RecordView[], isOurs: (record: RecordView) => boolean): void;
  /** Learns that a record left this word by itself after a write. */
  pass(record: RecordView, word: string): void;
  /** Everything that was learned, for the doctor. */
  learned(): readonly (WordRow & { meaning: StateMeaning })[];
  /** Keeps what was learned since. */
  keep(): Promise<void>;
};

/** A record that is seen so again after this long rests in its word. Milliseconds. */
const restsAfter = minutesToMilliseconds(10);
/** Lists that are read anyway are learned from no more often than this, in milliseconds. */
const observesEvery = secondsToMilliseconds(30);
/** So many records of one read are looked at, and so many words of a kind are remembered. */
const mostRecords = 500;
const mostWords = 60;
/** Counts say no more beyond this. */
const mostCounted = 1_000;

/** The records that share their words: databases of a vendor, live or cloned, and each other kind. */
export function wordGroupOf({ id: { noun, vendor, kind } }: Pick<RecordView, 'id'>): string {
  return (noun === 'live' || noun === 'clone') && vendor ? `${vendorNames[vendor]} databases` : (noun ?? kind);
}

/** The vocabulary of the service at `service`; what `mapping` says of a word overrules what is learned. */
export function openVocabulary(words: LearnedWords, service: string, mapping: Mapping, clock: Clock): Vocabulary {
  const known = new Map<string, Map<string, WordRow>>();
  const changed = new Set<WordRow>();
  /** In which word each record was seen since when, and out of which it came; `counted` once it was seen so again. */
  const records = new Map<string, { word: string; from: string | undefined; since: number; counted: boolean }>();
  let observedAt = Number.NEGATIVE_INFINITY;
  const of = (kind: string) => known.get(kind) ?? new Map<string, WordRow>();
  const rowOf = (kind: string, word: string): WordRow | undefined => {
    const rows = of(kind);
    const row = rows.get(word) ?? { service, kind, word, stood: 0, rested: 0, passed: 0, seenAt: clock.now() };
    // A service that writes times or numbers into its states teaches nothing.
    if (!rows.has(word) && rows.size >= mostWords) return undefined;
    known.set(kind, rows.set(word, row));
    return row;
  };
  const change = (kind: string, word: string, to: (row: WordRow) => Partial<WordRow>) => {
    const row = rowOf(kind, word);
    if (!row) return;
    Object.assign(row, to(row), { seenAt: clock.now() });
    changed.add(row);
  };
  return {
    async load() {
      for (const row of await words.of(service)) known.set(row.kind, of(row.kind).set(row.word, row));
    },
    meaningOf(record) {
      const { state } = record;
      if (!state) return 'unseen';
      if (isMapped(state.word, mapping)) return state.class === 'busy' ? 'passing' : 'usual';
      return meaningOfWord(state.word, state.class, [...of(wordGroupOf(record)).values()]);
    },
    isNewTo: kind => [...of(kind).values()].reduce((sum, { stood }) => sum + stood, 0) < few,
    isDue: () => Math.abs(clock.now() - observedAt) >= observesEvery,
    observe(read, isOurs) {
      const now = clock.now();
      observedAt = now;
      const standing = new Map<string, Map<string, number>>();
      for (const record of read.slice(0, mostRecords)) {
        const { id, state, reports } = record;
        if (!state || state.class === 'failed' || isOurs(record) || reports.some(({ outcome }) => outcome === 'busy'))
          continue;
        const kind = wordGroupOf(record);
        const before = records.get(id.text);
        const same =
          before?.word === state.word ? before : { word: state.word, from: before?.word, since: now, counted: false };
        // It went away and came back, which nobody had to do by hand.
        if (before && same !== before && before.from === state.word && mayPass(before.word))
          change(kind, before.word, onePassed);
        records.set(id.text, same);
        if (!same.counted && Math.abs(now - same.since) >= restsAfter) {
          same.counted = true;
          change(kind, state.word, ({ rested }) => ({ rested: Math.min(rested + 1, mostCounted) }));
        }
        const counts = standing.get(kind) ?? new Map<string, number>();
        standing.set(kind, counts.set(state.word, (counts.get(state.word) ?? 0) + 1));
      }
      for (const [kind, counts] of standing)
        for (const [word, count] of counts)
          if (count > (of(kind).get(word)?.stood ?? 0))
            change(kind, word, () => ({ stood: Math.min(count, mostCounted) }));
      for (const id of [...records.keys()].slice(0, Math.max(0, records.size - 4 * mostRecords))) records.delete(id);
    },
    pass(record, word) {
      if (mayPass(word)) change(wordGroupOf(record), word, onePassed);
    },
    learned: () =>
      [...known.values()].flatMap(rows => {
        const all = [...rows.values()];
        return all.map(row => ({ ...row, meaning: meaningOfWord(row.word, stateClass(row.word, mapping), all) }));
      }),
    async keep() {
      const rows = [...changed];
      changed.clear();
      await words.keep(rows);
    },
  };
}

const onePassed = ({ passed }: WordRow) => ({ passed: Math.min(passed + 1, mostCounted) });

/** People stop and disable databases, and start them again: such a word does not pass because it is left. */
function mayPass(word: string): boolean {
  const usual = stateClass(word);
  return usual === 'ok' || usual === 'unknown' || usual === 'busy';
}

function isMapped(word: string, { states = {} }: Mapping): boolean {
  return Object.values(states).some(words => words?.some(entry => entry.toLowerCase() === word.toLowerCase()));
}
