import { describe, expect, test } from 'vitest';
import { parseIdentifier } from '../../src/api/identifiers.ts';
import { reader } from '../../src/jobs/records.ts';

describe('a record whose own answer shows no state', () => {
  const answers: Record<string, unknown> = {
    '/database/MYSQL_CLONE_SERVER-1': {
      ...{ id: 'MYSQL_CLONE_SERVER-1', name: 'orders-3310', port: 3310, updatedAt: '2026-11-21T09:00:00Z' },
      ...{ sourceDatabase: 'MYSQL_LIVE_SERVER-1', environment: 'HOST_ENVIRONMENT-2' },
    },
    '/database/list': [{ id: 'MYSQL_CLONE_SERVER-1', state: 'FAILED', error: 'no space left' }],
  };
  const id = parseIdentifier('MYSQL_CLONE_SERVER-1');
  if (!id) throw new Error('that is an identifier');

  test('has the state that its place in the list shows, and keeps all that it shows itself', async () => {
    const record = await reader(async ({ path }) => answers[path], {}).record(id);
    expect(record?.state).toEqual({ word: 'FAILED', class: 'failed' });
    expect(record?.error).toBe('no space left');
    expect(record?.name).toBe('orders-3310');
    expect(record?.port).toBe(3310);
    expect(record?.source?.id.text).toBe('MYSQL_LIVE_SERVER-1');
    expect(record?.environment?.id.text).toBe('HOST_ENVIRONMENT-2');
    expect(record?.times).toEqual({ updatedAt: Date.UTC(2026, 10, 21, 9) });
    expect(record?.values.map(({ path }) => path)).toEqual(['id', 'name', 'port', 'updatedAt', 'environment']);
    expect(record?.mentions.map(mention => mention.id.text)).toEqual(['MYSQL_LIVE_SERVER-1', 'HOST_ENVIRONMENT-2']);
  });
});
