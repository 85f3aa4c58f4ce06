import { describe, expect, test, vi } from 'vitest';
import { factOf } from '../../../src/jobs/approval/facts/fact.ts';
import { markStep } from '../../../src/jobs/plans/planFacts.ts';
import { stopClone } from '../../../src/operations/clones.ts';
import { batchNameOf } from '../../../src/operations/plans/batch.ts';
import { messageFaults } from '../../../src/sandbox/playground/blockkit.ts';
import type { Content } from '../../../src/slack/blocks/message.ts';
import { planCard, planMessage, planReply } from '../../../src/slack/messages/planMessage.ts';
import { isPlan, type JobState, type Plan } from '../../../src/store/jobs/rows/job.ts';
import type { JobRow } from '../../../src/store/jobs/rows/jobRow.ts';
import { approval, jobIn } from '../../jobs/jobIn.ts';

vi.mock('../../../src/operations/databases.ts', async original => {
  const actual = await original<typeof import('../../../src/operations/databases.ts')>();
  const { tearDown } = await import('../../jobs/plans/teardown.ts');
  return { ...actual, databaseOperations: [...actual.databaseOperations, tearDown] };
});

const stepsOf = (count: number, name = 'orders-dev') =>
  Array.from({ length: count }, (_, at) => ({
    operation: 'database.delete',
    values: { database: `MYSQL_CLONE_SERVER-${at + 1}` },
    labels: {},
    target: `MYSQL_CLONE_SERVER-${at + 1}`,
    targetName: `${name}-${at + 1}`,
  }));

function planIn(state: JobState, count: number, row: Partial<JobRow> = {}, name?: string): Plan {
  const plan = jobIn(state, {
    ...{ operation: 'database.testplan', steps: JSON.stringify(stepsOf(count, name)), step: 0, targetName: 'orders' },
    ...row,
  });
  if (!isPlan(plan)) throw new Error('it is no plan');
  return plan;
}
const ofStep = (step: number, state: JobState, row: Partial<JobRow> = {}) =>
  jobIn(state, { plan: 'job-1', step, targetName: `orders-dev-${step + 1}`, ...row });
const names = { db: '/db', clone: '/clone', restore: '/restore' };
const options = { part: 'card', hasGlass: false, asker: '*Ana*', names } as const;
/** What both forms of a message say. */
const textOf = ({ blocks, plain }: Content) => JSON.stringify([plain, blocks]).replaceAll('\\n', '\n');
const buttonsOf = ({ blocks }: Content) =>
  blocks
    .flatMap(block => (block.type === 'actions' ? block.elements : []))
    .flatMap(one => ('text' in one ? [one.text.text] : []));

describe('the message of a plan', () => {
  test('a running plan lists its steps with their states, and has the buttons of the step under way', () => {
    const jobs = [ofStep(0, 'succeeded'), ofStep(1, 'running')];
    const card = planCard({ plan: planIn('running', 3, { step: 1 }), jobs }, options);
    expect(textOf(card)).toContain('*Running a plan on orders* · 1 of 3 steps done. I’ll tell you at the end.');
    expect(textOf(card)).toMatch(
      /:white_check_mark: 1\. Deletion of orders-dev-1\n:hourglass_flowing_sand: \*2\. Deletion/,
    );
    expect(textOf(card)).toContain(':white_circle: 3. Deletion of orders-dev-3');
    expect(buttonsOf(card)).toEqual(['Check now', 'Stop checking', 'Stop after this step']);
  });

  test('a batch has the button Stop the rest as long as a request is not sent, whatever that waits for', () => {
    const steps = stepsOf(2).map(one => ({ ...one, operation: 'database.stop' }));
    const batch = planIn('running', 2, { operation: batchNameOf(stopClone), steps: JSON.stringify(steps) });
    const shown = (second: Partial<JobRow>, state: JobState = 'new') => {
      const jobs = [ofStep(0, 'succeeded'), ofStep(1, state, second)];
      return buttonsOf(planMessage({ plan: batch, jobs }, 'card', { asker: '*Ana*', names }));
    };
    expect(shown({ hold: 'busy' })).toContain('Stop the rest');
    expect(shown({ hold: 'sign-in' })).toContain('Stop the rest');
    expect(shown({}, 'running')).not.toContain('Stop the rest');
  });

  test('the message of a plan asks for the sign-in that a step waits for', () => {
    const jobs = [ofStep(0, 'new', { hold: 'sign-in' })];
    expect(buttonsOf(planCard({ plan: planIn('running', 2), jobs }, options))).toEqual([
      'Sign in',
      'Stop after this step',
    ]);
  });

  test('a plan whose step failed says what is done and what is not, and offers to go on from there', () => {
    const jobs = [ofStep(0, 'succeeded'), ofStep(1, 'failed', { reason: 'It is locked.' })];
    const plan = planIn('failed', 4, {
      step: 1,
      reason: 'Step 2 of 4 (Deletion of orders-dev-2) failed: It is locked.',
    });
    const card = planCard({ plan, jobs }, options);
    expect(textOf(card)).toContain('1 step is done. 2 steps were not begun.');
    expect(textOf(card)).toContain(':x: 2. Deletion of orders-dev-2 · Failed');
    expect(buttonsOf(card)).toEqual(['Go on from here', 'Change and ask again']);
    const reply = planReply({ plan, jobs }, names);
    expect(textOf(reply)).toContain('<@U1> *Plan of a test of orders* · failed');
    expect(textOf(reply)).toContain('Once you have dealt with it, choose *Go on from here*.');
  });

  test.each<[string, JobState, Partial<JobRow>, string | undefined]>([
    ['failed', 'failed', {}, 'orders-dev-1 is deleted, and was not made again'],
    ['unconfirmed', 'unconfirmed', {}, 'orders-dev-1 is deleted, and no record shows that it was made again'],
    // Its record is there, though it does not show whether it is whole.
    ['finished', 'finished', { claimed: 'MYSQL_CLONE_SERVER-9' }, undefined],
    ['unconfirmed', 'unconfirmed', { claimed: 'MYSQL_CLONE_SERVER-9' }, undefined],
    ['withdrawn', 'running', {}, undefined],
  ])(
    'a renewal that is %s while the making of its clone is %s (%o) says whether the clone is lost',
    (state, made, row, lost) => {
      const values = { sourceDatabase: 'MYSQL_LIVE_SERVER-1', cloneType: 'VIRTUALCLONE', port: 3310 };
      const making = {
        operation: 'clone.create',
        values,
        labels: {},
        target: 'MYSQL_LIVE_SERVER-1',
        targetName: 'orders',
      };
      const steps = JSON.stringify([...stepsOf(1), making]);
      const plan = planIn(state === 'withdrawn' ? state : made, 2, { steps, step: 1 });
      const child = {
        operation: 'clone.create',
        inputs: JSON.stringify(values),
        target: 'MYSQL_LIVE_SERVER-1',
        ...row,
      };
      const jobs = [ofStep(0, 'succeeded'), ofStep(1, made, child)];
      const card = planCard({ plan, jobs }, options);
      expect(textOf(card)).toMatch(/:white_check_mark: 1\. Deletion of orders-dev-1\n.*2\. Virtual clone of orders/);
      expect(textOf(card)).toContain('1 step is done.');
      for (const content of [card, planReply({ plan, jobs }, names)])
        if (lost === undefined) expect(textOf(content)).not.toContain('is deleted');
        else expect(textOf(content)).toContain(lost);
    },
  );

  test('the button to go on with a plan carries how many of its jobs the person saw', () => {
    const jobs = [ofStep(0, 'failed'), ofStep(0, 'failed')];
    expect(textOf(planCard({ plan: planIn('failed', 2), jobs }, options))).toContain('{\\"j\\":\\"job-1\\",\\"n\\":2}');
  });

  test('a plan that was never begun, or has no step left, does not offer to go on', () => {
    const refused = planIn('failed', 2, { sentAt: null, deadlineAt: null });
    expect(buttonsOf(planCard({ plan: refused, jobs: [] }, options))).toEqual(['Change and ask again']);
    const last = planIn('finished', 2, { step: 1 });
    const jobs = [ofStep(0, 'succeeded'), ofStep(1, 'finished')];
    expect(buttonsOf(planCard({ plan: last, jobs }, options))).toEqual(['Check now', 'Change and ask again']);
  });

  test('a plan that waits for approval names every step and its target', () => {
    const facts = markStep([factOf('environment', 'dev'), factOf('beware', 'It looks like orders.', '')], 1);
    const plan = planIn('awaiting', 3, { ...approval, facts: JSON.stringify(facts) });
    const card = planCard({ plan, jobs: [] }, options);
    expect(textOf(card)).toContain('asks to *run a plan on orders* (3 steps)');
    expect(textOf(card)).toContain(
      '2. Deletion of orders-dev-2 (clone on *dev*) :warning: *Beware*: It looks like orders.',
    );
  });

  test('the message of a plan fits into Slack with 250 steps and hostile names, whatever its state', () => {
    const name = '<!channel> *`_~& \u202e🐑'.repeat(20).slice(0, 200);
    const facts = Array.from({ length: 250 }, (_, at) => markStep([factOf('environment', 'e'.repeat(200))], at)).flat();
    const long = { reason: 'r'.repeat(4_000) };
    for (const state of [
      'new',
      'awaiting',
      'approved',
      'running',
      'succeeded',
      'finished',
      'failed',
      'unconfirmed',
      'withdrawn',
      'void',
      'denied',
      'expired',
    ] as const) {
      const approved = ['awaiting', 'approved', 'void', 'denied'].includes(state)
        ? { ...approval, facts: JSON.stringify(facts) }
        : {};
      for (const step of [0, 120, 249]) {
        const plan = planIn(state, 250, { step, ...approved, ...(state === 'awaiting' ? {} : long) }, name);
        const jobs = Array.from({ length: step + 1 }, (_, at) =>
          ofStep(at, at === step ? 'failed' : 'succeeded', { ...long, targetName: name }),
        );
        for (const content of [planCard({ plan, jobs }, options), planReply({ plan, jobs }, names)]) {
          expect(messageFaults(content.blocks)).toEqual([]);
          expect(messageFaults(content.plain ?? [])).toEqual([]);
          expect(JSON.stringify(content.blocks).length).toBeLessThan(40_000);
        }
      }
    }
    const counted = planCard({ plan: planIn('running', 250, { step: 120 }), jobs: [ofStep(120, 'running')] }, options);
    expect(textOf(counted)).toContain(':white_check_mark: 116 steps before these');
    expect(textOf(counted)).toContain(':white_circle: 124 steps after these');
  });

  test.each([
    ['long names', 'a-database-with-quite-a-long-name', ''],
    ['deceptive names', 'orders', 'It looks like the name of others, and of many more.'],
  ])('a plan of 250 steps with %s can be approved, whatever else its card says', (_, name, beware) => {
    const facts = stepsOf(250).flatMap((_step, at) => markStep([factOf('beware', beware, '')], at));
    const inputs = JSON.stringify({ database: 'MYSQL_LIVE_SERVER-1', leaveOut: 'MYSQL_CLONE_SERVER-1 '.repeat(100) });
    const row = { ...approval, inputs, purpose: 'p'.repeat(500) };
    const plan = planIn('awaiting', 250, { ...row, facts: JSON.stringify(beware === '' ? [] : facts) }, name);
    const card = planCard({ plan, jobs: [] }, options);
    expect(messageFaults(card.blocks)).toEqual([]);
    expect(buttonsOf(card)).toEqual(['Read all and decide…', 'Deny…', 'Withdraw']);
    expect(textOf(card)).toContain('1. Deletion of ');
    if (beware !== '') expect(textOf(card)).toContain(':warning:');
  });

  test('the message of a plan counts steps that are not confirmed apart from those that are done', () => {
    const jobs = [ofStep(0, 'succeeded'), ofStep(1, 'unconfirmed'), ofStep(2, 'finished'), ofStep(20, 'running')];
    const card = textOf(planCard({ plan: planIn('running', 30, { step: 20 }), jobs }, options));
    expect(card).toContain(':grey_question: 16 steps before these · 2 not confirmed');
    expect(card).not.toContain(':white_check_mark: 16 steps');
  });

  test('a plan whose last step is confirmed and an earlier one is not offers only to ask again', () => {
    const jobs = [ofStep(0, 'unconfirmed'), ofStep(1, 'succeeded')];
    expect(buttonsOf(planCard({ plan: planIn('finished', 2, { step: 1 }), jobs }, options))).toEqual([
      'Change and ask again',
    ]);
  });
});
