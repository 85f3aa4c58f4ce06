import { describe, expect, test } from 'vitest';
import { createClone } from '../../../src/operations/clones.ts';
import { nameFault } from '../../../src/slack/presets/presetForm.ts';
import { presetNames, readPresetText, suggestPreset, writePresetText } from '../../../src/slack/presets/presetText.ts';

const inputs = {
  sourceDatabase: 'MYSQL_LIVE_SERVER-1',
  targetEnvironment: 'HOST_ENVIRONMENT-2',
  cloneType: 'VIRTUALCLONE',
  port: '{port}',
  mountBase: '/mnt/{me}',
  databaseParams: 'max_connections:NUMBER=200\nsql_mode:STRING=ANSI',
};
const names = presetNames(inputs, { 'MYSQL_LIVE_SERVER-1': 'my shop', 'HOST_ENVIRONMENT-2': 'dev' });
const read = (text: string) => readPresetText(createClone, text, names);

describe('the lines of a preset', () => {
  test('the lines of a preset name records, and read back as the same values', () => {
    const text = writePresetText(inputs, names);
    expect(text.split('\n').slice(0, 2)).toEqual(['sourceDatabase=my shop', 'targetEnvironment=dev']);
    expect(read(text)).toEqual(inputs);
  });

  test('the lines of a preset take other names and identifiers, in any case, with blanks around them', () => {
    expect(read(' SourceDatabase = orders \n\ncloneType=Virtual\nport=3310')).toEqual({
      sourceDatabase: 'orders',
      cloneType: 'Virtual',
      port: '3310',
    });
  });

  test.each([
    ['', 'Write at least one value'],
    ['port=', 'Write at least one value'],
    ['hello', '“hello” is not a value'],
    ['prot=1', 'There is no field prot. Did you mean port?'],
    ['port=1\nport=2', 'port appears twice'],
    ['port=zero', 'port: Type a whole number'],
    ['port=33{port}', 'port takes a number, or {port}'],
    ['port={me}', 'port takes a number, or {port}'],
    ['cloneType=huge', 'cloneType: Choose'],
    ['mountBase=mnt', 'mountBase: Type an absolute path'],
    ['targetEnvironment=PROJECT-1', 'targetEnvironment: PROJECT-1 is a project'],
    ['databaseParams=password=geheim1', 'A preset holds no secrets'],
    ['specificPostScriptPath=/x --password geheim1', 'A preset holds no secrets'],
  ])('the preset text %j is refused', (text, fault) => {
    expect(read(text)).toContain(fault);
  });

  test('a preset suggested from a form takes the next free port, and leaves the snapshot out', () => {
    const form = { ...inputs, port: '3310', snapshot: 'SNAPSHOT-7', reason: 'x' };
    expect(suggestPreset(createClone, form)).toEqual({ inputs, leftOut: ['Snapshot'] });
  });
});

describe('a name', () => {
  test.each(['qa', 'QA 2', '夜間', 'night/weekly', '"quoted"'])('a preset can have the name %s', name => {
    expect(nameFault(name)).toBeUndefined();
  });
  test.each(['', '   ', '🐑', '\u202eqa', 'a\u200bb', 'x'.repeat(41), 'password=geheim1'])(
    'a preset cannot have the name %j',
    name => {
      expect(nameFault(name)).toBeDefined();
    },
  );
});
