import { assumed } from './assumedKeys.ts';
import { type Leaf, textAt } from './jsonTree.ts';
import { outcomeOfAll, readOutcome } from './outcomes.ts';
import { plainly, type ReportOutcome } from './reportOutcome.ts';

/** What the entry of a log tells in one text: `event: "BACKUP_COMPLETED"`, `text: "BACKUP failed: disk full"`. */
type LogEntry = Readonly<{ kind: string; outcome: ReportOutcome; error: string | undefined; told?: undefined }>;

export function logEntryIn(
  kind: string | undefined,
  own: readonly Leaf[],
  time: Leaf | undefined,
): LogEntry | undefined {
  if (!time) return undefined;
  const remarks = own
    .filter(({ path }) => path.length === 1 && assumed.explanation.includes(path[0] ?? ''))
    .map(textAt);
  for (const text of kind !== undefined && readOutcome(kind) !== 'unknown' ? [kind] : remarks) {
    const [, head = '', rest] = /^([^:]{1,100})(?:: *(.*))?$/s.exec(text ?? '') ?? [];
    const first = readOutcome(head);
    if (first === 'unknown') continue;
    // “Backup finished: FAILED”.
    const outcome = plainly(outcomeOfAll([first, readOutcome(rest ?? '')]));
    const words = text === kind || kind === undefined ? head : `${kind} ${head}`;
    return { kind: words, outcome, error: outcome === 'failed' ? (rest ?? head) : undefined };
  }
  return undefined;
}
