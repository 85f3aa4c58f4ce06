import { WebClient } from '@slack/web-api';
import { type AllParts, deskOf, type WholeDesk } from '../../../src/app/wholeDesk.ts';
import { workOnAlerts } from '../../../src/features/alerts/workOnAlerts.ts';
import { workOnLeases } from '../../../src/features/leases/run/workOnLeases.ts';
import { workOnSchedules } from '../../../src/features/schedules/run/workOnSchedules.ts';
import { workOnExecutions } from '../../../src/features/workflows/workOnExecutions.ts';
import type { Loop } from '../../../src/ground/loop.ts';
import { said } from '../../../src/slack/blocks/message.ts';
import { Refused } from '../../../src/slack/connection/slackErrors.ts';
import { oneForAll } from '../../../src/slack/connection/slacks.ts';
import { responseUrlsOn } from '../../../src/slack/desk/responseUrls.ts';
import { keepHomes } from '../../../src/slack/home/keepHomes.ts';
import { takesInteractions } from '../../../src/slack/inbox/inbox.ts';
import { deliver } from '../../../src/slack/outbox/delivery.ts';
import { pace, rates } from '../../../src/slack/outbox/slackRates.ts';
import { tellNotices } from '../../../src/slack/outbox/tellNotices.ts';
import type { Store } from '../../../src/store/database.ts';
import { alone } from '../../../src/store/drivers/replicas.ts';
import { heardIn } from '../../../src/store/tables/heard.ts';
import { homesIn } from '../../../src/store/tables/homes.ts';
import { inboxIn } from '../../../src/store/tables/inbox.ts';
import { linksIn } from '../../../src/store/tables/links.ts';
import { olderWorkspacesIn } from '../../../src/store/tables/olderWorkspaces.ts';
import { presetsIn } from '../../../src/store/tables/presets.ts';
import { triesIn } from '../../../src/store/tables/tries.ts';
import { openVault } from '../../../src/store/vault.ts';
import { testClock } from '../../clock.ts';
import { emptyHouse } from '../../house.ts';
import { board } from '../../jobs/deciding.ts';
import { quiet } from '../../quiet.ts';

/* The loops of the queues, in a process that knows the app to be installed nowhere. */

/** Slack’s client for a team without the app: each call fails before it leaves. */
class Uninstalled extends WebClient {
  override apiCall(): Promise<never> {
    return Promise.reject(new Refused('not_installed'));
  }
}

/** A desk on a store, for a process that reaches no Slack. */
export function wholeDesk(store: Store, parts: AllParts): WholeDesk {
  const vault = openVault([Buffer.alloc(32, 1)]);
  return deskOf({
    house: emptyHouse,
    ...parts,
    slack: oneForAll(new Uninstalled()),
    isReached: async () => false,
    goOn: async () => undefined,
    names: { db: '/db', clone: '/clone', restore: '/restore' },
    workspace: async () => undefined,
    ...{ links: linksIn(store, vault), homes: homesIn(store), presets: presetsIn(store), tries: triesIn(store) },
    ...{ olderWorkspaces: olderWorkspacesIn(store), inbox: inboxIn(store, vault), heard: heardIn(store) },
    responseUrls: responseUrlsOn(parts.clock, parts.log),
    replicas: alone,
    ...{ publicUrl: undefined, proxying: undefined, auditDays: 90, jobsDays: 90 },
    takeOn: async () => undefined,
    run: (_what, work) => void work,
  });
}

/** Lets the loop of a process without the app make its turns at one moment. */
function without(begin: (parts: AllParts, store: Store) => Loop) {
  return async (store: Store, now: number): Promise<void> => {
    const clock = testClock(now);
    const { parts } = await board(store);
    const loop = begin({ ...parts, clock, isUninstalled: async () => true }, store);
    await clock.advance(1);
    await quiet();
    await loop.stop();
  };
}

const silent = { changed: async () => undefined };

export const leasesWithout = without(parts => workOnLeases({ ...parts, ...silent }, parts));
export const schedulesWithout = without(parts => workOnSchedules({ ...parts, ...silent }, parts));
export const alertsWithout = without(parts => workOnAlerts({ ...parts, ...silent }, parts));
export const executionsWithout = without((parts, store) =>
  workOnExecutions({ ...parts, ...silent }, wholeDesk(store, parts)),
);
export const homesWithout = without((parts, store) => keepHomes(wholeDesk(store, parts)));
export const tellsWithout = without((parts, store) => deliver(wholeDesk(store, parts), async () => undefined));
export const noticesWithout = without((parts, store) =>
  tellNotices({ ...wholeDesk(store, parts), paces: { posts: pace(rates.posts), updates: pace(rates.updates) } }, {}),
);
export const interactionsWithout = without((parts, store) =>
  takesInteractions(wholeDesk(store, parts), {
    acts: () => true,
    perform: () => Promise.reject(new Refused('not_installed')),
    refuse: async () => said('It could not be done.'),
  }).watch(),
);
