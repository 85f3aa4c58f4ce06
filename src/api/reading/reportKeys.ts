import { assumed } from './assumptions.ts';
import { type Leaf, memoByKey } from './jsonTree.ts';

/** Whether a value stands in a report of work and so says nothing of the record's own state. */
export function isReported({ path }: Pick<Leaf, 'path'>): boolean {
  return path.some(isReportKey);
}

const isReportKey = memoByKey(
  part => assumed.report.test(part) || assumed.flatReport.test(part) || assumed.underWay.test(part),
);
