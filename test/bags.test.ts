import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { parseSync } from 'vite';
import { expect, test } from 'vitest';

/*
 * Outside of the wiring nothing takes a bag of more than twelve capabilities (DESIGN §2): a signature says what a function
 * may touch. A capability is a function, or an object with one; data may be wide. The types are read as they are written:
 * aliases, literals, intersections, and the members picked out of them.
 */

const most = 12;

const root = resolve(import.meta.dirname, '..');
const files = readdirSync(join(root, 'src'), { recursive: true, withFileTypes: true })
  .filter(entry => entry.isFile() && /\.ts$/.test(entry.name))
  .map(entry => relative(root, join(entry.parentPath, entry.name)))
  .filter(file => !/^src\/(app|sandbox)\//.test(file));

/** A node of the syntax tree, as far as the test reads it. */
type Node = Readonly<{ type: string; [name: string]: unknown }>;

const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string';
const nodeIn = (node: Node | undefined, ...path: readonly string[]): Node | undefined =>
  path.reduce<Node | undefined>((at, name) => (isNode(at?.[name]) ? at[name] : undefined), node);
const nodesIn = (node: Node | undefined, name: string): readonly Node[] => {
  const value = node?.[name];
  return Array.isArray(value) ? value.filter(isNode) : [];
};
const textIn = (node: Node | undefined, name: string): string => String(node?.[name] ?? '');

/** A file: its aliases of types, where its imports come from, and its tree. */
type Read = Readonly<{ file: string; tree: Node; aliases: Map<string, Node>; imports: Map<string, string> }>;

function read(file: string, code: string): Read {
  const tree: unknown = parseSync(file, code).program;
  if (!isNode(tree)) throw new Error(`${file} cannot be read`);
  const aliases = new Map<string, Node>();
  const imports = new Map<string, string>();
  for (const statement of nodesIn(tree, 'body')) {
    const declared = statement.type === 'ExportNamedDeclaration' ? nodeIn(statement, 'declaration') : statement;
    const type = declared?.type === 'TSTypeAliasDeclaration' ? nodeIn(declared, 'typeAnnotation') : undefined;
    if (type) aliases.set(textIn(nodeIn(declared, 'id'), 'name'), type);
    const from = textIn(nodeIn(statement, 'source'), 'value');
    for (const one of nodesIn(statement, 'specifiers')) imports.set(textIn(nodeIn(one, 'local'), 'name'), from);
  }
  return { file, tree, aliases, imports };
}

/** The members of the types in some files that are capabilities. */
function capabilitiesIn(sources: readonly Read[]) {
  const all = new Map(sources.map(one => [one.file, one]));
  const known = new Map<string, string[]>();
  const homeOf = (name: string, { file, imports }: Read) =>
    imports.has(name) ? all.get(relative(root, resolve(root, dirname(file), imports.get(name) ?? ''))) : all.get(file);
  const namesIn = (type: Node | undefined): string[] =>
    type?.type === 'TSUnionType' ? nodesIn(type, 'types').flatMap(namesIn) : [textIn(nodeIn(type, 'literal'), 'value')];
  /** The queries of a table are one capability, however many they are, and so are some of them. */
  const asTaken = (names: string[], home: Read | undefined) =>
    home?.file.startsWith('src/store/') ? names.slice(0, 1) : names;
  /** The groups out of which `Parts` and `Desk` take members by their names. */
  const groups = sources
    .filter(({ file }) => file === 'src/jobs/parts.ts' || file === 'src/slack/desk/desk.ts')
    .flatMap(one =>
      ['OfStore', 'Who', 'OfService', 'OfProcess', 'Added', 'Workspaces', 'Ways'].flatMap(name =>
        of(one.aliases.get(name), one),
      ),
    );

  /**
   * The names of the capabilities among a type's members; a function type has one without a name. With `isWhole`, those of the
   * store are named one by one.
   */
  function of(type: Node | undefined, at: Read, seen: readonly string[] = [], isWhole = false): string[] {
    const inner = (one: Node | undefined) => of(one, at, seen, isWhole);
    const args = nodesIn(nodeIn(type, 'typeArguments'), 'params');
    const name = textIn(nodeIn(type, 'typeName'), 'name');
    switch (type?.type) {
      case 'TSFunctionType':
        return [''];
      case 'TSTypeLiteral':
        return nodesIn(type, 'members').flatMap(member => {
          const isOne =
            member.type === 'TSMethodSignature' || inner(nodeIn(member, 'typeAnnotation', 'typeAnnotation')).length > 0;
          return isOne ? [textIn(nodeIn(member, 'key'), 'name')] : [];
        });
      case 'TSIntersectionType':
        return [...new Set(nodesIn(type, 'types').flatMap(inner))];
      case 'TSUnionType':
        return (
          nodesIn(type, 'types')
            .map(inner)
            .toSorted((a, b) => b.length - a.length)[0] ?? []
        );
      case 'TSTypeReference': {
        // What a function makes.
        if (name === 'ReturnType') return [''];
        if (name === 'Readonly' || name === 'Partial' || name === 'Required') return inner(args[0]);
        if (name === 'Pick' || name === 'Omit') {
          const whole = of(args[0], at, seen, true);
          const picked = whole.filter(one => namesIn(args[1]).includes(one) === (name === 'Pick'));
          return isWhole ? picked : asTaken(picked, homeOf(textIn(nodeIn(args[0], 'typeName'), 'name'), at));
        }
        if (name === 'Parts' || name === 'Desk') return namesIn(args[0]).filter(one => groups.includes(one));
        // What a package gives, such as a logger, is a capability.
        if (/^[^.]/.test(at.imports.get(name) ?? '.')) return [''];
        const home = homeOf(name, at);
        const key = `${home?.file} ${name}`;
        if (!home || seen.includes(key)) return [];
        const found = known.get(`${key} ${isWhole}`) ?? of(home.aliases.get(name), home, [...seen, key], isWhole);
        if (seen.length === 0) known.set(`${key} ${isWhole}`, found);
        return isWhole ? found : asTaken(found, home);
      }
      default:
        return [];
    }
  }
  return of;
}

/** The bags in some files that are too wide, in aliases and wherever else a type is written. */
function wideBags(sources: readonly Read[]): string[] {
  const capabilities = capabilitiesIn(sources);
  const takers = sources.filter(({ file }) => !file.startsWith('src/store/'));
  return takers.flatMap(source => {
    const found = new Set<string>();
    const visit = (node: Node): void => {
      if (/^TS(TypeLiteral|IntersectionType|TypeReference)$/.test(node.type)) {
        const names = capabilities(node, source);
        if (names.length > most) found.add(`${source.file}: ${names.toSorted().join(' ')}`);
      }
      for (const name of Object.keys(node)) {
        const child = nodeIn(node, name);
        for (const one of child ? [child] : nodesIn(node, name)) visit(one);
      }
    };
    visit(source.tree);
    return [...found];
  });
}

const sources = files.map(file => read(file, readFileSync(join(root, file), 'utf8')));

const wholeDesk = `import type { Desk } from './desk/desk.ts';
type Whole = Desk<'jobs' | 'audit' | 'credentials' | 'things' | 'outbox' | 'alerts' | 'sights'> &
  Desk<'people' | 'service' | 'records' | 'clock' | 'log' | 'meter'>;`;

test('the test of what functions may take sees too many capabilities, and tells these from data', () => {
  const names = Array.from({ length: most + 1 }, (_, at) => `m${at}`);
  const bag = (member: (name: string) => string) => `type Bag = Readonly<{ ${names.map(member).join(' ')} }>;`;
  const wide = (code: string) => wideBags([read('src/jobs/bag.ts', code)]).length > 0;
  expect(wide(bag(name => `${name}(): void;`))).toBe(true);
  expect(wide(bag(name => `${name}: Readonly<{ ask(): void }>;`))).toBe(true);
  expect(wide(`type One = { ask(): void }; ${bag(name => `${name}: One;`)}`)).toBe(true);
  expect(wide(bag(name => `${name}: string;`))).toBe(false);
  const both = `type A = { a(): void }; ${bag(name => (name === 'm0' ? '' : `${name}(): void;`))}`;
  expect(wide(both)).toBe(false);
  expect(wide(`${both} function take(bag: A & Bag) {}`)).toBe(true);
  // The queries of a table are one capability, and some of them are one, too.
  const table = read(
    'src/store/table.ts',
    bag(name => `${name}(): void;`),
  );
  const taking = (type: string) =>
    wideBags([table, read('src/taker.ts', `import type { Bag } from './store/table.ts'; ${type}`)]).length > 0;
  expect(taking('function take(queries: Bag) {}')).toBe(false);
  expect(taking(bag(name => `${name}: Pick<Bag, 'm3' | 'm12'>;`).replace('type Bag', 'type All'))).toBe(true);
  expect(taking("type Some = Readonly<{ queries: Pick<Bag, 'm3' | 'm12'> }>;")).toBe(false);
  expect(wideBags([...sources, read('src/slack/bag.ts', `${wholeDesk} function take(desk: Whole) {}`)])).toHaveLength(
    1,
  );
});

test('nothing outside of the wiring takes more than twelve capabilities at once', () => {
  expect(wideBags(sources)).toEqual([]);
});
