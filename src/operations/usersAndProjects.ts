import { remove } from '../api/call.ts';
import { target } from './fields.ts';
import { defineOperation, defineReads, type Operation, type ReadOperation } from './operation.ts';
import { gone } from './proofs.ts';
import { works } from './work.ts';

/** Users and projects can be listed, shown and deleted in the same way. */
function listedAndDeleted(
  noun: 'user' | 'project',
  group: ReadOperation['group'],
  path: string,
  [list, one, deletion]: readonly [list: string, one: string, deletion: string],
): readonly Operation[] {
  return [
    ...defineReads(noun, { group, words: [noun], nouns: [noun], summaries: [list, one] }),
    defineOperation({
      type: 'write',
      name: `${noun}.delete`,
      group,
      work: works.delete,
      words: [noun, 'delete'],
      summary: deletion,
      fields: [target(noun, noun === 'user' ? 'User' : 'Project', [noun])],
      title: () => 'Deletion',
      phrases: {
        asks: `delete the ${noun} {name}`,
        running: `Deleting the ${noun} {name}`,
        done: `The ${noun} {name} is deleted`,
        undone: 'Not deleted',
      },
      warning: () => 'This cannot be undone. It is deleted from the service.',
      typed: true,
      deletes: true,
      guarded: true,
      call: ({ text }) => remove(path, text),
      proof: gone(),
    }),
  ];
}

/** Users and projects (spec §4.8, §4.9). */
export const directoryOperations: readonly Operation[] = [
  ...listedAndDeleted('user', 'Users', '/user/user/delete', [
    'List the users of the service',
    'Show one user of the service',
    'Delete a user of the service',
  ]),
  ...listedAndDeleted('project', 'Projects', '/project/delete', [
    'List projects',
    'Show one project',
    'Delete a project',
  ]),
];
