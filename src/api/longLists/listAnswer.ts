import type { Noun } from '../identifiers.ts';
import type { Names } from '../reading/labels.ts';
import { type Mention, mentionsIn } from '../reading/mentions.ts';
import { type RecordList, readLongList, saysMore } from '../reading/recordList.ts';
import type { Mapping } from '../reading/recordMapping.ts';
import { digestOfAnswer } from '../secrets/conceal.ts';
import { LongList } from './longList.ts';

/** Reads the records of the given nouns out of the answer to a GET of a list, wherever it was parsed, in slices. */
export async function readAnyList(
  answer: unknown,
  nouns: readonly Noun[],
  mapping: Mapping,
  names: Names = new Map(),
): Promise<RecordList> {
  return answer instanceof LongList ? answer.read(names) : readLongList(answer, nouns, mapping, names);
}

/** Whether the answer to a GET of a list says that there are more records than it holds. */
export function isCut(answer: unknown): boolean {
  return answer instanceof LongList ? answer.isCut : saysMore(answer);
}

/** The digest of an answer to a GET, by which the same bytes are known; `undefined` where it has none. */
export function digestOfAny(answer: unknown): string | undefined {
  return answer instanceof LongList ? answer.digest : digestOfAnswer(answer);
}

/** Every identifier of the noun anywhere in an answer, once each, with the best label found. */
export async function mentionsInAny(answer: unknown, noun: Noun): Promise<readonly Mention[]> {
  return answer instanceof LongList ? answer.mentions(noun) : mentionsIn(answer, noun);
}
