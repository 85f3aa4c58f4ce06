import { remove } from '../api/call.ts';
import { target } from './fields.ts';
import { defineOperation, type Operation } from './operation.ts';
import { gone } from './proofs.ts';
import { works } from './work.ts';

/** Spec §4.8: GET /user/list. */
const listUsers = defineOperation({
  type: 'read',
  name: 'user.list',
  group: 'Users',
  words: ['user', 'list'],
  summary: 'List the users of the service',
  nouns: ['user'],
  shows: 'list',
});

/** Spec §4.8: GET /user/user/{id}. */
const showUser = defineOperation({
  type: 'read',
  name: 'user.show',
  group: 'Users',
  words: ['user', 'show'],
  summary: 'Show one user of the service',
  nouns: ['user'],
  shows: 'one',
});

/** Spec §4.8. */
const deleteUser = defineOperation({
  type: 'write',
  name: 'user.delete',
  group: 'Users',
  work: works.delete,
  words: ['user', 'delete'],
  summary: 'Delete a user of the service',
  fields: [target('user', 'User', ['user'])],
  title: () => 'Deletion',
  phrases: {
    asks: 'delete the user {name}',
    running: 'Deleting the user {name}',
    done: 'The user {name} is deleted',
    undone: 'Not deleted',
  },
  warning: () => 'This cannot be undone. It is deleted from the service.',
  typed: true,
  deletes: true,
  guarded: true,
  call: ({ text }) => remove('/user/user/delete', text),
  proof: gone(),
});

/** Spec §4.9: GET /project/list. */
const listProjects = defineOperation({
  type: 'read',
  name: 'project.list',
  group: 'Projects',
  words: ['project', 'list'],
  summary: 'List projects',
  nouns: ['project'],
  shows: 'list',
});

/** Spec §4.9: GET /project/{id}. */
const showProject = defineOperation({
  type: 'read',
  name: 'project.show',
  group: 'Projects',
  words: ['project', 'show'],
  summary: 'Show one project',
  nouns: ['project'],
  shows: 'one',
});

/** Spec §4.9. */
const deleteProject = defineOperation({
  type: 'write',
  name: 'project.delete',
  group: 'Projects',
  work: works.delete,
  words: ['project', 'delete'],
  summary: 'Delete a project',
  fields: [target('project', 'Project', ['project'])],
  title: () => 'Deletion',
  phrases: {
    asks: 'delete the project {name}',
    running: 'Deleting the project {name}',
    done: 'The project {name} is deleted',
    undone: 'Not deleted',
  },
  warning: () => 'This cannot be undone. It is deleted from the service.',
  typed: true,
  deletes: true,
  guarded: true,
  call: ({ text }) => remove('/project/delete', text),
  proof: gone(),
});

/** Users and projects (spec §4.8, §4.9). */
export const directoryOperations: readonly Operation[] = [
  listUsers,
  showUser,
  deleteUser,
  listProjects,
  showProject,
  deleteProject,
];
