import type { Database, Environment, Estate, Project, Snapshot, User } from './estate.ts';
import { parseIdentifier } from './identifiers.ts';

/*
 * The records that a GET answers. The specification shows no field of any record (spec §2), so all of this is our choice: flat JSON
 * objects, references as identifiers with the name beside them, times in ISO 8601, fields without a value left out.
 */

const time = (ms: number | undefined) => (ms === undefined ? undefined : new Date(ms).toISOString());
const kind = (id: string) => parseIdentifier(id)?.kind;

function snapshotRecord({ createdAt, ...snapshot }: Snapshot) {
  return { ...snapshot, createdAt: time(createdAt) };
}

/** The record of a live database or clone. */
export function databaseRecord(estate: Estate, database: Database) {
  const { id, usable: _, contents, facts, environment, sourceDatabase, project, snapshots, ...plain } = database;
  return {
    id,
    objectType: kind(id),
    ...plain,
    role: plain.cloneType === undefined ? 'LIVE' : 'CLONE',
    environment,
    environmentName: estate.environments.get(environment)?.name,
    sourceDatabase,
    sourceDatabaseName: sourceDatabase && estate.databases.get(sourceDatabase)?.name,
    project,
    projectName: project && estate.projects.get(project)?.name,
    snapshots: snapshots.map(snapshotRecord),
    ...contents,
    ...facts,
    createdAt: time(database.createdAt),
    updatedAt: time(database.updatedAt),
  };
}

/** The record of an environment, with its installs and users: no endpoint lists those. */
export function environmentRecord({ enabled: _, facts, ...environment }: Environment) {
  return {
    ...environment,
    ...facts,
    objectType: kind(environment.id),
    createdAt: time(environment.createdAt),
    updatedAt: time(environment.updatedAt),
    refreshedAt: time(environment.refreshedAt),
  };
}

/** The record of a user; never the password. */
export function userRecord({ password: _, tokenLifetime: __, ...user }: User) {
  return {
    ...user,
    objectType: kind(user.id),
    name: user.username,
    createdAt: time(user.createdAt),
    lastSignInAt: time(user.lastSignInAt),
    simulated: true,
  };
}

/** The record of a project. */
export function projectRecord(project: Project) {
  return { ...project, objectType: kind(project.id), createdAt: time(project.createdAt), simulated: true };
}
