import { expect, test } from 'vitest';
import { learnedWordsIn } from '../../../src/store/tables/learnedWords.ts';
import { stores } from '../folder.ts';

test.each(stores)(
  'two processes that learn words do not take away what the other one counted: in %s',
  async (_, open) => {
    const words = learnedWordsIn(await open());
    const word = { service: 'https://service', team: 'T1', kind: 'clones', word: 'P' };
    await words.keep([{ ...word, stood: 3, rested: 2, passed: 0, seenAt: 1_000 }]);
    await words.keep([{ ...word, stood: 1, rested: 0, passed: 1, seenAt: 2_000 }]);
    expect(await words.of(word.service)).toEqual([{ ...word, stood: 3, rested: 2, passed: 1, seenAt: 2_000 }]);
  },
);
