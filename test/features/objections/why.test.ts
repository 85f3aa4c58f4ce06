import { describe, expect, onTestFinished, test } from 'vitest';
import { features } from '../../../src/app/features.ts';
import { allReactions } from '../../../src/app/listeners.ts';
import type { WholeDesk } from '../../../src/app/wholeDesk.ts';
import { buttonToAskWhy, whyView } from '../../../src/features/objections/why.ts';
import { second } from '../../../src/ground/durations.ts';
import { advance } from '../../../src/jobs/advance.ts';
import { lookAgain, stopLooking } from '../../../src/jobs/requesterActions.ts';
import { newInteraction } from '../../../src/slack/desk/interaction.ts';
import { doing } from '../../../src/slack/inbox/doing.ts';
import type { Job } from '../../../src/store/jobs/rows/job.ts';
import { folder, storeIn } from '../../store/folder.ts';
import { endBoard } from '../secondLooks/endBoard.ts';

const live = 'MARIADB_LIVE_SERVER-1';

/** A refresh of a record that stood in a state then, and stands in another one since, and shows nothing of the work itself. */
async function refreshed(was: object, is: object) {
  const values = { database: live };
  const here = await endBoard(await storeIn(folder()), {
    ...{ operation: 'database.refresh', target: live, values, steps: undefined },
  });
  onTestFinished(() => here.end());
  let first = {};
  here.edits.set(live, record => {
    if (Object.keys(first).length === 0) first = record;
    return { ...first, ...was };
  });
  await here.works(async () => (await here.read('plan-1')).state === 'running', here.parts);
  await here.passes(2 * second);
  here.edits.set(live, () => ({ ...first, ...is }));
  return { ...here, state: await here.ends(), job: () => here.read('plan-1') };
}
const doubted = () => refreshed({ state: 'BACKING_UP' }, { state: 'RUNNING', error: 'The disk is full.' });

const shown = (job: Job) => JSON.stringify(whyView(job)?.blocks);

describe('why a job ended', () => {
  test('“Why?” names the rule that ended a job and the caveat against it, and the trail does, too', async () => {
    const { state, job, trail } = await doubted();
    expect(state).toBe('finished');
    const text = shown(await job());
    const { row, caveat } = (await job()).evidence?.basis ?? {};
    expect([row, caveat]).toEqual([expect.stringContaining('failure'), 'other work was under way']);
    expect(text).toContain(`*What decided:* the rule “${row}”. The record shows a failure: The disk is full.`);
    expect(text).toContain(`*What speaks against it:* “${caveat}”.`);
    expect((await trail(20)).at(-1)).toMatch(
      /^finished dolly: [^.]*failure; other work was under way\. The record shows a failure: /i,
    );
    expect(buttonToAskWhy(await job())?.text.text).toBe('Why?');
  });

  test('“Why?” says what else a look saw, and when the time to look ran out', async () => {
    const busy = { state: 'REFRESHING', error: 'The disk is full.' };
    const { state, job } = await refreshed({ state: 'RUNNING' }, busy);
    expect(state).toBe('unconfirmed');
    const text = shown(await job());
    expect(text).toMatch(/\*The last look showed:\* the rule “[^”]*at work[^”]*”/);
    expect(text).toContain('My time to look ran out at ');
    expect(text).toMatch(/\*Lower rules that also see something:\* “[^”]*failure.*”\. The first one counts/);
    expect(text).toContain('nothing that I could find takes this end back');
  });

  test('an end that no look told has no “Why?”, though an earlier end had it', async () => {
    const { job, parts } = await doubted();
    await lookAgain(parts, await job());
    expect(buttonToAskWhy(await job())).toBeUndefined();
    await stopLooking(parts, await job());
    expect(await job()).toMatchObject({ state: 'unconfirmed', evidence: { error: 'The disk is full.' } });
    expect(buttonToAskWhy(await job())).toBeUndefined();
    expect(whyView(await job())).toBeUndefined();
  });

  test('“Why?” on an end that was taken back meanwhile answers that the job has moved on', async () => {
    const { job, parts } = await doubted();
    const desk: WholeDesk = JSON.parse('{}');
    const own: Readonly<Record<string, unknown>> = { ...parts };
    const whole = new Proxy(desk, { get: (_, name) => (typeof name === 'string' ? own[name] : undefined) });
    const { perform } = doing(
      whole,
      allReactions(features, () => undefined),
    );
    await advance(parts, await job(), { type: 'takenBack', reason: 'It works on.' });
    const click = newInteraction({
      ...{ team: 'T1', person: 'U0BEN', channel: 'C1', trigger: 'trigger', place: 'C1' },
      ...{ action: 'job.why', value: 'plan-1' },
    });
    expect((await perform(click, false))?.text).toBe('This job has moved on since. The message shows its status.');
  });
});
