import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';

const root = resolve(import.meta.dirname, '..', '..');

/** Ground is used by all and the sandbox uses little of the rest: their arrows would hide the others. */
const leftOut = ['docs', 'ground', 'main.ts', 'move.ts', 'sandbox'];

/**
 * The imports between the rooms directly below a folder, as a Mermaid flowchart: an arrow points at what is imported.
 * @param folder From the root of the repository on, such as `src/slack`.
 */
export function importDiagram(folder: string): string {
  const edges = filesBelow(folder).flatMap(from =>
    importsOf(from).map(to => [roomIn(folder, from), roomIn(folder, to)] as const),
  );
  const arrows = edges
    .filter(([from, to]) => from && to && from !== to && ![from, to].some(room => leftOut.includes(room)))
    .map(([from, to]) => `  ${nodeOf(from)} --> ${nodeOf(to)}`);
  return ['```mermaid', 'flowchart TD', ...[...new Set(arrows)].toSorted(), '```'].join('\n');
}

function filesBelow(folder: string): string[] {
  return readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter(entry => entry.isFile() && /\.tsx?$/.test(entry.name))
    .map(entry => relative(root, join(entry.parentPath, entry.name)));
}

function importsOf(file: string): string[] {
  const found = readFileSync(join(root, file), 'utf8').matchAll(/(?:\bfrom\s+|\bimport\s*\(\s*)'(\.[^']+)'/g);
  return [...found].map(([, name = '']) => relative(root, resolve(root, dirname(file), name)));
}

/** The folder or file directly below `folder` in which a file lies, or an empty text where it lies elsewhere. */
function roomIn(folder: string, file: string): string {
  return file.startsWith(`${folder}/`) ? (file.slice(folder.length + 1).split('/')[0] ?? '') : '';
}

const nodeOf = (room: string): string => (room.includes('.') ? `${room.replaceAll('.', '_')}["${room}"]` : room);
