import { expect, onTestFinished, test } from 'vitest';
import { leaseBoard } from '../features/leases/leaseBoard.ts';
import { folder, storeIn } from '../store/folder.ts';
import { flagged } from './flagged.ts';
import { nested } from './nested.ts';
import { soft } from './soft.ts';
import { stateless } from './stateless.ts';
import { terse } from './terse.ts';
import { undying } from './undying.ts';
import { speaking, type Variant } from './variant.ts';

/* The end of a lease on services that speak otherwise: it does no more than what their records show. */

const endings: readonly (readonly [Variant, string, string, readonly string[]])[] = [
  [nested, 'ended', 'It was deleted', ['PUT stop', 'DELETE delete']],
  [soft, 'ended', 'It was deleted', ['PUT stop', 'DELETE delete']],
  [flagged, 'ended', 'It was deleted', ['PUT stop', 'DELETE delete']],
  [terse, 'ended', 'It was deleted', ['PUT stop', 'DELETE delete']],
  [stateless, 'asking', 'I do not know whether it was stopped', ['PUT stop']],
  [undying(), 'asking', 'it could not be deleted', ['PUT stop', 'DELETE delete']],
];
test.each(endings.map(([variant, ...more]) => [variant.name, variant, ...more] as const))(
  'on a service that is %s, a lease ends or asks its person, as far as the records show',
  async (_, variant, state, reason, written) => {
    const here = await leaseBoard(await storeIn(folder()), speaking(variant));
    onTestFinished(() => here.end());
    await here.works(async () => ['ended', 'asking'].includes((await here.lease()).state));
    const lease = await here.lease();
    expect([lease.state, lease.reason, here.written()]).toEqual([state, expect.stringContaining(reason), written]);
  },
);
