import type { Teardown } from '../../../operations/plans/teardown.ts';
import type { TreeNode } from '../../../operations/plans/tree.ts';
import { compareNames } from '../../../records/find.ts';
import { bold, recordNamed } from '../../blocks/mrkdwn.ts';

/** Beyond this many, clones of the same source on which nothing depends share lines. */
const mostAlike = 8;
/** The deepest level that is drawn by indentation. */
const deepest = 12;
/** Max characters of a line of clones that share it. */
const widest = 900;

/** More about the records of a tree, by identifier, in mrkdwn: their places, and who made or owns them. */
export type Notes = ReadonlyMap<string, Readonly<{ place?: string | undefined; owner?: string | undefined }>>;

/**
 * Draws a tree, one line of mrkdwn for each record; clones that are alike share lines, so that hundreds fit. What stays
 * is marked.
 */
export function treeLines({ tree, kept }: Pick<Teardown, 'tree' | 'kept'>, notes: Notes): readonly string[] {
  const children = Map.groupBy(tree.nodes.values(), ({ under }) => under);
  const below = ({ id }: TreeNode) => children.get(id) ?? [];
  const lines: string[] = [];
  const root = tree.nodes.get(tree.root);
  const todo: TreeRow[] = root ? [{ nodes: [root], branch: '', inner: '', depth: 0 }] : [];
  for (let row = todo.pop(); row; row = todo.pop()) {
    const { nodes, branch, inner, depth } = row;
    const [node] = nodes;
    if (nodes.length > 1 || !node) {
      lines.push(...sharedTexts(nodes, kept, notes).map((text, line) => `${line === 0 ? branch : inner}${text}`));
      continue;
    }
    lines.push(`${branch}${nodeText(node, kept, notes)}`);
    const sorted = below(node).toSorted((one, other) => compareNames(one.name ?? one.id, other.name ?? other.id));
    const rows = rowsOf(sorted, one => below(one).length === 0, kept);
    const more = rows.map((some, at) => {
      const isLast = at === rows.length - 1;
      const next = depth < deepest ? `${inner}${isLast ? gap : pole}` : inner;
      return { nodes: some, branch: `${inner}${isLast ? '└─ ' : '├─ '}`, inner: next, depth: depth + 1 };
    });
    todo.push(...more.toReversed());
  }
  return lines;
}

/** Records that share lines, or one alone, with the beginnings of their first line and of the lines below it. */
type TreeRow = Readonly<{ nodes: readonly TreeNode[]; branch: string; inner: string; depth: number }>;

/** An indentation, and one beside which the tree goes on. Slack keeps these blanks. */
const gap = '\u2003\u2002';
const pole = '│\u2003';

/** Records in rows: each alone, except that many which are alike share one. */
function rowsOf(nodes: readonly TreeNode[], isLeaf: (node: TreeNode) => boolean, kept: ReadonlySet<string>) {
  const alike = Map.groupBy(nodes.filter(isLeaf), ({ id }) => kept.has(id));
  const shared = [...alike.values()].filter(some => some.length > mostAlike);
  const together = new Set(shared.flat());
  return [...nodes.filter(node => !together.has(node)).map(node => [node]), ...shared];
}

function nodeText({ id, name }: TreeNode, kept: ReadonlySet<string>, notes: Notes): string {
  const { place, owner } = notes.get(id) ?? {};
  const stays = kept.has(id) ? '  ·  _stays_' : '';
  return `${recordNamed(id, name, bold)}${place ? ` on ${place}` : ''}${owner ? `, ${owner}` : ''}${stays}`;
}

/** Many records in few lines: their number, and each by its name, place and owner. */
function sharedTexts(nodes: readonly TreeNode[], kept: ReadonlySet<string>, notes: Notes): readonly string[] {
  const stay = nodes[0] && kept.has(nodes[0].id) ? ' that stay' : '';
  const texts = nodes.map(({ id, name }) => {
    const { place, owner } = notes.get(id) ?? {};
    const about = [place, owner].filter(Boolean).join(', ');
    return `${recordNamed(id, name)}${about === '' ? '' : ` ${about}`}`;
  });
  const lines = [`*${nodes.length} clones${stay}*: `];
  texts.forEach((text, at) => {
    const end = at === texts.length - 1 ? '' : ', ';
    const last = lines.at(-1) ?? '';
    if (last.length + text.length > widest) lines.push(`${text}${end}`);
    else lines[lines.length - 1] = `${last}${text}${end}`;
  });
  return lines;
}
