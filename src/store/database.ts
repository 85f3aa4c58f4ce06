import type { Kysely, KyselyConfig } from 'kysely';
import type { ClaimRow, JobRow, LookRow } from './jobs/rows/jobRow.ts';
import type {
  AuditBlockRow,
  AuditRow,
  CredentialRow,
  HeardRow,
  HomeRow,
  InstallationRow,
  LinkRow,
  OlderWorkspaceRow,
  PresetRow,
  RequiredFieldRow,
  StateAnswerRow,
  TryRow,
  UsedStateRow,
  WordRow,
} from './tables/rows.ts';
import type { DueRow, InteractionRow, NoticeRow, SightRow, ThingRow, WatcherRow } from './things/rows.ts';

/*
 * Columns are text and integers only, times milliseconds since the epoch (UTC), structures JSON as text, flags 0 or 1:
 * nothing here depends on which database keeps it. One column of an index that can be made anew has bytes.
 */

export type Schema = {
  due: DueRow;
  things: ThingRow;
  installations: InstallationRow;
  usedStates: UsedStateRow;
  words: WordRow;
  stateAnswers: StateAnswerRow;
  requiredFields: RequiredFieldRow;
  olderWorkspaces: OlderWorkspaceRow;
  jobs: JobRow;
  looks: LookRow;
  claims: ClaimRow;
  /** `text` holds all words of the entry in lower case, for searches. */
  audit: AuditRow & { text: string };
  auditBlocks: AuditBlockRow;
  credentials: CredentialRow;
  links: LinkRow;
  homes: HomeRow;
  tries: TryRow;
  inbox: InteractionRow;
  heard: HeardRow;
  presets: PresetRow;
  outbox: NoticeRow;
  watchers: WatcherRow;
  sights: SightRow;
};

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
