import { describe, expect, test } from 'vitest';
import { auditIn } from '../../../src/store/tables/audit/audit.ts';
import { maxPresets, type NewPreset, presetsIn } from '../../../src/store/tables/presets.ts';
import { ben, stores } from '../folder.ts';

const eva = { team: 'T1', person: 'U2' };
const deed = { by: { actor: 'U1', login: 'ben', channel: 'C1' }, event: 'preset saved', detail: 'qa', now: 7 };
const qa: NewPreset = {
  ...ben,
  id: 'p1',
  scope: 'channel',
  holder: 'C1',
  name: 'qa',
  operation: 'clone.create',
  inputs: { targetEnvironment: 'HOST_ENVIRONMENT-1', port: '{port}' },
  labels: { 'HOST_ENVIRONMENT-1': 'dev' },
  createdAt: 5,
};
const mine = { ...qa, id: 'p2', scope: 'me', holder: ben.person } as const;

describe.each(stores)('presets in %s', (_, open) => {
  test('people find the presets of their channel, of the workspace and of their own, in one workspace', async () => {
    const presets = presetsIn(await open());
    const all = [
      { ...qa, id: 'channel' },
      { ...qa, id: 'other channel', holder: 'C2', person: 'U2' },
      { ...mine, id: 'mine' },
      { ...mine, id: 'eva’s', holder: 'U2', person: 'U2' },
      { ...qa, id: 'all', scope: 'workspace', holder: '' },
      { ...qa, id: 'elsewhere', team: 'T2' },
    ] as const;
    for (const preset of all) await presets.add(preset, deed);
    const ids = async (person: string, channel: string) =>
      (await presets.of({ team: 'T1', person }, channel)).map(({ id }) => id).toSorted();
    expect(await ids('U1', 'C1')).toEqual(['all', 'channel', 'mine']);
    expect(await ids('U2', 'C2')).toEqual(['all', 'eva’s', 'other channel']);
    // Those that a person saved for another channel stay theirs to find.
    expect(await ids('U1', 'C9')).toEqual(['all', 'channel', 'mine']);
    expect(await presets.find('channel')).toEqual({ ...all[0], revision: 1, usedAt: 5 });
  });

  test('of two people who save a preset under the same name at the same moment, one gets the name', async () => {
    const store = await open();
    const presets = presetsIn(store);
    const both = await Promise.all([
      presets.add(qa, deed),
      presets.add({ ...qa, ...eva, id: 'p9', name: 'QА' }, deed), // The second letter is a Cyrillic one.
    ]);
    expect(both.map(({ type }) => type).toSorted()).toEqual(['saved', 'taken']);
    expect((await presets.add({ ...qa, id: 'p3', operation: 'clone.share' }, deed)).type).toBe('saved');
    expect((await presets.add({ ...qa, id: 'p4', holder: 'C2' }, deed)).type).toBe('saved');
    const { entries } = await auditIn(store).read('T1', { words: [] }, 9);
    expect(entries.map(({ event, operation }) => [event, operation])).toEqual([
      ['preset saved', 'clone.create'],
      ['preset saved', 'clone.share'],
      ['preset saved', 'clone.create'],
    ]);
  });

  test('a preset form that is submitted twice saves one preset', async () => {
    const store = await open();
    const presets = presetsIn(store);
    const twice = await Promise.all([presets.add(qa, deed), presets.add(qa, deed)]);
    expect(twice.map(({ type }) => type)).toEqual(['saved', 'saved']);
    expect((await presets.add({ ...qa, inputs: { port: '1' } }, deed)).type).toBe('taken');
    expect(await presets.of(ben, 'C1')).toHaveLength(1);
    expect((await auditIn(store).read('T1', { words: [] }, 9)).entries).toHaveLength(1);
  });

  test('a preset changes only in the revision that somebody has seen, and into no name that is taken', async () => {
    const presets = presetsIn(await open());
    await presets.add(qa, deed);
    await presets.add({ ...qa, id: 'p2', name: 'night' }, deed);
    const seen = { id: 'p1', revision: 1 };
    expect((await presets.change(seen, { ...qa, name: 'Night' }, deed)).type).toBe('taken');
    const shared = await presets.change(seen, { ...qa, scope: 'workspace', holder: '', name: 'QA' }, deed);
    expect(shared).toMatchObject({ type: 'saved', preset: { name: 'QA', scope: 'workspace', revision: 2 } });
    expect((await presets.change(seen, { ...qa, name: 'late' }, deed)).type).toBe('changed');
    expect(await presets.remove(seen, deed)).toBe(false);
    expect(await presets.remove({ id: 'p1', revision: 2 }, deed)).toBe(true);
    expect(await presets.remove({ id: 'p1', revision: 2 }, deed)).toBe(false);
    expect(await presets.find('p1')).toBeUndefined();
  });

  test('of two presets that are renamed to one name at the same moment, one gets it', async () => {
    const presets = presetsIn(await open());
    await presets.add({ ...qa, id: 'a', name: 'a' }, deed);
    await presets.add({ ...qa, id: 'b', name: 'b' }, deed);
    const renamed = ['a', 'b'].map(id => presets.change({ id, revision: 1 }, { ...qa, name: 'same' }, deed));
    expect((await Promise.all(renamed)).map(({ type }) => type).toSorted()).toEqual(['saved', 'taken']);
  });

  test('a channel may have a limited number of presets', async () => {
    const presets = presetsIn(await open());
    for (let at = 0; at < maxPresets; at++) await presets.add({ ...qa, id: `p${at}`, name: `n${at}` }, deed);
    expect((await presets.add({ ...qa, id: 'more', name: 'more' }, deed)).type).toBe('full');
    await presets.add(mine, deed);
    expect((await presets.change({ id: 'p2', revision: 1 }, { ...qa, name: 'x' }, deed)).type).toBe('saved');
  });
});
