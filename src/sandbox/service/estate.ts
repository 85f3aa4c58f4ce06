import type { Vendor } from './identifiers.ts';

/** The states of a database at which no job works on it. */
export const restStates: readonly DatabaseState[] = ['RUNNING', 'STOPPED', 'DISABLED', 'FAILED'];
/** One of {@link restStates}, or the word that an endpoint has for its job under way: `STOPPING`. */
export type DatabaseState = string;

/** Spec §4.3; STAGING is our word for a mounted snapshot (spec §4.1). */
export type CloneType = 'VIRTUALCLONE' | 'PHYSICAL' | 'STAGING';

export type DatabaseParam =
  | { name: string; type: 'STRING'; value: string }
  | { name: string; type: 'NUMBER'; value: number }
  | { name: string; type: 'BOOLEAN'; value: 'true' | 'false' };

export type Snapshot = {
  id: string;
  name: string;
  type: 'FULL' | 'INCREMENTAL';
  state: 'AVAILABLE' | 'DELETING';
  /** Milliseconds since the epoch, as every time of the estate. */
  createdAt: number;
  sizeMb?: number | undefined;
  error?: string | undefined;
};

/** The content of a database, as far as the engine has seen it. */
export type Contents = {
  pluggableDatabases?: readonly string[] | undefined;
  tablespaces?: readonly string[] | undefined;
  /** The databases of a MySQL or MariaDB server. */
  databases?: readonly string[] | undefined;
};

export type JsonValue = string | number | boolean | null | readonly JsonValue[] | { readonly [key: string]: JsonValue };

/** The fields of a request that describe the new clone (spec §4.3, §4.4). */
export type CloneSettings = {
  mountBase?: string | undefined;
  databaseName?: string | undefined;
  dbUniqueName?: string | undefined;
  instanceName?: string | undefined;
  rmanChannel?: number | undefined;
  port?: number | undefined;
  parallel?: number | undefined;
  databaseParams?: readonly DatabaseParam[] | undefined;
  specificPostScriptPath?: string | undefined;
};

/** A live database or a clone. Who owns no owner was discovered, not made by a person. */
export type Database = CloneSettings & {
  id: string;
  name: string;
  vendor: Vendor;
  /** Undefined for a live database. */
  cloneType?: CloneType | undefined;
  state: DatabaseState;
  /** False while, and if, creation did not come to its end: there is nothing that could be stopped or shared. */
  usable: boolean;
  environment: string;
  environmentUser?: string | undefined;
  install?: string | undefined;
  project?: string | undefined;
  owner?: string | undefined;
  /** The live database, or the clone that was shared. */
  sourceDatabase?: string | undefined;
  /** The snapshot that a clone was made from. */
  snapshot?: string | undefined;
  snapshots: Snapshot[];
  contents: Contents;
  /** Further fields from the engine and from earlier jobs, such as a connection command. The record shows them unchanged. */
  facts: Readonly<Record<string, JsonValue>>;
  simulated: boolean;
  createdAt: number;
  updatedAt: number;
  localDirectory?: string | undefined;
  /** Why the last job failed. */
  error?: string | undefined;
};

export type Install = { id: string; vendor: Vendor; name: string; version: string; path: string };
export type EnvironmentUser = { id: string; name: string };
/** The states of an environment at which no job works on it; any other word says that one does. */
export const environmentRestStates: readonly string[] = ['ENABLED', 'DISABLED', 'FAILED'];

export type Environment = {
  id: string;
  name: string;
  host: string;
  operatingSystem: string;
  state: string;
  /** Rule 1 (spec §3) looks here, so that a job that failed neither opens nor shuts an environment. */
  enabled: boolean;
  installs: Install[];
  environmentUsers: EnvironmentUser[];
  /** Further fields from the engine. The record shows them unchanged. */
  facts: Readonly<Record<string, JsonValue>>;
  simulated: boolean;
  createdAt: number;
  updatedAt: number;
  refreshedAt?: number | undefined;
  error?: string | undefined;
};

export type Role = 'DBA' | 'DEVELOPER' | 'AUDITOR';

export type User = {
  id: string;
  username: string;
  /** Undefined: the user is known but cannot sign in. */
  password?: string | undefined;
  fullName: string;
  email: string;
  role: Role;
  state: 'ACTIVE' | 'LOCKED' | 'DELETING' | 'FAILED';
  /** Milliseconds; the service's own lifetime when undefined. */
  tokenLifetime?: number | undefined;
  createdAt: number;
  lastSignInAt?: number | undefined;
  error?: string | undefined;
};

export type Project = {
  id: string;
  name: string;
  description: string;
  state: 'ACTIVE' | 'DELETING' | 'FAILED';
  createdAt: number;
  error?: string | undefined;
};

/** Everything that the service knows: maps by identifier, in the order in which lists show them. */
export type Estate = {
  databases: Map<string, Database>;
  environments: Map<string, Environment>;
  users: Map<string, User>;
  projects: Map<string, Project>;
  /** The highest number given so far, by kind: numbers are not used again. */
  numbers: Map<string, number>;
};

/** A new identifier of `kind` that was never used in this estate. */
export function nextIdentifier(estate: Estate, kind: string): string {
  const number = (estate.numbers.get(kind) ?? 0) + 1;
  estate.numbers.set(kind, number);
  return `${kind}-${number}`;
}

/** The snapshots that can be used, oldest first. */
export function availableSnapshots(database: Database): readonly Snapshot[] {
  return database.snapshots.filter(snapshot => snapshot.state === 'AVAILABLE');
}
