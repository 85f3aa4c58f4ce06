import { expect, test } from 'vitest';
import { z } from 'zod';
import { readList } from '../../../src/api/reading/recordList.ts';
import { auditPage } from '../../../src/slack/audit/auditPage.ts';
import { readQuery } from '../../../src/slack/audit/auditQuery.ts';
import { recordList } from '../../../src/slack/records/listMessage.ts';

/* A button carries 2,000 characters. What a person typed is carried whole, or they are told to shorten it. */

const Elements = z.object({
  elements: z.array(z.object({ action_id: z.string(), value: z.string().default('null') })),
});

/** The values of a message's buttons whose ids begin like this. */
function valuesOf(blocks: readonly unknown[], id: string): unknown[] {
  const buttons = blocks.flatMap(block => Elements.safeParse(block).data?.elements ?? []);
  return buttons.filter(({ action_id }) => action_id.startsWith(id)).map(({ value }) => JSON.parse(value));
}

const { records } = readList(
  Array.from({ length: 75 }, (_, index) => ({ id: `MYSQL_LIVE_SERVER-${index + 1}`, name: `orders-${index + 1}` })),
  ['live'],
);

function listOf(query: string) {
  const nouns = ['live', 'clone'] as const;
  return recordList(records, {
    words: query.split(' '),
    page: 0,
    query,
    cut: false,
    operation: 'database.list',
    nouns,
    now: 0,
  });
}

test('the button to the next page of a list carries a long query whole', () => {
  const query = 'o'.repeat(1_600);
  expect(valuesOf(listOf(query).blocks, 'list.page')).toEqual([{ o: 'database.list', q: query, p: 1, s: 50 }]);
});

test.each([['o'.repeat(2_000)], ['"'.repeat(1_500)]])(
  'a list whose search words no button can carry says so, and has no button to turn it (%#)',
  query => {
    const { text, blocks } = listOf(query);
    expect(valuesOf(blocks, 'list.page')).toEqual([]);
    expect(text).toContain('Use fewer words to see the other pages');
  },
);

test('a long query of the audit trail is carried whole by its buttons, or refused as too long', () => {
  const entry = {
    ...{ id: 'e1', at: 0, team: 'T1', actor: 'dolly', person: null, login: null, event: 'sent', operation: null },
    ...{ target: null, targetName: null, detail: null, job: null, channel: null },
  };
  for (const query of ['o'.repeat(1_500), '"'.repeat(1_400), '\\'.repeat(1_400)]) {
    const shown = () =>
      auditPage([entry], {
        ...{
          query,
          filter: readQuery(query, 0, { person: 'U1', isForAll: true }),
          hasNewer: true,
          hasOlder: true,
          days: 400,
        },
        zone: 'UTC',
      });
    let blocks: readonly unknown[] = [];
    try {
      blocks = shown().blocks;
    } catch (error) {
      expect(error).toMatchObject({ message: expect.stringContaining('too long') });
      continue;
    }
    expect(valuesOf(blocks, 'audit.').map(value => z.object({ q: z.string() }).parse(value).q)).toEqual([
      ...Array.from({ length: 4 }, () => query),
    ]);
  }
});
