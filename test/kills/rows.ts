import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import pg from 'pg';
import type { World } from '../world.ts';
import type { Report, Write } from './report.ts';

type Row = Readonly<Record<string, unknown>>;

/** The columns of a job that tell why it stands where it does: its state, its next step, its locks and its messages. */
const telling = [
  ...['id', 'person', 'operation', 'target', 'target_name', 'state', 'reason', 'hold', 'no_answer', 'claimed'],
  ...['created_at', 'sent_at', 'ended_at', 'deadline_at', 'due_at', 'locked_until', 'looks', 'plan', 'step'],
  ...['message_ts', 'reply_ts', 'revision', 'shown', 'tell_at', 'tell_tries', 'tell_locked_until', 'posting', 'posts'],
  'evidence',
];

/**
 * Collects what a report with faults is judged by, a line each, out of the store of a bot that is stopped: the jobs that
 * have not ended or are to be told, the looks at them, and the jobs and requests that a fault names.
 */
export async function evidenceFor(earth: World, report: Report, all: readonly Write[]): Promise<readonly string[]> {
  const faults = [...report.lost, ...report.doubled, ...report.stuck, ...report.untrue];
  if (faults.length === 0) return [];
  // A fault begins with the request that it is about, which ends in a name of its own.
  const names = faults.map(fault => fault.split(':')[0]?.split(' ').at(-1) ?? fault);
  const isNamed = (text: string) => names.some(name => new RegExp(`\\b${name}\\b`).test(text));
  const [jobs = [], looks = [], watcher = [], alerts = []] = await readAll(earth.environment);
  const wanted = jobs.filter(job => job.ended_at === null || job.tell_at !== null || isNamed(JSON.stringify(job)));
  return [
    ...faults.map(fault => `fault: ${fault}`),
    `it is ${Date.now()}`,
    ...wanted.map(job => `job: ${JSON.stringify(Object.fromEntries(telling.map(key => [key, job[key]])))}`),
    ...looks.map(look => `look: ${JSON.stringify(look)}`),
    ...watcher.map(one => `watcher: ${JSON.stringify(one)}`),
    ...alerts.map(alert => `alert: ${JSON.stringify(alert)}`).filter(isNamed),
    ...all.filter(({ url, body }) => isNamed(`${url} ${body}`)).map(({ url, body }) => `request: ${url} ${body}`),
  ];
}

const statements = [
  'select * from jobs order by created_at',
  'select * from looks',
  'select * from watchers',
  "select * from things where kind = 'incident' order by created_at",
] as const;

async function readAll({ DATABASE_URL, DATA_DIR = '' }: World['environment']): Promise<readonly Row[][]> {
  if (DATABASE_URL === undefined) {
    const store = new Sqlite(join(DATA_DIR, 'dolly.sqlite'), { readonly: true });
    try {
      return statements.map(statement => store.prepare<[], Row>(statement).all());
    } finally {
      store.close();
    }
  }
  const client = new pg.Client(DATABASE_URL);
  await client.connect();
  try {
    const answers = [];
    for (const statement of statements) answers.push((await client.query<Row>(statement)).rows);
    return answers;
  } finally {
    await client.end();
  }
}
