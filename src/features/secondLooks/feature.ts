import type { Feature } from '../../slack/feature.ts';
import { reopenHook, secondLookHook, secondLooks } from './secondLook.ts';
import { takenBackKind, takenBackMessage } from './takenBackMessage.ts';
import { type EndLooker, workOnSecondLooks } from './workOnSecondLooks.ts';

/** A second look at ends, by which Dolly takes back what it told too early. */
export const secondLookFeature = {
  name: 'secondLooks',
  things: {
    kinds: [secondLooks],
    work: workOnSecondLooks,
    ends: () => ({ ended: secondLookHook, reopened: reopenHook }),
    words: { [takenBackKind]: takenBackMessage },
  },
} satisfies Feature<EndLooker>;
