import { describe, expect, test } from 'vitest';
import { check } from '../../../src/jobs/newJob.ts';
import { catalogue, findOperation } from '../../../src/operations/catalogue.ts';
import { type Field, fieldsFor, type Values, type WriteOperation } from '../../../src/operations/operation.ts';
import { knownInputs, namedIn } from '../../../src/slack/forms/fill/inputsInWords.ts';
import { commandToCopy } from '../../../src/slack/messages/approval/requestLine.ts';
import { readCommand } from '../../../src/slack/words/commandText.ts';

const names = { db: '/db', clone: '/clone', restore: '/restore' };
const slash = { '/db': [], '/clone': ['clone'], '/restore': ['restore'] };

type Job = Parameters<typeof commandToCopy>[1];

function jobOf(operation: WriteOperation, values: Values, called: Readonly<Record<string, string>> = {}): Job {
  const target = String(values[operation.target]);
  return { values, labels: called, target, targetName: called[target] ?? null };
}

/** Reads a command as Slack would bring it, with records that are found by these names; gives what the form would send. */
function readBack(line: string, called: Readonly<Record<string, string>> = {}) {
  const [first = '', ...rest] = line.split(' ');
  const before = Object.entries(slash).find(([name]) => name === first)?.[1] ?? [];
  // Slack escapes these three in the text of a command.
  const text = [...before, rest.join(' ')]
    .join(' ')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;');
  const { words, inputs } = readCommand(text);
  const found = findOperation(words);
  if (found?.operation.type !== 'write') throw new Error(`${line} is read as another command`);
  const { operation } = found;
  const typed = knownInputs(operation, { ...namedIn(operation, found.rest), ...inputs });
  expect(typed.notes).toEqual([]);
  const byName = Object.fromEntries(Object.entries(called).map(([id, name]) => [name, id]));
  const isRecord = (name: string) =>
    operation.fields.some(field => field.name === name && field.widget.type === 'record');
  const resolved = Object.entries(typed.inputs).map(([name, value]) => [
    name,
    isRecord(name) ? (byName[value] ?? value) : value,
  ]);
  return { operation: operation.name, checked: check(operation, Object.fromEntries(resolved)) };
}

const vendors = ['ORACLE', 'MYSQL', 'MARIADB'] as const;
const kinds = { live: { ORACLE: 'LIVE_DATABASE', MYSQL: 'LIVE_SERVER', MARIADB: 'LIVE_SERVER' } } as const;

/** An identifier for a record field. */
function identifierFor({ widget }: Field, vendor: (typeof vendors)[number]): string {
  const noun = widget.type === 'record' ? widget.nouns[0] : undefined;
  switch (noun) {
    case 'live':
      return `${vendor}_${kinds.live[vendor]}-7`;
    case 'clone':
      return `${vendor}_CLONE_${vendor === 'ORACLE' ? 'DATABASE' : 'SERVER'}-7`;
    case 'snapshot':
      return `${vendor}_SNAPSHOT-7`;
    case 'install':
      return `${vendor}_INSTALL-7`;
    case 'environment':
      return 'HOST_ENVIRONMENT-7';
    case 'environmentUser':
      return 'ENVIRONMENT_USER-7';
    case 'project':
      return 'PROJECT-7';
    default:
      return 'USER-7';
  }
}

const texts: Readonly<Record<string, string>> = { databaseParams: 'a:STRING=x y', keepFor: '3d' };

/** A value for each field that the operation has for a vendor: every choice, and texts with signs that need quotes. */
function filled(operation: WriteOperation, vendor: (typeof vendors)[number], at: number): Values {
  let inputs: Record<string, string> = {};
  for (const field of operation.fields) {
    const { widget, name } = field;
    if (!fieldsFor(operation, inputs).some(one => one.name === name)) continue;
    const fitting = widget.type === 'choice' ? widget.options.filter(one => one.vendors?.includes(vendor) ?? true) : [];
    const text =
      widget.type === 'record'
        ? identifierFor(field, vendor)
        : widget.type === 'integer'
          ? '3310'
          : widget.type === 'checkbox'
            ? String(at === 0)
            : (fitting[at % Math.max(fitting.length, 1)]?.value ?? texts[name] ?? `/a b="c"/'d' & <e>`);
    inputs = { ...inputs, [name]: text };
  }
  const checked = check(operation, inputs);
  if (!checked.ok) throw new Error(`${operation.name}: ${JSON.stringify(checked.faults)}`);
  return checked.values;
}

const cases = catalogue.flatMap(operation =>
  operation.type === 'write'
    ? vendors.flatMap(vendor =>
        [0, 1, 2].map(at => [operation.name, vendor, operation, filled(operation, vendor, at)] as const),
      )
    : [],
);

describe('the command of a job asks for the same when it is typed:', () => {
  test.each(cases)(
    'the command to copy from a job of %s of %s asks for the same when it is typed',
    (name, _, operation, values) => {
      for (const called of [{}, namesFor(values)]) {
        const command = commandToCopy(names, jobOf(operation, values, called), operation);
        expect(command?.without).toEqual([]);
        expect(readBack(command?.line ?? '', called)).toEqual({ operation: name, checked: { ok: true, values } });
      }
    },
  );
});

/** A name with blanks and quotes for each record among the values. */
function namesFor(values: Values): Record<string, string> {
  const ids = Object.values(values).filter(value => typeof value === 'string' && /^[A-Z_]+-7$/.test(value));
  return Object.fromEntries(ids.map((id, at) => [String(id), `the "${at}" of it's=7`]));
}

describe('a clone’s command', () => {
  const operation = findOperation(['clone'])?.operation;
  if (operation?.type !== 'write') throw new Error('there is no clone');
  const values = {
    sourceDatabase: 'MYSQL_LIVE_SERVER-1',
    cloneType: 'VIRTUALCLONE',
    targetEnvironment: 'HOST_ENVIRONMENT-1',
    port: 3310,
  };
  const lineOf = (more: Values, called: Readonly<Record<string, string>>) =>
    commandToCopy(names, jobOf(operation, { ...values, ...more }, called), operation);

  test('the command to copy of a clone has names where they are known, and begins with /clone', () => {
    expect(
      lineOf({}, { 'MYSQL_LIVE_SERVER-1': 'shop', 'HOST_ENVIRONMENT-1': 'dev', VIRTUALCLONE: 'Virtual' })?.line,
    ).toBe('/clone shop cloneType=VIRTUALCLONE targetEnvironment=dev port=3310');
  });

  test.each([
    ['the identifier of another record', 'MYSQL_LIVE_SERVER-2'],
    ['a name that two records share', 'dev'],
    ['a name with signs that nobody sees', 'sh\u200bop'],
    ['a name that Slack would show otherwise', 'shop :tada: x'],
    ['a name that was cut', `${'x'.repeat(74)}…`],
    ['a name with a sign that ends code', 'sh`op'],
    ['a name with every quote', `a b " ' ” ’ “ »`],
    ['no name', ''],
  ])('the command to copy of a clone has the identifier instead of %s', (_, name) => {
    const line = lineOf({}, { 'MYSQL_LIVE_SERVER-1': name, 'HOST_ENVIRONMENT-1': name })?.line;
    expect(line).toContain('targetEnvironment=HOST_ENVIRONMENT-1');
    if (name !== 'dev') expect(line).toContain('/clone MYSQL_LIVE_SERVER-1 ');
  });

  test('the command to copy of a clone leaves out what cannot be typed or must not be shown, and says so', () => {
    const databaseParams = [
      { name: 'a', type: 'STRING', value: '1' },
      { name: 'b', type: 'STRING', value: '2' },
    ] as const;
    expect(lineOf({ databaseParams }, {})).toEqual({
      line: '/clone MYSQL_LIVE_SERVER-1 cloneType=VIRTUALCLONE targetEnvironment=HOST_ENVIRONMENT-1 port=3310',
      without: ['Database parameters'],
    });
    const secret = [{ name: 'master_password', type: 'STRING', value: 'hunter2' }] as const;
    const told = lineOf({ databaseParams: secret }, {});
    expect(JSON.stringify(told)).not.toContain('hunter2');
    expect(told?.without).toEqual(['Database parameters']);
  });

  test('a clone has no command to copy where that would be too long', () => {
    expect(lineOf({ mountBase: `/${'x'.repeat(900)}` }, {})).toBeUndefined();
  });
});
