import { recordsOf } from '../../src/sandbox/playground/json.ts';
import { filled, inSandboxWords, type Variant } from './variant.ts';

/** Answers everything with HTTP 200, refusals, errors and a missing record included; its token is a bare text. */
export const soft: Variant = {
  name: 'soft',
  shows: record =>
    filled({
      Self: record.id,
      Label: record.name,
      Status: record.state,
      FailureReason: record.error ?? 'none',
      Host: record.environment && { Self: record.environment, Label: record.environmentName },
      ClonedFrom: record.sourceDatabase && { Self: record.sourceDatabase, Label: record.sourceDatabaseName },
      TcpPort: record.port === undefined ? undefined : String(record.port),
      CreatedOn: record.createdAt,
      RestoredOn: record.restoredAt,
      Snapshots: recordsOf(record.snapshots).map(({ id, name, createdAt }) => ({
        Self: id,
        Label: name,
        TakenAt: createdAt,
      })),
      Installations: recordsOf(record.installs).map(({ id, name }) => ({ Self: id, Label: name })),
      Logins: recordsOf(record.environmentUsers).map(({ id, name }) => ({ Self: id, Label: name })),
    }),
  wraps: records => ({ success: true, messages: [], totalRecords: records.length, payload: records }),
  holds: record => ({ success: true, messages: [], payload: record }),
  signs: token => new Response(`${token}\n`, { headers: { 'content-type': 'text/plain' } }),
  accepts: () => Response.json({ success: true, messages: ['The request was queued.'] }),
  refuses: ({ status, message }) => Response.json({ success: false, code: status, messages: [message] }),
  ...inSandboxWords,
};
