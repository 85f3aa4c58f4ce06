import { expect, onTestFinished, test } from 'vitest';
import { readInventory } from '../../src/features/protection/inventory.ts';
import { protectionReport } from '../../src/features/protection/report.ts';
import { board } from '../jobs/deciding.ts';
import { folder, storeIn } from '../store/folder.ts';
import { flagged } from './flagged.ts';
import { foreign } from './foreign.ts';
import { nested } from './nested.ts';
import { numbered } from './numbered.ts';
import { soft } from './soft.ts';
import { stateless } from './stateless.ts';
import { terse } from './terse.ts';
import { undying } from './undying.ts';
import { speaking, type Variant } from './variant.ts';

/* Protection at a glance on services that speak otherwise: it tells no more than what their lists show. */

/** How many databases and clones stand how, and what stands still. */
type Glance = Readonly<{
  protected?: number;
  late?: number;
  unseen?: number;
  never?: number;
  disabled?: string[];
  aged: number;
}>;

/** Three of twelve databases were left out last night; `archive_2023` is disabled, and so is the host `perf-lab`. */
const usual: Glance = { protected: 9, late: 3, disabled: ['archive_2023', 'perf-lab with 1'], aged: 9 };

const told: readonly (readonly [Variant, Glance])[] = [
  [nested, usual],
  [numbered, usual],
  [soft, usual],
  [undying(), usual],
  [flagged, usual],
  // Snapshots without times, and no states.
  [stateless, { unseen: 12, aged: 0 }],
  // Nothing but names in a list: ten records are read alone.
  // What its lists leave out, its records show by themselves.
  [terse, { protected: 9, late: 3, disabled: ['archive_2023'], aged: 0 }],
  // Two physical clones stand among the live databases, without a snapshot; the words for states are unknown ones.
  [foreign, { protected: 9, late: 3, never: 2, aged: 7 }],
];

test.each(told.map(([variant, expected]) => [variant.name, variant, expected] as const))(
  'on a service that is %s, protection at a glance tells no more than its lists show',
  async (_, variant, expected) => {
    const here = await board(await storeIn(folder()), {}, () => undefined, speaking(variant));
    onTestFinished(() => here.end());
    const { parts } = here;
    const records = parts.records.of({ team: 'T1', person: 'U0ANA' });
    const report = await protectionReport(parts.policy, await readInventory(parts, { team: 'T1', records }));
    const standing = Map.groupBy(report.databases, ({ standing }) => standing);
    const disabled = [
      ...report.disabled.map(({ name }) => name),
      ...(report.environments ?? []).map(({ environment, held }) => `${environment.name} with ${held.length}`),
    ];
    expect({
      ...Object.fromEntries([...standing].map(([name, all]) => [name, all.length])),
      ...(disabled.length > 0 ? { disabled } : {}),
      aged: report.clones.filter(({ age }) => age !== undefined).length,
    }).toEqual(expected);
  },
);
