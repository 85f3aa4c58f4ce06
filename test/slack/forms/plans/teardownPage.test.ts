import type { KnownBlock } from '@slack/types';
import { describe, expect, test } from 'vitest';
import { parseIdentifier } from '../../../../src/api/identifiers.ts';
import { planTeardown } from '../../../../src/operations/plans/teardown.ts';
import { tearDownDatabase } from '../../../../src/operations/plans/teardownAndRenew.ts';
import type { Lineage } from '../../../../src/operations/plans/tree.ts';
import { viewFaults } from '../../../../src/sandbox/playground/blockkit.ts';
import { lastPage } from '../../../../src/slack/forms/formModal.ts';
import { faultOfTeardown } from '../../../../src/slack/forms/plans/formSteps.ts';
import { teardownBlocks } from '../../../../src/slack/forms/plans/teardownPage.ts';

const shop = 'MYSQL_LIVE_SERVER-1';
const id = (number: number) => `MYSQL_CLONE_SERVER-${number}`;
const record = (number: number, source: string, more: Partial<Lineage> = {}): Lineage => ({
  ...{ id: id(number), noun: 'clone', name: `clone-${number}`, sources: [source] },
  ...{ snapshots: [], clones: [], mentions: [] },
  ...more,
});
const root = { id: shop, noun: 'live', name: 'shop' } as const;
const target = parseIdentifier(shop);

function blocksOf(records: readonly Lineage[], leftOut: readonly string[] = []): readonly KnownBlock[] {
  if (!target) throw new Error('that is no identifier');
  const names = new Map(records.map(one => [one.id, one.name]));
  const seen = { teardown: planTeardown(root, records, leftOut), notes: new Map(), isCut: false, asShown: {} };
  return teardownBlocks({ ...seen, recordOf: one => ({ name: names.get(one), state: undefined }) }, target, leftOut);
}

describe('the page of a teardown', () => {
  test('the page of a teardown names a record that stands alone only once', () => {
    const text = JSON.stringify(blocksOf([]));
    expect(text.split('shop')).toHaveLength(2);
  });

  test('the page of a teardown tells a clone that stays from one of the same name that goes', () => {
    const copy = record(3, shop, { name: 'clone-1', isPhysical: true });
    const text = JSON.stringify(blocksOf([record(1, shop), copy]));
    expect(text).toContain('clone-1 (`MYSQL_CLONE_SERVER-3`) is physical, so it stays.');
  });

  test.each<[string, (number: number) => Lineage]>([
    [
      'side by side, with hostile names',
      number => record(number, shop, { name: `<!channel> *b* ${'🐑'.repeat(60)}${number}` }),
    ],
    ['in one chain', number => record(number, number === 1 ? shop : id(number - 1))],
  ])('the page of a teardown fits into Slack with 200 clones %s', (_, make) => {
    const records = Array.from({ length: 200 }, (_each, at) => make(at + 1));
    const blocks = blocksOf(records, [id(200)]);
    const metadata = { request: 'r', channel: 'C1', chosen: {}, labels: {}, asksWhy: true } as const;
    const page = lastPage(
      tearDownDatabase,
      metadata,
      { database: shop },
      {
        ...{ sentence: 'It goes.', name: 'shop', known: undefined, note: undefined },
        ...{ blocks, offers: [] },
      },
    );
    expect(viewFaults(page, 'modal')).toEqual([]);
    const said = blocks.filter(({ type }) => type === 'section' || type === 'context');
    expect(JSON.stringify(said)).not.toContain('<!channel>');
  });

  test('a teardown with more steps than a plan takes, or with none, is refused', () => {
    const stepsFor = (many: number, leftOut: readonly string[] = []) =>
      planTeardown(
        root,
        Array.from({ length: many }, (_, at) => record(at + 1, shop)),
        leftOut,
      ).steps;
    expect(faultOfTeardown(stepsFor(249))).toBeUndefined();
    expect(faultOfTeardown(stepsFor(250))).toContain('This takes 251 steps, and one plan can have at most 250.');
    expect(faultOfTeardown(stepsFor(1, [id(1)]))).toContain('Nothing is left to delete');
  });
});
