import { z } from 'zod';
import { foldings } from '../../ground/lookalikes.ts';
import { compiledOnce } from '../compiled.ts';
import type { Store } from '../database.ts';
import { light } from '../light.ts';
import { countRows, equals, unlessThere } from '../statementParts.ts';
import type { Owner } from '../vault.ts';
import { type Actor, inTrail, type Told } from './audit/audit.ts';
import type { PresetRow } from './rows.ts';

/** The people who have a preset: the one who saved it, a channel, or all of the workspace. */
export const PresetScope = z.enum(['me', 'channel', 'workspace']);
export type PresetScope = z.infer<typeof PresetScope>;

/** A form's values under a name. `inputs` are texts by field name, `labels` the names of identifiers among them. */
export type Preset = Readonly<
  Omit<PresetRow, 'scope' | 'likeness' | 'inputs' | 'labels'> & {
    scope: PresetScope;
    inputs: Readonly<Record<string, string>>;
    labels: Readonly<Record<string, string>>;
  }
>;

/** The parts of a preset that people choose. `holder` is a person, a channel, or empty for the workspace. */
export type PresetContent = Pick<Preset, 'scope' | 'holder' | 'name' | 'inputs' | 'labels'>;

/** A preset to add. */
export type NewPreset = PresetContent & Pick<Preset, 'id' | 'team' | 'person' | 'operation' | 'createdAt'>;

/** Max presets of one person, of one channel, and of the workspace. */
export const maxPresets = 50;

/**
 * The outcome of a change: the name is `taken` by another preset of the same holder, the holder has its `full` number,
 * or the preset was `changed` or deleted since the person saw it.
 */
export type PresetSaved = Readonly<
  { type: 'saved'; preset: Preset } | { type: 'taken'; by: Preset } | { type: 'full' } | { type: 'changed' }
>;

/** The revision of a preset that a person saw. */
export type SeenPreset = Pick<Preset, 'id' | 'revision'>;

/** What a person does with a preset: the event of its entry in the trail, with its actor and time. */
type PresetAct = Readonly<{ by: Actor; event: string; detail: string; now: number }>;

/**
 * Presets of a workspace. Each change is written together with its entry in the audit trail: both or neither.
 */
export type Presets = Readonly<{
  /** A preset; `undefined` where there is none, or not any more. */
  find(id: string): Promise<Preset | undefined>;
  /** Those that a person may use in a channel: the channel's, their own, the workspace's, and others they saved. */
  of(owner: Owner, channel: string): Promise<readonly Preset[]>;
  /** Notes that somebody used it. */
  used(id: string, now: number): Promise<void>;
  /** Adds a preset; gives the one of that id where it was added before. */
  add(preset: NewPreset, act: PresetAct): Promise<PresetSaved>;
  /** Changes a preset, unless somebody else changed it since it was `seen`. */
  change(seen: SeenPreset, content: PresetContent, act: PresetAct): Promise<PresetSaved>;
  /** Deletes a preset, unless somebody changed it since it was `seen`; tells whether it did. */
  remove(seen: SeenPreset, act: PresetAct): Promise<boolean>;
}>;

/** Keeps presets in the store. `told` is called with their entries in the trail. */
export function presetsIn(store: Store, told?: Told): Presets {
  const find = async (id: string) => {
    const row = await store.selectFrom('presets').selectAll().where('id', '=', id).executeTakeFirst();
    return row && presetOf(row);
  };
  return {
    find,
    async of(owner, channel) {
      const { rows } = await selectUsable(store, { ...owner, channel });
      return rows.map(presetOf);
    },
    add: (preset, act) => addIn(store, told, preset, act),
    change: (seen, content, act) => changeIn(store, told, { seen, content, act }),
    remove: (seen, act) =>
      inTrail(store, told, async (changes, note) => {
        const row = await changes
          .deleteFrom('presets')
          .where(equals({ id: seen.id, revision: seen.revision }))
          .returningAll()
          .executeTakeFirst();
        if (row) await note(entryOf(presetOf(row), act));
        return row !== undefined;
      }),
    async used(id, now) {
      await store.updateTable('presets').set({ usedAt: now }).where('id', '=', id).modifyEnd(light).execute();
    },
  };
}

/** Selects the presets that a person may use in a channel: each form waits for it, so it is compiled once. */
const selectUsable = compiledOnce(
  (store, { team, person, channel }: Owner & Readonly<{ channel: string }>) =>
    store
      .selectFrom('presets')
      .selectAll()
      .where('team', '=', team)
      .where(({ or, and, eb }) =>
        or([
          and([eb('scope', '=', 'channel'), eb('holder', '=', channel)]),
          eb('person', '=', person),
          eb('scope', '=', 'workspace'),
        ]),
      ),
  ({ team, person, channel }) => [team, 'channel', channel, person, 'workspace'],
);

async function addIn(store: Store, told: Told | undefined, preset: NewPreset, act: PresetAct): Promise<PresetSaved> {
  const { createdAt, ...rest } = preset;
  const row: PresetRow = { ...rest, ...columnsOf(preset), revision: 1, createdAt, usedAt: createdAt };
  return inTrail(store, told, async (changes, note) => {
    const before = await changes.selectFrom('presets').selectAll().where('id', '=', preset.id).executeTakeFirst();
    if (before) return savedOrTaken(presetOf(before), preset);
    if (await isFull(changes, preset)) return { type: 'full' };
    const added = await changes
      .insertInto('presets')
      .values(row)
      .onConflict(unlessThere)
      .returningAll()
      .executeTakeFirst();
    if (added) {
      await note(entryOf(presetOf(added), act));
      return saved(added);
    }
    // The same form was submitted twice at the same moment, or somebody else took the name.
    const other = await named(changes, preset, preset);
    return other ? savedOrTaken(other, preset) : { type: 'changed' };
  });
}

/** Whether a preset that is there is this very one, saved by the same form. */
function savedOrTaken(there: Preset, preset: NewPreset): PresetSaved {
  const isSame = there.id === preset.id && JSON.stringify(columnsOf(there)) === JSON.stringify(columnsOf(preset));
  return isSame ? { type: 'saved', preset: there } : { type: 'taken', by: there };
}

function saved(row: PresetRow): PresetSaved {
  return { type: 'saved', preset: presetOf(row) };
}

/** A change of a preset that a person saw. */
type Change = Readonly<{ seen: SeenPreset; content: PresetContent; act: PresetAct }>;

async function changeIn(store: Store, told: Told | undefined, { seen, content, act }: Change): Promise<PresetSaved> {
  const change = () =>
    inTrail(store, told, async (changes, note): Promise<PresetSaved> => {
      const before = await changes.selectFrom('presets').selectAll().where('id', '=', seen.id).executeTakeFirst();
      if (!before || before.revision !== seen.revision) return { type: 'changed' };
      const other = await named(changes, before, content);
      if (other && other.id !== seen.id) return { type: 'taken', by: other };
      const isElsewhere = before.scope !== content.scope || before.holder !== content.holder;
      if (isElsewhere && (await isFull(changes, { team: before.team, ...content }))) return { type: 'full' };
      const row = await changes
        .updateTable('presets')
        .set({ ...columnsOf(content), revision: seen.revision + 1 })
        .where(equals({ id: seen.id, revision: seen.revision }))
        .returningAll()
        .executeTakeFirst();
      if (!row) return { type: 'changed' };
      await note(entryOf(presetOf(row), act));
      return saved(row);
    });
  // Somebody may take the name between the look and the change, which then fails and is undone. The second try sees it.
  return change().catch(change);
}

/** The preset of a holder whose name looks like this one. */
async function named(
  store: Store,
  { team, operation }: Pick<Preset, 'team' | 'operation'>,
  { scope, holder, name }: PresetContent,
): Promise<Preset | undefined> {
  const row = await store
    .selectFrom('presets')
    .selectAll()
    .where(equals({ team, scope, holder, operation, likeness: looksOf(name) }))
    .executeTakeFirst();
  return row && presetOf(row);
}

async function isFull(store: Store, { team, scope, holder }: Pick<Preset, 'team' | 'scope' | 'holder'>) {
  return (await countRows(store.selectFrom('presets').where(equals({ team, scope, holder })))) >= maxPresets;
}

function columnsOf({ scope, holder, name, inputs, labels }: PresetContent) {
  const texts = { inputs: JSON.stringify(inputs), labels: JSON.stringify(labels) };
  return { scope, holder, name, likeness: looksOf(name), ...texts };
}

function entryOf({ team, operation }: Preset, { by, event, detail, now }: PresetAct) {
  return { ...by, at: now, team, person: by.actor, operation, event, detail };
}

const Texts = z.record(z.string(), z.string());

function presetOf({ likeness: _, scope, inputs, labels, ...row }: PresetRow): Preset {
  const texts = { inputs: Texts.parse(JSON.parse(inputs)), labels: Texts.parse(JSON.parse(labels)) };
  return { ...row, scope: PresetScope.parse(scope), ...texts };
}

/** The looks of a name, by which it is found. */
export function looksOf(name: string): string {
  return foldings(name)[0];
}
