import { expect, onTestFinished, test, vi } from 'vitest';
import { consentOf, consents, decided } from '../../../src/features/workflows/consent/consent.ts';
import { executionIdOf, executions, newExecution } from '../../../src/features/workflows/execution.ts';
import { lookAtJob } from '../../../src/features/workflows/runningStep.ts';
import { planBoard } from '../../jobs/plans/board.ts';
import { folder, storeIn } from '../../store/folder.ts';
import { aConsent } from './aConsent.ts';

vi.mock('../../../src/operations/databases.ts', async original => {
  const actual = await original<typeof import('../../../src/operations/databases.ts')>();
  const { tearDown } = await import('../../jobs/plans/teardown.ts');
  return { ...actual, databaseOperations: [...actual.databaseOperations, tearDown] };
});

const asked = {
  ...{ team: 'T1', execution: 'Fx1', run: 'Wx1', step: 'back_up', person: 'U0ANA', declared: ['outcome'] },
  ...{ inputs: {}, createdAt: 1_000, deadlineAt: 9_000 },
} as const;

test('a workflow step’s plan begins nothing further once its consent is taken back, and what was sent goes on', async () => {
  const execution = executionIdOf(asked);
  const here = await planBoard(await storeIn(folder()), { execution }, { rules: [{ decision: 'allow' }] });
  onTestFinished(() => here.end());
  const { things } = here.parts;
  const consent = aConsent({ id: 'digest-1', person: 'U0ANA' });
  const running = { state: 'running', consent: consent.id, waitsFor: consentOf(consent.id), job: 'plan-1' } as const;
  await things.act(consents, consent.id, () => ({ as: consent }), 1_000);
  await things.act(executions, execution, () => ({ as: { ...newExecution(asked), ...running } }), 1_000);
  const looks = async () => {
    const found = await things.find(executions, execution);
    return found && lookAtJob({ ...here.parts, workspace: async () => 'https://a.example' }, found, 'plan-1');
  };
  await here.works(async () => (await here.steps()).includes('0 running'));
  expect(await looks()).toEqual({ saw: 'work' });
  expect((await here.plan()).state).toBe('running');
  await things.act(
    consents,
    consent.id,
    given => given && { ...decided(given, 'revoked', 2_000), trail: { event: 'consent revoked' } },
    2_000,
  );
  await looks();
  expect(await here.plan()).toMatchObject({
    state: 'withdrawn',
    reason: expect.stringMatching(/consent for this workflow has ended\. Step 1 of 2 .*I start nothing further\./),
  });
  // It may have ended by its time: the trail names nobody who withdrew it.
  const { entries } = await here.parts.audit.read('T1', { words: ['withdrawn'] }, 5);
  expect(entries.map(({ actor }) => actor)).toEqual(['dolly']);
  await here.works(async () => (await here.steps()).includes('0 succeeded'));
  expect(await here.steps()).toEqual(['0 succeeded']);
  expect(here.written()).toHaveLength(1);
});
