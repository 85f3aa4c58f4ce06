import { convertClone, createClone, resetClone, shareClone, startClone, stopClone } from './clones.ts';
import {
  backUpDatabase,
  backUpLogs,
  deleteDatabase,
  deleteSnapshot,
  disableDatabase,
  enableDatabase,
  listDatabases,
  mountSnapshot,
  refreshDatabase,
  showDatabase,
} from './databases.ts';
import { deleteProject, deleteUser, listProjects, listUsers, showProject, showUser } from './directory.ts';
import {
  deleteEnvironment,
  disableEnvironment,
  enableEnvironment,
  listEnvironments,
  refreshEnvironment,
  showEnvironment,
} from './environments.ts';
import type { Operation, WriteOperation } from './operation.ts';
import { restoreDatabase } from './restores.ts';

/** Everything that can be asked of the service, in the order of the help. */
export const catalogue: readonly Operation[] = [
  listDatabases,
  showDatabase,
  backUpDatabase,
  backUpLogs,
  refreshDatabase,
  disableDatabase,
  enableDatabase,
  deleteDatabase,
  createClone,
  shareClone,
  convertClone,
  stopClone,
  startClone,
  resetClone,
  mountSnapshot,
  deleteSnapshot,
  restoreDatabase,
  listEnvironments,
  showEnvironment,
  refreshEnvironment,
  disableEnvironment,
  enableEnvironment,
  deleteEnvironment,
  listUsers,
  showUser,
  deleteUser,
  listProjects,
  showProject,
  deleteProject,
];

/** The operation that a command's words begin with (the longest match), and the words that are left. */
export function findOperation(words: readonly string[]): { operation: Operation; rest: readonly string[] } | undefined {
  const lower = words.map(word => word.toLowerCase());
  const operation = catalogue
    .filter(entry => entry.words.every((word, at) => lower[at] === word))
    .sort((a, b) => b.words.length - a.words.length)[0];
  return operation && { operation, rest: words.slice(operation.words.length) };
}

/** The write operation of that name; `undefined` for a name that an older release may have stored. */
export function writeOperation(name: string): WriteOperation | undefined {
  const operation = catalogue.find(entry => entry.name === name);
  return operation?.type === 'write' ? operation : undefined;
}
