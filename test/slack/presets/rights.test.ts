import { expect, test } from 'vitest';
import { changeable, mustChange } from '../../../src/slack/presets/rights.ts';
import { board } from '../../jobs/deciding.ts';
import { folder, storeIn } from '../../store/folder.ts';

const preset = {
  scope: 'channel',
  ...{ id: 'p1', team: 'T1', holder: 'C1', person: 'U0GUEST', operation: 'clone.create', name: 'qa' },
  ...{ inputs: {}, labels: {}, createdAt: 0, usedAt: 0, uses: 0, revision: 1, changedAt: 0 },
} as const;

test.each([
  ['guest', false],
  ['outsider', true],
] as const)('the preset of a %s for a channel may be changed by everybody in it: %s', async (standing, isTheirs) => {
  const here = await board(await storeIn(folder()));
  const people = { ...here.parts.people, standingOf: async () => standing };
  const desk = { ...here.parts, people, policy: { ...here.parts.policy, approvers: ['U0DEV'] } };
  const speaker = { team: 'T1', person: 'U0ANA', channel: 'C1' };
  expect((await changeable(desk, speaker, [preset])).has('p1')).toBe(isTheirs);
  const changes = mustChange(desk, speaker, preset).then(
    () => true,
    () => false,
  );
  expect(await changes).toBe(isTheirs);
  await here.end();
});
