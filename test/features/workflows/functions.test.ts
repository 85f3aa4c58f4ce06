import { describe, expect, test } from 'vitest';
import { stepOperations, workflowFunctions } from '../../../src/features/workflows/functions.ts';

describe('the steps of Workflow Builder', () => {
  test('the steps of Workflow Builder are those that the catalogue names, and the one that waits', () => {
    expect(Object.entries(workflowFunctions).map(([id, { title }]) => `${id}: ${title}`)).toEqual([
      'back_up: Back up a database',
      'refresh: Refresh a database',
      'clone: Clone a database',
      'renew: Renew a clone',
      'wait_until: Wait until a record is …',
    ]);
  });

  test.each(Object.entries(workflowFunctions))('the step %s of Workflow Builder fits into a manifest', (id, step) => {
    // docs.slack.dev/tools/bolt-js/tutorials/custom-steps: at most 100 and 255 characters.
    expect(id).toMatch(/^[a-z_]{1,100}$/);
    expect(step.title.length).toBeLessThanOrEqual(255);
    for (const [name, parameter] of Object.entries({ ...step.input_parameters, ...step.output_parameters })) {
      expect(parameter.name).toBe(name);
      expect(name).toMatch(/^[A-Za-z]\w*$/);
      for (const text of [parameter.title, parameter.description]) expect(text).not.toBe('');
    }
    const needed = Object.values(step.input_parameters).filter(({ is_required }) => is_required);
    expect(needed.map(({ name }) => name)).toEqual(expect.arrayContaining(['workflow', 'person']));
  });

  test('a workflow step takes every field of its operation under its name in the specification', () => {
    for (const { step, fields } of stepOperations) {
      const inputs = workflowFunctions[step?.id ?? '']?.input_parameters ?? {};
      expect(Object.keys(inputs)).toEqual(expect.arrayContaining(fields.map(({ name }) => name)));
    }
  });

  test('a workflow step does not require a target that a preset may bring', () => {
    expect(workflowFunctions.clone?.input_parameters.sourceDatabase?.is_required).toBe(false);
    expect(workflowFunctions.refresh?.input_parameters.database?.is_required).toBe(true);
  });
});
