import type { NewNotice } from '../../../src/store/tables/outboxRows.ts';

/** A message to Ben. */
export function noticeOf(id: string, change: Partial<NewNotice> = {}): NewNotice {
  const about = { id, subject: 'a thing', team: 'T1', kind: 'lease', createdAt: 1_000, data: { a: 1 } };
  return { ...about, to: { person: 'U1' }, ...change };
}
