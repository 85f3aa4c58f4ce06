import { describe, expect, test } from 'vitest';
import { dateDigits, fillPlaceholders } from '../../../src/slack/forms/fill/placeholders.ts';
import {
  openFields,
  presetNamed,
  presetsFor,
  presetTexts,
  withPresetChosen,
} from '../../../src/slack/forms/presets/presetWords.ts';
import type { Preset } from '../../../src/store/tables/presets.ts';

const values = { me: 'ana', date: '20261124', source: 'shop', port: '3311' };

describe('placeholders', () => {
  test.each([
    ['/mnt/{me}/{source}', '/mnt/ana/shop', [], []],
    ['{SOURCE}_{Date}', 'shop_20261124', [], []],
    ['{me}{me}', 'anaana', [], []],
    ['{port}', '3311', [], []],
    ['{team}/{me}', '{team}/ana', [], ['{team}']],
    ['$ {HOME}/{}', '$ {HOME}/{}', [], ['{HOME}']],
    ['{{me}}', '{ana}', [], []],
    ['{constructor}', '{constructor}', [], ['{constructor}']],
    ['nothing', 'nothing', [], []],
  ] as const)('the preset text “%s” is filled in to “%s”', (template, text, open, unknown) => {
    expect(fillPlaceholders(template, values)).toEqual({ text, open, unknown });
  });

  test('placeholders without a value stay as they are, and are told apart from unknown words', () => {
    expect(fillPlaceholders('{source}-{x}', { me: 'ana' })).toEqual({
      text: '{source}-{x}',
      open: ['source'],
      unknown: ['{x}'],
    });
  });

  test('a placeholder inside of a filled-in value is only text', () => {
    expect(fillPlaceholders('{source}', { ...values, source: '{me}$&' }).text).toBe('{me}$&');
  });

  test('the date of a placeholder has digits alone, in the given time zone', () => {
    expect(dateDigits(Date.UTC(2026, 0, 5, 23, 59))).toBe('20260105');
    expect(dateDigits(Date.UTC(2026, 0, 5, 23, 59), 'Asia/Tokyo')).toBe('20260106');
  });
});

const preset = (name: string, change: Partial<Preset> = {}): Preset => ({
  ...{ id: name, team: 'T1', scope: 'me', holder: 'U1', person: 'U1', operation: 'clone.create', name },
  ...{ inputs: {}, labels: {}, revision: 1, createdAt: 0, usedAt: 0 },
  ...change,
});

describe('the presets of a form', () => {
  const all = [
    preset('b', { scope: 'workspace', holder: '' }),
    preset('qa'),
    preset('a2'),
    preset('a10'),
    preset('z', { scope: 'channel', holder: 'C1' }),
    preset('there', { scope: 'channel', holder: 'C2' }),
    preset('share', { operation: 'clone.share' }),
    preset('QA', { id: 'of the channel', scope: 'channel', holder: 'C1' }),
  ];
  const offered = presetsFor({ name: 'clone.create' }, all, 'C1');

  test('the presets of a form stand in the order channel, person, workspace, each by name', () => {
    expect(offered.map(({ name }) => name)).toEqual(['QA', 'z', 'a2', 'a10', 'qa', 'b']);
  });

  test('a preset is found by its name in any case, the channel’s before the person’s', () => {
    expect(presetNamed(offered, 'qa')?.id).toBe('of the channel');
    expect(presetNamed(offered, ' A2 ')?.id).toBe('a2');
    expect(presetNamed(offered, 'there')).toBeUndefined();
  });
});

describe('the texts of a preset', () => {
  test('a preset leaves a port without a value empty, and says which words are no placeholders', () => {
    const { inputs, notes } = presetTexts({ port: '{port}', mountBase: '/m/{source}/{who}' }, { me: 'ana' });
    expect(inputs).toEqual({ mountBase: '/m/{source}/{who}' });
    expect(notes).toEqual(['I do not know `{who}` in `mountBase` as a placeholder, so I left it unchanged.']);
    expect(openFields(inputs)).toEqual(['mountBase']);
  });

  test.each([
    ['take the place of what stands there', { a: '1', b: '2' }, {}, { a: '9', c: '3' }, { a: '9', b: '2', c: '3' }],
    ['empty what the preset before filled in', { a: '1', b: '2' }, { before: { b: '2' } }, { a: '9' }, { a: '9' }],
    ['keep what was changed since', { b: 'mine' }, { before: { b: '2' } }, { a: '9' }, { a: '9', b: 'mine' }],
    ['leave alone what was typed', { a: '1' }, { typed: ['a'] }, { a: '9', b: '2' }, { a: '1', b: '2' }],
    ['fill what was typed and emptied', {}, { typed: ['a'] }, { a: '9' }, { a: '9' }],
  ])(
    'a preset that is chosen fills in a form with respect for what is there: its texts %s',
    (_, now, rest, texts, expected) => {
      expect(withPresetChosen(now, { texts, ...rest })).toEqual(expected);
    },
  );
});
