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
  ['rests while Slack answers', {}, true, { rest: now + 2 * minute }],
  ['notes the first look in vain', {}, false, { changes: { state: 'lost', lostAt: now } }],
  ['rests while Slack does not answer', { state: 'lost', lostAt: now - hour }, false, { rest: now + 2 * minute }],
  [
    'counts anew after a long loss',
    { state: 'lost', lostAt: now - 11 * minute },
    true,
    { changes: { state: 'there', lostAt: null, since: now } },
  ],
  [
    'counts on after a short one',
    { state: 'lost', lostAt: now - 9 * minute },
    true,
    { changes: { state: 'there', lostAt: null } },
  ],
  [
    'counts from now on where the clock was set back behind the beginning, and looks at once',
    { since: now + hour },
    true,
    { changes: { since: now }, dueAt: now },
  ],
  [
    'counts anew after a loss that began ahead of the clock: nobody knows how long it was',
    { state: 'lost', lostAt: now + hour },
    true,
    { changes: { state: 'there', lostAt: null, since: now } },
  ],
  ['ends when nothing is promised any more', { until: now - hour }, true, { changes: { state: 'over', endedAt: now } }],
  [
    'does not end while it is lost: what was promised waits for its return',
    { until: now - hour, state: 'lost', lostAt: now - 2 * hour },
    false,
    { rest: now + 2 * minute },
  ],
])('%s', (_, change, isThere, expected) => {
  expect(nextOfContact(contact(change), { now, isThere })).toEqual(expect.objectContaining(expected));
});
