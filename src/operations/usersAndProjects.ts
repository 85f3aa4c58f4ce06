import { defineDeletion } from './deletion.ts';
import { defineReads, type Operation } from './operation.ts';

/** Users and projects (spec §4.8, §4.9). */
export const directoryOperations: readonly Operation[] = [
  ...defineReads('user', {
    words: ['user'],
    nouns: ['user'],
    summaries: ['List the users of the service', 'Show one user of the service'],
  }),
  defineDeletion('user', {
    word: 'user',
    summary: 'Delete a user of the service',
    path: '/user/user/delete',
  }),
  ...defineReads('project', {
    words: ['project'],
    nouns: ['project'],
    summaries: ['List projects', 'Show one project'],
  }),
  defineDeletion('project', {
    word: 'project',
    summary: 'Delete a project',
    path: '/project/delete',
  }),
];
