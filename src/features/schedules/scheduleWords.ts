import type { RhythmWords } from '../../ground/rhythmWords.ts';
import { type Command, takeInput, writeCommand } from '../../slack/words/commandText.ts';

/* The words of `schedule`: the command that is run, and beside it when, where and with whose sign-in. */

/** The words that belong to a schedule, with the values that some of them take. */
const ownWords = ['every', 'at', 'on', 'cron', 'zone', 'tells', 'as'] as const;
const told = { all: 'all', failures: 'failures' } as const;
const runners = { me: 'owner', owner: 'owner', service: 'service' } as const;

/** A command to be run by the calendar, as it was typed. */
export type ScheduleWords = Readonly<{
  /** The command that is run, without the word `schedule`. */
  command: Command;
  /** The words of the rhythm; empty where none was typed. */
  rhythm: RhythmWords;
  zone?: string;
  tells?: 'all' | 'failures';
  runsAs?: 'owner' | 'service';
}>;

/** Words that were read, or one sentence about what is wrong with them, with the command that was meant. */
type ReadScheduleWords = ScheduleWords | Readonly<{ fault: string; meant?: Command }>;

/** Splits the words behind `schedule` into the command and what belongs to the schedule. The first word is left out. */
export function readScheduleWords({ words: [, ...words], inputs }: Command): ReadScheduleWords {
  let others = inputs;
  const own: Partial<Record<(typeof ownWords)[number], string>> = {};
  for (const word of ownWords) {
    const taken = takeInput(others, word);
    others = taken.others;
    if (taken.text !== undefined) own[word] = taken.text.trim();
  }
  const { zone, tells, as, ...rhythm } = own;
  const loose = looseRhythm(words);
  if (loose && rhythm.every === undefined && rhythm.cron === undefined) {
    const meant = { words: loose.words, inputs: { ...others, ...own, ...loose.rhythm } };
    return { fault: 'Write the times with an equals sign, so that they are not taken for a name.', meant };
  }
  const tellsAs = tells === undefined ? undefined : keyOf(told, tells);
  if (tells !== undefined && tellsAs === undefined)
    return { fault: `“${tells}” is not a choice. Type tells=all or tells=failures.` };
  const runsAs = as === undefined ? undefined : keyOf(runners, as);
  if (as !== undefined && runsAs === undefined) return { fault: `It cannot run as “${as}”. Type as=me or as=service.` };
  const chosen = { ...(zone ? { zone } : {}), ...(tellsAs === undefined ? {} : { tells: tellsAs }) };
  return { command: { words, inputs: others }, rhythm, ...chosen, ...(runsAs === undefined ? {} : { runsAs }) };
}

/** Whether a rhythm was typed at all: without one, the form asks for it. */
export function hasRhythm({ rhythm }: Pick<ScheduleWords, 'rhythm'>): boolean {
  return rhythm.every !== undefined || rhythm.cron !== undefined;
}

/** Writes words that {@link readScheduleWords} reads as the same schedule. */
export function writeScheduleWords({ command, rhythm, zone, tells, runsAs }: ScheduleWords): string {
  const own = { ...rhythm, zone, tells, as: runsAs === 'owner' ? 'me' : runsAs };
  const given = Object.entries(own).flatMap(([name, text]) => (text === undefined ? [] : [[name, text] as const]));
  const inputs = { ...command.inputs, ...Object.fromEntries(given) };
  return writeCommand({ words: ['schedule', ...command.words], inputs });
}

function keyOf<V>(known: Readonly<Record<string, V>>, text: string): V | undefined {
  return Object.entries(known).find(([word]) => word === text.toLowerCase())?.[1];
}

/** A rhythm that was typed as words of its own: “shop every day at 2am”. The words before it are the command. */
function looseRhythm(words: readonly string[]) {
  const lower = words.map(word => word.toLowerCase());
  const from = lower.findIndex(
    (word, at) =>
      at > 0 && (word === 'every' || (/^(daily|monthly|hourly)$/.test(word) && /^(at|on)$/.test(lower[at + 1] ?? ''))),
  );
  if (from < 0) return undefined;
  const tail = lower.slice(from).join(' ');
  const [, every = tail.split(' ')[0] ?? ''] = /^every (.+?)(?: at .*| on .*)?$/.exec(tail) ?? [];
  const [, at] = / at (\S+(?: [ap]m)?)/.exec(tail) ?? [];
  const [, on] = / on (?:the )?(\d+|\S+)/.exec(tail) ?? [];
  const rhythm = { every: every.replaceAll(/,? and |, /g, ','), ...(at ? { at } : {}), ...(on ? { on } : {}) };
  return { words: words.slice(0, from), rhythm };
}
