import { z } from 'zod';
import type { Found } from './engine.ts';
import type {
  Contents,
  Database,
  DatabaseParam,
  Environment,
  EnvironmentUser,
  Estate,
  Install,
  Project,
  Snapshot,
  User,
} from './estate.ts';
import { vendors } from './identifiers.ts';

/** Everything that outlives the process: the estate, and by environment the databases that the next simulated discovery finds. */
export type Kept = { estate: Estate; undiscovered: Map<string, readonly Found[]> };

/** One schema for every field: a field that is new in the estate and missing here would be forgotten in silence. */
type Shape<Item> = { [Key in keyof Item]-?: z.ZodType<Item[Key]> };

const text = z.string().optional();
const number = z.number().optional();
const vendor = z.enum(vendors);
const facts = z.record(z.string(), z.json());
const names = z.array(z.string()).optional();
const contents = z.object({
  pluggableDatabases: names,
  tablespaces: names,
  databases: names,
} satisfies Shape<Contents>);

const param: z.ZodType<DatabaseParam> = z.discriminatedUnion('type', [
  z.object({ name: z.string(), type: z.literal('STRING'), value: z.string() }),
  z.object({ name: z.string(), type: z.literal('NUMBER'), value: z.number() }),
  z.object({ name: z.string(), type: z.literal('BOOLEAN'), value: z.enum(['true', 'false']) }),
]);

const snapshot = z.object({
  id: z.string(),
  name: z.string(),
  type: z.enum(['FULL', 'INCREMENTAL']),
  state: z.enum(['AVAILABLE', 'DELETING']),
  createdAt: z.number(),
  sizeMb: number,
  error: text,
} satisfies Shape<Snapshot>);

const database = z.object({
  id: z.string(),
  name: z.string(),
  vendor,
  cloneType: z.enum(['VIRTUALCLONE', 'PHYSICAL', 'STAGING']).optional(),
  state: z.string(),
  usable: z.boolean(),
  environment: z.string(),
  environmentUser: text,
  install: text,
  project: text,
  owner: text,
  sourceDatabase: text,
  snapshot: text,
  snapshots: z.array(snapshot),
  contents,
  facts,
  simulated: z.boolean(),
  mountBase: text,
  databaseName: text,
  dbUniqueName: text,
  instanceName: text,
  rmanChannel: number,
  port: number,
  parallel: number,
  databaseParams: z.array(param).optional(),
  specificPostScriptPath: text,
  createdAt: z.number(),
  updatedAt: z.number(),
  localDirectory: text,
  error: text,
} satisfies Shape<Database>);

const environment = z.object({
  id: z.string(),
  name: z.string(),
  host: z.string(),
  operatingSystem: z.string(),
  state: z.string(),
  enabled: z.boolean(),
  installs: z.array(
    z.object({
      id: z.string(),
      vendor,
      name: z.string(),
      version: z.string(),
      path: z.string(),
    } satisfies Shape<Install>),
  ),
  environmentUsers: z.array(z.object({ id: z.string(), name: z.string() } satisfies Shape<EnvironmentUser>)),
  facts,
  simulated: z.boolean(),
  createdAt: z.number(),
  updatedAt: z.number(),
  refreshedAt: number,
  error: text,
} satisfies Shape<Environment>);

const user = z.object({
  id: z.string(),
  username: z.string(),
  password: text,
  fullName: z.string(),
  email: z.string(),
  role: z.enum(['DBA', 'DEVELOPER', 'AUDITOR']),
  state: z.enum(['ACTIVE', 'LOCKED', 'DELETING', 'FAILED']),
  tokenLifetime: number,
  createdAt: z.number(),
  lastSignInAt: number,
  error: text,
} satisfies Shape<User>);

const project = z.object({
  id: z.string(),
  name: z.string(),
  description: z.string(),
  state: z.enum(['ACTIVE', 'DELETING', 'FAILED']),
  createdAt: z.number(),
  error: text,
} satisfies Shape<Project>);

const found = z.object({
  name: z.string(),
  vendor,
  install: text,
  port: number,
  mountBase: text,
  contents: contents.optional(),
  facts: facts.optional(),
} satisfies Shape<Found>);

/** Records as lists, in the order in which the API lists them. */
const listed = <Item extends { id: string }>(item: z.ZodType<Item>) =>
  z.array(item).transform(items => new Map(items.map(record => [record.id, record])));
const entries = <Value>(value: z.ZodType<Value>) =>
  z.record(z.string(), value).transform(record => new Map(Object.entries(record)));

const kept: z.ZodType<Kept> = z.object({
  estate: z.object({
    databases: listed<Database>(database),
    environments: listed<Environment>(environment),
    users: listed<User>(user),
    projects: listed<Project>(project),
    numbers: entries(z.int()),
  } satisfies Shape<Estate>),
  undiscovered: entries<readonly Found[]>(z.array(found)),
} satisfies Shape<Kept>);

/** The text that {@link parseKept} reads: one JSON object. */
export function keptText({ estate, undiscovered }: Kept): string {
  const { databases, environments, users, projects, numbers } = estate;
  return JSON.stringify({
    estate: {
      databases: [...databases.values()],
      environments: [...environments.values()],
      users: [...users.values()],
      projects: [...projects.values()],
      numbers: Object.fromEntries(numbers),
    },
    undiscovered: Object.fromEntries(undiscovered),
  });
}

/** Reads the text of {@link keptText}. Throws with one line that names the first thing at fault. */
export function parseKept(written: string): Kept {
  const result = kept.safeParse(JSON.parse(written));
  if (result.success) return result.data;
  const [issue] = result.error.issues;
  throw new Error(`${issue?.path.join('.')}: ${issue?.message}`);
}
