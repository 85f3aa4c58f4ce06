import { counted } from '../../ground/wording.ts';
import type { Desk } from '../../slack/desk/desk.ts';
import { countedByTeam, type Feature } from '../../slack/feature.ts';
import { hasHolder, leases } from '../../store/tables/leases.ts';
import { leasesOf } from './lease.ts';
import { keepMadeButton, keepMoreButton } from './leaseButtons.ts';
import { leaseReactions } from './leaseClicks.ts';
import { leaseOf, standing } from './leaseCommand.ts';
import { askSubmission, keepSubmission } from './leaseForms.ts';
import { leaseList } from './leaseList.ts';
import { leaseMessage, wishMessage } from './leaseMessages.ts';
import { leaseDefaultFor, leaseFaultFor } from './leaseRules.ts';
import { wishKind } from './leaseWish.ts';
import { leaseHookOf, leaseReopenHook } from './run/afterJob.ts';
import { coveredByLease } from './run/endJob.ts';
import { workOnLeases } from './run/workOnLeases.ts';

/** How long clones are kept. */
export const leaseFeature = {
  name: 'leases',
  things: {
    kinds: [leases],
    work: workOnLeases,
    ends: policy => ({ ended: leaseHookOf(policy), reopened: leaseReopenHook }),
    words: { lease: leaseMessage, [wishKind]: wishMessage },
    async afterRestore({ things }: Desk<'things'>, now) {
      const open = (await things.list(leases, {})).filter(({ state }) => state === 'kept' || state === 'stopped');
      const step = { changes: { mustWarn: true, warned: null }, dueAt: now, trail: { event: 'lease restored' } };
      for (const { id } of open) await things.act(leases, id, one => one && step, now);
      return countedByTeam(open, many => `I warn the owners of ${counted(many, 'lease')} once more.`);
    },
  },
  commands: {
    own: [
      {
        word: 'lease',
        subject: 'Leases',
        usage: 'lease <clone>… 3d | until=2026-12-24 | none',
        summary: 'Set or show how long clones are kept',
        takes: ['until'],
        isForSignedIn: true,
        acts: () => true,
        answer: leaseOf,
      },
      {
        word: 'leases',
        subject: 'Leases',
        usage: 'leases [words]',
        summary: 'Show when clones end, and which have no end',
        isForSignedIn: true,
        answer: leaseList,
      },
    ],
  },
  interactions: { reactions: leaseReactions, submissions: [keepSubmission, askSubmission] },
  about: {
    async notesOn(desk: Desk<'things'>, team, records) {
      const found = await leasesOf(desk, team, records);
      return new Map(found.map(lease => [lease.record, `:hourglass: ${standing(lease)}`]));
    },
    async keepersOf(desk: Desk<'things'>, team, records) {
      return new Map((await leasesOf(desk, team, records)).filter(hasHolder).map(lease => [lease.record, lease]));
    },
  },
  offers: [{ buttonOf: keepMadeButton }, { buttonOf: keepMoreButton }],
  fields: { role: 'keepFor', defaultFor: leaseDefaultFor, faultOf: leaseFaultFor },
  permission: { coveredByRule: coveredByLease },
} satisfies Feature<never>;
