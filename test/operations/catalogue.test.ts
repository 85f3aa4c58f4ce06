import { describe, expect, test } from 'vitest';
import { catalogue, findOperation, writeOperation } from '../../src/operations/catalogue.ts';
import { targetNouns } from '../../src/operations/operation.ts';
import { ownCommands } from '../house.ts';

test('no two operations share a name, or words, or the words of a command about Dolly', () => {
  const names = catalogue.map(({ name }) => name);
  const words = [...catalogue.map(entry => entry.words.join(' ')), ...ownCommands.map(({ word }) => word)];
  expect(new Set(names).size).toBe(names.length);
  expect(new Set(words).size).toBe(words.length);
});

describe.each(catalogue.map(entry => [entry.name, entry] as const))('%s', (name, operation) => {
  test('each operation has a name that a form can carry, lower-case words, and one line of summary', () => {
    expect(name).toMatch(/^[a-z]+\.[a-z]+([A-Z][a-z]+)*$/);
    expect(operation.words.length).toBeGreaterThan(0);
    for (const word of operation.words) expect(word).toMatch(/^[a-z][a-z-]*$/);
    expect(operation.summary).toMatch(/^[A-Z][^\n]{4,119}[^.\n]$/);
  });

  if (operation.type === 'read') return;

  test('each write operation is about records of a known noun', () => {
    expect(targetNouns(operation).length).toBeGreaterThan(0);
    expect(operation.fields.find(field => field.name === operation.target)?.required).toBe(true);
  });

  test('each write operation has a title that Slack shows whole', () => {
    expect((operation.label ?? operation.words.join(' ')).length).toBeLessThanOrEqual(24);
  });

  test('each write operation has phrases with known values, and leads to operations that there are', () => {
    const { detail = '', ...sentences } = operation.phrases;
    const fields = operation.fields.map(field => field.name);
    for (const phrase of [detail, ...Object.values(sentences)])
      for (const [, value] of phrase.matchAll(/\{(\w+)\}/g))
        expect(['name', 'result', 'place', 'snapshot', 'age', ...fields]).toContain(value);
    for (const phrase of Object.values(sentences)) {
      expect(phrase.replace(/\[[^\]]*\]/g, '')).toMatch(/^[^{}]*(\{(name|result)\})?[^{}]*$/);
      expect(phrase).not.toMatch(/[*_`~<>]/);
    }
    for (const name of operation.next ?? []) expect(writeOperation(name)?.name).toBe(name);
  });

  test('each field of an operation depends only on fields before it', () => {
    const names = operation.fields.map(field => field.name);
    expect(new Set(names).size).toBe(names.length);
    for (const field of operation.fields)
      for (const on of Object.keys(field.dependsOn ?? {})) {
        expect(names).toContain(on);
        expect(names.indexOf(on)).toBeLessThan(names.indexOf(field.name));
      }
  });

  test.each(operation.fields.map(field => [field.name, field] as const))(
    'an operation’s form says clearly what %s is',
    (field, entry) => {
      const { label, hint, widget } = entry;
      expect(field).toMatch(/^[a-z][A-Za-z]*$/);
      expect(label).toMatch(/^[A-Z].{1,47}$/);
      if (hint !== undefined) expect(hint).toMatch(/^.{3,150}$/);
      if (widget.type === 'choice')
        for (const option of widget.options) {
          expect(option.label.length).toBeLessThanOrEqual(75);
          expect((option.description ?? '').length).toBeLessThanOrEqual(75);
        }
      if ('placeholder' in widget) expect((widget.placeholder ?? '').length).toBeLessThanOrEqual(150);
    },
  );

  test.each(operation.fields.map(field => [field.name, field] as const))(
    'an operation’s form refuses nonsense in %s in a sentence that fits',
    (_, { schema, widget }) => {
      const read = schema.safeParse(
        widget.type === 'text' && !widget.multiline ? 'x\u0000y' : `= ${'nonsense '.repeat(300)}`,
      );
      const says = read.error?.issues[0]?.message ?? '';
      expect(says).toMatch(/[.]$/);
      expect(says.length).toBeLessThanOrEqual(250);
    },
  );
});

describe('a command', () => {
  test('an operation is found by its command’s words, in any case, and leaves the rest', () => {
    expect(findOperation(['CLONE', 'Orders', 'x'])).toMatchObject({
      operation: { name: 'clone.create' },
      rest: ['Orders', 'x'],
    });
    expect(findOperation(['show', 'orders'])).toMatchObject({ operation: { name: 'database.show' }, rest: ['orders'] });
  });
  test.each([[[]], [['shows']], [['orders', 'clone']]])('no operation is found in the words %j', words => {
    expect(findOperation(words)).toBeUndefined();
  });
  test('an operation that only another release knows, or that only reads, is no write operation', () => {
    expect(writeOperation('clone.create')?.name).toBe('clone.create');
    expect(writeOperation('clone.explode')).toBeUndefined();
    expect(writeOperation('database.list')).toBeUndefined();
  });
});
