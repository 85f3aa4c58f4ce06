import { performance } from 'node:perf_hooks';
import { type Bot, startBot } from './bots.ts';
import { startStub } from './crowd.ts';
import { personAt } from './estate.ts';
import { actor, openHistory, type StoreKind, sizeOf, target, words } from './history.ts';
import { acksUntil } from './others.ts';
import { atMost, type Figure, type Part } from './part.ts';
import { command } from './requests.ts';
import { percentile } from './statistics.ts';

const day = 86_400_000;
/** A query that is slow is not asked more often than this allows, in milliseconds. */
const patience = 8_000;
const dayBefore = (days: number) => new Date(Date.now() - days * day).toISOString().slice(0, 10);

const queries: readonly Readonly<{ name: string; text: string }>[] = [
  { name: 'all', text: '' },
  { name: 'by a person', text: `by=${actor}` },
  { name: 'by Dolly', text: 'by=dolly' },
  { name: 'of a record', text: target },
  { name: 'a rare word', text: words.rare },
  { name: 'a frequent word', text: words.frequent },
  { name: 'a frequent and a rare word', text: `${words.frequent} ${words.rare}` },
  { name: 'a word that stands nowhere', text: words.nowhere },
  { name: 'a day long ago', text: `since=${dayBefore(300)} until=${dayBefore(300)}` },
];

/** `/db audit` with its filters on a long trail, until Slack has the answer, and the acks of others meanwhile. */
export const audits: readonly Part[] = (['SQLite', 'PostgreSQL'] as const).map(kind => ({
  name: `audit-${kind.toLowerCase()}`,
  summary: `/db audit with filters on a long trail in ${kind}, and the acks of others meanwhile`,
  group: 'A long history, and long lists',
  async measure({ quick, say, build }) {
    const history = await openHistory(kind, quick, say);
    const stub = await startStub({ people: 1, jobsEach: 0 });
    try {
      say(`audit, ${kind}`);
      const outside = { slackUrl: stub.told, serviceUrl: stub.told };
      const bot = await startBot('dolly', outside, {
        ...build,
        // Who is an approver reads what everybody did.
        environment: { ...history.environment, APPROVERS: personAt(0), LOG_LEVEL: 'warn' },
      });
      try {
        return await measured(bot, kind, quick);
      } finally {
        await bot.stop();
      }
    } finally {
      await stub.stop();
      history.stop();
    }
  },
}));

async function measured(bot: Bot, kind: StoreKind, quick: boolean): Promise<Figure[]> {
  const figures: Figure[] = [];
  const acks: number[] = [];
  const { entries } = sizeOf(quick);
  for (const { name, text } of queries) {
    const times: number[] = [];
    const began = performance.now();
    while (times.length < 10 && performance.now() - began < patience) {
      const answer = askFor(bot, text);
      acks.push(...(await acksUntil(bot, answer)));
      times.push(await answer);
    }
    figures.push({
      name: `/db audit, ${name}, ${entries} in ${kind}`,
      unit: 'ms',
      rounds: [{ dolly: percentile(times, 50) }],
      p95: { dolly: percentile(times, 95) },
      aim: atMost('dolly', 300),
    });
  }
  figures.push({
    name: `the longest ack of others meanwhile, ${entries} in ${kind}`,
    unit: 'ms',
    rounds: [{ dolly: Math.max(...acks) }],
    p95: { dolly: percentile(acks, 95) },
    aim: atMost('dolly', 50),
    cost: 'Dolly and the store that reads the entries share two cores.',
  });
  return figures;
}

/** Milliseconds from the command to its answer. @throws Error where that is no page of the trail */
async function askFor(bot: Bot, text: string): Promise<number> {
  const before = await bot.told('trail', 0);
  const began = performance.now();
  const place = { responseUrl: bot.responseUrl.replace(/[^/]*$/, 'trail') };
  await bot.send(command(place, '/db', `audit ${text}`.trim(), personAt(0)));
  await bot.told('trail', before + 1);
  const took = performance.now() - began;
  const answer = await bot.last('trail');
  if (!answer.includes('The audit trail')) throw new Error(`no page of the trail: ${answer.slice(0, 300)}`);
  return took;
}
