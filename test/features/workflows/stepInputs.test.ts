import { describe, expect, test } from 'vitest';
import { personIn, readStepInputs } from '../../../src/features/workflows/stepInputs.ts';

const inputs = { workflow: 'Nightly', person: 'U0ANA00001', sourceDatabase: 'shop' };
const read = (change: Record<string, unknown>, step = 'clone') =>
  readStepInputs({ step, inputs: { ...inputs, ...change } });

describe('the inputs of a step', () => {
  test('a workflow step’s inputs are read as texts by their names, and empty ones are left out', () => {
    const changes = {
      port: 3310,
      backUpFirst: true,
      channel: 'C0DEV00001',
      why: ' nightly ',
      snapshot: '',
      project: null,
    };
    expect(read(changes)).toEqual({
      ...{
        title: 'Clone a database',
        workflow: 'Nightly',
        person: 'U0ANA00001',
        channel: 'C0DEV00001',
        why: 'nightly',
      },
      ...{ runsAs: null, typed: { sourceDatabase: 'shop', port: '3310', backUpFirst: 'true' } },
    });
  });

  test('a workflow step without a channel uses direct messages, and the service account where it says so', () => {
    expect(read({ account: true })).toMatchObject({ channel: 'U0ANA00001', runsAs: 'service' });
    expect(read({ account: false })).toMatchObject({ runsAs: null });
  });

  test.each([
    ['an unknown step', {}, 'dance', 'does not know this step'],
    ['no workflow', { workflow: '  ' }, 'clone', '“Name of this workflow” is needed'],
    ['no person', { person: undefined }, 'clone', '“In whose name” is needed'],
    ['a person that is none', { person: 'ana' }, 'clone', 'Choose a person'],
    ['the service account as a person', { person: 'service' }, 'clone', 'Choose a person'],
    ['a place that is no channel', { channel: 'U0BEN00001' }, 'clone', 'Choose a channel'],
    ['the direct messages of somebody', { channel: 'D0BEN00001' }, 'clone', 'Choose a channel'],
    ['a list', { port: [3310] }, 'clone', '“Port” is not text'],
    ['an object', { sourceDatabase: { id: 1 } }, 'clone', '“Source database” is not text'],
    ['a flood of text', { databaseParams: 'x'.repeat(1_001) }, 'clone', '“Database parameters” is too long'],
    ['a text that hides its end', { databaseParams: '&'.repeat(900) }, 'clone', '“Database parameters” is too long'],
    ['a name of several lines', { workflow: 'a\nb' }, 'clone', 'a name on one line'],
    ['a name without end', { workflow: 'x'.repeat(81) }, 'clone', 'at most 80 characters'],
    ['a word for yes', { account: 'perhaps' }, 'clone', 'Choose Yes or No'],
    ['no target where nothing else brings it', { database: '' }, 'refresh', '“Database” is needed'],
  ])('a workflow step’s inputs with %s are refused in a sentence', (_, change, step, words) => {
    expect(read(change, step)).toEqual(expect.stringContaining(words));
  });

  test.each([{}, { person: 7 }, { person: ['U0ANA00001'] }, { person: 'U0ANA00001 ' }, { person: '' }])(
    'a workflow step’s inputs %j name nobody',
    some => expect(personIn(some)).toBe(''),
  );
});
