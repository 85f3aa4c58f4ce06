import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseAst } from 'vite';

/** A condition of the judge, and what it is forced to be: a part of an `and` to true, of an `or` to false, else to both. */
export type Condition = Readonly<{ file: string; line: number; text: string; forcedTo: readonly boolean[] }>;

const folder = 'src/jobs/evidence';
/** They gather, keep and learn, and judge nothing. */
const apart = ['gather.ts', 'reading.ts', 'words/stateVocabulary.ts', 'words/stateMeaning.ts'];

/** Copies the code at `root` to where each condition of the judge asks `globalThis.condition` for its value. */
export function withConditions(root: string): Readonly<{ tree: string; conditions: readonly Condition[] }> {
  const tree = mkdtempSync(join(tmpdir(), 'forced-'));
  process.once('exit', () => rmSync(tree, { recursive: true }));
  for (const name of ['src', 'package.json']) cpSync(join(root, name), join(tree, name), { recursive: true });
  symlinkSync(join(root, 'node_modules'), join(tree, 'node_modules'));
  const conditions: Condition[] = [];
  const files = readdirSync(join(tree, folder), { recursive: true, encoding: 'utf8' });
  for (const file of files.filter(name => name.endsWith('.ts') && !apart.includes(name))) {
    const path = join(tree, folder, file);
    const text = readFileSync(path, 'utf8');
    const inserts: { at: number; text: string; order: number }[] = [];
    for (const { start, end, forcedTo } of placesIn(parseAst(text, { lang: 'ts' }))) {
      const line = text.slice(0, start).split('\n').length;
      inserts.push({ at: start, text: `globalThis.condition(${conditions.length}, `, order: -end });
      inserts.push({ at: end, text: ')', order: Number.NEGATIVE_INFINITY });
      conditions.push({ file, line, text: text.slice(start, end).replace(/\s+/g, ' '), forcedTo });
    }
    let [written, from] = ['', 0];
    for (const one of inserts.toSorted((a, b) => a.at - b.at || a.order - b.order)) {
      written += text.slice(from, one.at) + one.text;
      from = one.at;
    }
    writeFileSync(path, written + text.slice(from));
  }
  const gather = join(tree, folder, 'gather.ts');
  const end = "if ('result' in tried)";
  const text = readFileSync(gather, 'utf8');
  if (!text.includes(end)) throw new Error(`nothing in gather.ts says ${end}`);
  writeFileSync(
    gather,
    text.replace(end, `if ('result' in tried) globalThis.looked(step, look, reading);\n    ${end}`),
  );
  return { tree, conditions };
}

type Place = Readonly<{ start: number; end: number; forcedTo: readonly boolean[] }>;
type Node = Readonly<Record<string, unknown> & { type: string; start: number; end: number }>;

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && 'type' in value && 'start' in value && 'end' in value;
}

/** The node without the parentheses around it. */
const bare = (node: unknown): unknown =>
  isNode(node) && node.type === 'ParenthesizedExpression' ? bare(node.expression) : node;
const operatorOf = (node: unknown) => (isNode(node) && node.type === 'LogicalExpression' ? node.operator : undefined);
const isLogical = (node: unknown) => ['&&', '||'].some(one => one === operatorOf(bare(node)));

function placesIn(node: unknown): readonly Place[] {
  if (Array.isArray(node)) return node.flatMap(placesIn);
  if (!isNode(node)) return typeof node === 'object' && node !== null ? Object.values(node).flatMap(placesIn) : [];
  const operator = operatorOf(node);
  const sides = isLogical(node) ? [node.left, node.right].filter(side => operatorOf(bare(side)) !== operator) : [];
  const isChoice = node.type === 'IfStatement' || node.type === 'ConditionalExpression';
  const tests = isChoice && !isLogical(node.test) ? [node.test] : [];
  const own = [
    ...sides.flatMap(side => (isNode(side) ? [{ side, forcedTo: [operator === '&&'] }] : [])),
    ...tests.flatMap(side => (isNode(side) ? [{ side, forcedTo: [true, false] }] : [])),
  ].map(({ side: { start, end }, forcedTo }) => ({ start, end, forcedTo }));
  return [...own, ...Object.values(node).flatMap(placesIn)];
}
