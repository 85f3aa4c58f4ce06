import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';

const root = resolve(import.meta.dirname, '..', '..');

/**
 * The rooms without arrows. All rooms use ground, and the sandbox uses little of the rest: such arrows would hide the
 * others.
 */
const hidden = ['docs', 'ground', 'main.ts', 'move.ts', 'checkRecords.ts', 'sandbox'];

/**
 * The imports between the rooms directly below a folder, as a Mermaid flowchart: an arrow points at what is imported.
 * An arrow that a longer path implies is left out, to show the order of the rooms.
 * @param folder Its path from the root of the repository, such as `src/slack`.
 */
export function importDiagram(folder: string): string {
  const imported = new Map<string, Set<string>>();
  for (const file of filesBelow(folder)) {
    const from = roomIn(folder, file);
    for (const to of importsOf(file).map(name => roomIn(folder, name))) {
      if (to === '' || from === to || [from, to].some(room => hidden.includes(room))) continue;
      imported.set(from, (imported.get(from) ?? new Set()).add(to));
    }
  }
  const reaches = (from: string, to: string, passed: readonly string[] = []): boolean =>
    !passed.includes(from) &&
    [...(imported.get(from) ?? [])].some(next => next === to || reaches(next, to, [...passed, from]));
  const arrows = [...imported].flatMap(([from, rooms]) =>
    [...rooms]
      .filter(to => ![...rooms].some(other => other !== to && reaches(other, to)))
      .map(to => `  ${from} --> ${to}`),
  );
  return ['```mermaid', 'flowchart TD', ...arrows.toSorted(), '```'].join('\n');
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
