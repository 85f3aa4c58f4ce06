import { z } from 'zod';
import { isOfKind } from './identifiers.ts';

/* The fields that several requests have in common. Bounds and characters are our choice: spec §8 shows none. */

/** An identifier of one of these kinds. */
export const identifier = (...kinds: readonly string[]) =>
  z.string().refine(text => isOfKind(text, kinds), { error: `must be an identifier ${kinds.join('-<n> or ')}-<n>` });

export const absolutePath = z.string().regex(/^(\/|\+\w|[A-Za-z]:[\\/])\S*$/, {
  error: 'must be an absolute path without blanks',
});

/** A path, or pairs of paths in quotes. */
export const fileNameConvert = absolutePath.or(z.string().regex(/^'[^',]*'(\s*,\s*'[^',]*')+$/));

/** The name of a thing within a database. */
export const name = z.string().trim().min(1).max(128);

const oracleName = z.string().regex(/^[A-Za-z][A-Za-z0-9_$#]{0,29}$/, {
  error: 'must be a letter followed by at most 29 letters, digits, _, $ or #',
});

const paramName = z.string().regex(/^\S+$/, { error: 'must be a parameter name without blanks' });
/** Spec §2: a BOOLEAN travels as the string true or false. */
export const databaseParams = z.array(
  z.discriminatedUnion('type', [
    z.strictObject({ name: paramName, type: z.literal('STRING'), value: z.string() }),
    z.strictObject({ name: paramName, type: z.literal('NUMBER'), value: z.number() }),
    z.strictObject({ name: paramName, type: z.literal('BOOLEAN'), value: z.enum(['true', 'false']) }),
  ]),
);

/** The fields of every new clone: where it is put. */
export const newClone = {
  mountBase: absolutePath,
  environmentUser: identifier('ENVIRONMENT_USER'),
  project: identifier('PROJECT').optional(),
};
/** The further fields of a new clone for Oracle. */
export const oracleClone = {
  databaseName: oracleName,
  dbUniqueName: oracleName.optional(),
  instanceName: oracleName.optional(),
  rmanChannel: z.int().min(0).max(64).optional(),
};
/** The further fields of a new clone for MySQL and MariaDB. */
export const serverClone = { port: z.int().min(1).max(65_535), parallel: z.int().min(0).max(64).optional() };
