import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';

/** What a writer was told. `number` counts its commits from 1. */
type Writer = {
  /** The numbers that the server has acknowledged. */
  acknowledged: Set<number>;
  /** The number that was sent last. It may be committed and not acknowledged. */
  sent: number;
  /** The longest time in milliseconds that one statement took. */
  longest: number;
  faults: string[];
  stop(): Promise<void>;
};

/** What the client says where the server is gone. What it had sent may be committed or not. */
const lost = /ERROR (20\d\d|1053|1927)\b/;

/** The pause between two commits in milliseconds. In `npm run kills`, writers take all that the machine can give. */
const pause = process.env.KILLS === undefined ? 10 : 0;

/**
 * Commits one numbered statement after the other in a session of its own. Where the server `mayEnd`, it opens a session again
 * until there is one.
 */
function writerTo(options: string, mayEnd: boolean, statement: (number: number) => string): Writer {
  const args = [`--defaults-file=${options}`, '--batch', '--skip-column-names', '--unbuffered', '--force'];
  const writer = { acknowledged: new Set<number>(), sent: 0, longest: 0, faults: [] as string[] };
  let isStopping = false;
  let begun = 0;
  let isFaulty = false;
  let { child, ended } = open();
  function open() {
    const session = spawn('mariadb', args, { stdio: ['pipe', 'pipe', 'pipe'] });
    const isOver = once(session, 'exit');
    // What it is still to be told is lost with it.
    session.stdin.on('error', () => undefined);
    session.stderr.setEncoding('utf8').on('data', (text: string) => {
      isFaulty = true;
      if (mayEnd && lost.test(text)) session.kill('SIGKILL');
      // It shows the statement, too, in pieces.
      // A table that waits for its triggers after a crash.
      else if (mayEnd && text.includes('ERROR 1644')) return;
      else if (/ERROR \d/.test(text) && writer.faults.length < 20) writer.faults.push(`${writer.sent}: ${text.trim()}`);
    });
    createInterface({ input: session.stdout }).on('line', line => {
      const [word, isDone, number] = line.split('\t');
      if (word !== 'is') return;
      writer.longest = Math.max(writer.longest, performance.now() - begun);
      // What the server says of a fault may come a moment later.
      setTimeout(() => {
        if (!isFaulty && isDone === '1') writer.acknowledged.add(Number(number));
        next();
      }, pause);
    });
    if (mayEnd)
      session.once('exit', () => {
        if (isStopping) return;
        ({ child, ended } = open());
        setTimeout(next, 50);
      });
    return { child: session, ended: isOver };
  }
  const next = () => {
    if (isStopping) {
      child.stdin.end();
      return;
    }
    writer.sent += 1;
    begun = performance.now();
    isFaulty = false;
    child.stdin.write(`${statement(writer.sent)};\nSELECT 'is', ROW_COUNT() >= 0, ${writer.sent};\n`);
  };
  next();
  return Object.assign(writer, {
    async stop() {
      isStopping = true;
      await ended;
    },
  });
}

/** Three databases, one of which is restored, with what writes to them all the while. */
export const fields = [
  'CREATE DATABASE target CHARACTER SET latin1',
  'CREATE DATABASE beside',
  'CREATE DATABASE around',
  'CREATE TABLE beside.inserted (n INT PRIMARY KEY)',
  'CREATE TABLE beside.fired (n INT PRIMARY KEY)',
  'CREATE TABLE around.seen (n INT PRIMARY KEY)',
  'CREATE TABLE target.kinds (id INT PRIMARY KEY, size FLOAT)',
  'INSERT INTO target.kinds SELECT seq, 16777216 + seq FROM target.seq_1_to_50',
  `CREATE TABLE target.items (n INT PRIMARY KEY, kind INT, size FLOAT, words VARCHAR(200), FULLTEXT (words),
     CONSTRAINT of_kind FOREIGN KEY (kind) REFERENCES target.kinds (id))`,
  "INSERT INTO target.items SELECT -seq, 1 + seq MOD 50, 16777216 + seq, CONCAT('word', seq) FROM target.seq_1_to_3000",
  'CREATE TABLE target.upserted (id INT PRIMARY KEY, n INT)',
  'INSERT INTO target.upserted SELECT seq, 0 FROM target.seq_1_to_10',
  'CREATE TABLE around.used (n INT, CONSTRAINT of_item FOREIGN KEY (n) REFERENCES target.items (n) ON DELETE SET NULL)',
  'CREATE TRIGGER target.fires AFTER INSERT ON target.items FOR EACH ROW INSERT INTO beside.fired VALUES (NEW.n)',
].join('; ');

/** Lets four writers number their commits in the three databases of {@link fields}, from a number on that none has used. */
export function startWriters(options: string, from: number, mayEnd = false) {
  const at = (number: number) => from + number;
  const writers = {
    inserted: writerTo(options, mayEnd, n => `INSERT INTO beside.inserted VALUES (${at(n)})`),
    items: writerTo(options, mayEnd, n => `INSERT INTO target.items VALUES (${at(n)}, ${1 + (n % 50)}, ${n}, 'new')`),
    upserted: writerTo(
      options,
      mayEnd,
      n => `INSERT INTO target.upserted VALUES (${1 + (n % 10)}, ${at(n)}) ON DUPLICATE KEY UPDATE n = VALUES(n)`,
    ),
    seen: writerTo(
      options,
      mayEnd,
      n => `CREATE OR REPLACE TABLE around.made (id INT) COMMENT '${n}'; INSERT INTO around.seen VALUES (${at(n)})`,
    ),
  };
  return {
    ...writers,
    async stop() {
      await Promise.all(Object.values(writers).map(writer => writer.stop()));
    },
  };
}

export type Writers = ReturnType<typeof startWriters>;

/** Sums up what {@link fields} fills the items with. */
export const heldItems = 'SELECT COUNT(*), SUM(size), SUM(n), SUM(LENGTH(words)) FROM target.items WHERE n < 0';

/**
 * What is wrong after a restore of the target that was swapped at some moment, or not at all. `ask` gives rows of text; `from` is that of
 * the writers, `isDone` what the record says, and `held` what
 * the snapshot gives for {@link heldItems}.
 */
export async function judge(
  ask: (statement: string) => Promise<readonly string[]>,
  writers: Writers,
  from: number,
  isDone: boolean,
  isWhole: boolean,
  held: string | undefined,
): Promise<readonly string[]> {
  const faults: string[] = [];
  const numbers = async (table: string) =>
    new Set((await ask(`SELECT n FROM ${table} WHERE n > ${from}`)).map(line => Number(line) - from));
  for (const [name, table] of [
    ['inserted', 'beside.inserted'],
    ['seen', 'around.seen'],
    ['items', 'beside.fired'],
  ] as const) {
    const there = await numbers(table);
    const gone = [...writers[name].acknowledged].filter(number => !there.has(number));
    if (gone.length > 0) faults.push(`${table} lost ${gone.length} acknowledged commits: ${gone.slice(0, 5)}`);
  }
  const items = await numbers('target.items');
  const first = Math.min(...items);
  const gone = [...writers.items.acknowledged].filter(number => !items.has(number));
  if (!isDone && gone.length > 0) faults.push(`target.items lost ${gone.length} commits and was not restored`);
  const late = gone.filter(number => number > first);
  if (late.length > 0) faults.push(`target.items has ${first} and not ${late.slice(0, 5)}`);
  if (isDone && first <= 1) faults.push('target.items has what was written before its restore');
  const old = await ask(heldItems);
  if (old[0] !== held) faults.push(`target.items is not the snapshot: ${old[0]}`);
  for (const line of isWhole ? [] : await ask('SELECT id, n FROM target.upserted')) {
    const [id = 0, n = 0] = line.split('\t').map(Number);
    const least = Math.max(0, ...[...writers.upserted.acknowledged].filter(number => 1 + (number % 10) === id));
    if (n < from + least) faults.push(`target.upserted has ${n} for ${id}, and ${from + least} was acknowledged`);
  }
  for (const [name, { longest }] of Object.entries({ items: writers.items, upserted: writers.upserted }))
    if (longest > 5_000) faults.push(`the writer ${name} stood ${Math.round(longest)} ms`);
  for (const { faults: said } of [writers.inserted, writers.items, writers.upserted, writers.seen])
    faults.push(...said);
  const left = await ask(
    "SELECT CONCAT(table_schema, '.', table_name) FROM information_schema.tables WHERE table_name LIKE 'dolly%' UNION SELECT trigger_name FROM information_schema.triggers WHERE trigger_name LIKE 'dolly%'",
  );
  if (left.length > 0) faults.push(`left: ${left}`);
  const keys = await ask(
    "SELECT CONCAT(constraint_name, '>', unique_constraint_schema, '.', referenced_table_name) FROM information_schema.referential_constraints WHERE constraint_name IN ('of_item', 'of_kind') AND constraint_schema NOT LIKE 'dolly%' ORDER BY 1",
  );
  if (keys.join(' ') !== 'of_item>target.items of_kind>target.kinds') faults.push(`keys: ${keys}`);
  return faults;
}
