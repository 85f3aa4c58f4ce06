import type { Consent, ConsentAbout } from '../../../src/features/workflows/consent/consent.ts';

/** What a consent covers: the nightly backup of shop. */
export const aboutShop: ConsentAbout = {
  ...{ title: 'Back up a database', asks: 'back up shop', target: 'MYSQL_LIVE_SERVER-1', targetName: 'shop' },
  lines: [['Database', 'shop (MYSQL_LIVE_SERVER-1)']],
};

/** A consent that is held. */
export function aConsent(changes: Partial<Consent> = {}): Consent {
  return {
    ...{ id: 'g1', team: 'T1', person: 'U1', step: 'back_up', workflow: 'Nightly', channel: 'C1', about: aboutShop },
    ...{ runsAs: null, state: 'given', request: null, approvedBy: [], createdAt: 0, decidedAt: 1, usedAt: 2 },
    ...{ revision: 2, plannedAt: null, waitsFor: null, endedAt: null, ...changes },
  };
}
