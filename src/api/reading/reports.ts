import { type Identifier, parseIdentifier } from '../identifiers.ts';
import { assumed } from './assumptions.ts';
import { isTree, type Leaf, leaves, oneLine, plainKey, type Tree } from './jsonTree.ts';
import { isOtherRecord } from './ownIdentifier.ts';
import { usualClass } from './stateWords.ts';
import { timeOf } from './times.ts';

/**
 * What a record reports of work that is or was done on it (`lastJob`, `recentTasks`, `lastOperationStatus`; spec §6 shows
 * none). Texts stand as they came, times in milliseconds since the epoch. `isZoned` tells whether the times name their
 * zone: others may be hours off.
 */
export type Report = Readonly<{
  /** What tells it from other reports of the same record, also once it has gone on. */
  identity: string;
  /** Whether that is only its place and kind, which the next report takes over, and no number or time of its own. */
  isPlace: boolean;
  kind: string | undefined;
  word: string | undefined;
  outcome: 'busy' | 'done' | 'failed' | 'unknown';
  error: string | undefined;
  by: string | undefined;
  beganAt: number | undefined;
  endedAt: number | undefined;
  isZoned: boolean;
  /** The identifiers that it mentions. */
  about: readonly Identifier[];
}>;

/** The reports in the record `id` whose fields are `tree`, at any depth, but in no other record inside it. */
export function reportsOf(tree: Tree, id: Identifier): readonly Report[] {
  const found: Report[] = [];
  const visit = (node: Tree, path: string, isReport: boolean, depth: number): void => {
    if (depth > 8) return;
    const flat = new Map<string, [string, unknown][]>();
    for (const [rawKey, value] of Object.entries(node)) {
      const key = plainKey(rawKey);
      const here = path === '' ? key : `${path}.${key}`;
      const inReport = isReport || assumed.report.test(key);
      for (const item of Array.isArray(value) ? value.slice(0, mostInList) : [value]) {
        if (!isTree(item) || (!inReport && isOtherRecord(key, item, id))) continue;
        const report = inReport ? reportIn(item, here) : undefined;
        if (report) found.push(report);
        else visit(item, here, inReport, depth + 1);
      }
      const [, work, fact] = (assumed.flatReport.exec(key) ?? []).filter(part => part !== undefined);
      if (work !== undefined && fact !== undefined) flat.set(work, [...(flat.get(work) ?? []), [fact, value]]);
      // `busyWith: "BACKUP"` and `lastJob: "FAILED"` are reports, too.
      else if (assumed.underWay.test(key) && typeof value === 'string' && value !== '' && !assumed.noError.test(value))
        flat.set(key, [
          ['status', 'RUNNING'],
          ['kind', value],
        ]);
      else if (assumed.report.test(key) && typeof value === 'string' && saysHow(value))
        flat.set(key, [...(flat.get(key) ?? []), ['status', value]]);
    }
    for (const [work, facts] of flat) {
      const report = reportIn(Object.fromEntries(facts), path === '' ? work : `${path}.${work}`);
      if (report) found.push(report);
    }
  };
  visit(tree, '', false, 0);
  return found;
}

/** A record's list of its work may be long; it tells the newest at one of its ends. */
const mostInList = 200;

function reportIn(tree: Tree, path: string): Report | undefined {
  const own = [...leaves(tree, (key, value) => Array.isArray(value) && !assumed.error.includes(key))].filter(
    ({ path: at }) => at.length <= 2,
  );
  const at = (names: readonly string[]) =>
    names.flatMap(name => own.filter(leaf => leaf.path[0] === name && isPlainly(leaf))).at(0);
  const said = own.filter(
    leaf => assumed.reported.state.includes(leaf.path[0] ?? '') && isPlainly(leaf) && text(leaf) !== undefined,
  );
  const kind = at(assumed.reported.kind);
  const began = at(assumed.reported.began);
  const ended = at(assumed.reported.ended);
  // An object that says neither how it goes nor when it was is no report.
  if (said.length === 0 && (kind === undefined || (began ?? ended) === undefined)) return undefined;
  const outcome = outcomeOf(said);
  const [beganAt, endedAt] = [timeOf(began?.value), timeOf(ended?.value)];
  const number = at(assumed.reported.id);
  const texts = [assumed.error, outcome === 'failed' ? assumed.remark : []].flat();
  const error = own.find(
    leaf =>
      texts.includes(leaf.path[0] ?? '') &&
      typeof leaf.value === 'string' &&
      leaf.value.trim() !== '' &&
      !assumed.noError.test(leaf.value.trim()),
  );
  const identity = number?.value ?? began?.value;
  return {
    identity: JSON.stringify([kind?.value ?? null, identity ?? path]),
    isPlace: identity === undefined,
    kind: text(kind) ?? kindIn(path),
    word: text(said.find(leaf => typeof leaf.value !== 'boolean') ?? said[0]),
    // What is over and shows an error has failed, whatever it says of itself.
    outcome: error && outcome !== 'busy' && (outcome === 'done' || endedAt !== undefined) ? 'failed' : outcome,
    error: text(error),
    by: text(at(assumed.reported.by)),
    ...{ beganAt, endedAt },
    isZoned: [began, ended].every(leaf => leaf === undefined || isZoned(leaf.value)),
    about: own.flatMap(({ value }) => (typeof value === 'string' ? (parseIdentifier(value) ?? []) : [])),
  };
}

/** `lastRestore: {state: "FAILED"}` names the work by its key. */
function kindIn(path: string): string | undefined {
  const [, kind] = /(?:^|\.)(?:last|latest|current)([a-z]+?)(?:info|details?)?$/.exec(path) ?? [];
  return kind === undefined || assumed.report.test(kind) ? undefined : kind;
}

/** Whether a text says how work goes, as `FAILED` does and `RESTORE` does not. */
function saysHow(word: string): boolean {
  const outcome = wordOutcome(word);
  return (
    outcome === 'done' || outcome === 'failed' || (outcome === 'busy' && /ing\b|progress|pending|queued/i.test(word))
  );
}

/** `status: "OK"` and `status: {name: "OK"}`, and not `status: {error: "no"}`. */
function isPlainly({ path, key }: Leaf): boolean {
  return path.length === 1 || assumed.stateWord.includes(key);
}

/** How words that a report says of itself end: a failure outweighs what goes on, which outweighs what is done. */
function outcomeOf(said: readonly Leaf[]): Report['outcome'] {
  const outcomes = said.map(({ path: [key = ''], value }) => {
    const isOutcome = /^(succe|ok$)/.test(key) ? 'done' : key === 'failed' ? 'failed' : undefined;
    if (isOutcome && typeof value === 'boolean') return value ? isOutcome : isOutcome === 'done' ? 'failed' : 'unknown';
    if (typeof value !== 'string') return 'unknown';
    return wordOutcome(value);
  });
  return (['failed', 'busy', 'done'] as const).find(outcome => outcomes.includes(outcome)) ?? 'unknown';
}

/** Words that say of a record that it is well, and of work that it goes on. */
const underWay = /^(running|active|started|initiated|begun)$/;
const cutShort = /^(stopped|terminated|killed|unsuccessful|interrupted|dead)$/;
const over = /^(success(ful(ly)?)?|succeeded|completed?|done|finished|ok(ay)?|passed)$/;

function wordOutcome(word: string): Report['outcome'] {
  const parts = word
    .replace(/([a-z])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z]+/)
    .filter(Boolean);
  const usual = usualClass(word);
  if (usual === 'failed' || parts.some(part => cutShort.test(part))) return 'failed';
  if (usual === 'busy' || parts.some(part => underWay.test(part))) return 'busy';
  // NOT_COMPLETED and PARTIALLY_DONE tell of no good end.
  const isWhole = !parts.some(part => /^(not?|un|in|partial(ly)?|half)$/.test(part));
  return isWhole && parts.some(part => over.test(part)) ? 'done' : 'unknown';
}

/** Numbers count from the epoch, and texts say where they are. */
function isZoned(value: unknown): boolean {
  return typeof value === 'number' || /^\d+$|[zZ]$|[+-]\d\d:?\d\d$|GMT|UTC/.test(String(value).trim());
}

function text(leaf: Leaf | undefined): string | undefined {
  return leaf && oneLine(String(leaf.value));
}
