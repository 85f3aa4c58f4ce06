import { expect, onTestFinished, test } from 'vitest';
import { consents, newConsent } from '../../../src/features/workflows/consent/consent.ts';
import { allowConsent } from '../../../src/features/workflows/consent/consentActs.ts';
import { endThoseOfOthers } from '../../../src/features/workflows/consent/consentLapse.ts';
import { board } from '../../jobs/deciding.ts';
import { folder, storeIn } from '../../store/folder.ts';
import { aboutShop } from './aConsent.ts';

test('a consent is given only by somebody signed in, and ends when they sign in as another user', async () => {
  const here = await board(await storeIn(folder()));
  onTestFinished(() => here.end());
  const { parts, clock } = here;
  const ana = { team: 'T1', person: 'U0ANA' };
  const asked = { ...ana, id: 'g1', step: 'back_up', workflow: 'Nightly', channel: 'C1', about: aboutShop } as const;
  const as = newConsent({ ...asked, runsAs: null, createdAt: clock.now() });
  await parts.things.act(consents, as.id, () => ({ as }), clock.now());
  const allows = () => allowConsent(parts, { ...ana, channel: 'C1', id: as.id, revision: 1 });
  await here.credentials.forget(ana, clock.now());
  expect(await allows()).toMatchObject({ type: 'refused', sentence: expect.stringContaining('not signed in') });
  await here.signsIn('U0ANA', 'ana');
  expect(await allows()).toMatchObject({ type: 'set', consent: { state: 'given', login: 'ana' } });
  await endThoseOfOthers(parts, ana, 'ben');
  expect(await parts.things.find(consents, as.id)).toMatchObject({ state: 'revoked' });
});
