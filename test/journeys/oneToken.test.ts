import type { MiddlewareHandler } from 'hono';
import { expect, test } from 'vitest';
import { minute } from '../../src/ground/durations.ts';
import { textOf } from '../sandbox/playground/blockText.ts';
import { world } from '../world.ts';
import { approvalKeys, asksToDelete } from './approvals.ts';
import { tells } from './talking.ts';

/* One Dolly whose configuration names its only token. */

test('a request that waits when Dolly is uninstalled is withdrawn, and people are told so on Dolly’s return', async () => {
  let isGone = false;
  const gone: MiddlewareHandler = async (c, next) =>
    isGone && c.req.path.startsWith('/api/') ? c.json({ ok: false, error: 'account_inactive' }) : next();
  const earth = await world({ environment: approvalKeys, slack: { middleware: gone }, handsOnStore: true });
  try {
    const dev = await earth.enters('Dev', 'dev');
    const ana = await earth.enters('Ana', 'ana');
    const { own } = await asksToDelete(earth, ana, '/db delete orders-3320', 'orders-3320');
    const states = async () => (await earth.store().selectFrom('jobs').select('state').execute()).map(one => one.state);
    // News that are not true end nothing.
    expect(await tells(earth, { type: 'app_uninstalled' })).toBe(200);
    await earth.clock.advance(minute);
    expect(await states()).toEqual(['awaiting']);
    isGone = true;
    expect(await tells(earth, { type: 'app_uninstalled' }, { event_id: 'Ev0TALKING2' })).toBe(200);
    await earth.until(async () => (await states()).every(state => state === 'withdrawn'), 'the end');
    expect(earth.text(own)).toContain('Waits for approval');
    await earth.clock.leap(3 * 60 * minute);
    await earth.stop();
    isGone = false;
    await earth.start();
    await earth.clock.advance(minute);
    await earth.until(() => earth.text(own).includes('Withdrawn'), 'the news');
    const back = await dev.reads('@dolly', 'I was not installed here');
    expect(textOf(back)).toMatch(/since .*, and started nothing in the meantime\./);
    expect(ana.messages('@dolly').some(({ text }) => text.includes('not installed here'))).toBe(true);
    expect(earth.writes().filter(({ path }) => path.includes('delete'))).toEqual([]);
  } finally {
    await earth.close();
  }
});
