import type { Kysely, KyselyConfig } from 'kysely';
import type { RowOf } from './columns.ts';
import { claimsTable, jobsTable, looksTable } from './jobs/rows/jobRow.ts';
import {
  auditBlocksTable,
  auditTable,
  credentialsTable,
  heardTable,
  homesTable,
  installationsTable,
  linksTable,
  olderWorkspacesTable,
  presetsTable,
  requiredFieldsTable,
  stateAnswersTable,
  triesTable,
  usedStatesTable,
  wordsTable,
} from './tables/rows.ts';
import { dueTable, inboxTable, outboxTable, sightsTable, thingsTable, watchersTable } from './things/rows.ts';

/** All tables. */
export const tables = {
  due: dueTable,
  things: thingsTable,
  installations: installationsTable,
  usedStates: usedStatesTable,
  words: wordsTable,
  stateAnswers: stateAnswersTable,
  requiredFields: requiredFieldsTable,
  olderWorkspaces: olderWorkspacesTable,
  jobs: jobsTable,
  looks: looksTable,
  claims: claimsTable,
  audit: auditTable,
  auditBlocks: auditBlocksTable,
  credentials: credentialsTable,
  links: linksTable,
  homes: homesTable,
  tries: triesTable,
  inbox: inboxTable,
  heard: heardTable,
  presets: presetsTable,
  outbox: outboxTable,
  watchers: watchersTable,
  sights: sightsTable,
} as const;

export type Schema = { [Name in keyof typeof tables]: RowOf<(typeof tables)[Name]> };

export type Store = Kysely<Schema>;

/** Raised when the store cannot be opened; its message says what to do. */
export class StoreFault extends Error {
  override readonly name = 'StoreFault';
}

/** Called after each statement with its first word, such as `select`, and its duration in milliseconds. */
export type Ran = (statement: string, milliseconds: number) => void;

/** The option of Kysely that calls `ran`; empty without `ran`. */
export function logged(ran: Ran | undefined): Pick<KyselyConfig, 'log'> {
  if (!ran) return {};
  return {
    log: ({ query, queryDurationMillis }) => ran(/^\w+/.exec(query.sql)?.[0].toLowerCase() ?? '', queryDurationMillis),
  };
}
