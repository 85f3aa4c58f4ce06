import { afterEach, beforeEach, expect, test } from 'vitest';
import { hour, minute, second } from '../../src/ground/durations.ts';
import { outboxIn } from '../../src/store/tables/outbox.ts';
import type { NewNotice } from '../../src/store/tables/outboxRows.ts';
import { type Someone, textOf } from '../person.ts';
import { few } from '../whole.ts';
import { type World, world } from '../world.ts';
import { approvalKeys } from './approvals.ts';
import { confirms } from './asking.ts';
import { quickLine, submitsClone } from './clones.ts';

/*
 * Slack refuses each kind of post, with each of its words, for a short and for a long time: all is told in the end, and
 * once. A job's message, its reply and its card are asked for as people do; the other kinds are put into the outbox.
 */

const words = [
  'not_in_channel',
  'channel_not_found',
  'is_archived',
  'restricted_action',
  'msg_too_long',
  'ratelimited',
  'internal_error',
  'token_revoked',
  'no_permission',
] as const;
const times = { '40 s': 40 * second, '10 minutes': 10 * minute, '3 hours': 3 * hour } as const;

const databases = 'C0DATABASE';
const ana = 'U0ANA00001';
const name = 'shop-kept';

/** A notice of each kind, as its cause writes it, and the words by which its message is known. */
const kinds = {
  'lease warning': {
    kind: 'lease',
    to: { person: ana },
    data: { what: 'warned', record: 'MYSQL_CLONE_SERVER-90', name, person: ana, endsAt: Date.UTC(2027, 0, 1) },
    says: `${name} is kept`,
  },
  'schedule notice': {
    kind: 'schedule',
    to: { channel: databases, person: ana },
    data: {
      what: 'missed',
      operation: 'database.backup',
      target: 'MYSQL_LIVE_SERVER-3',
      targetName: 'shop',
      person: ana,
    },
    says: 'the run was skipped',
  },
  'line of a day': {
    kind: 'schedule',
    to: { channel: databases },
    data: { what: 'daily', counts: { well: 7, failed: 1, open: 0, left: 0 }, until: Date.UTC(2026, 10, 21) },
    says: '7 of the scheduled runs went well',
  },
  report: {
    kind: 'report',
    to: { channel: databases, person: ana },
    data: { fault: 'The lists were too long.', person: ana },
    says: 'The lists were too long',
  },
  alert: {
    kind: 'alert',
    to: { channel: databases, person: ana },
    data: { what: 'off', by: ana },
    says: 'turned the alerts of this channel off',
  },
  'workflow question': {
    kind: 'consent',
    to: { person: ana },
    data: { what: 'signed out', workflow: 'Nightly', title: 'Back up' },
    says: 'Nightly',
  },
  'account news': {
    kind: 'account',
    to: { channel: approvalKeys.APPROVAL_CHANNEL },
    data: { username: 'robot', why: 'It is locked.' },
    says: 'It is locked',
  },
} as const;

let earth: World;
let person: Someone;
/** How far the machine's clock is off, in milliseconds. */
let skew = 0;

beforeEach(async () => {
  skew = 0;
  earth = await world({ environment: approvalKeys, handsOnStore: true, skew: () => skew });
  person = await earth.enters('Ana', 'ana');
});
afterEach(() => earth.close());

/** What is told of the jobs that people ask for: the messages are drawn when they are told. */
const ofJobs = {
  'message of a job': '^:white_check_mark: shop-3401 is ready',
  reply: `^:white_check_mark: <@${ana}> shop-3401 is ready`,
  'approval card': '^:lock: ana asks to delete the project finance',
} as const;
const all = [...Object.entries(ofJobs), ...Object.entries(kinds).map(([id, { says }]) => [id, says] as const)];

/** How often each kind stands somewhere, in what the bot said. */
function told(): Record<string, number> {
  const { slack } = earth.playground;
  const texts = slack.workspace.channels
    .flatMap(({ id }) => slack.messages(id))
    .filter(({ user }) => user === slack.workspace.app.botUser)
    .map(message => textOf(message).replaceAll('*', ''));
  return Object.fromEntries(
    all.map(([kind, says]) => [kind, texts.filter(text => new RegExp(says).test(text)).length]),
  );
}

/** Every other word meets one time and one wrong clock; in `npm run whole` each meets all. */
const clocks = { 'a right clock': 0, 'a clock set 5 h ahead': 5 * hour, 'a clock set 5 h back': -5 * hour } as const;
const matrix = words.flatMap((word, at) =>
  Object.entries(times).flatMap(([span, time], row) =>
    Object.entries(clocks).map(([clock, off], column) => {
      return {
        word,
        span,
        time,
        clock,
        off,
        isShort: at % 2 === 0 && row === at % 3 && column === Math.floor(at / 3 + at) % 3,
      };
    }),
  ),
);
const cases = few(matrix, ({ isShort }) => isShort);

test.each(cases)(
  'while Slack refuses posts with $word for $span, under $clock, each kind of post is told in the end, once',
  async ({ word, time, off }) => {
    const { faults } = earth.playground.slack;
    for (const method of ['chat.postMessage', 'chat.postEphemeral'])
      faults.add({ method, kind: 'refuse', word, times: 1_000_000 });
    const now = earth.clock.now();
    const notices = Object.entries(kinds).map(([id, { kind, to, data }]): NewNotice => {
      return { id, subject: id, team: 'T0PLAYGRND', createdAt: now, isNews: true, kind, to, data };
    });
    await outboxIn(earth.store()).add(notices);
    await submitsClone(person, '#databases', quickLine(3401), {});
    await person.types('#databases', '/db project delete finance');
    await confirms(person, 'finance');
    // Of the long time, a machine that sleeps between the tries sees enough.
    await earth.clock.advance(Math.min(time, 2 * minute));
    skew = off;
    while (earth.clock.now() < now + time) {
      await earth.clock.leap(10 * minute);
      await earth.clock.advance(10 * second);
    }
    expect(Object.values(told())).toEqual(all.map(() => 0));
    faults.clear();
    // The longest pause between two tries is five minutes.
    await earth.clock.advance(10 * second);
    skew = 0;
    await earth.clock.leap(5 * minute);
    await earth.clock.advance(minute);
    const { 'approval card': cards, ...others } = told();
    expect(others).toEqual(Object.fromEntries(Object.keys(others).map(kind => [kind, 1])));
    // Beside the job's own message there is one in the channel for approvals.
    expect(cards).toBeGreaterThanOrEqual(1);
    expect(cards).toBeLessThanOrEqual(2);
  },
);
