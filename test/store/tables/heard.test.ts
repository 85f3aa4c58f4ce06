import { describe, expect, test } from 'vitest';
import { day } from '../../../src/ground/durations.ts';
import { heardIn } from '../../../src/store/tables/heard.ts';
import { inboxIn, type NewInteraction } from '../../../src/store/tables/inbox.ts';
import { openVault } from '../../../src/store/vault.ts';
import { stores } from '../folder.ts';

const now = Date.UTC(2026, 10, 21);
const mention = { id: 'm1', team: 'T1', kind: 'mention', at: now } as const;
const vault = openVault([new Uint8Array(32)]);
const interaction: NewInteraction = {
  ...{ id: 'm1', team: 'T1', person: 'U1', channel: 'C1', thread: '1.1', action: 'command', value: 'backup shop' },
  createdAt: now,
};

describe.each(stores)('in %s', (_, open) => {
  test('a message to Dolly is noted once by all replicas together, and forgotten after two days', async () => {
    const store = await open();
    const [here, there] = [heardIn(store), heardIn(store)];
    const noted = await Promise.all([here.note(mention), there.note(mention), here.note(mention)]);
    expect(noted.filter(Boolean)).toHaveLength(1);
    expect(await there.note({ ...mention, id: 'm2', at: now + day })).toBe(true);
    expect(await here.note({ ...mention, at: now + 2 * day })).toBe(false);
    expect(await here.note({ ...mention, at: now + 2 * day + 1 })).toBe(true);
  });

  test('the time of the last message of a kind is known for each workspace', async () => {
    const heard = heardIn(await open());
    expect(await heard.last('T1', 'mention')).toBeUndefined();
    for (const at of [now + 1, now + 3, now + 2]) await heard.note({ ...mention, id: String(at), at });
    expect(await heard.last('T1', 'mention')).toBe(now + 3);
    expect(await heard.last('T1', 'direct')).toBeUndefined();
    expect(await heard.last('T2', 'mention')).toBeUndefined();
  });

  test('a message that acts is kept once by all replicas together, and not again after it was done', async () => {
    const store = await open();
    const [here, there] = [inboxIn(store, vault), inboxIn(store, vault)];
    const kept = await Promise.all([
      here.keep(interaction, 1_000, 'mention'),
      there.keep(interaction, 1_000, 'mention'),
    ]);
    const [first, ...others] = kept.flatMap(due => due ?? []);
    expect(others).toEqual([]);
    const [taken] = await there.queue().take(now + 2_000, 9);
    expect(taken?.row).toMatchObject({ id: 'm1', thread: '1.1', value: 'backup shop' });
    // Whoever was too slow has nothing to say any more.
    expect(first && (await here.done(first))).toBe(false);
    expect(taken && (await there.done(taken.due))).toBe(true);
    expect(await here.keep(interaction, 1_000, 'mention')).toBeUndefined();
    expect(await here.queue().take(now + 60_000, 9)).toEqual([]);
    expect(await heardIn(store).note(mention)).toBe(false);
  });

  test('a message that could not be kept is not noted as heard either', async () => {
    const store = await open();
    const inbox = inboxIn(store, vault);
    await store.schema.alterTable('inbox').renameTo('away').execute();
    await expect(inbox.keep(interaction, 1_000, 'mention')).rejects.toThrow();
    await store.schema.alterTable('away').renameTo('inbox').execute();
    expect(await inbox.keep(interaction, 1_000, 'mention')).toMatchObject({ id: interaction.id });
  });
});
