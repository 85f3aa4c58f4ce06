import { open, readdir, readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import type { Workshop } from '../workshop.ts';
import { Definition, isStored } from './definitions.ts';
import { Key } from './keys.ts';
import { Part } from './parts.ts';

/** All that a part shall be, but for its rows, which lie in a database beside it. */
export const Wanted = z.object({
  /** Clauses of CREATE and ALTER DATABASE. */
  settings: z.string(),
  definitions: z.array(Definition),
  /** How tables are made without foreign keys and without defaults that count with a sequence. */
  plain: z.array(Definition),
  keys: z.array(Key),
  defaults: z.array(z.object({ table: z.string(), column: z.string(), text: z.string() })),
});
export type Wanted = z.output<typeof Wanted>;

/** What happens to one name of the target: what comes to it, and what goes from it. */
const Change = z.object({
  name: z.string(),
  /** The reserved names at which that which comes waits, and that which goes waits then; the one or the other may be missing. */
  coming: z.string().optional(),
  going: z.string().optional(),
  isView: z.boolean(),
});
export type Change = z.output<typeof Change>;

/** The steps of a restore, in their order. Up to the exchange everything is taken back after a crash, and from then on finished. */
const steps = ['loading', 'placing', 'exchanging', 'keys', 'triggers', 'moving', 'definitions', 'tidying'] as const;
export type Step = (typeof steps)[number];

/** A restore of a part, written down before each of its steps. */
export const Journal = z.object({
  /** The name of the live server. */
  server: z.string(),
  part: Part,
  snapshot: z.string(),
  /** In every name that the restore makes. */
  stamp: z.string(),
  step: z.enum(steps),
  /** The database of the live server that the part's tables come from. */
  source: z.string(),
  /** Whether the target is to be removed where the restore is taken back: it was not there. */
  makesTarget: z.boolean(),
  changes: z.array(Change),
  /** Tables whose files were damaged: they could not even be put aside, and were removed. */
  lost: z.array(z.string()),
  wanted: Wanted,
  /** What the part was. */
  before: Wanted,
  /** Foreign keys of other tables that pointed to the part. They follow the tables that go, and are pointed anew. */
  outside: z.array(Key),
});
export type Journal = z.output<typeof Journal>;

/** The names that a restore makes. */
export const loaded = (stamp: string) => `dolly_restored_${stamp}`;
export const replaced = ({ stamp }: Pick<Journal, 'stamp'>) => `dolly_replaced_${stamp}`;
export const reserved = ({ stamp }: Pick<Journal, 'stamp'>, kind: 'n' | 'o' | 't' | 'k' | 'b', index: number) =>
  `dolly_${stamp}_${kind}${index}`;

/** Changes of names that make what is wanted of what there is. */
export function changesFor(stamp: string, wanted: Wanted, before: Wanted): readonly Change[] {
  const stored = wanted.definitions.filter(isStored);
  const tables = before.definitions.filter(definition => isStored(definition) || definition.kind === 'view');
  const old = tables.filter(({ kind, name }) => kind !== 'view' || stored.some(one => one.name === name));
  const names = [...new Set([...stored, ...old].map(({ name }) => name))];
  return names.map((name, at) => {
    const coming = stored.find(one => one.name === name);
    const going = old.find(one => one.name === name);
    return {
      name,
      // A sequence is waited for by tables that count with it: one that is missing comes first.
      coming: coming && (coming.kind === 'sequence' && going === undefined ? name : reserved({ stamp }, 'n', at)),
      going: going && reserved({ stamp }, 'o', at),
      isView: going?.kind === 'view',
    };
  });
}

const ending = '-restore.json';
const fileOf = ({ places }: Workshop, id: string) => join(places.work, id + ending);

/** Writes a file so that it is whole or not there, after a power cut, too. */
export async function writeWhole(path: string, value: unknown): Promise<void> {
  const file = await open(`${path}.part`, 'w', 0o600);
  try {
    await file.writeFile(JSON.stringify(value));
    await file.sync();
  } finally {
    await file.close();
  }
  await rename(`${path}.part`, path);
}

/** Writes down the step that a restore of this database is about to make. */
export async function begin(workshop: Workshop, id: string, journal: Journal, step: Step): Promise<Journal> {
  const next = { ...journal, step };
  await writeWhole(fileOf(workshop, id), next);
  await workshop.onStep?.(step);
  return next;
}

/** The restore of this database that is under way; undefined where none is. */
export async function underWay(workshop: Workshop, id: string): Promise<Journal | undefined> {
  const text = await readFile(fileOf(workshop, id), 'utf8').catch(() => undefined);
  return text === undefined ? undefined : Journal.parse(JSON.parse(text));
}

/** The databases with a restore under way. */
export async function allUnderWay({ places }: Workshop): Promise<readonly string[]> {
  return (await readdir(places.work)).filter(name => name.endsWith(ending)).map(name => name.slice(0, -ending.length));
}

export async function forget(workshop: Workshop, id: string): Promise<void> {
  await rm(fileOf(workshop, id), { force: true });
}

/** Puts a restore that cannot come to its end where nothing looks for it. Gives the file. */
export async function setAside(workshop: Workshop, id: string, { stamp }: Journal): Promise<string> {
  const file = join(workshop.places.kept, `${id}.${stamp}.unfinished.json`);
  await rename(fileOf(workshop, id), file);
  return file;
}
