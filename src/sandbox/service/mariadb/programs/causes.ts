import { stripVTControlCharacters } from 'node:util';

/** The prefix of a line in a log: thread and time. */
const stamp = /^(\[\d\d\] )?\d{4}-\d\d-\d\d +\d{1,2}:\d\d:\d\d (\d+ )?/;
/** Nothing is wrong with what these lines tell, or not yet; and the dump of a page shows people's data. */
const harmless = /^\[(Note|Warning)\]|, retrying\.{3}$|^(len \d+; hex|InnoDB: (Page dump|End of page))|[^\P{Cc}\t]/iu;
const faulty = /error|fatal|denied|no space|disk (is )?full|cannot|can't|failed|unknown|corrupt/i;
/** Lines that MariaDB writes after any cause: they tell that something else cannot go on. */
const consequence =
  /^(\[ERROR\] )?(Aborting$|Plugin '\w+' (registration|init)|InnoDB: Plugin initialization aborted|Unknown\/unsupported storage engine: InnoDB$|Failed to initialize|Parsing options for plugin|Do you already have another)/;
/** The client shows the statement that failed, too, with what people keep in their tables. Its own words begin so. */
const ofClient = /^ERROR \d+ \(/;
/** Names of files and of tables, which people choose: `error_log` is no fault, and a full disk neither. */
const names = /\S*\/\S*|`[^`]*`/g;
/** What a backup tells of its progress. */
const progress = /^(Copying|Streaming|Compressing|Encrypting|Moving|Removing|Creating|Renaming|Extracting|Applying)\b/;
const noSpace = /no space left|disk (is )?full|(errno|errcode|error):? \(?28\b/i;

/** So many lines are told, and so many characters of each. */
const told = 4;
const longest = 1_000;

/** The file of a table or of a partition, below a data directory. */
const ofTable = /\.\/(?<database>[^/\s]+)\/(?<table>[^/\s]+?)(#[Pp]#[^\s.]*)?\.(frm|ibd|isl|cfg|MYD|MYI|MAD|MAI|CSV)\b/;

/** The line with the table that it speaks of in front, by its own name: a file's name has numbers for most letters. */
function named(line: string): string {
  const { database = '', table = '' } = ofTable.exec(line)?.groups ?? {};
  const plain = (name: string) =>
    name.replace(/@([0-9a-f]{4})/g, (_, digits: string) => String.fromCharCode(Number.parseInt(digits, 16)));
  return `Table ${plain(database)}.${plain(table)}: ${line}`;
}

/**
 * Why a program failed, of all that it wrote, for a person to read: the cause first, and what followed from it left out. The last
 * lines where none speaks of a fault.
 */
export function causeOf(written: string): string {
  const text = stripVTControlCharacters(written);
  const lines = text.split('\n').flatMap(line => {
    const words = line.replace(stamp, '').trim();
    return words === '' || harmless.test(words) || progress.test(words) ? [] : [words.slice(0, longest)];
  });
  const own = lines.filter(line => ofClient.test(line));
  if (own.length > 0) return own.slice(0, told).join('\n');
  // A server that waits for space tells it as a warning only.
  const full = text.split('\n').find(isFull);
  if (full !== undefined) return `No space left on the disk: ${full.replace(stamp, '').trim().slice(0, longest)}`;
  const causes = [...new Set(lines.filter(line => faulty.test(line.replace(names, '')) && !consequence.test(line)))];
  const first = causes.find(line => ofTable.test(line));
  if (first !== undefined) return [named(first), ...causes.filter(line => line !== first)].slice(0, told).join('\n');
  if (causes.length > 0) return causes.slice(0, told).join('\n');
  const others = lines.filter(line => !consequence.test(line));
  return (others.length > 0 ? others : lines).slice(-told).join('\n');
}

/** Whether a line of a log tells of a full disk. A server may wait for space, and say no more than that. */
export function isFull(line: string): boolean {
  return noSpace.test(line.replace(names, ''));
}

/** Whether an error is a server's answer to a client, such as that it has too many sessions (1040): then it is there. */
export function isAnswer(error: unknown): boolean {
  return error instanceof Error && /^ERROR (?!2\d{3} )\d+ /.test(error.message);
}

/** The operating system's codes for a program that cannot be started, in words for people. */
const unstartable: Readonly<Record<string, string>> = {
  ENOENT:
    'it is not there, or the program that its first line names is not (lines that end as on Windows are a cause, too)',
  EACCES:
    'the servers’ user may not run it: it needs the right to be executed (chmod +x), and its folders the right to be entered',
  ENOMEM: 'there is not enough memory',
  E2BIG: 'too much was given to it',
};

/** Why a program could not be started, by the error of the attempt. */
export function startCause(name: string, error: unknown): Error {
  const code = codeOf(error);
  const reason = unstartable[code] ?? (error instanceof Error ? error.message : String(error));
  return new Error(`${name} could not be started: ${reason}.`, { cause: error });
}

/** The operating system's code of an error, such as ENOSPC; empty where it has none. */
export function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : '';
}
