import { keyedName } from '../ground/lookalikes.ts';

/** The supported vendors (spec §1), as they stand in requests and identifiers. */
export const vendors = ['ORACLE', 'MYSQL', 'MARIADB'] as const;
export type Vendor = (typeof vendors)[number];

/** The kinds of resource, without regard to vendor. */
export type Noun = 'live' | 'clone' | 'snapshot' | 'environment' | 'environmentUser' | 'install' | 'project' | 'user';

/** Every identifier kind of spec §2. */
const kinds: Readonly<Record<string, { noun: Noun; vendor?: Vendor }>> = {
  ORACLE_LIVE_DATABASE: { noun: 'live', vendor: 'ORACLE' },
  MYSQL_LIVE_SERVER: { noun: 'live', vendor: 'MYSQL' },
  MARIADB_LIVE_SERVER: { noun: 'live', vendor: 'MARIADB' },
  ORACLE_CLONE_DATABASE: { noun: 'clone', vendor: 'ORACLE' },
  ORACLE_CLONE_SERVER: { noun: 'clone', vendor: 'ORACLE' },
  MYSQL_CLONE_SERVER: { noun: 'clone', vendor: 'MYSQL' },
  MARIADB_CLONE_SERVER: { noun: 'clone', vendor: 'MARIADB' },
  ORACLE_SNAPSHOT: { noun: 'snapshot', vendor: 'ORACLE' },
  MYSQL_SNAPSHOT: { noun: 'snapshot', vendor: 'MYSQL' },
  MARIADB_SNAPSHOT: { noun: 'snapshot', vendor: 'MARIADB' },
  HOST_ENVIRONMENT: { noun: 'environment' },
  ENVIRONMENT_USER: { noun: 'environmentUser' },
  ORACLE_INSTALL: { noun: 'install', vendor: 'ORACLE' },
  MYSQL_INSTALL: { noun: 'install', vendor: 'MYSQL' },
  MARIADB_INSTALL: { noun: 'install', vendor: 'MARIADB' },
  PROJECT: { noun: 'project' },
  USER: { noun: 'user' },
};

/** A parsed `<KIND>-<integer>` (spec §2). `noun` and `vendor` are unknown for a kind that the spec does not name. */
export type Identifier = Readonly<{
  text: string;
  kind: string;
  number: string;
  noun: Noun | undefined;
  vendor: Vendor | undefined;
}>;

const kindShape = /^[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)*$/;
const maxDigits = 30;
/** The facts of each kind, which all of its identifiers have in common. */
const knownKinds = new Map(
  Object.entries(kinds).map(([kind, { noun, vendor }]) => [kind, { kind, noun, vendor }] as const),
);

function isDigit(code: number): boolean {
  return code >= 48 && code <= 57;
}

/** Parses an identifier exactly as the service writes it; anything else is `undefined`. */
export function parseIdentifier(text: string): Identifier | undefined {
  // A look at the first and the last character rules out most texts, of which lists have millions.
  const [first, last] = [text.charCodeAt(0), text.charCodeAt(text.length - 1)];
  if (!(first >= 65 && first <= 90 && isDigit(last))) return undefined;
  let dash = text.length - 2;
  while (dash > 0 && isDigit(text.charCodeAt(dash))) dash -= 1;
  if (dash < 1 || text.charCodeAt(dash) !== 45 || text.length - dash > maxDigits + 1) return undefined;
  const written = text.slice(0, dash);
  const known = knownKinds.get(written);
  if (!known && !kindShape.test(written)) return undefined;
  const { kind, noun, vendor } = known ?? { kind: written, noun: undefined, vendor: undefined };
  return { text, kind, number: text.slice(dash + 1), noun, vendor };
}

/** The identifiers among values of any kind. */
export function identifiersAmong(values: readonly unknown[]): readonly Identifier[] {
  return values.flatMap(value => (typeof value === 'string' ? (parseIdentifier(value) ?? []) : []));
}

/**
 * Parses an identifier as a person types it: in any case, with blanks around it, with any dash. An Oracle clone that is
 * typed as a server is the same clone (spec §2); the result is the identifier of its record.
 */
export function typedIdentifier(text: string): Identifier | undefined {
  return parseIdentifier(
    keyedName(text)
      .toUpperCase()
      .replace(/^ORACLE_CLONE_SERVER-/, 'ORACLE_CLONE_DATABASE-'),
  );
}

/** A vendor's name in sentences. */
export const vendorNames = { ORACLE: 'Oracle', MYSQL: 'MySQL', MARIADB: 'MariaDB' } as const;

/** A noun in sentences: with its article, and in the plural. */
export const nounNames = {
  live: { one: 'a live database', many: 'live databases' },
  clone: { one: 'a clone', many: 'clones' },
  snapshot: { one: 'a snapshot', many: 'snapshots' },
  environment: { one: 'an environment', many: 'environments' },
  environmentUser: { one: 'an environment user', many: 'environment users' },
  install: { one: 'an installation', many: 'installations' },
  project: { one: 'a project', many: 'projects' },
  user: { one: 'a user', many: 'users' },
} as const satisfies Record<Noun, { one: string; many: string }>;
