import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Mapping } from '../../../src/api/reading/recordMapping.ts';
import { type StateClass, stateClass } from '../../../src/api/reading/stateWords.ts';
import { meaningOfWord, type StateMeaning } from '../../../src/jobs/evidence/words/stateMeaning.ts';
import { openVocabulary, wordGroupOf } from '../../../src/jobs/evidence/words/stateVocabulary.ts';
import { learnedWordsIn } from '../../../src/store/tables/learnedWords.ts';
import type { WordRow } from '../../../src/store/tables/rows.ts';
import { testClock } from '../../clock.ts';
import { folder, storeIn } from '../../store/folder.ts';
import { recordOf } from '../rows.ts';

type Learned = Partial<Pick<WordRow, 'stood' | 'rested' | 'passed'>>;

/** What was learned of words, by word. */
function learned(words: Readonly<Record<string, Learned>>): readonly WordRow[] {
  return Object.entries(words).map(([word, counts]) => ({
    ...{ service: 'S', team: 'T1', kind: 'MySQL clones', word, stood: 0, rested: 0, passed: 0, seenAt: 0 },
    ...counts,
  }));
}

describe('what a word means', () => {
  const cases: readonly (readonly [string, Record<string, Learned>, string, StateMeaning])[] = [
    // Nothing learned: the dictionary decides.
    ['of which nothing is known', {}, 'RUNNING', 'unseen'],
    ['that nobody knows', {}, 'BLUE', 'unseen'],
    ['that says that work goes on', {}, 'CREATING', 'passing'],
    ['of what stands still', {}, 'STOPPED', 'unseen'],
    // Records rest in ACTIVE and INACTIVE, and RUNNING means that a job runs.
    ['in which most rest', { ACTIVE: { stood: 9 }, INACTIVE: { stood: 2 } }, 'ACTIVE', 'usual'],
    ['in which a few rest', { ACTIVE: { stood: 9 }, INACTIVE: { stood: 2 } }, 'INACTIVE', 'resting'],
    ['in which none rests, where others may mean the same', { ACTIVE: { stood: 9 } }, 'RUNNING', 'doubtful'],
    [
      'in which one stood, where others may mean the same',
      { ACTIVE: { stood: 9 }, RUNNING: { stood: 1 } },
      'RUNNING',
      'doubtful',
    ],
    ['that was left by itself', { ACTIVE: { stood: 9 }, RUNNING: { stood: 1, passed: 1 } }, 'RUNNING', 'passing'],
    ['that is seen again later', { ACTIVE: { stood: 9 }, OPEN: { stood: 1, rested: 2 } }, 'OPEN', 'resting'],
    ['in which many stand beside the most', { ACTIVE: { stood: 9 }, OPEN: { stood: 3 } }, 'OPEN', 'resting'],
    ['of what stands still, beside others', { ACTIVE: { stood: 9 } }, 'STOPPED', 'unseen'],
    ['of what stands still, seen once', { ACTIVE: { stood: 9 }, STOPPED: { stood: 1 } }, 'STOPPED', 'resting'],
    // Oracle: MOUNTED is where work happens, and READ WRITE where databases rest.
    [
      'that no dictionary knows',
      { 'READ WRITE': { stood: 6 }, MOUNTED: { stood: 1, passed: 2 } },
      'READ WRITE',
      'usual',
    ],
    [
      'that is left again and again',
      { 'READ WRITE': { stood: 6 }, MOUNTED: { stood: 1, passed: 2 } },
      'MOUNTED',
      'passing',
    ],
    // 0 stopped, 1 passing, 2 running.
    ['of a number in which most rest', { 2: { stood: 5 }, 0: { stood: 2 } }, '2', 'usual'],
    ['of a number in which none rests', { 2: { stood: 5 }, 0: { stood: 2 } }, '1', 'doubtful'],
    ['that nobody knows, in which two stand', { BLAU: { stood: 2 } }, 'BLAU', 'unseen'],
    ['that nobody knows, in which three stand', { BLAU: { stood: 3 } }, 'BLAU', 'usual'],
    ['that nobody knows, in which some stand', { AKTIV: { stood: 9 }, BLAU: { stood: 3 } }, 'BLAU', 'doubtful'],
    [
      'that nobody knows, and that is seen again later',
      { AKTIV: { stood: 9 }, BLAU: { rested: 2 } },
      'BLAU',
      'resting',
    ],
    // Several backups may run at a time.
    [
      'that says that work goes on, while many are at it',
      { BACKING_UP: { stood: 3 }, RUNNING: { stood: 1 } },
      'BACKING_UP',
      'passing',
    ],
    [
      'that says that work goes on, and is stayed in, as by copies that take hours',
      { RUNNING: { stood: 1 }, CREATING: { stood: 8, rested: 5 } },
      'CREATING',
      'passing',
    ],
    // What rests is seldom left by itself, and work may take hours.
    [
      'left once and rested in often',
      { OPEN: { stood: 2, rested: 9, passed: 1 }, ACTIVE: { stood: 4 } },
      'OPEN',
      'resting',
    ],
    [
      'left as often as it is stayed in',
      { WARM: { stood: 1, rested: 3, passed: 2 }, ACTIVE: { stood: 4 } },
      'WARM',
      'passing',
    ],
    [
      'of two that have stood in a number for long, and may have failed',
      { '9': { stood: 2, rested: 2 }, '2': { stood: 1 } },
      '9',
      'resting',
    ],
    [
      'of what stands still, which people leave',
      { STOPPED: { stood: 2, passed: 1 }, ACTIVE: { stood: 4 } },
      'STOPPED',
      'resting',
    ],
  ];
  test.each(cases)(
    'Dolly gives a state word %s its meaning after it learned %j: %s is %s',
    (_, words, word, expected) => {
      expect(meaningOfWord(word, stateClass(word), learned(words))).toBe(expected);
    },
  );

  test('a busy state word counts as passing whatever was learned, and one never seen does not count as resting', () => {
    const counts = fc.record({ stood: fc.nat(9), rested: fc.nat(9), passed: fc.nat(9) });
    const words = fc.dictionary(fc.constantFrom('ACTIVE', 'OPEN', 'BLUE', '1', 'STOPPED', 'CREATING'), counts);
    const classes = fc.constantFrom<StateClass>('ok', 'unknown', 'stopped', 'disabled');
    fc.assert(
      fc.property(words, classes, (known, usual) => {
        const rows = learned(known);
        expect(meaningOfWord('CREATING', 'busy', rows)).toBe('passing');
        expect(['doubtful', 'unseen']).toContain(meaningOfWord('NEVER SEEN', usual, rows));
      }),
    );
  });

  test('the meaning of a state word does not depend on the order in which words were learned', () => {
    const counts = fc.record({ stood: fc.nat(9), rested: fc.nat(9), passed: fc.nat(9) });
    const words = fc.dictionary(fc.constantFrom('ACTIVE', 'OPEN', 'BLUE', '1', 'STOPPED'), counts, { minKeys: 2 });
    fc.assert(
      fc.property(words, fc.constantFrom('ACTIVE', 'BLUE', 'STOPPED'), (known, word) => {
        const rows = learned(known);
        expect(meaningOfWord(word, stateClass(word), rows.toReversed())).toBe(
          meaningOfWord(word, stateClass(word), rows),
        );
      }),
    );
  });
});

describe('the vocabulary of a service', () => {
  const start = Date.UTC(2026, 10, 21, 9);
  const minutes = (count: number) => count * 60_000;
  const nobody = () => false;
  const clone = (number: number, state: string, more: object = {}) =>
    recordOf(`MYSQL_CLONE_SERVER-${number}`, { state, ...more });
  const several = (count: number, state: string) => Array.from({ length: count }, (_, at) => clone(at + 1, state));

  async function opened({
    mapping = {},
    service = 'https://db.example',
  }: {
    mapping?: Mapping;
    service?: string;
  } = {}) {
    const clock = testClock(start);
    const words = learnedWordsIn(await storeIn(folder()));
    return { clock, words, vocabulary: openVocabulary(words, service, mapping, clock).of('T1') };
  }
  /** What was learned, as [word, stood, rested, passed]. */
  const counts = (rows: readonly WordRow[]) =>
    rows.map(({ word, stood, rested, passed }) => [word, stood, rested, passed] as const);

  test('Dolly learns in which state words records stand, and how many stood in each at one time', async () => {
    const { vocabulary } = await opened();
    vocabulary.observe([...several(4, 'ACTIVE'), clone(9, 'INACTIVE')], nobody);
    vocabulary.observe(several(2, 'ACTIVE'), nobody);
    expect(counts(vocabulary.learned())).toEqual([
      ['ACTIVE', 4, 0, 0],
      ['INACTIVE', 1, 0, 0],
    ]);
    expect(vocabulary.meaningOf(clone(20, 'ACTIVE'))).toBe('usual');
    expect(vocabulary.meaningOf(clone(20, 'INACTIVE'))).toBe('resting');
    expect(vocabulary.meaningOf(clone(20, 'RUNNING'))).toBe('doubtful');
    expect(vocabulary.meaningOf(recordOf('MYSQL_CLONE_SERVER-20'))).toBe('unseen');
  });

  test('state words of clones and live databases are compared only where the two agree in a word', async () => {
    const { vocabulary } = await opened();
    const live = (number: number, state: string) => recordOf(`MYSQL_LIVE_SERVER-${number}`, { state });
    const all = (state: string) => [1, 2, 3, 4, 5].map(number => live(number, state));
    vocabulary.observe(all('ACTIVE'), nobody);
    // The first clone of a workspace: the dictionary decides.
    expect(vocabulary.meaningOf(clone(1, 'RUNNING'))).toBe('unseen');
    expect(vocabulary.meaningOf(clone(1, 'ACTIVE'))).toBe('usual');
    // That both say CREATING and STOPPED tells nothing of how they call a database that runs.
    vocabulary.observe([live(6, 'CREATING'), live(7, 'STOPPED'), clone(1, 'CREATING'), clone(2, 'STOPPED')], nobody);
    expect(vocabulary.meaningOf(clone(3, 'RUNNING'))).toBe('unseen');
    vocabulary.observe([clone(1, 'RUNNING'), clone(2, 'ACTIVE')], nobody);
    expect(vocabulary.meaningOf(clone(3, 'ACTIVE'))).toBe('usual');
  });

  test('a state word of clones is not judged by the few live databases that stand in it', async () => {
    const { vocabulary } = await opened();
    const live = (number: number, state: string) => recordOf(`MYSQL_LIVE_SERVER-${number}`, { state });
    vocabulary.observe([...[1, 2, 3, 4].map(number => live(number, 'ACTIVE')), live(5, 'RUNNING')], nobody);
    vocabulary.observe(several(6, 'RUNNING'), nobody);
    expect(vocabulary.meaningOf(live(6, 'RUNNING'))).toBe('doubtful');
    expect(vocabulary.meaningOf(clone(7, 'RUNNING'))).toBe('usual');
  });

  test('the state numbers of clones are not compared with those of live databases', async () => {
    const { vocabulary } = await opened();
    const coded = (noun: string, number: number, state: number) =>
      recordOf(`MYSQL_${noun}_SERVER-${number}`, { state });
    vocabulary.observe([coded('LIVE', 1, 2), coded('LIVE', 2, 2), coded('LIVE', 3, 2)], nobody);
    expect(vocabulary.meaningOf(coded('LIVE', 4, 2))).toBe('usual');
    expect(vocabulary.meaningOf(coded('CLONE', 1, 2))).toBe('unseen');
    vocabulary.observe([coded('CLONE', 1, 1), coded('CLONE', 2, 1), coded('CLONE', 3, 1)], nobody);
    expect([1, 2].map(state => vocabulary.meaningOf(coded('CLONE', 4, state)))).toEqual(['usual', 'doubtful']);
  });

  test('Dolly learns no state words of records that are busy, just made, failed or without a state', async () => {
    const { vocabulary } = await opened();
    const ours = clone(1, 'RUNNING');
    const reporting = clone(2, 'RUNNING', { lastJob: { type: 'BACKUP', status: 'RUNNING' } });
    const made = [{ createdAt: start }, { createdAt: '2026-11-21 04:00:00' }].map((times, at) =>
      clone(5 + at, 'OPEN', times),
    );
    vocabulary.observe(
      [ours, reporting, clone(3, 'FAILED'), recordOf('MYSQL_CLONE_SERVER-4'), ...made],
      record => record === ours,
    );
    expect(vocabulary.learned()).toEqual([]);
  });

  test('Dolly waits an hour to learn state words of new records, unless they show that they are old', async () => {
    const { vocabulary, clock } = await opened();
    // One of them shows a time of its making by a clock that is hours off.
    const late = { createdAt: start - minutes(120) };
    const read = [...several(2, 'ACTIVE'), clone(7, 'TEAL'), clone(8, 'TEAL'), clone(9, 'TEAL', late)];
    vocabulary.observe(several(2, 'ACTIVE'), nobody);
    await clock.advance(minutes(1));
    vocabulary.observe(read, nobody);
    expect(counts(vocabulary.learned())).toEqual([['ACTIVE', 2, 0, 0]]);
    const old = { createdAt: start - minutes(9_000) };
    vocabulary.observe([clone(10, 'OPEN', old)], nobody);
    expect(counts(vocabulary.learned())).toContainEqual(['OPEN', 1, 0, 0]);
    await clock.advance(minutes(60));
    vocabulary.observe(read, nobody);
    expect(counts(vocabulary.learned())).toContainEqual(['TEAL', 3, 3, 0]);
  });

  test('a record counts as resting in a state word where it is seen there ten minutes later, once for each stay', async () => {
    const { vocabulary, clock } = await opened();
    const look = () => vocabulary.observe([clone(1, 'OPEN')], nobody);
    look();
    await clock.advance(minutes(9));
    look();
    expect(counts(vocabulary.learned())).toEqual([['OPEN', 1, 0, 0]]);
    await clock.advance(minutes(1));
    look();
    await clock.advance(minutes(30));
    look();
    expect(counts(vocabulary.learned())).toEqual([['OPEN', 1, 1, 0]]);
  });

  test.each<readonly [string, object, number]>([
    ['hours ago', { createdAt: start - minutes(900), updatedAt: start - minutes(180) }, 1],
    ['hours ago, at its making', { createdAt: start - minutes(180), updatedAt: start - minutes(180) }, 0],
    ['an hour ago', { createdAt: start - minutes(900), updatedAt: start - minutes(60) }, 0],
    [
      'hours ago by a time without a zone, which may be that of any',
      { createdAt: start - minutes(9_000), updatedAt: '2026-11-21 04:00:00' },
      0,
    ],
    ['a day ago by a time without a zone', { createdAt: start - minutes(9_000), updatedAt: '2026-11-20 09:00:00' }, 1],
    ['at a time that is not shown', { createdAt: start - minutes(900), lastBackupAt: start - minutes(180) }, 0],
  ])(
    'Dolly learns, or does not, that a record rests in its state where it last changed %s',
    async (_, times, rested) => {
      const { vocabulary } = await opened();
      vocabulary.observe([clone(1, 'OPEN', times)], nobody);
      expect(counts(vocabulary.learned())).toEqual([['OPEN', 1, rested, 0]]);
    },
  );

  test('a state word that a record enters and leaves again is learned as passing, unless it means stopped', async () => {
    const { vocabulary, clock } = await opened();
    for (const state of ['OPEN', 'WARM', 'OPEN', 'STOPPED', 'OPEN']) {
      vocabulary.observe([clone(1, state)], nobody);
      await clock.advance(minutes(1));
    }
    const passed = vocabulary.learned().map(({ word, passed: times }) => [word, times]);
    expect(passed).toContainEqual(['WARM', 1]);
    expect(passed).toContainEqual(['STOPPED', 0]);
  });

  test('a state word that was left after a request was sent is learned as passing', async () => {
    const { vocabulary } = await opened();
    vocabulary.observe(several(4, 'ACTIVE'), nobody);
    vocabulary.pass({ record: clone(20, 'RUNNING'), word: 'RUNNING' });
    vocabulary.pass({ record: clone(20, 'RUNNING'), word: 'STOPPED' });
    expect(vocabulary.meaningOf(clone(20, 'RUNNING'))).toBe('passing');
    expect(counts(vocabulary.learned())).toContainEqual(['RUNNING', 0, 0, 1]);
    expect(vocabulary.learned().map(({ word }) => word)).not.toContain('STOPPED');
  });

  test('a state word is learned as resting once work that a report proved has left two records in it', async () => {
    const { vocabulary } = await opened();
    vocabulary.observe(several(4, 'ACTIVE'), nobody);
    vocabulary.leave(clone(20, 'TEAL'));
    expect(vocabulary.meaningOf(clone(22, 'TEAL'))).toBe('doubtful');
    vocabulary.leave(clone(21, 'TEAL'));
    expect(vocabulary.meaningOf(clone(22, 'TEAL'))).toBe('resting');
    for (const state of ['FAILED', 'UPDATING']) vocabulary.leave(clone(23, state));
    expect(
      vocabulary
        .learned()
        .map(({ word }) => word)
        .toSorted(),
    ).toEqual(['ACTIVE', 'TEAL']);
  });

  test.each(['FAILED', 'STOPPED', 'UPDATING'])(
    'a state word that was left for %s is not learned as passing',
    async state => {
      const { vocabulary } = await opened();
      vocabulary.pass({ record: clone(20, state), word: 'RUNNING' });
      expect(vocabulary.meaningOf(clone(21, 'RUNNING'))).toBe('unseen');
    },
  );

  test('learned state words are kept for one service, one workspace and one kind of record', async () => {
    const { vocabulary, words, clock } = await opened();
    vocabulary.observe([...several(4, 'ACTIVE'), clone(9, 'INACTIVE')], nobody);
    await vocabulary.keep();
    vocabulary.observe(several(6, 'ACTIVE'), nobody);
    await vocabulary.keep();

    const againOpened = openVocabulary(words, 'https://db.example', {}, clock);
    const again = againOpened.of('T1');
    expect(again.meaningOf(clone(20, 'RUNNING'))).toBe('unseen');
    await againOpened.load();
    expect(counts(again.learned()).toSorted()).toEqual([
      ['ACTIVE', 6, 0, 0],
      ['INACTIVE', 1, 0, 0],
    ]);
    expect(again.meaningOf(clone(20, 'RUNNING'))).toBe('doubtful');
    expect(again.meaningOf(recordOf('HOST_ENVIRONMENT-1', { state: 'RUNNING' }))).toBe('unseen');
    expect(again.meaningOf(recordOf('ORACLE_CLONE_DATABASE-1', { state: 'ACTIVE' }))).toBe('unseen');
    expect(again.meaningOf(recordOf('MYSQL_LIVE_SERVER-1', { state: 'ACTIVE' }))).toBe('usual');
    // Another workspace learns its own words.
    expect(againOpened.of('T2').learned()).toEqual([]);
    // Live databases that agree in no word with the clones tell nothing of them, nor the clones of them.
    expect(again.meaningOf(recordOf('MYSQL_LIVE_SERVER-1', { state: 'RUNNING' }))).toBe('unseen');

    const otherOpened = openVocabulary(words, 'https://other.example', {}, clock);
    const other = otherOpened.of('T1');
    await otherOpened.load();
    expect(other.learned()).toEqual([]);
  });

  test('the counts of learned state words go on from what was kept', async () => {
    const { vocabulary, words, clock } = await opened();
    vocabulary.pass({ record: clone(1, 'WARM'), word: 'WARM' });
    await vocabulary.keep();
    const againOpened = openVocabulary(words, 'https://db.example', {}, clock);
    const again = againOpened.of('T1');
    await againOpened.load();
    again.pass({ record: clone(1, 'WARM'), word: 'WARM' });
    await again.keep();
    expect(counts(await words.of('https://db.example'))).toEqual([['WARM', 0, 0, 2]]);
  });

  test('a mapping by the operator overrules what Dolly learned of a state word', async () => {
    const mapping: Mapping = { states: { busy: ['Blue'], ok: ['GREENISH'], stopped: ['0'] } };
    const { vocabulary } = await opened({ mapping });
    vocabulary.observe(several(9, 'BLUE'), nobody);
    const shown = (state: string) => {
      const mapped = stateClass(state, mapping);
      return vocabulary.meaningOf({ id: clone(1, state).id, state: { word: state, class: mapped } });
    };
    expect(shown('BLUE')).toBe('passing');
    expect(shown('GREENISH')).toBe('usual');
    expect(shown('0')).toBe('usual');
    expect(shown('OTHER')).toBe('doubtful');
  });

  test('Dolly keeps at most 60 state words where a service writes identifiers into its states', async () => {
    const { vocabulary, words, clock } = await opened();
    for (let at = 0; at < 300; at += 1) vocabulary.observe([clone(1, `AT ${randomUUID()}`)], nobody);
    expect(vocabulary.learned()).toHaveLength(60);
    await vocabulary.keep();
    const againOpened = openVocabulary(words, 'https://db.example', {}, clock);
    const again = againOpened.of('T1');
    await againOpened.load();
    again.observe([clone(1, 'ANOTHER')], nobody);
    expect(again.learned()).toHaveLength(60);
  });

  test('learned state words that the store could not write are written with the next ones', async () => {
    const { words, clock } = await opened();
    let fails = true;
    const keep = async (rows: readonly WordRow[]) => {
      if (fails) throw new Error('the store is away');
      await words.keep(rows);
    };
    const vocabulary = openVocabulary({ ...words, keep }, 'https://db.example', {}, clock).of('T1');
    vocabulary.observe(several(4, 'ACTIVE'), nobody);
    await expect(vocabulary.keep()).rejects.toThrow('the store is away');
    fails = false;
    await vocabulary.keep();
    expect(counts(await words.of('https://db.example'))).toEqual([['ACTIVE', 4, 0, 0]]);
  });

  test('Dolly learns state words from lists twice a minute at most, and needs three records to know a kind of them', async () => {
    const { vocabulary, clock } = await opened();
    const kind = wordGroupOf(clone(1, 'OPEN'));
    expect(vocabulary.isDue()).toBe(true);
    expect(vocabulary.isNewTo(kind)).toBe(true);
    vocabulary.observe(several(2, 'OPEN'), nobody);
    expect(vocabulary.isDue()).toBe(false);
    expect(vocabulary.isNewTo(kind)).toBe(true);
    await clock.advance(30_000);
    expect(vocabulary.isDue()).toBe(true);
    vocabulary.observe([...several(2, 'OPEN'), clone(3, 'OPEN', { createdAt: start - minutes(9_000) })], nobody);
    expect(vocabulary.isNewTo(kind)).toBe(false);
  });
});
