import { expect, onTestFinished, test } from 'vitest';
import { alertBoard, clone } from '../features/alerts/alertBoard.ts';
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

/* Alerts on services that speak otherwise: they tell what the lists show, and nothing else. */

/** What is told once a clone is failed, once it is well again, and once it is gone. */
type Told = readonly [failed: string[], mended: string[], gone: string[]];

const gone = ['thread: news vanished orders-3320 @U0ANA'];
const goneAlone = ['C1: incident vanished orders-3320 @U0ANA'];
const usual: Told = [['C1: incident failed orders-3320 @U0ANA'], ['thread: mended failed orders-3320, 0 left'], gone];
/** A service that shows no failed records: what fails is gone from its lists, and its own GET finds none. */
const hiding: Told = [
  goneAlone,
  ['thread: mended vanished orders-3320, 0 left'],
  ['thread: news vanished orders-3320'],
];
/** Its lists do not show that a record failed. */
const silent: Told = [[], [], goneAlone];

const told: readonly (readonly [Variant, Told])[] = [
  [nested, usual],
  [numbered, usual],
  [soft, usual],
  [undying(), usual],
  [flagged, silent],
  [terse, silent],
  [stateless, hiding],
  [foreign, hiding],
];

test.each(told.map(([variant, expected]) => [variant.name, variant, expected] as const))(
  'on a service that is %s, alerts tell no more than its lists show',
  async (_, variant, expected) => {
    const here = await alertBoard(await storeIn(folder()), speaking(variant));
    onTestFinished(() => here.end());
    const looks = async () => {
      for (let look = 0; look < 2; look++) await here.looks();
      return here.told();
    };
    await here.on();
    await here.told();
    expect(await looks()).toEqual([]);
    const { state } = here.database(clone);
    Object.assign(here.database(clone), { state: 'FAILED', error: 'The disk is full.' });
    const failed = await looks();
    here.database(clone).state = state;
    const mended = await looks();
    here.service.estate.databases.delete(clone);
    expect([failed, mended, await looks()]).toEqual(expected);
  },
);
