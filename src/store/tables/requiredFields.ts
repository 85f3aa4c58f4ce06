import type { Store } from '../database.ts';
import { asAdded, isAnyOf } from '../lists.ts';
import { equals, insertOrSet } from '../statementParts.ts';
import type { RequiredFieldRow } from './rows.ts';

/** An operation on targets of one vendor; the vendor is empty where targets have none. */
export type Requiring = Readonly<{ operation: string; vendor: string }>;

/**
 * The fields without which the service refused an operation, for each vendor. A wrong lesson ends when a request without
 * the field is accepted, or when a person lets it be forgotten.
 */
export type RequiredFields = Readonly<{
  /** The fields of an operation, sorted; none where nothing was learned of it. */
  of(requiring: Requiring): Promise<readonly string[]>;
  /** Notes the fields without which the service refused an operation at `seenAt`, in milliseconds since the epoch. */
  learn(requiring: Requiring, fields: readonly string[], seenAt: number): Promise<void>;
  /** Forgets some fields of an operation; all of them where `fields` is left out. */
  forget(requiring: Requiring, fields?: readonly string[]): Promise<void>;
  /** All that was learned of the service, by operation, vendor and field. */
  all(): Promise<readonly RequiredFieldRow[]>;
}>;

/** Keeps the required fields of the service at an address in the store. */
export function requiredFieldsIn(store: Store, service: string): RequiredFields {
  const rows = () => store.selectFrom('requiredFields').where('service', '=', service);
  return {
    async of({ operation, vendor }) {
      const found = rows().where(equals({ operation, vendor }));
      return (await found.select('field').orderBy('field').execute()).map(({ field }) => field);
    },
    all: () => rows().selectAll().orderBy('operation').orderBy('vendor').orderBy('field').execute(),
    async learn({ operation, vendor }, fields, seenAt) {
      if (fields.length === 0) return;
      const learnt = fields.map(field => ({ service, operation, vendor, field, seenAt }));
      const key = ['service', 'operation', 'vendor', 'field'] as const;
      await insertOrSet(store, 'requiredFields', key, learnt, asAdded('seenAt')).execute();
    },
    async forget({ operation, vendor }, fields) {
      if (fields?.length === 0) return;
      await store
        .deleteFrom('requiredFields')
        .where(equals({ service, operation, vendor }))
        .$if(fields !== undefined, query => query.where(isAnyOf('field', fields ?? [])))
        .execute();
    },
  };
}
