import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Dolly } from '../../src/app/app.ts';
import type { Someone } from '../person.ts';
import { type World, world } from '../world.ts';
import { approvalChannel, approvalKeys, asksToDelete, clicks } from './approvals.ts';
import { comesToAnEnd } from './asking.ts';
import { quickLine, submitsClone } from './clones.ts';

/* Two bots on one PostgreSQL: what one of them knows, the other knows, and nothing is done twice. */

let earth: World;
let other: Dolly;
let ana: Someone;
let ben: Someone;
let dev: Someone;

beforeAll(async () => {
  earth = await world({ store: 'PostgreSQL', environment: approvalKeys });
  other = await earth.joins();
  ana = await earth.enters('Ana', 'ana');
  ben = await earth.enters('Ben', 'ben');
  dev = await earth.enters('Dev', 'dev');
});
afterAll(async () => {
  await other.stop();
  await earth.close();
});

test('a deletion that is approved while two bots share one store is sent once', async () => {
  const before = earth.writes().length;
  const { own, card } = await asksToDelete(earth, ana, '/db delete archive_2023', 'archive_2023');
  expect(await clicks(dev, card, 'Approve')).toContain('You approved it');
  expect(await comesToAnEnd(earth, own)).toContain('· Confirmed');
  expect(earth.writes().slice(before)).toHaveLength(1);
  expect(earth.replies(own)).toHaveLength(1);
  expect(earth.cards(approvalChannel)).toHaveLength(1);
});

test('of approvals that reach two bots at the same moment one counts, and each click gets one answer', async () => {
  const valueIn = (message: { channel: string; ts: string }) =>
    /"value":"(\{\\"j\\":[^}]*\})"/.exec(
      JSON.stringify(earth.playground.slack.messages(message.channel).find(({ ts }) => ts === message.ts)?.blocks),
    )?.[1] ?? '';
  const first = await asksToDelete(earth, ben, '/db project delete finance', 'finance');
  const old = valueIn(first.card);
  expect(await clicks(dev, first.card, 'Approve')).toContain('You approved it');
  await comesToAnEnd(earth, first.own);

  const before = earth.writes().length;
  const { own, card } = await asksToDelete(earth, ben, '/db project delete logistics', 'logistics');
  const now = valueIn(card);
  const answers = () =>
    [dev, ana].flatMap(someone => someone.messages(approvalChannel).filter(({ onlyFor }) => onlyFor === someone.id))
      .length;
  const count = answers();
  const asDev = (payload: string) => payload.replaceAll(old, now);
  // What comes again with the trigger of before is the same click, delivered again.
  const again = (payload: string) => asDev(payload).replace(/(?<="trigger_id":")[^"]+/, 'another');
  const asAna = (payload: string) => asDev(payload).replaceAll(dev.id, ana.id);
  const sent = await Promise.all([
    earth.replays('block_actions', asDev),
    earth.replays('block_actions', again, other),
    earth.replays('block_actions', asAna, other),
  ]);
  expect(sent.map(({ status }) => status)).toEqual([200, 200, 200]);
  await earth.until(() => answers() === count + 3, 'an answer to each');
  await comesToAnEnd(earth, own);
  expect(earth.text(own).match(/Approved by/g)).toHaveLength(1);
  expect(earth.writes().slice(before)).toHaveLength(1);
});

test('two bots on one store both keep the pause that Slack asked of one of them', async () => {
  const posts = () => earth.playground.slack.traffic().filter(({ what }) => what === 'chat.postMessage');
  earth.playground.slack.faults.add({ method: 'chat.postMessage', kind: 'rate-limit', retryAfter: 60 });
  const before = posts().length;
  await submitsClone(ana, '#databases', quickLine(3471), {});
  await earth.until(() => posts().length > before, 'the post that Slack refuses');
  await submitsClone(ben, '#databases', quickLine(3472), {});
  await earth.until(() => posts().length > before + 2, 'the messages of both');
  const [refused, ...others] = posts().slice(before);
  for (const { at } of others) expect(at - (refused?.at ?? 0)).toBeGreaterThanOrEqual(60_000);
});
