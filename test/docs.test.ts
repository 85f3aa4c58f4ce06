import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import { parse as parseYaml } from 'yaml';
import { z } from 'zod';
import { put } from '../src/api/call.ts';
import { identifiersAmong, typedIdentifier } from '../src/api/identifiers.ts';
import { readRecord } from '../src/api/reading/recordList.ts';
import { Mapping } from '../src/api/reading/recordMapping.ts';
import { configKeys } from '../src/app/config/config.ts';
import { generatedFiles } from '../src/docs/docs.ts';
import { rooms } from '../src/docs/rooms.ts';
import { PolicyFile } from '../src/jobs/approval/policy/rules.ts';
import { findOperation } from '../src/operations/catalogue.ts';
import { target } from '../src/operations/fields.ts';
import { defineWrite, type WriteOperation } from '../src/operations/operation.ts';
import { changes } from '../src/operations/proofs.ts';
import { endpoints } from '../src/sandbox/service/catalogue.ts';
import { changeDatabase } from '../src/sandbox/service/change.ts';
import { databaseWrite } from '../src/sandbox/service/databaseWrite.ts';
import { plainString } from '../src/sandbox/service/input.ts';
import { bookkeeping } from '../src/sandbox/service/jobs.ts';
import { findLive } from '../src/sandbox/service/lookups.ts';
import { inSql } from '../src/store/columns.ts';
import { tables } from '../src/store/database.ts';
import { ownCommands } from './house.ts';
import { accepted, field, startSandbox } from './sandbox/service/client.ts';

const root = resolve(import.meta.dirname, '..');
const textOf = (file: string) => readFileSync(join(root, file), 'utf8');
const entriesOf = (folder: string) => readdirSync(join(root, folder), { recursive: true, withFileTypes: true });
const pathOf = (entry: { parentPath: string; name: string }) => relative(root, join(entry.parentPath, entry.name));

describe('what is generated', () => {
  test.each(generatedFiles())('the generated $file is up to date (npm run docs)', ({ before, after }) => {
    expect(before).toBe(after);
  });
});

test('the docs’ tree names every folder of src down to the second level (say in src/docs/rooms.ts what it is for)', () => {
  const folders = entriesOf('src')
    .filter(entry => entry.isDirectory())
    .map(pathOf)
    .filter(path => path.split('/').length <= 3);
  expect(
    Object.keys(rooms)
      .filter(path => !/\.[tj]s$/.test(path))
      .toSorted(),
  ).toEqual(folders.toSorted());
  expect(Object.keys(rooms).filter(path => !existsSync(join(root, path)))).toEqual([]);
});

/** The pages for users and operators, and how to contribute. */
const linkedByReadme = ['CONTRIBUTING.md', ...readdirSync(join(root, 'docs')).map(name => `docs/${name}`)];
/** The first pages of rooms, for whoever changes them. */
const firstPages = ['src', 'test'].flatMap(folder =>
  entriesOf(folder)
    .filter(({ name }) => name === 'README.md')
    .map(pathOf),
);
const pages = ['README.md', ...linkedByReadme, ...firstPages];

describe('links', () => {
  /** A page without its code, in which brackets mean something else. */
  const proseOf = (page: string) =>
    textOf(page)
      .replace(/^ *```[\s\S]*?^ *```/gm, '')
      .replace(/`[^`\n]*`/g, 'code');
  /** The anchors that GitHub gives to the headings of a page. */
  const anchorsOf = (page: string) =>
    [...proseOf(page).matchAll(/^#+ (.*)$/gm)].map(([, heading = '']) =>
      heading
        .toLowerCase()
        .replace(/[^\p{L}\p{N}\s_-]/gu, '')
        .trim()
        .replaceAll(' ', '-'),
    );
  const links = pages.flatMap(page =>
    [...proseOf(page).matchAll(/\]\(([^)\s]*)\)/g)].map(([, link = '']) => ({ page, link })),
  );
  const isExternal = (link: string) => /^[a-z]+:/i.test(link);

  /** What is wrong with a link into the repository, if anything. */
  function fault(page: string, link: string): string | undefined {
    const [path = '', anchor] = link.split('#');
    const file = path === '' ? page : relative(root, resolve(root, dirname(page), path));
    if (file.startsWith('..')) return 'leads out of the repository';
    if (!existsSync(join(root, file)) || statSync(join(root, file)).isDirectory()) return 'leads to no file';
    return anchor === undefined || anchorsOf(file).includes(anchor) ? undefined : 'leads to no heading';
  }

  test('the test of the docs finds their links, and what is wrong with one', () => {
    expect(links.length).toBeGreaterThan(30);
    expect(fault('docs/policy.md', '../README.md#try-it')).toBeUndefined();
    expect(fault('docs/policy.md', 'nowhere.md')).toBe('leads to no file');
    expect(fault('README.md', 'docs/policy.md#nowhere')).toBe('leads to no heading');
    expect(fault('README.md', '../nowhere.md')).toBe('leads out of the repository');
  });

  test('no page of the docs has two headings with one anchor', () => {
    const twice = pages.flatMap(page =>
      anchorsOf(page)
        .filter((anchor, at, all) => all.indexOf(anchor) !== at)
        .map(anchor => `${page}#${anchor}`),
    );
    expect(twice).toEqual([]);
  });
  test('each link of the docs into the repository leads to a file, a picture or a heading that exists', () => {
    const faults = links
      .filter(({ link }) => !isExternal(link))
      .flatMap(({ page, link }) => fault(page, link)?.replace(/^/, `${page}: ${link} `) ?? []);
    expect(faults).toEqual([]);
  });

  test('each link of the docs to elsewhere is an address with https', () => {
    const strange = links.filter(
      ({ link }) => isExternal(link) && !(URL.canParse(link) && link.startsWith('https://')),
    );
    expect(strange).toEqual([]);
  });

  test('the README links to every page but the first ones, which CONTRIBUTING links to, and stays short', () => {
    const linkedBy = (from: string) => links.filter(({ page }) => page === from).map(({ link }) => link);
    expect(linkedByReadme.filter(page => !linkedBy('README.md').includes(page))).toEqual([]);
    expect(firstPages.length).toBeGreaterThan(3);
    expect(firstPages.filter(page => !linkedBy('CONTRIBUTING.md').includes(page))).toEqual([]);
    expect(textOf('README.md').split('\n').length).toBeLessThanOrEqual(200);
  });
});

describe('what the pages name exists:', () => {
  const quoted = (pattern: RegExp) =>
    pages.flatMap(page => [...textOf(page).matchAll(pattern)].map(([, name = '']) => ({ page, name })));

  test('each file that the docs name exists', () => {
    const named = quoted(/`((?:src|test|docs)\/[\w./-]*)`/g);
    expect(named.length).toBeGreaterThan(2);
    expect(named.filter(({ name }) => !existsSync(join(root, name)))).toEqual([]);
  });

  test('each table of the store that the docs name exists', () => {
    const named = quoted(/\btables? (`\w+`(?:, `\w+`)*)/g).flatMap(({ page, name }) =>
      name.split(', ').map(table => ({ page, name: table.replaceAll('`', '') })),
    );
    expect(named.length).toBeGreaterThan(10);
    const known = Object.keys(tables).map(inSql);
    expect(named.filter(({ name }) => !known.includes(name))).toEqual([]);
  });

  test('each npm script that the docs name exists', () => {
    const { scripts } = z
      .object({ scripts: z.record(z.string(), z.string()) })
      .parse(JSON.parse(textOf('package.json')));
    const named = quoted(/npm (?:run )?((?!run\b|ci\b|and\b)[a-z:]+)(?=[\s`)])/g).filter(({ name }) => name !== '');
    expect(named.length).toBeGreaterThan(10);
    expect(named.filter(({ name }) => !(name in scripts))).toEqual([]);
  });

  test('each command that the docs name exists', () => {
    const named = quoted(/`\/db ([^`]*)`/g);
    const own: readonly string[] = ownCommands.map(({ word }) => word);
    expect(named.length).toBeGreaterThan(40);
    expect(
      named.filter(({ name }) => {
        const words = name.split(' ');
        return !own.includes(words[0] ?? '') && findOperation(words) === undefined;
      }),
    ).toEqual([]);
  });

  test('each configuration key that the docs name exists', () => {
    const named = quoted(
      /`((?:SLACK|SERVICE|TOKEN|PUBLIC|APPROV|ALLOW|AUDIT|DATABASE|DATA|METRICS|COMMANDS|LOG)\w*_\w+)[`=]/g,
    );
    expect(named.length).toBeGreaterThan(40);
    expect(named.filter(({ name }) => !configKeys.includes(name))).toEqual([]);
  });
});

describe('the examples of files are taken:', () => {
  const example = (page: string) => parseYaml(/```yaml\n([\s\S]*?)```/.exec(textOf(page))?.[1] ?? '');
  test('the docs’ example of a policy is accepted', () => {
    expect(PolicyFile.safeParse(example('docs/policy.md')).error).toBeUndefined();
  });
  test('the docs’ example of a mapping is accepted', () => {
    expect(Mapping.safeParse(example('docs/configuration.md')).error).toBeUndefined();
  });
  test('the docs’ example of a mapping reads such a record', () => {
    const [id] = identifiersAmong(['MYSQL_LIVE_SERVER-1']);
    const taken = '2026-11-21T09:00:00Z';
    const fields = {
      spec: { displayName: 'orders' },
      status: 'QUIESCED',
      info: { latestOperation: { type: 'BKP', status: '8', attempt: 3, maxAttempts: 3 }, lastCopy: { result: 'DUN' } },
      restorePoints: [{ ref: 'MYSQL_SNAPSHOT-4', tag: 'nightly', takenAt: taken }],
      protection: { redoAt: taken },
    };
    const record = id && readRecord({ id: id.text, ...fields }, id, Mapping.parse(example('docs/configuration.md')));
    expect(record).toMatchObject({
      ...{ name: 'orders', state: { word: 'QUIESCED', class: 'stopped' } },
      reports: [
        { kind: 'BKP, meaning backup', outcome: 'failed', attempts: { now: 3, most: 3 } },
        { kind: 'backup', outcome: 'done' },
      ],
      mentions: [{ label: 'nightly', time: Date.parse(taken) }],
      times: { 'protection.redoAt, meaning logs': Date.parse(taken) },
    });
  });
});

test('the docs’ example of a new operation does what its page says', async () => {
  const [operation = '', endpoint = ''] = [...textOf('CONTRIBUTING.md').matchAll(/ *```ts\n([\s\S]*?) *```/g)].map(
    ([, code = '']) =>
      code
        .trim()
        .replace(/^const \w+ = /, '')
        .replace(/[;,]$/, ''),
  );
  const liveDatabase = target('database', 'Database', ['live']);
  const bot = { defineWrite, liveDatabase, put, changes };
  const verify: WriteOperation = run(operation, bot);
  const id = typedIdentifier('MYSQL_LIVE_SERVER-1');
  if (!id) throw new Error('the identifier is one');
  const { method, path, body } = verify.call(id, { database: id.text });
  const sandbox = { databaseWrite, plainString, findLive, changeDatabase, bookkeeping };
  const { as, clock } = await startSandbox({ endpoints: [...endpoints, run(endpoint, sandbox)] });
  const ana = await as('ana');
  expect((await ana(`${method} ${path}`, String(body))).body).toEqual(accepted);
  await clock.advance(5_000);
  const record = (await ana(`GET /database/${id.text}`)).body;
  const [key = ''] = verify.proof.type === 'changes' && verify.proof.by !== 'work' ? verify.proof.by : [];
  expect(field(record, key)).toBe(new Date(clock.now()).toISOString());
});

/** Runs an expression of a page with the names that stand around it in its file. */
function run<T>(code: string, names: Readonly<Record<string, unknown>>): T {
  return new Function(...Object.keys(names), `return ${code}`)(...Object.values(names));
}

describe('one word, one meaning:', () => {
  const homes = Map.groupBy(
    entriesOf('src')
      .filter(entry => entry.isFile() && /\.tsx?$/.test(entry.name))
      .map(pathOf)
      // The sandbox is another program.
      .filter(file => !file.startsWith('src/sandbox/'))
      .flatMap(file =>
        [...textOf(file).matchAll(/^export (?:async |abstract )*(?:function\*?|const|let|type|class) (\w+)/gm)].map(
          ([, name = '']) => ({ name, file }),
        ),
      ),
    ({ name }) => name,
  );

  test('no exported name is given in two files', () => {
    expect(homes.size).toBeGreaterThan(400);
    const shared = [...homes].filter(([, places]) => new Set(places.map(({ file }) => file)).size > 1);
    expect(shared).toEqual([]);
  });

  test('the glossary names each word once, in order, with its name in the code', () => {
    const rows = [...textOf('docs/design.md').matchAll(/^\| ([a-z -]+) \| [^|]+ \|(?: `(\w+)`)? \|$/gm)]
      .map(([, word = '', name]) => ({ word, name }))
      .filter(({ word }) => word !== 'word');
    const words = rows.map(({ word }) => word);
    expect(words.length).toBeGreaterThan(30);
    expect(words).toEqual([...new Set(words)].toSorted((a, b) => a.localeCompare(b)));
    expect(rows.filter(({ name }) => name !== undefined && !homes.has(name))).toEqual([]);
  });
});
