import { expect, test } from 'vitest';
import { hasPostgres } from '../postgresServer.ts';
import { alone, killAgainAndAgain } from './kills.ts';

/**
 * A few in `npm test`; as many as one likes with `KILLS=300 npm run kills`, and on PostgreSQL, too: there `npm test` kills one of
 * three replicas (test/faults/threeReplicas.test.ts).
 */
const kills = Number(process.env.KILLS ?? 3);
const isNight = process.env.KILLS !== undefined;

test.each(['embedded', ...(hasPostgres && isNight ? (['PostgreSQL'] as const) : [])] as const)(
  'a bot that is killed again and again loses nothing, doubles nothing and tells the truth, on the store %s',
  async store => {
    const report = await killAgainAndAgain(kills, alone(store), Math.random, line =>
      process.stdout.write(`${store}: ${line}\n`),
    );
    process.stdout.write(`${store}: ${report.kills} kills, ${report.asked} requests taken\n`);
    expect(report).toMatchObject({ lost: [], doubled: [], stuck: [], untrue: [] });
    expect(report.kills).toBe(kills);
  },
  kills * 10_000 + 180_000,
);
