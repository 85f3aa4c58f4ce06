import type { Noun } from '../../api/identifiers.ts';
import { catalogue } from '../../operations/catalogue.ts';
import { type JobOperation, type Operation, targetNouns } from '../../operations/operation.ts';
import { code } from '../blocks/mrkdwn.ts';

/** The command that a person may have meant by one of these words after another one; `undefined` if none is known. */
export function meantBy(operation: JobOperation, ...words: readonly string[]): string | undefined {
  const found = Object.entries(operation.instead ?? {}).find(([word]) => words.some(one => one.toLowerCase() === word));
  return found?.[1];
}

/** A hint at the command that does the same to a record of another noun; empty if there is none. */
export function sameFor(db: string, { words, type }: Operation, noun: Noun | undefined): string {
  const verb = words.at(-1);
  const other = catalogue.find(
    entry => entry.type === type && entry.words.at(-1) === verb && noun && nounsOf(entry).includes(noun),
  );
  return other ? ` Use ${code(`${db} ${other.words.join(' ')}`)} for that.` : '';
}

function nounsOf(operation: Operation): readonly Noun[] {
  return operation.type === 'read' ? operation.nouns : targetNouns(operation);
}
