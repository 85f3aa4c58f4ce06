import { afterEach, beforeEach, expect, test } from 'vitest';
import { hour, minute, second } from '../../src/ground/durations.ts';
import { outboxIn } from '../../src/store/tables/outbox.ts';
import type { NewNotice } from '../../src/store/tables/outboxRows.ts';
import { textOf } from '../person.ts';
import { type World, world } from '../world.ts';
import { approvalKeys } from './approvals.ts';

/* What Slack did not take for a while: what ended meanwhile comes in one message, and the latest report alone. */

let earth: World;

beforeEach(async () => {
  earth = await world({ environment: approvalKeys, handsOnStore: true });
  await earth.enters('Ana', 'ana');
});
afterEach(() => earth.close());

const databases = 'C0DATABASE';
const ana = 'U0ANA00001';
const team = 'T0PLAYGRND';

type Told = Pick<NewNotice, 'id' | 'kind' | 'data' | 'to'> & Readonly<{ subject?: string; isNews?: boolean }>;
const add = ({ subject, ...notice }: Told) =>
  outboxIn(earth.store()).add([{ team, createdAt: earth.clock.now(), ...notice, subject: subject ?? notice.id }]);

const refuses = (word: string, channel?: string) =>
  earth.playground.slack.faults.add({
    ...{ method: 'chat.postMessage', kind: 'refuse', word, times: 1_000_000 },
    ...(channel === undefined ? {} : { channel }),
  });

/** Passes a time, at whose end all that waits is tried. */
async function sleeps(time: number): Promise<void> {
  await earth.clock.leap(time);
  await earth.clock.advance(20 * second);
}

const said = (channel: string) =>
  earth.playground.slack
    .messages(channel)
    .filter(({ user }) => user === earth.playground.slack.workspace.app.botUser)
    .map(message => textOf(message).replaceAll('*', ''));

/** Adds the message about an incident, to a channel with a person beside it. */
function addAlert(id: string, person: string) {
  const item = { record: person, name: null, kind: 'signIn', place: 'sign-in', since: 1, words: 'is signed out' };
  const counts = { signIn: { all: 1, left: 1 } };
  const about = { what: 'incident', incident: id, place: 'sign-in', placeName: null, counts };
  const data = { ...about, items: [{ ...item, endedAt: null }] };
  return add({ id, kind: 'alert', to: { channel: databases, person }, data });
}

test('alerts that ended before they could be posted go to their persons where the channel takes nothing', async () => {
  refuses('internal_error');
  const beside = { one: ana, two: 'U0BEN00001' };
  for (const [id, person] of Object.entries(beside)) await addAlert(id, person);
  await earth.clock.advance(5 * second);
  for (const id of Object.keys(beside))
    await outboxIn(earth.store()).close(id, { outcome: `It is over with ${id}.`, now: earth.clock.now() });
  earth.playground.slack.faults.clear();
  refuses('not_in_channel', databases);
  await sleeps(6 * minute);
  const { channels } = earth.playground.slack.workspace;
  const told = Object.values(beside).map(person => {
    const own = channels.filter(({ id, members }) => id.startsWith('D') && members.includes(person));
    return own.flatMap(({ id }) => said(id)).filter(text => text.includes('It is over'));
  });
  expect(told).toEqual([[expect.stringContaining('over with one')], [expect.stringContaining('over with two')]]);
});

test('alerts that came and ended while Slack was away stand in one message, and one that goes on in its own', async () => {
  refuses('internal_error');
  for (const id of ['one', 'two', 'three', 'four']) await addAlert(id, ana);
  await earth.clock.advance(5 * second);
  for (const id of ['one', 'two', 'three'])
    await outboxIn(earth.store()).close(id, { outcome: `It is over with ${id}.`, now: earth.clock.now() });
  await sleeps(hour);
  expect(said(databases)).toEqual([]);
  earth.playground.slack.faults.clear();
  await sleeps(6 * minute);
  const all = said(databases);
  expect(all).toHaveLength(2);
  const digest = all.find(text => text.includes('These 3 began and ended before I could post it here')) ?? '';
  for (const id of ['one', 'two', 'three']) expect(digest).toContain(`It is over with ${id}`);
  expect(all.filter(text => text !== digest).join()).not.toContain('It is over');
});

test('a later report replaces the reports that could not be posted, and says so', async () => {
  const report = (id: string) =>
    add({
      ...{ id, subject: 'daily', kind: 'report', isNews: true, to: { channel: databases, person: ana } },
      data: { fault: `The lists of ${id} were too long.`, person: ana },
    });
  await report('Monday');
  await earth.clock.advance(20 * second);
  refuses('internal_error');
  for (const id of ['Tuesday', 'Wednesday', 'Thursday']) {
    await report(id);
    await sleeps(hour);
  }
  earth.playground.slack.faults.clear();
  await sleeps(6 * minute);
  const all = said(databases);
  expect(all.map(text => /Monday|Tuesday|Wednesday|Thursday/.exec(text)?.[0])).toEqual(['Monday', 'Thursday']);
  expect(all[1]).toContain('The 2 before it could not be posted here, and this one replaces them.');
});

test('a notice that is for a channel alone goes to one approver where the channel takes nothing', async () => {
  const { APPROVAL_CHANNEL: channel } = approvalKeys;
  refuses('not_in_channel', channel);
  await add({ id: 'news', kind: 'account', data: { username: 'robot', why: 'It is locked.' }, to: { channel } });
  await earth.clock.advance(20 * second);
  const direct = earth.playground.slack.workspace.channels.map(({ id }) => id).filter(id => id.startsWith('D'));
  const told = direct.flatMap(said).filter(text => text.includes('It is locked'));
  expect(told).toHaveLength(1);
  expect(told[0]).toContain('I am not in this channel');
});
