import { describe, expect, test } from 'vitest';
import { vendors } from '../../../src/api/identifiers.ts';
import { catalogue } from '../../../src/operations/catalogue.ts';
import { createClone } from '../../../src/operations/clones.ts';
import { readDatabaseParams, writeDatabaseParams } from '../../../src/operations/fields.ts';
import { fieldsFor } from '../../../src/operations/operation.ts';
import { restoreDatabase } from '../../../src/operations/restores.ts';
import { viewFaults } from '../../../src/sandbox/playground/blockkit.ts';
import { notice } from '../../../src/slack/blocks/blocks.ts';
import { fillState } from '../../../src/slack/forms/fill/fillForm.ts';
import { faultsAt } from '../../../src/slack/forms/fill/needed.ts';
import { form, lastPage, waitingForm } from '../../../src/slack/forms/formModal.ts';
import { type FormState, readView } from '../../../src/slack/forms/formState.ts';
import { afterChange, afterChanges, emptied, isUnseen } from '../../../src/slack/forms/redraw.ts';

const live = {
  ORACLE: 'ORACLE_LIVE_DATABASE-1',
  MYSQL: 'MYSQL_LIVE_SERVER-1',
  MARIADB: 'MARIADB_LIVE_SERVER-1',
} as const;
const metadata = { request: 'request-1', channel: 'C1', chosen: {}, labels: {} };
const empty: FormState = { metadata, inputs: {}, labels: {}, resets: {}, notes: [] };
const filled: Record<string, string> = {
  sourceDatabase: 'MYSQL_LIVE_SERVER-1',
  cloneType: 'PHYSICAL',
  targetEnvironment: 'HOST_ENVIRONMENT-4',
  port: '3310',
  mountBase: '/mnt/c1',
  environmentUser: 'ENVIRONMENT_USER-7',
  install: 'MYSQL_INSTALL-2',
  snapshot: 'MYSQL_SNAPSHOT-3',
  project: 'PROJECT-1',
  parallel: '8',
  databaseParams: 'a=1\nb=2',
  specificPostScriptPath: '/opt/after.sh',
};
const labels = { 'MYSQL_LIVE_SERVER-1': 'orders', 'HOST_ENVIRONMENT-4': 'dev-1' };

type View = ReturnType<typeof form>;

/** The fields of a view that take the focus when it opens. */
function focused(view: View): (string | undefined)[] {
  return inputs(view).flatMap(({ block_id, element }) =>
    'focus_on_load' in element && element.focus_on_load ? [block_id] : [],
  );
}

function inputs(view: View) {
  return view.blocks.flatMap(block => ('element' in block && 'label' in block ? [block] : []));
}
const blockIds = (view: View) => inputs(view).map(block => block.block_id);

/** What the element of a field shows when the form is drawn. */
function shown(view: View, blockId: string): string | undefined {
  const element = inputs(view).find(block => block.block_id === blockId)?.element;
  if (element && 'initial_option' in element) return element.initial_option?.value;
  const value = element && 'initial_value' in element ? element.initial_value : undefined;
  return typeof value === 'string' ? value : undefined;
}

/** The view as Slack sends it back when nothing was touched. */
function returned(view: View): unknown {
  const values = inputs(view).map(({ block_id = '', element }) => {
    const value =
      'initial_option' in element
        ? { type: element.type, selected_option: element.initial_option ?? null }
        : { type: element.type, value: 'initial_value' in element ? (element.initial_value ?? null) : null };
    return [block_id, { value }];
  });
  return JSON.parse(JSON.stringify({ ...view, id: 'V1', state: { values: Object.fromEntries(values) } }));
}

describe.each([...vendors, undefined])('the form for %s', vendor => {
  const state = { ...empty, inputs: vendor ? { sourceDatabase: live[vendor] } : {} };
  const view = form(createClone, { ...state, metadata: { ...metadata, all: true } });

  test('a clone form with all options has an input for each of its fields, under the name in the specification', () => {
    expect(blockIds(view)).toEqual(fieldsFor(createClone, state.inputs).map(field => field.name));
    expect(view.callback_id).toBe('clone.create');
    for (const { element } of inputs(view)) expect(element).toMatchObject({ action_id: 'value' });
  });

  test('a clone form with all options breaks no limit of Slack', () => {
    expect(viewFaults(view, 'modal')).toEqual([]);
  });

  test('a clone form requires source, type and target, and reports at once what other fields depend on', () => {
    const named = (test: (block: ReturnType<typeof inputs>[number]) => boolean) =>
      inputs(view)
        .filter(test)
        .map(block => block.block_id);
    expect(named(block => block.optional === false)).toEqual(['sourceDatabase', 'cloneType', 'targetEnvironment']);
    const telling = ['sourceDatabase', 'targetEnvironment', ...(vendor ? ['backUpFirst'] : [])];
    expect(named(block => block.dispatch_action === true)).toEqual(telling);
  });
});

describe('a short form', () => {
  const started = { sourceDatabase: live.MYSQL, cloneType: 'VIRTUALCLONE' };
  const placed = { ...started, targetEnvironment: 'HOST_ENVIRONMENT-4' };
  const least = ['sourceDatabase', 'cloneType', 'targetEnvironment'];
  const usual = [...least, 'port', 'mountBase', 'environmentUser', 'install', 'keepFor'];
  const withOne = (name: string) => [...usual.slice(0, -1), name, 'keepFor'];
  const blocksOf = (inputs: Record<string, string>, more: Partial<FormState['metadata']> = {}) =>
    blockIds(form(createClone, { ...empty, inputs, metadata: { ...metadata, ...more } }));

  test('a short clone form asks first for what the rest depends on, and then for what most people need', () => {
    expect(blocksOf({})).toEqual(least);
    expect(blocksOf(started)).toEqual(least);
    expect(blocksOf(placed)).toEqual(usual);
    expect(JSON.stringify(form(createClone, { ...empty, inputs: started }))).toContain('Choose the target environment');
  });

  test('a short form shows each field that has a value or that the service needs', () => {
    expect(blocksOf({ ...placed, parallel: '8' })).toEqual(withOne('parallel'));
    expect(blocksOf(placed, { needed: ['project'] })).toEqual(withOne('project'));
    const all = { ...filled, backUpFirst: 'true' };
    expect(blocksOf(all)).toEqual(fieldsFor(createClone, all).map(({ name }) => name));
  });

  test('a form for people who want nothing filled in shows at once all fields that most people need', () => {
    expect(blocksOf(started, { plain: true })).toEqual(usual);
  });

  test('a form shows no empty fields while Dolly is still filling them in', () => {
    expect(blocksOf({ sourceDatabase: live.MYSQL, mountBase: '/own' }, { isFilling: true })).toEqual([
      'sourceDatabase',
      'mountBase',
    ]);
  });

  test('a short form offers More options as long as it hides a field', () => {
    const offers = (inputs: Record<string, string>) =>
      JSON.stringify(form(createClone, { ...empty, inputs })).includes('More options');
    expect(offers(placed)).toBe(true);
    expect(offers({ ...filled, backUpFirst: 'true' })).toBe(false);
  });

  test('a form offers the last targets only until one is chosen', () => {
    const recent = [{ id: live.MYSQL, label: 'orders' }];
    const offers = (inputs: Record<string, string>) =>
      JSON.stringify(form(createClone, { ...empty, inputs, recent })).includes('form.source:0');
    expect(offers({})).toBe(true);
    expect(offers(started)).toBe(false);
  });
});

describe('what Dolly filled in', () => {
  const state: FormState = {
    ...empty,
    inputs: filled,
    labels,
    metadata: { ...metadata, filled: { port: 'free', mountBase: 'sibling', install: 'only', environmentUser: 'only' } },
  };
  const seen = readView(returned(form(createClone, state)));
  if (!seen) throw new Error('not read');

  test('a form names in a line what Dolly filled in, and on request says where each value comes from', () => {
    const short = JSON.stringify(form(createClone, state));
    const names = '*Environment user*, *Installation*, *Port*, *Mount base*';
    for (const name of names.split(', ')) expect(short).toContain(name);
    expect(short).toContain('Why these values');
    expect(short).not.toContain('the only one');
    const line = JSON.stringify(form(createClone, { ...state, metadata: { ...state.metadata, explains: true } }));
    expect(line).not.toContain('Why these values');
    expect(line).toContain(
      'Filled in for you: *Environment user*, *Installation*: the only one that records show; *Port*: the next free one there, as far as records show; *Mount base*: following the pattern of another clone.',
    );
    expect(line).toContain('Start empty');
  });

  test('a filled-in value comes back from Slack marked as filled in, unless the person changed it', () => {
    expect(seen.metadata.filled).toEqual(state.metadata.filled);
    const view = form(createClone, state);
    const touched = JSON.parse(JSON.stringify(returned(view)).replaceAll('"value":"3310"', '"value":"4711"'));
    expect(readView(touched)?.inputs.port).toBe('4711');
    expect(Object.keys(readView(touched)?.metadata.filled ?? {})).toEqual(['mountBase', 'install', 'environmentUser']);
  });

  test('a form that is started empty loses what Dolly filled in, and keeps everything else', () => {
    const view = form(createClone, emptied(seen));
    for (const name of ['port', 'mountBase', 'install', 'environmentUser'])
      expect(shown(view, `${name}:1`)).toBeUndefined();
    for (const name of ['project', 'snapshot', 'parallel']) expect(shown(view, name)).toBe(filled[name]);
    expect(JSON.stringify(view)).not.toContain('Filled in for you');
    expect(readView(returned(view))?.metadata.plain).toBe(true);
  });

  test('a change of environment clears what was filled in for the old one, and leaves what was typed', () => {
    const other = { ...seen, inputs: { ...seen.inputs, targetEnvironment: 'HOST_ENVIRONMENT-5', mountBase: '/own' } };
    const { mountBase: _, ...still } = seen.metadata.filled ?? {};
    const now = { ...other, metadata: { ...other.metadata, filled: still } };
    const { inputs, resets } = afterChange(createClone, seen, 'targetEnvironment', now);
    expect(inputs).toMatchObject({ mountBase: '/own', project: 'PROJECT-1' });
    for (const name of ['port', 'environmentUser', 'install']) expect(inputs[name]).toBeUndefined();
    expect(resets).toEqual({ port: 1, environmentUser: 1, install: 1 });
  });

  test('a form that was drawn for another environment than the chosen one is noticed, and loses its filled-in port', () => {
    expect(isUnseen(createClone, seen)).toBe(false);
    const moved = { ...seen, inputs: { ...seen.inputs, targetEnvironment: 'HOST_ENVIRONMENT-5' } };
    expect(isUnseen(createClone, moved)).toBe(true);
    expect(afterChanges(createClone, moved).inputs.port).toBeUndefined();
  });

  test('filling in a field that the person already sees takes a new block, and filling in a hidden one does not', () => {
    const { port: _, ...without } = filled;
    const there = { isClone: true, vendor: 'MYSQL', port: 3310 } as const;
    const gathered = {
      facts: { earlier: [], possible: {}, place: 'HOST_ENVIRONMENT-4', there: [there], siblings: [there] },
      labels: {},
    };
    const before: FormState = { ...empty, inputs: without };
    expect(fillState(createClone, before, gathered)).toMatchObject({ inputs: { port: '3311' }, resets: {} });
    const looked = fillState(createClone, { ...before, shown: ['port'] }, gathered);
    expect(looked).toMatchObject({
      inputs: { port: '3311' },
      resets: { port: 1 },
      metadata: { filled: { port: 'free' } },
    });
  });
});

describe('what is filled in', () => {
  test('the values of a form are shown, and come back from Slack as they were', () => {
    const view = form(createClone, { ...empty, inputs: filled, labels });
    for (const [name, value] of Object.entries(filled)) expect(shown(view, name)).toBe(value);
    expect(readView(returned(view))).toMatchObject({
      operation: 'clone.create',
      inputs: filled,
      labels,
      resets: {},
      metadata: {
        request: 'request-1',
        channel: 'C1',
        chosen: { sourceDatabase: 'MYSQL_LIVE_SERVER-1', targetEnvironment: 'HOST_ENVIRONMENT-4' },
      },
    });
  });

  test('a clone form without a valid clone type shows a virtual clone', () => {
    expect(shown(form(createClone, empty), 'cloneType')).toBe('VIRTUALCLONE');
    expect(shown(form(createClone, { ...empty, inputs: { cloneType: 'nonsense' } }), 'cloneType')).toBe('VIRTUALCLONE');
  });

  test('a clone form full of hostile and overlong values breaks no limit of Slack', () => {
    const long = '"🐑<!channel>\u202e'.repeat(400);
    const ids = Object.values(filled).filter(value => /-\d+$/.test(value));
    const hostile: FormState = {
      ...empty,
      inputs: {
        ...filled,
        mountBase: `/${long}`,
        databaseParams: long,
        port: long,
        install: `MYSQL_INSTALL-${'9'.repeat(30)}`,
      },
      labels: Object.fromEntries([...ids, `MYSQL_INSTALL-${'9'.repeat(30)}`].map(id => [id, long])),
      notes: Array.from({ length: 30 }, () => long),
      metadata: {
        ...metadata,
        why: long.slice(0, 500),
        filled: Object.fromEntries(Object.keys(filled).map(name => [name, 'sibling' as const])),
        faults: faultsAt(
          createClone.fields.map(field => ({ field, type: 'wrong' as const, says: long, isConditional: false })),
        ),
        needed: createClone.fields.map(({ name }) => name),
        typed: createClone.fields.map(({ name }) => name),
        ...{ presets: true, asksWhy: true, all: true, isFilling: false },
        preset: { i: 'a'.repeat(36), n: long.slice(0, 60) },
      },
      resets: Object.fromEntries(Object.keys(filled).map(name => [name, 99])),
    };
    const view = form(createClone, hostile);
    expect(viewFaults(view, 'modal')).toEqual([]);
    expect(readView(returned(view))).toMatchObject({
      inputs: { sourceDatabase: 'MYSQL_LIVE_SERVER-1' },
      metadata: {
        request: 'request-1',
        channel: 'C1',
        needed: hostile.metadata.needed,
        preset: hostile.metadata.preset,
      },
    });
    expect(viewFaults(waitingForm(createClone, metadata, long), 'modal')).toEqual([]);
    expect(viewFaults(notice(long, long), 'modal')).toEqual([]);
  });
});

describe('a change of', () => {
  const before: FormState = { ...empty, inputs: filled, labels };
  const to = (name: string, value: string, state = before) =>
    form(createClone, afterChange(createClone, state, name, { ...state, inputs: { ...state.inputs, [name]: value } }));
  const reset = (view: View) => blockIds(view).filter(id => id?.includes(':'));
  const kept = (view: View, ...without: string[]) => {
    for (const [name, value] of Object.entries(filled))
      if (!without.includes(name)) expect([name, shown(view, name)]).toEqual([name, value]);
  };

  test('a change of the source empties the snapshot, and keeps the rest of the form', () => {
    const view = to('sourceDatabase', 'MYSQL_LIVE_SERVER-2');
    expect(blockIds(view)).not.toContain('snapshot');
    expect(readView(returned(view))?.resets).toEqual({ snapshot: 1 });
    kept(view, 'sourceDatabase', 'snapshot');
  });

  test('a change to a source of another vendor empties the installation, too, and shows that vendor’s fields', () => {
    const view = to('sourceDatabase', 'ORACLE_LIVE_DATABASE-1');
    expect(reset(view)).toEqual(['install:1']);
    expect(blockIds(view)).toContain('databaseName');
    kept(view, 'sourceDatabase', 'snapshot', 'install', 'port', 'parallel');
  });

  test('a change of the target environment empties its user and installation', () => {
    const view = to('targetEnvironment', 'HOST_ENVIRONMENT-5');
    expect(reset(view)).toEqual(['environmentUser:1', 'install:1']);
    kept(view, 'targetEnvironment', 'environmentUser', 'install');
  });

  test('choosing the same source again empties no field', () => {
    expect(reset(to('sourceDatabase', 'MYSQL_LIVE_SERVER-1'))).toEqual([]);
  });

  test('a second change of the source empties the snapshot again, by another block_id', () => {
    const once = readView(returned(to('sourceDatabase', 'MYSQL_LIVE_SERVER-2')));
    if (!once) throw new Error('not read');
    const twice = to('sourceDatabase', 'MYSQL_LIVE_SERVER-3', once);
    const all = readView(returned(twice));
    expect(all?.resets.snapshot).toBe(2);
    expect(blockIds(form(createClone, { ...(all ?? empty), metadata: { ...metadata, all: true } }))).toContain(
      'snapshot:2',
    );
  });
});

describe('a form whose fields depend on a choice', () => {
  const restore = (inputs: Record<string, string>) => form(restoreDatabase, { ...empty, inputs });
  const orders = { database: 'MYSQL_LIVE_SERVER-1' };

  test('a restore form reports the choice of what to restore at once, and shows the fields of that choice', () => {
    const view = restore({ ...orders, objectType: 'MYSQL_TABLE_RECOVERY_PARAMS' });
    const telling = inputs(view).flatMap(block => (block.dispatch_action ? [block.block_id] : []));
    expect(telling).toEqual(['database', 'find', 'objectType']);
    const last = ['snapshot', 'backUpFirst'];
    expect(blockIds(view)).toEqual(['database', 'find', 'objectType', 'databaseName', 'tableName', ...last]);
    expect(blockIds(restore(orders))).toEqual(['database', 'find', 'objectType', ...last]);
    expect(blockIds(restore({}))).toEqual(['database']);
  });

  test('a restore form shows the fields of a part that was found before it is sent', () => {
    const metadata = { request: 'r', channel: 'C1', chosen: { ...orders }, labels: {} };
    const found = { ...orders, objectType: 'MYSQL_SERVER_RECOVERY_PARAMS', find: '["table","customers","orders"]' };
    const seen = { metadata, inputs: found, labels: {}, resets: {}, notes: [] };
    expect(isUnseen(restoreDatabase, seen)).toBe(true);
    expect(afterChanges(restoreDatabase, seen).inputs).toEqual({
      ...{ ...orders, objectType: 'MYSQL_TABLE_RECOVERY_PARAMS', databaseName: 'orders', tableName: 'customers' },
    });
    expect(afterChanges(restoreDatabase, { ...seen, inputs: { ...found, find: '["other","x",null]' } }).inputs).toEqual(
      {
        ...{ ...orders, objectType: 'MYSQL_SERVER_RECOVERY_PARAMS' },
      },
    );
  });

  test('a restore form offers only the kinds of restore that the vendor has', () => {
    const element = inputs(restore(orders)).find(block => block.block_id === 'objectType')?.element;
    const values = element && 'options' in element ? element.options?.map(({ value }) => value) : [];
    expect(values).toEqual([
      'MYSQL_SERVER_RECOVERY_PARAMS',
      'MYSQL_DATABASE_RECOVERY_PARAMS',
      'MYSQL_TABLE_RECOVERY_PARAMS',
    ]);
  });
});

const harmful = catalogue.flatMap(entry =>
  entry.type === 'write' && entry.warning ? [[entry.name, entry] as const] : [],
);

describe.each(harmful)('the last page of %s', (_, operation) => {
  const page = (name: string, pending: Record<string, string> = {}) =>
    lastPage(operation, metadata, pending, { sentence: operation.warning?.(name, {}) ?? '', name });

  test('the last page of a harmful operation names its target, and has the name typed where it cannot be undone', () => {
    const view = page('orders');
    expect(JSON.stringify(view.blocks[0])).toContain('orders');
    expect(inputs(view).map(block => block.label.text)).toEqual(operation.typed ? ['Type orders to confirm'] : []);
  });

  test('the last page of a form asks for the identifier where the name is too long to be typed', () => {
    const view = page('n'.repeat(76), { [operation.target]: 'PROJECT-4' });
    expect(inputs(view).map(block => block.label.text)).toEqual(operation.typed ? ['Type PROJECT-4 to confirm'] : []);
  });

  test('the last page of a form breaks no limit of Slack and mentions nobody, whatever the target’s name', () => {
    const long = '"<!channel>\u202e🐑'.repeat(200);
    expect(viewFaults(page(long), 'modal')).toEqual([]);
    expect(JSON.stringify(page(long).blocks[0])).not.toContain('<!channel>');
  });

  test('the last page of a form carries the longest texts that the form takes', () => {
    const longest = Object.fromEntries(
      operation.fields.map(({ name, widget }) => [name, widget.type === 'text' ? '"'.repeat(255) : 'X'.repeat(60)]),
    );
    const texts = { ...longest, database: live.ORACLE, objectType: 'ORACLE_TABLESPACE_RECOVERY_PARAMS' };
    const taken = fieldsFor(operation, texts).map(({ name }) => name);
    const pending = Object.fromEntries(Object.entries(texts).filter(([name]) => taken.includes(name)));
    expect(viewFaults(page('orders', pending), 'modal')).toEqual([]);
    expect(readView(returned(page('orders', pending)))?.metadata.pending).toEqual(pending);
  });
});

describe('parameters that have no room in a field', () => {
  const of = (name: string, count: number) =>
    Array.from({ length: count }, (_, at) => `${name}_${at}=some value`).join('\n');
  const drawn = (databaseParams: string) => form(createClone, { ...empty, inputs: { ...filled, databaseParams } });

  test('database parameters too long for a field are not cut: the field stays empty, and a note says why', () => {
    const view = drawn(of('parameter', 200));
    expect(blockIds(view)).toContain('databaseParams');
    expect(shown(view, 'databaseParams')).toBeUndefined();
    expect(JSON.stringify(view)).toContain('*Database parameters*: the value is longer than a Slack field allows');
    expect(readView(returned(view))?.inputs.databaseParams).toBeUndefined();
  });

  test('database parameters as long as a person can type them come back whole', () => {
    const typed = of('p', 170);
    const params = readDatabaseParams(typed);
    if (typeof params === 'string') throw new Error(params);
    expect(shown(drawn(writeDatabaseParams(params)), 'databaseParams')).toBe(typed);
  });
});

describe('the focus of a form', () => {
  test('the focus of a form is where a person has to type first, and nowhere once they are at it', () => {
    expect(focused(form(createClone, empty))).toEqual(['sourceDatabase']);
    const { targetEnvironment: _, port: __, ...begun } = filled;
    expect(focused(form(createClone, { ...empty, inputs: begun }))).toEqual(['targetEnvironment']);
    expect(
      focused(form(createClone, afterChange(createClone, empty, 'sourceDatabase', { ...empty, inputs: begun }))),
    ).toEqual([]);
  });

  test('the focus of the last page is on the reason if that is missing, and otherwise on the name to type', () => {
    const page = (why: object) =>
      focused(
        lastPage(
          restoreDatabase,
          { ...metadata, ...why },
          { database: 'MYSQL_LIVE_SERVER-1' },
          { sentence: 'All is lost.', name: 'x' },
        ),
      );
    expect(page({})).toEqual(['confirm']);
    expect(page({ asksWhy: true })).toEqual(['reason']);
    expect(page({ asksWhy: true, why: 'since' })).toEqual(['confirm']);
  });
});

test('a form warns of doubtful values that it takes all the same, and says nothing of others', () => {
  const notesOf = (more: Record<string, string>) =>
    JSON.stringify(form(createClone, { ...empty, inputs: { ...filled, ...more } }).blocks[0]);
  expect(notesOf({ parallel: '0' })).toContain(':warning: Parallel threads: 0 may mean none');
  expect(notesOf({})).not.toContain(':warning:');
});
