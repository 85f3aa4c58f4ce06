import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { features } from '../../../src/app/features.ts';
import { allSubmissions } from '../../../src/app/listeners.ts';
import { catalogue } from '../../../src/operations/catalogue.ts';
import { asJson } from '../../../src/slack/blocks/action.ts';
import { input } from '../../../src/slack/blocks/blocks.ts';
import { defineModal, heldIn, inputsIn, readSent } from '../../../src/slack/blocks/modal.ts';

/* Every modal that people submit is made by its definition, and has one listener, which every submission goes through. */

const root = resolve(import.meta.dirname, '../../../src');
const files = ['slack', 'features'].flatMap(folder =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter(name => name.endsWith('.ts'))
    .map(name => join(folder, name)),
);
const textOf = (name: string) => readFileSync(join(root, name), 'utf8');
const writersOf = (pattern: RegExp) => files.filter(name => pattern.test(textOf(name))).toSorted();

describe('every modal', () => {
  test('every modal that is defined has one listener for its submission', () => {
    const made = files.flatMap(name =>
      [...textOf(name).matchAll(/defineModal\(\s*'([^']+)'/g)].map(([, id = '']) => id),
    );
    expect(made.length).toBeGreaterThan(7);
    const forms = catalogue.filter(({ type }) => type !== 'read').map(({ name }) => name);
    const ids = allSubmissions(features).map(({ id }) => id);
    expect(ids.toSorted()).toEqual([...made, ...forms].toSorted());
    expect(new Set(ids).size).toBe(ids.length);
  });

  test('a single source file listens to the submissions of all modals', () => {
    expect(writersOf(/app\.view\(|view_submission/)).toEqual(['slack/inbox/listenToModals.ts']);
  });

  test('the id of a modal and what it carries are written by its definition and a few named files alone', () => {
    // The shortcuts and the steps of workflows have ids of their own; an answer has no fields.
    const others = [
      'features/workflows/listenToSteps.ts',
      'slack/shortcuts/listenToShortcuts.ts',
      'slack/shortcuts/shortcuts.ts',
    ];
    expect(writersOf(/callback_id:/)).toEqual(
      ['slack/blocks/modal.ts', ...others, 'slack/inbox/listenToModals.ts'].toSorted(),
    );
    expect(writersOf(/private_metadata: (?!string)/)).toEqual(
      [
        'slack/blocks/modal.ts',
        'slack/desk/contentView.ts',
        'slack/desk/views.ts',
        'slack/forms/formModal.ts',
      ].toSorted(),
    );
  });
});

describe('a modal', () => {
  const asked = defineModal('asked', asJson(z.object({ channel: z.string(), at: z.number() })), sent => ({
    name: heldIn(sent, 'name').value ?? '',
  }));
  const element = { type: 'plain_text_input', action_id: 'value', initial_value: 'x' } as const;
  const view = asked.view(
    { channel: 'C1', at: 3 },
    { title: 'Asked', submit: 'Go', blocks: [input('name', 'Name', element)] },
  );
  const typed = (value: unknown) => ({ ...view, state: { values: { name: { value } } } });

  test('a modal brings back what it carried, and what was filled in', () => {
    expect(asked.read(readSent(typed({ type: 'plain_text_input', value: 'qa' })))).toEqual({
      carried: { channel: 'C1', at: 3 },
      fields: { name: 'qa' },
    });
  });

  test.each([undefined, null, 7, 'text', [], {}, { value: 7 }, { selected_option: 'x' }])(
    'a modal’s field that holds %j is read as empty',
    held => {
      expect(asked.read(readSent(typed(held)))?.fields).toEqual({ name: '' });
    },
  );

  test.each([
    undefined,
    null,
    7,
    [],
    { ...view, state: 7 },
    { ...view, blocks: {} },
    { ...view, private_metadata: '{}' },
  ])('a modal that is none of this release is not read: %j', payload => {
    expect(asked.read(readSent(payload))).toBeUndefined();
  });

  test('a modal says whether a value fits into what it can carry', () => {
    const wide = defineModal('wide', asJson(z.object({ channel: z.string() })), () => null);
    expect(wide.fits({ channel: 'x'.repeat(2_986) })).toBe(true);
    expect(wide.fits({ channel: 'x'.repeat(2_987) })).toBe(false);
  });

  test('a modal shows faults at its inputs alone', () => {
    const blocks = [{ type: 'section', block_id: 'lead' }, ...view.blocks, { type: 'actions', block_id: 'buttons' }];
    const sent = readSent({ ...view, blocks, state: { values: { more: {} } } });
    expect(sent && inputsIn(sent)).toEqual(['name', 'more']);
  });
});
