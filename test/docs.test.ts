import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import { generatedFiles } from '../src/docs/docs.ts';
import { rooms } from '../src/docs/rooms.ts';

const root = resolve(import.meta.dirname, '..');
const textOf = (file: string) => readFileSync(join(root, file), 'utf8');
const entriesOf = (folder: string) => readdirSync(join(root, folder), { recursive: true, withFileTypes: true });
const pathOf = (entry: { parentPath: string; name: string }) => relative(root, join(entry.parentPath, entry.name));

describe('what is generated', () => {
  test.each(generatedFiles())('$file is up to date (npm run docs)', ({ before, after }) => {
    expect(before).toBe(after);
  });
});

test('the tree names every folder down to the second level (say in src/docs/rooms.ts what a new one is for)', () => {
  const folders = entriesOf('src')
    .filter(entry => entry.isDirectory())
    .map(pathOf)
    .filter(path => path.split('/').length <= 3);
  expect(
    Object.keys(rooms)
      .filter(path => !path.endsWith('.ts'))
      .toSorted(),
  ).toEqual(folders.toSorted());
  expect(Object.keys(rooms).filter(path => !existsSync(join(root, path)))).toEqual([]);
});

describe('links', () => {
  const pages = ['README.md', ...readdirSync(join(root, 'docs')).map(name => `docs/${name}`)];
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

  test('are seen', () => {
    expect(links.length).toBeGreaterThan(30);
    expect(fault('docs/policy.md', '../README.md#try-it')).toBeUndefined();
    expect(fault('docs/policy.md', 'nowhere.md')).toBe('leads to no file');
    expect(fault('README.md', 'docs/policy.md#nowhere')).toBe('leads to no heading');
    expect(fault('README.md', '../nowhere.md')).toBe('leads out of the repository');
  });

  test('into the repository lead to a file, a picture or a heading that exists', () => {
    const faults = links
      .filter(({ link }) => !isExternal(link))
      .flatMap(({ page, link }) => fault(page, link)?.replace(/^/, `${page}: ${link} `) ?? []);
    expect(faults).toEqual([]);
  });

  test('to elsewhere are addresses with https', () => {
    const strange = links.filter(
      ({ link }) => isExternal(link) && !(URL.canParse(link) && link.startsWith('https://')),
    );
    expect(strange).toEqual([]);
  });

  test('in the README lead to every page, and the README stays short', () => {
    const linked = links.filter(({ page }) => page === 'README.md').map(({ link }) => link);
    expect(pages.filter(page => page !== 'README.md' && !linked.includes(page))).toEqual([]);
    expect(textOf('README.md').split('\n').length).toBeLessThanOrEqual(200);
  });
});

test('one exported name has one meaning: none is given in two files (the sandbox is another program)', () => {
  const named = entriesOf('src')
    .filter(entry => entry.isFile() && /\.tsx?$/.test(entry.name))
    .map(pathOf)
    // The old home of a job is left file by file (src/store/jobs is the new one).
    .filter(file => !file.startsWith('src/sandbox/') && !file.startsWith('src/store/jobs/'))
    .flatMap(file =>
      [...textOf(file).matchAll(/^export (?:async |abstract )*(?:function\*?|const|let|type|class) (\w+)/gm)].map(
        ([, name = '']) => ({ name, file }),
      ),
    );
  expect(named.length).toBeGreaterThan(500);
  const homes = Map.groupBy(named, ({ name }) => name);
  const shared = [...homes].filter(([, places]) => new Set(places.map(({ file }) => file)).size > 1);
  // Those that are known; the list may only become shorter.
  const known = ['Part', 'Reader', 'Turn', 'Verdict', 'fits', 'labelOf', 'leftOut'];
  const alsoKnown = ['mentions', 'plain', 'post', 'stateOf'];
  expect(shared.map(([name]) => name).filter(name => ![...known, ...alsoKnown].includes(name))).toEqual([]);
});
