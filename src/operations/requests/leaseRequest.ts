import { keepingTime, target } from '../fields.ts';
import { definePlan, type Field } from '../operation.ts';

/** The new end of a lease: a moment, or none. */
const widget = { type: 'text', placeholder: '2026-12-24 or none' } as const;
const keepUntil: Field = { name: 'keepUntil', label: 'Keep until', widget, schema: keepingTime, required: true };

/**
 * The request to keep a clone for longer than the policy allows: a plan without steps, since the service has no part in
 * it. Its approval itself sets the end. No command has it: the answer to one that is too long offers it.
 */
export const leaseRequest = definePlan({
  name: 'clone.lease',
  words: ['lease'],
  summary: 'Keep a clone for longer than the policy allows',
  fields: [target('clone', 'Clone', ['clone']), keepUntil],
  title: () => 'Longer lease',
  phrases: {
    asks: 'keep {name} longer: {keepUntil}',
    running: 'Keeping {name} longer',
    done: '{name} is kept longer: {keepUntil}',
    undone: 'Not kept longer',
  },
  guarded: true,
});
