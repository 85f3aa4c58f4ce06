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
  const row = rows.find(entry => entry.word === word);
  const [stood, rested, passed] = [row?.stood ?? 0, row?.rested ?? 0, row?.passed ?? 0];
  const others = rows.filter(entry => entry !== row);
  const maxStood = Math.max(0, ...others.map(entry => entry.stood));
  // Several backups or copies may run for hours: only an operator knows that a word which says so rests (RECORDS_FILE).
  if (usual === 'busy') return 'passing';
  const isKnown = usual === 'stopped' || usual === 'disabled';
  // One or two records in an unknown word or a number may be at work, or have failed.
  const tells = usual !== 'unknown' || stood >= few;
  if (tells && stood > maxStood && stood > passed) return 'usual';
  // Work may take hours, but a record seldom leaves by itself a word in which it rests.
  if (passed > 0 && passed * 3 > rested && (!isKnown || passed > stood)) return 'passing';
  // Several backups may run at a time in an unknown word: how many stand in it says nothing, how long they do does.
  const isCommon = (usual !== 'unknown' && stood > 2 && stood * 3 >= maxStood) || rested > 1;
  const isAmongFew = stood > 0 && stood + maxStood <= few && usual !== 'unknown';
  if (isCommon || isAmongFew || (stood > 0 && isKnown)) return 'resting';
  const sounds = (entry: WordRow) => ['ok', 'unknown'].includes(stateClass(entry.word));
  const isTaken = others.some(entry => sounds(entry) && entry.stood + entry.rested > 0);
  return (usual === 'ok' || usual === 'unknown') && isTaken ? 'doubtful' : 'unseen';
}
