import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import type { Tools } from '../../src/sandbox/service/mariadb/programs/tools.ts';
import { freePort } from '../../src/sandbox/service/mariadb/servers/ports.ts';
import { optionFile } from '../../src/sandbox/service/mariadb/servers/sessions.ts';
import type { Api, DatabaseRecord } from './mariadbApi.ts';
import { answered } from './mariadbBare.ts';
import type { Place } from './mariadbPlace.ts';
import { inTurns, type Kind } from './rounds.ts';
import type { Pair } from './statistics.ts';

/** How often what is short is measured, how often what is long, and how many clones are made at once. */
export type Counts = Readonly<{ turns: number; rounds: number; crowd: number }>;

/** What is measured: a service on real servers, its live server, and the beginning of every row's name. */
export type Subject = Readonly<{
  place: Place;
  tools: Tools;
  api: Api;
  state: string;
  live: string;
  /** The live server's home. */
  home: string;
  name: string;
  counts: Counts;
}>;

/** A clone that is asked for: where it will be, and the request. */
export type Asked = Readonly<{ home: string; port: number; body: Readonly<Record<string, unknown>> }>;

const paths = { VIRTUALCLONE: '/database/clone/create', PHYSICAL: '/database/duplicate/create' } as const;

/** Milliseconds that something takes. */
export async function timed(work: () => Promise<unknown>): Promise<number> {
  const began = performance.now();
  await work();
  return performance.now() - began;
}

/** Both kinds in turns, as pairs. What the one before left to be written is on disk when the next begins. */
export async function pairs(place: Place, count: number, measure: (kind: Kind) => Promise<number>): Promise<Pair[]> {
  const { bare, dolly } = await inTurns(count, kind => {
    place.sync();
    return measure(kind);
  });
  return dolly.map((value, index) => ({ dolly: value, bare: bare[index] ?? Number.NaN }));
}

/** As many values of what has no floor. */
export async function alone(place: Place, count: number, measure: () => Promise<number>): Promise<{ dolly: number }[]> {
  const values: { dolly: number }[] = [];
  while (values.length < count) {
    place.sync();
    values.push({ dolly: await measure() });
  }
  return values;
}

/** The tree of the newest snapshot. */
export async function newestTree({ api, state, live }: Subject): Promise<string> {
  const record = (await api.list()).find(({ id }) => id === live);
  return join(state, 'snapshots', record?.snapshots.at(-1)?.id ?? '');
}

/** The body of a request for a clone, at a port that is free and a place of its own. */
export async function placeFor({ api, state, live }: Subject): Promise<Asked> {
  const { environment, environmentUser, install } = await recordOf(api, ({ id }) => id === live);
  const port = await freePort();
  const home = join(state, 'mounts', `clone-${port}`);
  const body = { vendor: 'MARIADB', environmentUser, install, mountBase: home, port };
  return { home, port, body: { ...body, sourceDatabase: live, targetEnvironment: environment } };
}

/** Asks for a clone of the live server. Resolves when it answers a query, which is before its record says so. */
export async function makeClone({ place, tools, api }: Subject, cloneType: keyof typeof paths, asked: Asked) {
  await api.send('POST', paths[cloneType], { ...asked.body, cloneType });
  await answered(place, tools, asked.port, optionFile(asked.home));
}

/** A virtual clone, when its record says that it runs. */
export async function newClone(subject: Subject): Promise<Asked & { id: string }> {
  const asked = await placeFor(subject);
  await makeClone(subject, 'VIRTUALCLONE', asked);
  return { ...asked, id: (await cloneAt(subject, asked.port)).id };
}

/** The record of the clone at a port, when it is at rest. */
export async function cloneAt({ api }: Subject, port: number): Promise<DatabaseRecord> {
  return api.settled((await recordOf(api, record => record.port === port)).id);
}

export async function removeClone(subject: Subject, port: number): Promise<void> {
  const { id } = await cloneAt(subject, port);
  await subject.api.send('DELETE', `/database/delete?input=${id}`);
  await subject.api.gone(id);
}

async function recordOf(api: Api, is: (record: DatabaseRecord) => boolean): Promise<DatabaseRecord> {
  const record = (await api.list()).find(is);
  if (record === undefined) throw new Error('the service does not list what was asked for');
  return record;
}
