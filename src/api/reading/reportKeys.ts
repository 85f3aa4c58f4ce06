import { assumed } from './assumedKeys.ts';
import { memoByKey, memoByPath } from './jsonTree.ts';

/** Whether a value stands in a report of work and so says nothing of the record's own state. */
export const isReported = memoByPath(path => path.some(isReportKey));

const isReportKey = memoByKey(
  part => assumed.report.test(part) || assumed.flatReport.test(part) || assumed.underWay.test(part),
);
