import { describe, expect, test } from 'vitest';
import type { Store } from '../../../src/store/database.ts';
import { auditIn } from '../../../src/store/tables/audit/audit.ts';
import type { AuditFilter, From } from '../../../src/store/tables/audit/auditSearch.ts';
import { stores } from '../folder.ts';

/* The index of the trail: a search finds through it what reading every entry finds. */

const minute = 60_000;
const start = Date.UTC(2026, 0, 1);
const later = start + 10_000 * minute;
const names = [
  'shop',
  'crm',
  'orders',
  'Łódź',
  'ΟΔΟΣ',
  '100%',
  'a_b',
  "o'hara",
  'x"y',
  '🦀db',
  'back\\slash',
  '*',
  'NEAR',
];
const hostile = [
  '"',
  '*',
  'NEAR',
  '%',
  '_',
  '\\',
  "'",
  '🦀',
  '\ud83e',
  'ł',
  'o',
  'sh',
  'shop crm',
  'x'.repeat(3_000),
  '\0',
  'sh\0op',
  '',
  'asked\n',
];

/** The detail of the entry of a number, with words that come often, seldom and once. */
function detailAt(number: number): string {
  return `about ${names[number % names.length]} at ${number}${number % 97 === 0 ? ' zebra' : ''}`;
}

/** Writes a trail of `many` entries, one a minute, some of them in the same millisecond. */
async function trail(store: Store, many: number) {
  const audit = auditIn(store);
  const base = { team: 'T1', event: 'asked' };
  for (let number = 0; number < many; number++)
    await audit.add({
      ...base,
      ...(number % 50 === 0 ? { team: 'T2' } : number % 71 === 0 ? { team: '' } : {}),
      at: start + Math.floor(number / 3) * minute,
      actor: `U${number % 7}`,
      person: `U${number % 7}`,
      login: number % 5 === 0 ? null : `ana${number % 11}`,
      target: `MYSQL_LIVE_SERVER-${number % 40}`,
      detail: detailAt(number),
    });
  return audit;
}

async function indexed(store: Store): Promise<void> {
  const audit = auditIn(store);
  for (let steps = 0; steps < 1_000; steps++) if (!(await audit.index(later))) return;
  throw new Error('the index is never finished');
}

/** The ids that fit, found by reading all that there is. */
async function expected(
  store: Store,
  { words, since = 0, until = Number.POSITIVE_INFINITY, by }: AuditFilter,
): Promise<string[]> {
  const rows = await store
    .selectFrom('audit')
    .selectAll()
    .where('team', 'in', ['T1', ''])
    .orderBy('id', 'desc')
    .execute();
  const fits = (text: string) =>
    words.every(word => text.includes(word.replaceAll('\0', '').toWellFormed().toLowerCase()));
  return rows
    .filter(({ at, text }) => Number(at) >= since && Number(at) < until && fits(text))
    .filter(({ actor, login }) => by === undefined || actor === by || login === by)
    .map(({ id }) => id);
}

/** The ids that a search finds, page by page, in one direction or the other. */
async function found(store: Store, filter: AuditFilter, isUpwards: boolean): Promise<string[]> {
  const audit = auditIn(store);
  const all: string[] = [];
  for (let from: From = isUpwards ? { after: '' } : {}; ; ) {
    const { entries } = await audit.read('T1', filter, 150, from);
    const ids = entries.map(({ id }) => id);
    if (isUpwards) all.unshift(...ids);
    else all.push(...ids);
    const next = isUpwards ? ids[0] : ids.at(-1);
    if (next === undefined || ids.length < 150) return all;
    from = isUpwards ? { after: next } : { before: next };
  }
}

const filters: AuditFilter[] = [
  ...hostile.map(word => ({ words: [word] })),
  { words: [] },
  { words: ['zebra'] },
  { words: ['ebr'] },
  { words: ['nowhere'] },
  { words: ['MYSQL_LIVE_SERVER-3'] },
  { words: ['Orders', 'zebra'] },
  { words: [], by: 'U3' },
  { words: ['crm'], by: 'ana4' },
  { words: [], by: 'ANA4' },
  { words: [], since: start + 100 * minute, until: start + 130 * minute },
  { words: ['shop'], since: start + 250 * minute },
];

describe.each(stores)('the index of the trail in %s', (_, open) => {
  test('the index of the audit trail finds what reading every entry finds, however much of it is made', async () => {
    const store = await open();
    const audit = await trail(store, 700);
    const agrees = async () => {
      for (const filter of filters) {
        const right = await expected(store, filter);
        expect([filter, await found(store, filter, false)]).toEqual([filter, right]);
        if (filter.words.length === 0) expect([filter, await found(store, filter, true)]).toEqual([filter, right]);
      }
    };
    await agrees();
    // What a killed process leaves is an index that is made in part.
    for (let steps = 0; await audit.index(later); steps++) if (steps === 2) await agrees();
    await agrees();
    const bare = () => store.selectFrom('auditBlocks').select('last').where('grams', 'is', null).execute();
    expect(await bare()).toEqual([]);
    // The time of day was set back: entries come into the midst of the blocks, and the trail has them at once.
    for (let number = 0; number < 450; number++)
      await audit.add({
        team: 'T1',
        event: 'asked',
        actor: 'U9',
        at: start + 90 * minute,
        detail: `zebra late ${number}`,
      });
    expect(await bare()).not.toEqual([]);
    await agrees();
    await indexed(store);
    expect(await bare()).toEqual([]);
    await audit.sweep(start + 150 * minute, later);
    await agrees();
  });

  test('two processes that index the audit trail at once make each block once, side by side', async () => {
    const store = await open();
    await trail(store, 700);
    await Promise.all([indexed(store), indexed(store)]);
    const blocks = await store.selectFrom('auditBlocks').select(['lower', 'last']).orderBy('last').execute();
    expect(blocks.length).toBeGreaterThan(2);
    expect(blocks.map(({ lower }) => lower)).toEqual(['', ...blocks.slice(0, -1).map(({ last }) => last)]);
  });

  test('a search in the audit trail leaves out the blocks that have nothing of what is looked for', async () => {
    const store = await open();
    await trail(store, 700);
    await indexed(store);
    // Entries of all blocks are unreadable, so that a search that reads one fails.
    const damaged = await store.updateTable('audit').set({ text: 'damaged zebra' }).executeTakeFirst();
    expect(Number(damaged.numUpdatedRows)).toBe(700);
    const { entries } = await auditIn(store).read('T1', { words: ['damaged'] }, 9);
    expect(entries).toEqual([]);
  });

  test('a search in the audit trail says how far it came where it does not find enough', async () => {
    const store = await open();
    const entry = { team: 'T1', actor: 'U1', event: 'asked', text: 'nothing' };
    const row = (number: number) => ({ ...entry, id: number.toString(16).padStart(12, '0'), at: number });
    await store.transaction().execute(async changes => {
      for (let number = 1; number <= 52_000; number += 500)
        await changes
          .insertInto('audit')
          .values(Array.from({ length: 500 }, (_row, more) => row(number + more)))
          .execute();
    });
    const first = await auditIn(store).read('T1', { words: ['zebra'] }, 9);
    expect(first).toMatchObject({ entries: [], rest: { at: 2_001 } });
    const second = await auditIn(store).read('T1', { words: ['zebra'] }, 9, first.rest);
    expect(second).toEqual({ entries: [], rest: undefined });
  });
});
