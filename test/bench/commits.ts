import { performance } from 'node:perf_hooks';
import Sqlite from 'better-sqlite3';
import pg from 'pg';
import { systemClock } from '../../src/ground/clock.ts';
import type { Store } from '../../src/store/database.ts';
import { openShared } from '../../src/store/drivers/postgres.ts';
import { openStore } from '../../src/store/drivers/sqlite.ts';
import { jobsIn } from '../../src/store/jobs/jobs.ts';
import { hasPostgres, startPostgres } from '../postgresServer.ts';
import { newFolder } from './child.ts';
import type { Figure, Part } from './part.ts';
import { inTurns } from './rounds.ts';
import { percentile } from './statistics.ts';

/** The time until a job is safely kept, with its entry in the audit trail. The floor is a row of as many bytes, alone. */
export const commits: Part = {
  name: 'commits',
  summary: 'time until a new job is safely in the store, SQLite and PostgreSQL',
  group: 'The store, and several processes',
  async measure({ quick, say }) {
    const count = quick ? 100 : 500;
    const figures: Figure[] = [];
    say('commits in SQLite');
    const folder = newFolder();
    const store = await openStore(folder);
    const bare = new Sqlite(`${folder}/bare.sqlite`);
    try {
      bare.pragma('journal_mode = WAL');
      bare.pragma('synchronous = FULL');
      bare.exec('CREATE TABLE rows (id TEXT PRIMARY KEY, text TEXT)');
      const insert = bare.prepare('INSERT INTO rows (id, text) VALUES (?, ?)');
      figures.push(...(await compared('SQLite', count, store, async (id, text) => insert.run(id, text))));
    } finally {
      bare.close();
      await store.destroy();
    }
    if (!hasPostgres) return figures;
    say('commits in PostgreSQL');
    const server = startPostgres(true);
    try {
      const url = await server.database();
      const shared = await openShared(url, systemClock, { heard: () => {}, faulty: console.error });
      const pool = new pg.Pool({ connectionString: url, max: 1 });
      try {
        await pool.query('CREATE TABLE rows (id TEXT PRIMARY KEY, text TEXT)');
        const insert = (id: string, text: string) =>
          pool.query({ name: 'insert', text: 'INSERT INTO rows (id, text) VALUES ($1, $2)', values: [id, text] });
        figures.push(...(await compared('PostgreSQL', count, shared.store, insert)));
      } finally {
        await pool.end();
        await shared.close();
      }
    } finally {
      server.stop();
    }
    return figures;
  },
};

async function compared(
  name: string,
  count: number,
  store: Store,
  insert: (id: string, text: string) => Promise<unknown>,
): Promise<Figure[]> {
  const jobs = jobsIn(store, { knows: () => true });
  let number = 0;
  const once = async (kind: 'bare' | 'dolly') => {
    number += 1;
    const job = wish(number);
    const text = JSON.stringify(job);
    const began = performance.now();
    await (kind === 'dolly' ? jobs.add(job) : insert(job.id, text));
    return performance.now() - began;
  };
  await inTurns(50, once);
  const { bare, dolly } = await inTurns(count, once);
  return [
    {
      name: `commit of a job, ${name} (floor: one row)`,
      unit: 'ms',
      rounds: [{ bare: percentile(bare, 50), dolly: percentile(dolly, 50) }],
      p95: { bare: percentile(bare, 95), dolly: percentile(dolly, 95) },
    },
  ];
}

function wish(number: number) {
  return {
    id: `job-${number}`,
    requestKey: `request-${number}`,
    team: 'T0BENCH001',
    person: 'U0BENCH001',
    operation: 'clone.create',
    values: {
      sourceDatabase: 'MYSQL_LIVE_SERVER-1',
      cloneType: 'VIRTUALCLONE',
      targetEnvironment: 'HOST_ENVIRONMENT-1',
    },
    target: 'MYSQL_LIVE_SERVER-1',
    targetName: 'orders',
    labels: {},
    channel: 'C0BENCH001',
    purpose: null,
    createdAt: Date.now(),
  };
}
