import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { features } from '../../src/app/features.ts';
import { allSubmissions } from '../../src/app/listeners.ts';
import { recordOf } from '../../src/sandbox/playground/json.ts';
import type { Someone } from '../person.ts';
import { type World, world } from '../world.ts';
import { done } from './anyModal.ts';
import { trail } from './attacking.ts';
import { opensForm, quickLine } from './clones.ts';

/*
 * What holds for every modal that people submit, whatever it asks. The requests are signed as Slack signs them. One modal
 * is the test's own: it does what is typed into it.
 */
vi.mock('../../src/features/leases/leaseForms.ts', async original => {
  const actual = await original<typeof import('../../src/features/leases/leaseForms.ts')>();
  const { anySubmission } = await import('./anyModal.ts');
  return { ...actual, keepSubmission: anySubmission };
});

let earth: World;
let ana: Someone;
let views = 0;
/** What Slack says of people besides what the playground does. */
let standing: object = {};

beforeAll(async () => {
  earth = await world({
    slack: {
      middleware: async (c, next) => {
        await next();
        if (c.req.path !== '/api/users.info') return;
        const told = recordOf(await c.res.json());
        c.res = Response.json({ ...told, user: { ...recordOf(told.user), ...standing } });
      },
    },
  });
  ana = await earth.enters('Ana', 'ana');
  // Slack's own submission is the pattern of all others.
  await opensForm(ana, '#databases', quickLine(3401));
  await ana.fills({ port: 0 });
  await ana.submits();
  await ana.cancels();
});
afterAll(() => earth.close());
beforeEach(() => {
  Object.assign(done, { submitted: 0, after: 0, go: Promise.withResolvers<void>() });
});

type Forged = Readonly<{
  id?: string;
  carried?: string;
  view?: string;
  blocks?: readonly object[];
  state?: unknown;
  act?: string;
}>;

/** A submission of a new view as Slack would send it. `act` is what the test's own modal is to do. */
function submits({ id = 'lease', carried = '{"channel":"C1"}', view, blocks, state, act = '' }: Forged = {}) {
  const element = { type: 'plain_text_input', action_id: 'value' };
  const typed = { values: { act: { value: { type: 'plain_text_input', value: act } } } };
  return earth.replays('view_submission', payload => {
    const body = recordOf(JSON.parse(payload));
    const changed = {
      ...recordOf(body.view),
      ...{ id: view ?? `V-${++views}`, callback_id: id, private_metadata: carried },
      ...{ blocks: blocks ?? [{ type: 'input', block_id: 'act', element }], state: state ?? typed },
    };
    return JSON.stringify({ ...body, view: changed });
  });
}

/** Slack's next view, or what stands at the fields. */
const answered = async (response: Promise<Response>) => recordOf(await (await response).json());

describe('a submission of any modal', () => {
  const all = [...allSubmissions(features).map(({ id }) => id), 'clone.dance', 'dance', ''];

  test.each(all)('a submitted modal that this release did not draw (%s) does nothing, and says so', async id => {
    const before = earth.writes().length;
    const answer = await answered(submits({ id, carried: '{"strange":true}', state: { values: {} } }));
    expect(answer).toMatchObject({ response_action: 'update' });
    expect(JSON.stringify(answer)).toContain('You opened this form in an older version of Dolly.');
    expect(earth.writes()).toHaveLength(before);
  });

  test.each(all)('a guest’s submitted modal (%s) is turned away before it is read', async id => {
    standing = { is_restricted: true };
    await earth.clock.advance(11 * 60_000);
    const answer = await answered(submits({ id, act: 'closes' }));
    standing = {};
    await earth.clock.advance(11 * 60_000);
    expect(JSON.stringify(answer)).toContain('Guests of this workspace cannot use me');
    expect(done.submitted).toBe(0);
  });

  test('a submitted modal that was turned away stands in the audit trail', async () => {
    await answered(submits({ id: 'dance' }));
    expect((await trail(earth, 1))[0]).toBe(`refused ${ana.id}: dance: there is no such form`);
  });

  test.each([{}, { values: null }, { values: { act: 7 } }, 'text', null])(
    'a submitted modal with the state %j is answered',
    async state => {
      const answer = await answered(submits({ state }));
      expect(['update', 'errors']).toContain(answer.response_action);
    },
  );
});

describe('what a modal does', () => {
  test('a modal whose work fails says so in one sentence, without quoting the defect', async () => {
    expect(await answered(submits({ act: 'throws' }))).toEqual({
      response_action: 'errors',
      errors: { act: 'Something went wrong inside Dolly. The log has the details.' },
    });
    expect(await answered(submits({ act: 'throws', blocks: [], state: { values: {} } }))).toMatchObject({
      response_action: 'update',
    });
  });

  test('a modal’s error for a field that it lacks stands at one that it has, within Slack’s limit', async () => {
    const { errors } = await answered(submits({ act: 'faults elsewhere' }));
    expect(Object.keys(recordOf(errors))).toEqual(['act']);
    expect(String(recordOf(errors).act)).toHaveLength(250);
  });

  test('a modal whose work takes long is answered in time, and its work is done all the same', async () => {
    const sent = submits({ act: 'waits and keeps', view: 'V-slow' });
    await vi.waitFor(() => expect(done.submitted).toBe(1));
    await earth.clock.advance(2_600);
    const { errors } = await answered(sent);
    expect(String(recordOf(errors).act)).toContain('I do not know yet whether I saved it');
    const told = ana.messages('@dolly').length + ana.messages('#databases').length;
    done.go.resolve();
    await earth.until(() => ana.messages('@dolly').length + ana.messages('#databases').length > told, 'the answer');
    // The second try finds that it is done.
    expect(await answered(submits({ act: 'waits and keeps', view: 'V-slow' }))).toEqual({ response_action: 'clear' });
    await earth.clock.advance(60_000);
    expect((await trail(earth, 5)).filter(entry => entry.includes('deny: there is no such request'))).toHaveLength(1);
  });

  test('a submission that is delivered twice at once is done once, and both deliveries are answered', async () => {
    const both = [submits({ act: 'waits', view: 'V-twice' }), submits({ act: 'waits', view: 'V-twice' })];
    await vi.waitFor(() => expect(done.submitted).toBe(1));
    done.go.resolve();
    expect(await Promise.all(both.map(answered))).toEqual(both.map(() => ({ response_action: 'clear' })));
    expect(done.submitted).toBe(1);
  });

  test('a kept submission is done once, even if it is delivered again later or after a restart', async () => {
    const before = ana.messages('@dolly').length;
    expect(await answered(submits({ act: 'keeps', view: 'V-kept' }))).toEqual({ response_action: 'clear' });
    await earth.until(() => ana.messages('@dolly').length > before, 'the answer');
    await earth.clock.advance(60_000);
    expect(await answered(submits({ act: 'keeps', view: 'V-kept' }))).toEqual({ response_action: 'clear' });
    await earth.restart();
    expect(await answered(submits({ act: 'keeps', view: 'V-kept' }))).toEqual({ response_action: 'clear' });
    await earth.clock.advance(60_000);
    expect(ana.messages('@dolly')).toHaveLength(before + 1);
  });

  test('what a modal does after its answer is done once', async () => {
    const answer = await answered(submits({ act: 'shows' }));
    expect(answer).toMatchObject({ response_action: 'update', view: { type: 'modal' } });
    await vi.waitFor(() => expect(done.after).toBe(1));
  });
});
