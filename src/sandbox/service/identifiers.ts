/** The supported vendors (spec §1). */
export const vendors = ['ORACLE', 'MYSQL', 'MARIADB'] as const;
export type Vendor = (typeof vendors)[number];

/** The identifier kinds of spec §2, by resource and vendor. */
export const liveKinds = {
  ORACLE: 'ORACLE_LIVE_DATABASE',
  MYSQL: 'MYSQL_LIVE_SERVER',
  MARIADB: 'MARIADB_LIVE_SERVER',
} as const satisfies Record<Vendor, string>;
export const cloneKinds = {
  ORACLE: 'ORACLE_CLONE_DATABASE',
  MYSQL: 'MYSQL_CLONE_SERVER',
  MARIADB: 'MARIADB_CLONE_SERVER',
} as const satisfies Record<Vendor, string>;
export const snapshotKinds = {
  ORACLE: 'ORACLE_SNAPSHOT',
  MYSQL: 'MYSQL_SNAPSHOT',
  MARIADB: 'MARIADB_SNAPSHOT',
} as const satisfies Record<Vendor, string>;
export const installKinds = {
  ORACLE: 'ORACLE_INSTALL',
  MYSQL: 'MYSQL_INSTALL',
  MARIADB: 'MARIADB_INSTALL',
} as const satisfies Record<Vendor, string>;

/** The second name of an Oracle clone, known only to the convert payload (spec §2). */
export const oracleCloneAlias = 'ORACLE_CLONE_SERVER';

export type Identifier = { kind: string; number: number };

/** Reads `<KIND>-<integer>` (spec §2); undefined when the text has another shape. */
export function parseIdentifier(text: string): Identifier | undefined {
  const [, kind, number] = /^([A-Z]+(?:_[A-Z]+)*)-(0|[1-9]\d*)$/.exec(text) ?? [];
  return kind === undefined || number === undefined ? undefined : { kind, number: Number(number) };
}

/** Whether `text` is an identifier of one of `kinds`. */
export function isOfKind(text: string, kinds: readonly string[]): boolean {
  const identifier = parseIdentifier(text);
  return identifier !== undefined && kinds.includes(identifier.kind);
}

/** The vendor whose table above has this kind, or undefined (environments, users, projects). */
export function vendorOf(text: string): Vendor | undefined {
  const kind = parseIdentifier(text)?.kind;
  if (kind === oracleCloneAlias) return 'ORACLE';
  const tables = [liveKinds, cloneKinds, snapshotKinds, installKinds];
  return vendors.find(vendor => tables.some(table => table[vendor] === kind));
}
