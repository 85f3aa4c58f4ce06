import { z } from 'zod';
import { changeDatabase } from '../change.ts';
import { databaseWrite } from '../databaseWrite.ts';
import type { Endpoint } from '../endpoint.ts';
import { absolutePath, fileNameConvert, identifier } from '../fields.ts';
import { cloneKinds, oracleCloneAlias, vendorOf } from '../identifiers.ts';
import { type Input, json, plainString, readBody } from '../input.ts';
import { checkFault, findClone } from '../lookups.ts';
import { snapshotOfClone, typedTexts } from '../newClone.ts';

const toServer = z.strictObject({
  database: identifier(...Object.values(cloneKinds), oracleCloneAlias),
  localDirectory: absolutePath,
});
/** The conversions of file names belong to Oracle. */
const toOracle = z.strictObject({
  database: identifier(cloneKinds.ORACLE, oracleCloneAlias),
  localDirectory: absolutePath,
  dbFileNameConvert: fileNameConvert.optional(),
  logFileNameConvert: fileNameConvert.optional(),
});
/** A body that names no vendor: the clone's identifier does. */
const conversion: Input<z.output<typeof toServer>> = {
  query: [],
  read(content) {
    const body = json(z.looseObject({ database: z.string() })).read(content);
    return readBody(vendorOf(body.database) === 'ORACLE' ? toOracle : toServer, body);
  },
};

/** Spec §4.2 and §4.5: what is done with virtual clones that are there. */
export const cloneEndpoints: readonly Endpoint[] = [
  databaseWrite({
    method: 'PUT',
    path: '/database/stop',
    input: plainString,
    developer: 'own',
    states: ['RUNNING', 'FAILED'],
    isForVirtual: true,
    find: ({ estate }, id) => ({ database: findClone(estate, id) }),
    begin(accepted) {
      const { context, database: clone } = accepted;
      return changeDatabase(accepted, {
        during: 'STOPPING',
        lasts: 1_000,
        work: task => context.engines[clone.vendor].stop({ ...task, clone }),
        becomes: { state: 'STOPPED' },
      });
    },
  }),

  databaseWrite({
    method: 'PUT',
    path: '/database/start',
    input: plainString,
    developer: 'own',
    states: ['STOPPED', 'FAILED'],
    isForVirtual: true,
    find: ({ estate }, id) => ({ database: findClone(estate, id) }),
    begin(accepted) {
      const { context, database: clone } = accepted;
      return changeDatabase(accepted, {
        during: 'STARTING',
        lasts: 1_500,
        work: task => context.engines[clone.vendor].start({ ...task, clone }),
      });
    },
  }),

  databaseWrite({
    method: 'PUT',
    path: '/database/reset',
    input: plainString,
    developer: 'own',
    states: ['RUNNING', 'STOPPED', 'FAILED'],
    isForVirtual: true,
    find({ estate }, id) {
      const database = findClone(estate, id);
      return { database, snapshot: snapshotOfClone(estate, database) };
    },
    begin(accepted) {
      const { context, database: clone, snapshot } = accepted;
      return changeDatabase(accepted, {
        during: 'RESETTING',
        lasts: 2_500,
        work: task => context.engines[clone.vendor].reset({ ...task, clone, snapshot }),
        shows: time => ({ resetAt: time }),
      });
    },
  }),

  databaseWrite({
    method: 'POST',
    path: '/database/clone/switch',
    input: conversion,
    developer: 'own',
    states: ['RUNNING', 'STOPPED', 'FAILED'],
    isForVirtual: true,
    find: ({ estate }, { database: id, localDirectory }) => ({
      database: findClone(estate, id.replace(oracleCloneAlias, cloneKinds.ORACLE), 'database'),
      localDirectory,
    }),
    check: ({ context, database, localDirectory }) =>
      checkFault(context.engines[database.vendor].check({ localDirectory })),
    texts: ({ database, localDirectory }) => [database.name, ...typedTexts({ localDirectory })],
    begin(accepted) {
      const { context, database: clone, localDirectory } = accepted;
      return changeDatabase(accepted, {
        during: 'CONVERTING',
        lasts: 8_000,
        work: task => context.engines[clone.vendor].convert({ ...task, clone, localDirectory }),
        becomes: { cloneType: 'PHYSICAL', localDirectory },
      });
    },
  }),
];
