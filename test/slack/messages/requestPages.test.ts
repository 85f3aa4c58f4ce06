import { expect, test } from 'vitest';
import { requestPage } from '../../../src/slack/approvals/requestPages.ts';
import { jobIn } from '../../jobs/jobIn.ts';

const click = { team: 'T1', person: 'U2', channel: 'C1', digest: 'digest' };
const databaseParams = Array.from({ length: 60 }, (_, at) => ({
  ...({ name: `parameter_${at}`, type: 'STRING' } as const),
  value: `${at} ${'&'.repeat(400)}`,
}));
const values = { sourceDatabase: 'MYSQL_LIVE_SERVER-1', databaseParams };
const job = { ...jobIn('awaiting', { operation: 'clone.create', target: 'MYSQL_LIVE_SERVER-1' }), values };

test('a request on several pages is approved on the last one alone, and all of it stands on them', () => {
  const pages = [0, 1, 2].map(page => requestPage(job, click, page));
  expect(pages.map(({ submit }) => submit?.text)).toEqual([undefined, undefined, 'Approve']);
  expect(JSON.stringify(pages[0])).toContain('Page 2 of 3…');
  expect(JSON.stringify(pages[1])).toContain('Page 1 of 3…');
  const all = JSON.stringify(pages);
  expect(databaseParams.filter(({ name }) => !all.includes(`${name}:STRING=`))).toEqual([]);
});
