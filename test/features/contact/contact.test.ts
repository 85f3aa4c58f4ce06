import { expect, test } from 'vitest';
import { nextOfContact } from '../../../src/features/contact/nextOfContact.ts';
import { hour, minute } from '../../../src/ground/durations.ts';
import type { Contact } from '../../../src/jobs/slackContact.ts';

const now = Date.UTC(2026, 10, 20);
const until = now + 24 * hour;

function contact(change: Partial<Contact> = {}): Contact {
  const row = { id: 'contact T1', team: 'T1', person: '', revision: 3, plannedAt: null, waitsFor: null, endedAt: null };
  return { ...row, createdAt: now - hour, state: 'there', since: now - hour, lostAt: null, until, ...change };
}

test.each<[string, Partial<Contact>, boolean, object]>([
  ['looks again later while Slack answers', {}, true, { rest: now + 2 * minute }],
  [
    'notes a loss at the first look to which Slack does not answer',
    {},
    false,
    { changes: { state: 'lost', lostAt: now } },
  ],
  [
    'looks again later while Slack does not answer',
    { state: 'lost', lostAt: now - hour },
    false,
    { rest: now + 2 * minute },
  ],
  [
    'counts anew after a loss of more than ten minutes',
    { state: 'lost', lostAt: now - 11 * minute },
    true,
    { changes: { state: 'there', lostAt: null, since: now } },
  ],
  [
    'counts on after a loss of less than ten minutes',
    { state: 'lost', lostAt: now - 9 * minute },
    true,
    { changes: { state: 'there', lostAt: null } },
  ],
  [
    'counts from now on where the clock was set back behind its beginning',
    { since: now + hour },
    true,
    { changes: { since: now }, dueAt: now },
  ],
  [
    'counts anew after a loss that began ahead of the clock',
    { state: 'lost', lostAt: now + hour },
    true,
    { changes: { state: 'there', lostAt: null, since: now } },
  ],
  ['ends when nothing is promised any more', { until: now - hour }, true, { changes: { state: 'over', endedAt: now } }],
  [
    'does not end while Slack is away, since what was promised waits',
    { until: now - hour, state: 'lost', lostAt: now - 2 * hour },
    false,
    { rest: now + 2 * minute },
  ],
])('the watch over the contact with Slack knows since when Slack answers: it %s', (_, change, isThere, expected) => {
  expect(nextOfContact(contact(change), { now, isThere })).toEqual(expect.objectContaining(expected));
});
