import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { rooms as purposes } from './rooms.ts';

const root = resolve(import.meta.dirname, '..', '..');

/** An import: one file imports another, or a package. Files have their paths from the root of the repository. */
export type Import = Readonly<{ from: string; to: string }>;

/** The TypeScript files below a folder, by their paths from the root of the repository. */
export function sourcesIn(folder: string): readonly string[] {
  return readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter(entry => entry.isFile() && /\.tsx?$/.test(entry.name))
    .map(entry => relative(root, join(entry.parentPath, entry.name)))
    .toSorted();
}

/** What a file imports: other files by their paths from the root of the repository, packages by name. */
export function importsOf(file: string): readonly string[] {
  const text = readFileSync(join(root, file), 'utf8');
  const found = text.matchAll(/(?:\bfrom\s+|\bimport\s*\(\s*|^import\s+)(['"])([^'"]+)\1/gm);
  return [...found].map(([, , name = '']) =>
    name.startsWith('.') ? relative(root, resolve(root, dirname(file), name)) : name,
  );
}

/** All imports of the files below a folder. */
export function importsBelow(folder: string): readonly Import[] {
  return sourcesIn(folder).flatMap(from => importsOf(from).map(to => ({ from, to })));
}

/** The imports between the rooms directly below a folder, by room. */
function roomsImported(folder: string, hidden: readonly string[]): ReadonlyMap<string, ReadonlySet<string>> {
  const imported = new Map<string, Set<string>>();
  for (const { from, to } of importsBelow(folder)) {
    const [here, there] = [roomIn(folder, from), roomIn(folder, to)];
    if (there === '' || here === there || [here, there].some(room => hidden.includes(room))) continue;
    imported.set(here, (imported.get(here) ?? new Set()).add(there));
  }
  return imported;
}

/** The folder or file directly below `folder` in which a file lies, or an empty text where it lies elsewhere. */
function roomIn(folder: string, file: string): string {
  return file.startsWith(`${folder}/`) ? (file.slice(folder.length + 1).split('/')[0] ?? '') : '';
}

/** The entry points and the programs beside the bot, which stand on no floor. */
const beside = ['docs', 'main.ts', 'move.ts', 'checkRecords.ts', 'bundleForStart.ts', 'sandbox'];

/**
 * The imports between the rooms directly below a folder, as a Mermaid flowchart: an arrow points at what is imported.
 * An arrow that a longer path implies is left out, to show the order of the rooms.
 * @param folder Its path from the root of the repository, such as `src/slack`.
 */
export function importDiagram(folder: string): string {
  // All rooms use ground: its arrows would hide the others.
  const imported = roomsImported(folder, [...beside, 'ground']);
  const reaches = (from: string, to: string, passed: readonly string[] = []): boolean =>
    !passed.includes(from) &&
    [...(imported.get(from) ?? [])].some(next => next === to || reaches(next, to, [...passed, from]));
  const arrows = [...imported].flatMap(([from, some]) =>
    [...some]
      .filter(to => ![...some].some(other => other !== to && reaches(other, to)))
      .map(to => `  ${from} --> ${to}`),
  );
  return ['```mermaid', 'flowchart TD', ...arrows.toSorted(), '```'].join('\n');
}

/** Number of files of a room that the map names, those that most files of other rooms import. */
const doorsNamed = 4;

/**
 * The rooms of the bot from the top to the ground, each above all that it imports, with the files by which others use it.
 * Rooms beside each other on a floor do not import each other.
 */
export function floorPlan(): string {
  const imported = roomsImported('src', beside);
  const rooms = new Set([...imported].flatMap(([from, some]) => [from, ...some]));
  const floorOf = (room: string): number => Math.max(-1, ...[...(imported.get(room) ?? [])].map(floorOf)) + 1;
  const uses = importsBelow('src').filter(({ from, to }) => {
    const room = roomIn('src', from);
    return room !== roomIn('src', to) && !beside.includes(room);
  });
  const doorsOf = (room: string) =>
    [
      ...Map.groupBy(
        uses.filter(({ to }) => roomIn('src', to) === room),
        ({ to }) => to,
      ),
    ]
      .toSorted(([one, some], [other, more]) => more.length - some.length || one.localeCompare(other))
      .filter(([, users]) => users.length > 1)
      .slice(0, doorsNamed)
      .map(([file]) => `\`${file.slice(`src/${room}/`.length)}\``);
  const lines = [...rooms]
    .map(room => ({ room, floor: floorOf(room) }))
    .toSorted((one, other) => other.floor - one.floor || one.room.localeCompare(other.room))
    .map(
      ({ room, floor }) =>
        `| ${floor} | \`src/${room}\` | ${purposes[`src/${room}`] ?? ''} | ${doorsOf(room).join(' · ') || '—'} |`,
    );
  return ['| floor | room | what it is for | what others use of it most |', '|---|---|---|---|', ...lines].join('\n');
}
