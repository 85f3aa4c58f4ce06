import { type StateClass, stateClass } from '../../../api/reading/stateWords.ts';
import type { WordRow } from '../../../store/tables/rows.ts';

/**
 * The meaning of a state word in the records of one service, whose words no specification shows (spec §3):
 * - `usual`: most records rest in it.
 * - `resting`: records stay in it while nothing is done to them.
 * - `passing`: records leave it by themselves.
 * - `doubtful`: other records rest in another word that may mean the same, and none was seen in this one.
 * - `unseen`: nothing was learned of it, so that the dictionary (api/reading/stateWords.ts) and time decide.
 */
export type StateMeaning = 'usual' | 'resting' | 'passing' | 'doubtful' | 'unseen';

/** Up to this number of records to compare with, one of them tells as much as several. */
export const few = 3;

/** Decides the meaning of a word by the counts of it and of the other words for such records. */
export function meaningOfWord(word: string, usual: StateClass, rows: readonly WordRow[]): StateMeaning {
  // Several backups or copies may run for hours: only an operator knows that a word which says so rests (RECORDS_FILE).
  if (usual === 'busy') return 'passing';
  const { stood, rested, passed } = rows.find(row => row.word === word) ?? { stood: 0, rested: 0, passed: 0 };
  const others = rows.filter(row => row.word !== word);
  const maxStood = Math.max(0, ...others.map(row => row.stood));
  const isStill = usual === 'stopped' || usual === 'disabled';
  // Several backups may run at a time in an unknown word, and one or two records in one or in a number may have failed: how many
  // stand in it says little, how long they do does.
  const tells = usual !== 'unknown' || stood >= few;
  if (tells && stood > maxStood && stood > passed) return 'usual';
  // Work may take hours, but a record seldom leaves by itself a word in which it rests.
  if (passed * 3 > rested && (!isStill || passed > stood)) return 'passing';
  const isCommon = isStill || stood + maxStood <= few || (stood >= few && stood * 3 >= maxStood);
  if (rested > 1 || (usual !== 'unknown' && stood > 0 && isCommon)) return 'resting';
  const isTaken = others.some(row => mayMeanRest(stateClass(row.word)) && row.stood + row.rested > 0);
  return mayMeanRest(usual) && isTaken ? 'doubtful' : 'unseen';
}

/** Whether records may rest in a word of this class, or be at work. */
export const mayMeanRest = (usual: StateClass | undefined) => usual === 'ok' || usual === 'unknown';
