import { remove } from '../api/call.ts';
import { capital } from '../ground/wording.ts';
import { target } from './fields.ts';
import { defineWrite, type WriteOperation } from './operation.ts';
import { phrasesOf } from './phrases.ts';
import { gone } from './proofs.ts';
import { works } from './work.ts';

/** What all deletions have in common: the name is typed, and another person approves. */
export const deletion = {
  work: works.delete,
  title: () => 'Deletion',
  typed: true,
  deletes: true,
  guarded: true,
  proof: gone(),
} as const;

/** Declares the deletion of a record that stands for itself: an environment, a user or a project (spec §4.7–4.9). */
export function defineDeletion(
  noun: 'environment' | 'user' | 'project',
  { word, summary, path }: Readonly<{ word: string; summary: string; path: string }>,
): WriteOperation {
  return defineWrite({
    ...deletion,
    name: `${noun}.delete`,
    words: [word, 'delete'],
    summary,
    fields: [target(noun, capital(noun), [noun])],
    phrases: phrasesOf('delete', 'Deleting', 'deleted', `the ${noun} `),
    warning: () => 'This cannot be undone. It is deleted from the service.',
    call: ({ text }) => remove(path, text),
  });
}
