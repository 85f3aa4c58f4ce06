import { target } from '../../../src/operations/fields.ts';
import { definePlan } from '../../../src/operations/operation.ts';

/** A plan that no catalogue has: what it asks for stands in the steps that a test gives it. */
export const tearDown = definePlan({
  name: 'database.testplan',
  words: ['testplan'],
  summary: 'Do what the steps of a test say',
  fields: [target('database', 'Database', ['live', 'clone'])],
  title: () => 'Plan of a test',
  phrases: {
    asks: 'run a plan on {name}',
    running: 'Running a plan on {name}',
    done: 'The plan on {name} is done',
    undone: 'The plan on {name} was not run',
  },
});

/** The same, which people may run alone on what they made themselves. */
export const renewal = definePlan({
  ...tearDown,
  name: 'clone.testplan',
  words: ['testrenewal'],
  guarded: true,
  freeForMaker: true,
});
