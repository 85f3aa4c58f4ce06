import type { Identifier } from '../api/identifiers.ts';
import type { FieldValue, Values } from './operation.ts';
import type { Likeness } from './proofs.ts';

/** Collects the requested facts of a new clone, which its record must not contradict. */
export function likeness(
  source: Identifier,
  environment: FieldValue | undefined,
  values: Values,
  physical: boolean,
): Likeness {
  const texts = ['snapshot', 'project', 'environmentUser', 'install', 'mountBase'];
  const names = ['databaseName', 'dbUniqueName', 'instanceName'];
  return {
    ...chosen(texts, values),
    source: source.text,
    ...chosen(['environment'], { ...(environment === undefined ? {} : { environment }) }),
    ...(typeof values.port === 'number' ? { port: values.port } : {}),
    isPhysical: physical,
    ...(names.some(name => values[name] !== undefined) ? { names: chosen(names, values) } : {}),
  };
}

function chosen(fields: readonly string[], values: Values): Record<string, string> {
  return Object.fromEntries(
    fields.flatMap(field => {
      const value = values[field];
      return typeof value === 'string' ? [[field, value] as const] : [];
    }),
  );
}
