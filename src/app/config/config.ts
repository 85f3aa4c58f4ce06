import { readFileSync } from 'node:fs';
import { type Document, isMap, isNode, isScalar, LineCounter, parseDocument } from 'yaml';
import { z } from 'zod';
import { plainForms } from '../../api/connection/plainBodies.ts';
import { Mapping } from '../../api/reading/recordMapping.ts';
import { codeOf } from '../../ground/failure.ts';
import { asClause } from '../../ground/wording.ts';
import { SlackId } from '../../jobs/approval/policy/ruleParts.ts';
import { PolicyFile, policyOf } from '../../jobs/approval/policy/rules.ts';
import type { SlackLink } from '../../slack/connection/bolt.ts';
import { accountIn } from './accountKeys.ts';
import { ApprovalChannels, commaList, entriesIn } from './approvalChannel.ts';
import { type Environment as Given, givenIn } from './given.ts';
import { proxyingIn } from './proxy.ts';
import { slackAccessIn } from './slackAccess.ts';

const url = z.url({ protocol: /^https?$/, error: 'must be a URL that begins with https:// or http://' });
const trimmedUrl = url
  .refine(text => !/^[^/]*\/\/[^/]*@/.test(text), 'must not hold a user name or password')
  .transform(text => text.replace(/\/+$/, ''));
const port = z.coerce.number('must be a port number from 0 to 65535').int().min(0).max(65_535);
const days = z.coerce.number('must be a number of days').int().min(1).max(36_500).default(400);
const teams = commaList.refine(
  ids => ids.every(id => /^[TE][A-Z0-9]{2,30}$/.test(id)),
  'must be ids of workspaces (T…) or organisations (E…), separated by commas',
);
const yesOrNo = z.enum(['true', 'false'], 'must be true or false');
const isYes = (text: string) => text === 'true';
const databaseForm =
  'must be a URL such as postgres://user:password@host/database, with all signs in the password percent-encoded (# is %23, / is %2F, ? is %3F, @ is %40)';
const commandName = /^\/[a-z0-9][a-z0-9_-]{0,30}$/;

/** A credential of Slack, which a second line would make useless for each request. */
const credential = z
  .string()
  .regex(/^\S*$/, { error: 'must be one word, without a blank or a line break', abort: true });

/** Node reads base64 up to the padding, and would overlook what stands behind a key. */
const key = z
  .string()
  .regex(/^[\w+/-]{43}=?$/, 'each key must be 32 bytes in base64 (make one with: openssl rand -base64 32)')
  .transform(text => new Uint8Array(Buffer.from(text, 'base64')));

const Environment = z.object({
  SLACK_BOT_TOKEN: credential.startsWith('xoxb-', 'must be a bot token (it begins with xoxb-)').optional(),
  SLACK_CLIENT_ID: credential.optional(),
  SLACK_CLIENT_SECRET: credential.optional(),
  ALLOW_INSTALL: teams,
  SLACK_SIGNING_SECRET: credential.optional(),
  SLACK_APP_TOKEN: credential.startsWith('xapp-', 'must be an app-level token (it begins with xapp-)').optional(),
  SLACK_API_URL: url.endsWith('/api/', 'must end in /api/').optional(),
  SLACK_COMMANDS: z
    .string()
    .default('/db,/clone,/restore')
    .transform(entriesIn)
    .pipe(
      z.tuple(
        [z.string(), z.string(), z.string()],
        'must be three command names, for example /db,/clone,/restore (for databases, clones and restores, in this order)',
      ),
    )
    .refine(names => names.every(name => commandName.test(name)), 'each name must look like /db')
    .refine(names => new Set(names).size === names.length, 'the three names must differ'),
  SERVICE_URL: trimmedUrl.refine(
    text => new URL(text).href === `${new URL(text).origin}/`,
    'must be scheme, host and port only (a path belongs in SERVICE_PREFIX)',
  ),
  SERVICE_PREFIX: z
    .string()
    .regex(/^\/?[\w.~-]*(\/[\w.~-]+)*\/?$/, 'must be a path such as /service')
    .default('/service')
    .transform(text => (text.replaceAll('/', '') === '' ? '' : `/${text.replace(/^\/+|\/+$/g, '')}`)),
  SERVICE_CA: z.string().optional(),
  SERVICE_PLAIN_BODY: z.enum(plainForms, 'must be json or bare').optional(),
  USE_PROXY: yesOrNo.default('false').transform(isYes),
  SERVICE_USER: z.string().max(200, 'must have at most 200 characters').optional(),
  SERVICE_PASSWORD_FILE: z.string().optional(),
  DATABASE_URL: z
    .url({ protocol: /^postgres(ql)?$/, error: databaseForm, abort: true })
    // Else a part of the password would be taken for a host, and be shown.
    .regex(/^\w+:\/\/[^/?#]*(\/[^/?#@]*)?(\?(\w+=[^#@]*)?)?$/, databaseForm)
    .optional(),
  DATABASE_PREPARE: yesOrNo.default('true').transform(isYes),
  DATA_DIR: z.string().default('./data'),
  TOKEN_KEYS: z
    .string('32 random bytes in base64 are needed to seal tokens (make them with: openssl rand -base64 32)')
    .transform(entriesIn)
    .pipe(z.array(key).min(1, 'at least one key is needed (make one with: openssl rand -base64 32)')),
  PUBLIC_URL: trimmedUrl.optional(),
  APPROVERS: commaList.pipe(z.array(SlackId)),
  APPROVAL_CHANNEL: ApprovalChannels,
  POLICY_FILE: z.string().optional(),
  COMMANDS_AT_ONCE: z.coerce.number('must be a number').int().min(1).default(60),
  AUDIT_DAYS: days,
  JOBS_DAYS: days,
  ALLOW_GUESTS: yesOrNo.default('false').transform(isYes),
  ALLOW_TEAMS: teams,
  RECORDS_FILE: z.string().optional(),
  METRICS_TOKEN: z
    .string()
    .min(16, 'must have at least 16 characters (make one with: openssl rand -hex 16)')
    .optional(),
  HOST: z.string().default('127.0.0.1'),
  PORT: port.default(3000),
  LOG_LEVEL: z
    .enum(['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'], 'must be trace, debug, info, warn or error')
    .default('info'),
});

/** The name of every key. */
export const configKeys: readonly string[] = Object.keys(Environment.shape);

/** All settings, checked and frozen. */
export type Config = ReturnType<typeof readConfig>;

/** Raised when the configuration has faults; its message is a list of all of them, each naming its key. */
export class ConfigFault extends Error {
  override readonly name = 'ConfigFault';
}

/**
 * Reads the configuration from environment variables.
 * @throws {ConfigFault} naming every missing or wrong key at once; a secret's value is never part of it.
 */
export function readConfig(environment: Given) {
  const given = givenIn(environment);
  const result = Environment.safeParse(given);
  const faults = result.success ? [] : result.error.issues.map(issue => fault(issue, given));
  if (given.SLACK_SIGNING_SECRET === undefined && given.SLACK_APP_TOKEN === undefined) {
    faults.push('SLACK_SIGNING_SECRET: is needed for HTTP mode (or set SLACK_APP_TOKEN for Socket Mode)');
  }
  const ca = readNamed('SERVICE_CA', given.SERVICE_CA, faults);
  if (ca?.trim() === '') faults.push(`SERVICE_CA: the file at ${given.SERVICE_CA} is empty`);
  const access = slackAccessIn(given, result.data?.ALLOW_INSTALL ?? [], faults);
  if (access?.type === 'installations' && result.data?.APPROVAL_CHANNEL.some(({ team }) => team === undefined))
    faults.push('APPROVAL_CHANNEL: must name the workspace of each channel, such as T0123:C0123');
  const account = accountIn(given, faults);
  const proxying = proxyingIn(given, result.data?.USE_PROXY === true, faults);
  const mapping = readYaml('RECORDS_FILE', given.RECORDS_FILE, Mapping, faults);
  const policy = readYaml('POLICY_FILE', given.POLICY_FILE, PolicyFile, faults);
  if (!result.success || !access || faults.length > 0) {
    throw new ConfigFault(['Dolly cannot start:', ...faults.map(text => `  - ${text}`)].join('\n'));
  }
  const { data } = result;
  const [db, clone, restore] = data.SLACK_COMMANDS;
  const connection: SlackLink['connection'] = data.SLACK_APP_TOKEN
    ? { mode: 'socket', appToken: data.SLACK_APP_TOKEN }
    : { mode: 'http', signingSecret: data.SLACK_SIGNING_SECRET ?? '' };
  return Object.freeze({
    slack: { access, connection, apiUrl: data.SLACK_API_URL, commands: { db, clone, restore } },
    service: {
      ...{ url: data.SERVICE_URL, prefix: data.SERVICE_PREFIX, ca, plainBody: data.SERVICE_PLAIN_BODY },
      proxies: proxying?.proxies,
    },
    proxying,
    /** The service account: its password is read from the file each time that it signs in. */
    account,
    /** The URL of PostgreSQL, which several processes can share; without it, the store is embedded in `dataDir`. */
    databaseUrl: data.DATABASE_URL,
    /** Whether connections to PostgreSQL stay this process’s own between transactions, so that they may prepare statements. */
    preparing: data.DATABASE_PREPARE,
    dataDir: data.DATA_DIR,
    /** 32-byte keys: the first seals, all open. */
    tokenKeys: data.TOKEN_KEYS,
    publicUrl: data.PUBLIC_URL,
    /** The people who are let in beside the members of the workspace. */
    allowed: { guests: data.ALLOW_GUESTS, teams: data.ALLOW_TEAMS },
    /** The content of RECORDS_FILE; empty without it. */
    mapping: mapping ?? {},
    /** The policy of POLICY_FILE and APPROVERS, over the defaults. */
    policy: policyOf(policy ?? PolicyFile.parse({}), data.APPROVERS),
    approvalChannels: data.APPROVAL_CHANNEL,
    /** The retention of the audit trail, and that of jobs that have ended, in days. */
    auditDays: data.AUDIT_DAYS,
    jobsDays: data.JOBS_DAYS,
    /** The number of things that one person may ask for at once; after that, five a second. */
    commandsAtOnce: data.COMMANDS_AT_ONCE,
    /** The token that a reader of the metrics must show. Nothing is measured without it. */
    metricsToken: data.METRICS_TOKEN,
    host: data.HOST,
    port: data.PORT,
    logLevel: data.LOG_LEVEL,
  });
}

/**
 * Reads the folder of an embedded store, and the URL of the PostgreSQL into which the store is to be carried.
 * @throws {ConfigFault} where either key is missing or wrong
 */
export function readStoreKeys(environment: Given) {
  const given = givenIn(environment);
  const { data, error } = Environment.pick({ DATABASE_URL: true, DATA_DIR: true }).safeParse(given);
  if (!data) throw new ConfigFault(error.issues.map(issue => fault(issue, given)).join('\n'));
  if (data.DATABASE_URL === undefined)
    throw new ConfigFault('DATABASE_URL: is missing; it names the PostgreSQL to move the store into');
  return { dataDir: data.DATA_DIR, databaseUrl: data.DATABASE_URL };
}

/**
 * Reads the mapping that RECORDS_FILE names; an empty one without it.
 * @throws {ConfigFault} naming every fault of the file
 */
export function readMapping(environment: Given): Mapping {
  const faults: string[] = [];
  const mapping = readYaml('RECORDS_FILE', givenIn(environment).RECORDS_FILE, Mapping, faults);
  if (faults.length > 0) throw new ConfigFault(faults.join('\n'));
  return mapping ?? {};
}

/** The text of a file that a key names; a fault where it cannot be read. */
function readNamed(key: string, file: string | undefined, faults: string[]): string | undefined {
  try {
    return file === undefined ? undefined : readFileSync(file, 'utf8');
  } catch (error) {
    const code = codeOf(error);
    const why = code === 'ENOENT' ? `there is no file at ${file}` : `the file at ${file} cannot be read (${code})`;
    faults.push(`${key}: ${why}`);
    return undefined;
  }
}

/** Reads and checks a file of YAML (or JSON, which is YAML, too). Each of its faults names its line. */
function readYaml<T>(key: string, file: string | undefined, schema: z.ZodType<T>, faults: string[]): T | undefined {
  const text = readNamed(key, file, faults);
  if (text === undefined) return undefined;
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines });
  const value = document.errors[0] ?? plainValue(document);
  const read = value instanceof Error ? undefined : schema.safeParse(value ?? {});
  if (value instanceof Error) faults.push(`${key}: ${value.message.split('\n')[0]}`);
  for (const issue of read?.error?.issues ?? []) faults.push(`${key}: ${yamlFault(document, lines, issue)}`);
  return read?.data;
}

/** The value of a document, or the error that prevents it: a few lines of aliases can grow beyond any memory. */
function plainValue(document: Document): unknown {
  try {
    return document.toJS({ maxAliasCount: 100 });
  } catch (error) {
    const why = error instanceof Error ? asClause(error.message) : 'it cannot be read';
    return new Error(`${why}; write it out instead of repeating it by aliases`);
  }
}

function yamlFault(document: Document, lines: LineCounter, issue: z.core.$ZodIssue): string {
  const path = issue.code === 'unrecognized_keys' ? [...issue.path, ...issue.keys.slice(0, 1)] : issue.path;
  // A missing key has no line. Then the line of what it is missing from counts.
  const line = path
    .map((_, at) => lineOf(document, lines, path.slice(0, path.length - at)))
    .find(found => found !== undefined);
  const where = path.join('.') || 'the file';
  const [inner] = issue.code === 'invalid_union' ? (issue.errors[0] ?? []) : [];
  const isUnnamed = issue.code === 'unrecognized_keys' && issue.message.startsWith('Unrecognized');
  const what = isUnnamed ? 'is not a key that I know' : (inner ?? issue).message;
  return `${line === undefined ? '' : `line ${line}: `}${where}: ${what}`;
}

function lineOf(document: Document, lines: LineCounter, path: readonly PropertyKey[]): number | undefined {
  const last = path.at(-1);
  const holder = document.getIn(path.slice(0, -1), true);
  // The line of a key says more than that of its value, which may begin in the next line.
  const pair = isMap(holder) ? holder.items.find(({ key }) => isScalar(key) && key.value === last) : undefined;
  const node = isScalar(pair?.key) ? pair.key : document.getIn(path, true);
  return isNode(node) && node.range ? lines.linePos(node.range[0]).line : undefined;
}

function fault(issue: z.core.$ZodIssue, given: Record<string, unknown>): string {
  const name = String(issue.path[0]);
  const missing = issue.code === 'invalid_type' && given[name] === undefined;
  return `${name}: ${missing && !issue.message.includes('needed') ? 'is missing' : issue.message}`;
}
