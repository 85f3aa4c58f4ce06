import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { opensForm, quickLine } from '../journeys/clones.ts';
import type { Someone } from '../person.ts';
import { hasPostgres } from '../postgresServer.ts';
import { world } from '../world.ts';

/**
 * As src/ground/loop.ts has it, and what it may take to look into the store, to work on 18 jobs at once, and to show them: all
 * three together post one message a second. Milliseconds.
 */
const lease = 20_000;
const grace = 40_000;

test.runIf(hasPostgres)(
  'three processes on one PostgreSQL share 18 jobs, and bring each to its end once, though one is killed',
  async () => {
    let isSlow = false;
    const sent: string[] = [];
    const earth = await world({
      ownProcess: true,
      store: 'PostgreSQL',
      balanced: true,
      environment: { LOG_LEVEL: 'info' },
      service: {
        tokenLifetime: 1_000 * 3_600_000,
        async middleware(request, next) {
          if (request.method === 'GET' || request.url.includes('/user/user/')) return next();
          sent.push(await request.clone().text());
          const answer = await next();
          // The answer of some is under way as one of the three dies.
          if (isSlow) await sleep(3_000);
          return answer;
        },
      },
    });
    try {
      const others = [await earth.joins(), await earth.joins()];
      const [ana, ben, dev] = [
        await earth.enters('Ana', 'ana'),
        await earth.enters('Ben', 'ben'),
        await earth.enters('Dev', 'dev'),
      ] as const;
      const asksFor = async (someone: Someone, channel: string, ports: readonly number[]) => {
        for (const port of ports) {
          await opensForm(someone, channel, quickLine(port));
          expect(await someone.submits()).toEqual({ errors: {}, error: '', open: false });
        }
      };
      const range = (first: number, count: number) => Array.from({ length: count }, (_, at) => first + at);
      const early = range(3400, 9);
      const late = range(3409, 9);
      const all = [...early, ...late];
      // A channel for each: the three together post one message a second in each, and tell an end that waits elsewhere.
      const cards = () => ['#databases', '#dev', '#dba-approvals'].flatMap(channel => earth.cards(channel));
      const textFor = (port: number) =>
        cards().flatMap(card => (earth.text(card).includes(`/mnt/c${port}`) ? [card] : []));
      await Promise.all([
        asksFor(ana, '#databases', early.slice(0, 3)),
        asksFor(ben, '#dev', early.slice(3, 6)),
        asksFor(dev, '#dba-approvals', early.slice(6)),
      ]);
      await earth.until(() => sent.length === 9, 'the first requests');
      isSlow = true;
      await Promise.all([
        asksFor(ana, '#databases', late.slice(0, 3)),
        asksFor(ben, '#dev', late.slice(3, 6)),
        asksFor(dev, '#dba-approvals', late.slice(6)),
      ]);
      await earth.until(() => sent.length > 12, 'requests that are under way');
      const [victim] = others;
      if (!victim?.kill) throw new Error('it is no process');
      await victim.kill();
      const killedAt = Date.now();
      isSlow = false;

      // What the dead one had in hand is in the hands of the others within a lease: nothing is new or being sent any more.
      const isTaken = () =>
        all.every(port => textFor(port).some(card => !/· (Sending|Not sent yet)/.test(earth.text(card))));
      while (!isTaken() && Date.now() - killedAt < lease + grace) {
        await earth.clock.advance(1_000);
        await sleep(250);
      }
      expect(isTaken()).toBe(true);

      // A request that was to leave as its sender died may never have left: nobody knows, and it is not sent again.
      const requests = (port: number) => sent.filter(body => body.includes(`"port":${port}`)).length;
      const isTold = (card: { channel: string; ts: string }) =>
        earth.text(card).includes('· Confirmed') && earth.replies(card).length > 0;
      const isOver = () => all.every(port => requests(port) === 0 || textFor(port).some(isTold));
      for (const end = Date.now() + 120_000; !isOver() && Date.now() < end; await sleep(250))
        await earth.clock.advance(1_000);
      for (const port of all) {
        const [card, ...more] = textFor(port);
        const word = requests(port) === 0 ? '· Sent, no answer yet' : '· Confirmed';
        expect([port, more.length, card ? earth.text(card) : '']).toEqual([port, 0, expect.stringContaining(word)]);
        expect([port, card ? earth.replies(card).length : 0]).toEqual([port, requests(port)]);
      }
      expect(cards()).toHaveLength(18);
      for (const other of others) if (other !== victim) await other.stop();
    } finally {
      await earth.close();
    }
  },
  300_000,
);
